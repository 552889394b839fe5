// Serves the built page from build/web: node serve.mjs [PORT]. Any other server of static files can also serve it, if
// the server sends the headers that docs/web.md names.
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
  ".json": "application/json", ".wasm": "application/wasm", ".txt": "text/plain; charset=utf-8",
};
export const PAGE = fileURLToPath(new URL("../build/web/", import.meta.url));

/** Returns the content security policy of index.html. A worker has only the policy that is sent with the worker's file. */
async function policyOf(index) {
  return /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(await readFile(index, "utf8"))[1];
}

/** Answers a request with a file of the page. */
export async function answer(request, response) {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  const file = join(PAGE, path.endsWith("/") ? `${path}index.html` : path);
  const found = file.startsWith(PAGE) ? await stat(file).catch(() => undefined) : undefined;
  if (!found?.isFile()) return void response.writeHead(404).end("not found");
  response.writeHead(200, {
    "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", "Content-Length": found.size, "Cache-Control": "no-cache",
    "Content-Security-Policy": `${await policyOf(`${PAGE}index.html`)}; frame-ancestors 'none'`,
    "X-Content-Type-Options": "nosniff", "Cross-Origin-Opener-Policy": "same-origin",
  });
  createReadStream(file).pipe(response);
}

/** Serves the page. Port 0 means any free port. close() also ends the connections. */
export async function serve(port = 0, handler = answer) {
  const server = createServer((request, response) => void Promise.resolve(handler(request, response)).catch(() => response.writeHead(400).end()));
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
  return { address: `http://localhost:${server.address().port}/`, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const port = process.argv[2] ?? "8000";
  try {
    const { address } = await serve(Number(port));
    console.log(`The page is at ${address}; Ctrl+C ends it.`);
  } catch (error) {
    console.error(error.code === "EADDRINUSE" ? `Port ${port} is taken: scripts/web PORT uses another one.` : `The page cannot be served: ${error.message}`);
    process.exitCode = 1;
  }
}
