// Lays texts for Graphviz out as the extension does: node layout.mjs FOLDER LAYOUT ENDS < JSON list of texts > JSON list of results
// FOLDER holds renderer.mjs and thread.mjs, which are compiled from the sources of the extension.
import { readFileSync } from "node:fs";

const { Renderer } = await import(`${process.argv[2]}/renderer.mjs`);
const { startThread } = await import(`${process.argv[2]}/thread.mjs`);
const rendererWith = (script) => new Renderer((listener) => startThread(script, listener));

/** What comes after threads that end while they have nothing to do, or while they lay a text out. */
async function withThreadsThatEnd() {
  const renderer = rendererWith(process.argv[4]);
  const results = [];
  for (const text of ["throw later", "a", "exit later", "b", "exit", "c"]) {
    results.push(await renderer.svgOf(text).catch((error) => `${error}`));
    while (text.endsWith("later") && renderer.thread !== undefined) await new Promise((next) => setTimeout(next, 10));
  }
  renderer.dispose();
  return results;
}

const renderer = rendererWith(process.argv[3]);
const results = [];
for (const dot of JSON.parse(readFileSync(0, "utf8"))) {
  results.push(await renderer.svgOf(dot).catch((error) => `${error}`));
}
const stopped = renderer.svgOf("digraph { a -> b }").catch((error) => `stopped, slow: ${error.isSlow}`);
results.push(await renderer.svgOf("digraph { c }"), await stopped);
renderer.dispose();
results.push(...(await withThreadsThatEnd()));
console.log(JSON.stringify(results));
