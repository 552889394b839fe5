// Makes the pictures of docs/web.md: node test/pictures.mjs FOLDER.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { serve } from "../serve.mjs";
import { launch, Page, ROOT } from "./browser.mjs";

const folder = process.argv[2];
const { address, close } = process.env.PAGE ? { address: process.env.PAGE, close: () => undefined } : await serve();
const browser = await launch();
const branch = await readFile(`${ROOT}testdata/examples/branch.onnxtxt`, "utf8");
const size = { width: 1120, height: 600 };
const pause = () => new Promise((resolve) => setTimeout(resolve, 1500)); // until messages have disappeared and hints are shown

const wrong = branch.replace("ReduceSum <keepdims = 0> (x)", "ReduceSum (x, keepdims = 0)").replace("Less (total,", "Less (totl,");
const light = await Page.open(browser, `${address}#name=branch.onnxtxt&text=${deflateRawSync(wrong).toString("base64url")}`, size);
await light.says("#findings-list", "Replace");
await light.says("#picture-note", "node");
await light.click("#findings-list li:nth-child(2) .place");
await pause();
await light.puppet.screenshot({ path: join(folder, "web-light.png") });

const dark = await Page.open(browser, address, { ...size, features: [{ name: "prefers-color-scheme", value: "dark" }] });
await dark.says("#picture-note", "node");
const old = branch.replace("Neg (total)", "Abs (total)").replace("keepdims = 0", "keepdims = 1");
await dark.drop([{ name: "branch-old.onnxtxt", bytes: Buffer.from(old) }], "#drop-compare");
await dark.says("#differences-summary", "2 differences");
await dark.click("#differences-list .row:nth-child(2)");
await pause();
await dark.puppet.screenshot({ path: join(folder, "web-dark.png") });
await browser.close();
await close();
