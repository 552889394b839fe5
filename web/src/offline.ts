// The page works without a network after it was loaded once: a service worker keeps its files.
export function startOffline(): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("service-worker.js").catch(() => undefined); // a browser that forbids it still shows the page
}
