// Tests the page in a real browser: acts like a user, and compares the results with the native command. Pictures of
// each step are in build/web-pictures.
//
//   node test/page.mjs
//
// With STEPS=share,offline in the environment, only these steps run. With PAGE=http://..., a page that is already served is
// tested.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "../serve.mjs";
import { launch, Page, PICTURES } from "./browser.mjs";
import { steps } from "./steps.mjs";

const chosen = process.env.STEPS?.split(",");
const unknown = chosen?.filter((name) => !Object.hasOwn(steps, name)) ?? [];
if (unknown.length > 0) {
  console.log(`FAILED: there is no step '${unknown.join("', '")}'; there are: ${Object.keys(steps).join(", ")}`);
  process.exit(1);
}

await mkdir(PICTURES, { recursive: true });
const folder = await mkdtemp(join(tmpdir(), "onnxc-models-"));
const server = process.env.PAGE ? undefined : await serve();
const address = process.env.PAGE ?? server.address;
const browser = await launch();
let failed = 0;
for (const [name, { options, run }] of Object.entries(steps)) {
  if (chosen && !chosen.includes(name)) continue;
  const begin = Date.now();
  const page = await Page.open(browser, address, options);
  try {
    await run(page, { folder, address, browser });
    await page.shot(name);
    if (page.faults.length > 0) throw new Error(page.faults.join("\n"));
    console.log(`ok ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    await page.shot(`${name}-failed`).catch(() => undefined);
    console.log(`FAILED ${name}: ${error.message}`);
  }
  await page.close().catch(() => undefined);
}
await browser.close();
await server?.close();
await rm(folder, { recursive: true });
console.log(failed === 0 ? "all steps passed" : `${failed} steps failed; their pictures are in build/web-pictures`);
process.exit(failed === 0 ? 0 : 1);
