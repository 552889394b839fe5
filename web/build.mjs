// Builds the page into build/web: its scripts, the module of the npm package, and the list of files that the service worker keeps.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const onnxc = fileURLToPath(new URL("../build/wasm/package/", import.meta.url)); // by scripts/wasm
const out = fileURLToPath(new URL("../build/web/", import.meta.url));
const common = {
  bundle: true,
  format: "esm",
  target: ["chrome123", "firefox128", "safari17.5"], // versions that have light-dark(), popovers and Map.groupBy()
  minify: true,
  legalComments: "linked", // writes the licences of the libraries to separate files
  loader: { ".onnxtxt": "text", ".css": "text" },
  alias: { onnxc: `${onnxc}index.mjs` },
  external: ["node:*"],
};

/** Returns the files in a folder and its subfolders, sorted. */
async function filesOf(folder) {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  return all.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name))).sort();
}

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await build({ ...common, entryPoints: ["main", "worker", "layout"].map((name) => `${here}src/${name}.ts`), outdir: out });
for (const file of ["index.html", "style.css", "icon.svg", "manifest.json"]) await cp(here + file, out + file);
await cp(`${onnxc}module/onnxc.wasm`, `${out}module/onnxc.wasm`); // where Onnxc.load() looks for it

const files = await filesOf(out);
const hash = createHash("sha256");
for (const file of files) hash.update(file).update(await readFile(out + file));
const define = { FILES: JSON.stringify(["./", ...files.filter((file) => file !== "index.html")]), VERSION: JSON.stringify(hash.digest("hex").slice(0, 16)) };
await build({ ...common, entryPoints: [`${here}src/service-worker.ts`], outdir: out, define });
for (const file of await filesOf(out)) console.log(`${String((await stat(out + file)).size).padStart(9)} ${file}`);
