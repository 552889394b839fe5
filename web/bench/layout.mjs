// Measures how long the layout libraries take for graphs of 50, 1,000 and 10,000 nodes. Also measures how long the
// page takes, which lays out a graph in pieces with dagre.
//
//   node bench/layout.mjs                       all cases; each runs in a separate process for at most five minutes
//   node bench/layout.mjs LIBRARY NODES KIND    one case: dagre, elk, viz or pieces; "same" or "varied" blocks
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { onnxc } from "../test/browser.mjs";
import { deepText } from "../test/models.mjs";

const LONGEST = 300_000;

function dotOf(nodes, kind, folder) {
  writeFileSync(join(folder, "deep.onnxtxt"), deepText(nodes, kind === "varied"));
  const { status, stdout, stderr } = onnxc(["graph", "-q", "deep.onnxtxt"], folder);
  if (status !== 0) throw new Error(stderr);
  return stdout.toString();
}

/** Returns the boxes and lines of a picture. Each box has the size of a usual node. */
function graphOf(dot) {
  const number = new Map();
  const links = [];
  for (const line of dot.split("\n")) {
    const link = /^ *(n\d+) -> (n\d+)/.exec(line);
    if (link) links.push({ from: number.get(link[1]), to: number.get(link[2]) });
    else if (/^ *n\d+ \[/.test(line)) number.set(/n\d+/.exec(line)[0], number.size);
  }
  return { items: Array.from(number, () => ({ width: 100, height: 30 })), links };
}

const libraries = {
  async dagre(dot) {
    const { Graph, layout } = await import("@dagrejs/dagre");
    const { items, links } = graphOf(dot);
    return () => {
      const graph = new Graph({ multigraph: true });
      graph.setGraph({});
      items.forEach((item, i) => graph.setNode(String(i), { ...item }));
      links.forEach(({ from, to }, i) => graph.setEdge(String(from), String(to), {}, String(i)));
      layout(graph);
    };
  },
  async elk(dot) {
    const { default: ELK } = await import("elkjs/lib/elk.bundled.js");
    const { items, links } = graphOf(dot);
    const graph = {
      id: "all",
      layoutOptions: { "elk.algorithm": "layered", "elk.direction": "DOWN" },
      children: items.map((item, i) => ({ id: `n${i}`, ...item })),
      edges: links.map(({ from, to }, i) => ({ id: `e${i}`, sources: [`n${from}`], targets: [`n${to}`] })),
    };
    return () => new ELK().layout(graph);
  },
  async viz(dot) {
    const { instance } = await import("@viz-js/viz");
    const viz = await instance();
    return () => viz.renderString(dot, { format: "json0" });
  },
  async pieces(dot, folder) {
    const outfile = join(folder, "flat.mjs");
    await build({ entryPoints: [fileURLToPath(new URL("../src/flat.ts", import.meta.url))], bundle: true, format: "esm", outfile });
    const { Layouts } = await import(outfile);
    const { items, links } = graphOf(dot);
    return async () => {
      const begin = performance.now();
      let first;
      for await (const _ of new Layouts().pieces(items, links)) first ??= performance.now() - begin;
      return `the first piece after ${Math.round(first)} ms`;
    };
  },
};

const [library, nodes, kind] = process.argv.slice(2);
if (library) {
  const folder = mkdtempSync(join(tmpdir(), "onnxc-layout-"));
  const work = await libraries[library](dotOf(Number(nodes), kind, folder), folder);
  const begin = performance.now();
  const more = await work();
  console.log(`${Math.round(performance.now() - begin).toLocaleString("en")} ms${typeof more === "string" && library === "pieces" ? `, ${more}` : ""}`);
  rmSync(folder, { recursive: true });
} else {
  for (const count of [50, 1000, 10_000]) {
    for (const blocks of ["same", "varied"]) {
      for (const name of Object.keys(libraries)) {
        const run = (...options) => {
          const args = [...options, fileURLToPath(import.meta.url), name, String(count), blocks];
          const { stdout, stderr, status } = spawnSync(process.execPath, args, { timeout: LONGEST });
          return status === 0 ? stdout.toString().trim() : (/RangeError: (.*)/.exec(stderr.toString())?.[1] ?? `more than ${LONGEST / 1000} s`);
        };
        let result = run();
        if (/stack/.test(result)) result += `; with a stack of 4 MB: ${run("--stack-size=4000")}`;
        console.log(`${count.toLocaleString("en").padStart(6)} nodes, ${blocks.padEnd(6)} ${name.padEnd(6)} ${result}`);
      }
    }
  }
}
