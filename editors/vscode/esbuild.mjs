// Builds the files of the extension in dist/: extension.js for Node.js, browser.js for browsers, and layout.js, which runs in a
// separate thread of either. With --worker, builds server/worker.js, the script of the worker that runs the npm package in
// browsers.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const common = {
  bundle: true,
  outdir: "dist",
  external: ["vscode", "node:*"],
  loader: { ".onnxtxt": "text" },
  minify: true,
  legalComments: "none",
};
const browser = { ...common, platform: "browser", target: "es2022" };

if (process.argv.includes("--worker")) {
  const module = { alias: { onnxc: fileURLToPath(new URL("server/index.mjs", import.meta.url)) }, define: { "import.meta.url": '""' } };
  await build({ ...browser, ...module, entryPoints: { worker: "src/browser/worker.ts" }, outdir: "server", format: "iife" });
} else {
  await build({ ...common, platform: "node", target: "node20", entryPoints: { extension: "src/desktop/main.ts" }, format: "cjs" });
  await build({ ...browser, entryPoints: { browser: "src/browser/main.ts" }, format: "cjs" });
  await build({ ...browser, entryPoints: { layout: "src/browser/layout.ts" }, format: "iife" });
}
