// Computes the layout of a picture in a separate thread: takes a text for Graphviz, and returns `{svg}` or `{error}`.
import { instance } from "@viz-js/viz";
import { parentPort } from "node:worker_threads";

const viz = instance();

parentPort?.on("message", async (dot: string) => {
  try {
    const svg = (await viz).renderString(dot, { format: "svg" });
    parentPort?.postMessage({ svg: svg.slice(svg.indexOf("<svg")) });
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
});
