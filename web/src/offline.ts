// Makes the page work without a network after it was loaded once: starts a service worker, which stores the files of
// the page.
export function startOffline(): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("service-worker.js").catch(() => undefined); // a browser that forbids it still shows the page
}
