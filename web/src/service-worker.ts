// Stores the files of the page, so that the page opens without a network. build.mjs defines `FILES` and `VERSION`. Each
// build has its own store. When a new store is complete, older stores for the same address are removed.
declare const FILES: string[];
declare const VERSION: string;
const worker = self as unknown as ServiceWorkerGlobalScope;
const STORES = `onnxc ${worker.registration.scope} `; // other copies of the page may be on the same server
const STORE = STORES + VERSION;

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(STORE).then((store) => store.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })))).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  const clear = async (): Promise<void> => {
    for (const name of await caches.keys()) if (name.startsWith(STORES) && name !== STORE) await caches.delete(name);
    await worker.clients.claim();
  };
  event.waitUntil(clear());
});

worker.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  const answer = async (): Promise<Response> => {
    const store = await caches.open(STORE);
    return (await store.match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
  };
  event.respondWith(answer());
});
