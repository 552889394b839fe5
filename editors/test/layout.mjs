// Lays texts for Graphviz out as the extension does: node layout.mjs RENDERER LAYOUT < JSON list of texts > JSON list of results
import { readFileSync } from "node:fs";

const { Renderer } = await import(process.argv[2]);
const renderer = new Renderer(process.argv[3]);
const results = [];
for (const dot of JSON.parse(readFileSync(0, "utf8"))) {
  results.push(await renderer.svgOf(dot).catch((error) => `${error}`));
}
const stopped = renderer.svgOf("digraph { a -> b }").catch((error) => `stopped, slow: ${error.isSlow}`);
results.push(await renderer.svgOf("digraph { c }"), await stopped);
renderer.dispose();
console.log(JSON.stringify(results));
