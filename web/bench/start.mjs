// Measures the time to the first paint of the page, and to the first finding in a text with errors: cold (the browser
// has stored nothing) and warm (the browser has the page's files). Prints medians of five runs.
//
//   node bench/start.mjs
import { deflateRawSync } from "node:zlib";
import { serve } from "../serve.mjs";
import { launch } from "../test/browser.mjs";

const RUNS = 5;
const { address, close } = await serve();
const text = '<ir_version: 10, opset_import: ["" : 17]>\nscale (float[N, 2] x) => (float[N, 2] y)\n<float[2] weights = {1, 2}>\n{\n   c = Mul(x, wieghts)\n   y = Relu(c)\n}\n';
const link = `${address}#text=${deflateRawSync(text).toString("base64url")}`;
const times = { cold: [], warm: [] };
for (let run = 0; run < RUNS; ++run) {
  const browser = await launch();
  for (const kind of ["cold", "warm"]) {
    const page = await browser.newPage();
    const found = new Promise((resolve) => page.exposeFunction("onFound", resolve));
    await page.evaluateOnNewDocument(() => {
      addEventListener("DOMContentLoaded", () => {
        const list = document.querySelector("#findings-list");
        new MutationObserver(() => list.children.length > 0 && window.onFound(performance.now())).observe(list, { childList: true });
      });
    });
    await page.goto(link);
    const finding = await found;
    const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
    times[kind].push({ paint, finding });
    if (kind === "cold") await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.close();
  }
  await browser.close();
}
await close();
const median = (list) => Math.round(list.sort((a, b) => a - b)[list.length >> 1]);
for (const [kind, list] of Object.entries(times)) {
  console.log(`${kind}: first paint ${median(list.map(({ paint }) => paint))} ms, first finding ${median(list.map(({ finding }) => finding))} ms`);
}
