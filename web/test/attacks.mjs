// The steps that try to harm the page: names that are HTML, texts that are hard to read, and requests to another server.
import assert from "node:assert/strict";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serve } from "../serve.mjs";
import { FOUND, ready } from "./browser.mjs";
import { HOSTILE } from "./models.mjs";

export const attackSteps = {
  hostile: {
    async run(page) {
      await ready(page);
      const HTML = "<img src=x"; // in the names of the model, this follows one letter
      await page.drop([{ name: `${HTML} onerror=alert(1)>.onnxtxt`, bytes: Buffer.from(HOSTILE) }]);
      await page.says("#name", HTML);
      await page.says("#findings-list", `unknown${HTML}`);
      // The picture: the text of the node under the pointer, and the text for screen readers.
      await page.says("#picture-note", "nodes");
      await page.puppet.type("#picture-search", `n${HTML}`);
      const { x, y } = await page.middleOf(FOUND);
      await page.puppet.mouse.move(x, y + 9);
      await page.until((part) => document.querySelector("#picture").title.includes(part), `F${HTML}`);
      await page.puppet.mouse.click(x, y + 9);
      await page.says("#picture-spoken", `F${HTML}`);
      // The tabs.
      await page.click("#tab-types");
      await page.says("#types-list", `a${HTML}`);
      await page.click("#tab-sizes");
      await page.says("#sizes-content", `w${HTML}`);
      await page.drop([{ name: "<b>other</b>.onnxtxt", bytes: Buffer.from(HOSTILE.replaceAll("Foo", "Bar")) }], "#drop-compare");
      await page.says("#differences-summary", "<b>other</b>");
      // The editor: the text under the pointer, completion, the parameters of a function, and renaming.
      await page.hover("called");
      await page.shows(".cm-tooltip-hover", `x${HTML}`);
      await page.select('Foo ("a');
      await page.press("ArrowRight");
      await page.press("Control+Space");
      await page.shows(".cm-tooltip-autocomplete li", `a${HTML}`);
      await page.press("Escape");
      await page.select("d.G (");
      await page.press("ArrowRight");
      await page.press("Control+Shift+Space");
      await page.shows(".cm-lsp-signature-tooltip", `in${HTML}`);
      await page.press("Escape");
      await page.select('"x<');
      await page.press("F2");
      await page.says("#rename-old", `x${HTML}`);
      await page.puppet.keyboard.type("y"); // this name is already used
      await page.press("Enter");
      await page.says("#rename-error", "y");
      await page.press("Control+a");
      await page.puppet.keyboard.type("<b>new</b>");
      await page.press("Enter");
      await page.hasText('"<b>new</b>"');
      const made = await page.puppet.evaluate(() => {
        const all = (root) => [...root.querySelectorAll("*")].flatMap((found) => [found, ...(found.shadowRoot ? all(found.shadowRoot) : [])]);
        return all(document).filter(({ localName, src, className }) => (localName === "img" && className !== "cm-widgetBuffer") || (localName === "script" && !src.endsWith("main.js"))).length + (window.hacked ?? 0);
      });
      assert.equal(made, 0, "a name became HTML");
    },
  },

  attacks: {
    async run(page) {
      await ready(page);
      const head = '<ir_version: 10, opset_import: ["": 21]>\n';
      const attacks = {
        nests: [/error/, `${head}g (float x) => (float y) { y = If (x) <then_branch = ${"g () => (float z) { z = If (x) <then_branch = ".repeat(20_000)}`],
        brackets: [/error/, "(".repeat(3_000_000)],
        sizes: [/error/, `${head}g (float[2147483648, 2147483648] x) => (float y) <float[9223372036854775807] w = {1}> { y = Reshape (x, w) }`],
        // The last value has 2^61 elements; the functions have 2^40 calls.
        doubled: [/^Nothing/, `${head}g (float[2] x0) => (float[M] x60) {\n${Array.from({ length: 60 }, (_, i) => `x${i + 1} = Concat <axis = 0> (x${i}, x${i})\n`).join("")}}`],
        calls: [/^Nothing/, `<ir_version: 10, opset_import: ["f": 1]>\ng (float[2] x) => (float[2] y) { y = f.f0 (x) }\n${Array.from({ length: 40 }, (_, i) => `<domain: "f", opset_import: ["f": 1]>\nf${i} (a) => (c) { b = f.f${i + 1} (a) c = f.f${i + 1} (b) }\n`).join("")}<domain: "f", opset_import: ["": 21]>\nf40 (a) => (b) { b = Identity (a) }\n`],
        wide: [/^Nothing/, `${head}g (float x) => (float y) { y = Sum (${"x, ".repeat(300_000)}x) }`],
        line: [/^Nothing/, `${head}g (float x) => (float y) { y = Relu (x) } # ${"a".repeat(3_500_000)}`],
      };
      for (const [name, [summary, text]] of Object.entries(attacks)) {
        await page.drop([{ name: `${name}.onnxtxt`, bytes: Buffer.from(text) }]);
        await page.says("#name", `${name}.onnxtxt`);
        await page.says("#findings-summary", summary);
        assert.equal(await page.puppet.$eval("#banner", ({ hidden }) => hidden), true, name);
      }
      await page.pick("menu-examples", "A perceptron with weights");
      await page.hasText("hidden_raw");
      await ready(page);
    },
  },

  lengths: {
    async run(page, { folder }) {
      await ready(page);
      const isRefused = async (name, why = "") => {
        await page.says("#banner-text", `${name} cannot be opened: ${why}`);
        assert.equal(await page.textOf("#name"), "branch.onnxtxt");
        await page.click("#banner-close");
      };
      // A graph that declares more bytes than the file has: 2^31 - 1, 2^32 - 1, 2^32.
      for (const [i, length] of [[0xff, 0xff, 0xff, 0xff, 0x07], [0xff, 0xff, 0xff, 0xff, 0x0f], [0x80, 0x80, 0x80, 0x80, 0x10]].entries()) {
        await page.drop([{ name: `graph${i}.onnx`, bytes: Buffer.from([0x08, 0x08, 0x3a, ...length, 1, 2, 3]) }]);
        await isRefused(`graph${i}.onnx`);
      }
      // Files of almost 4 GiB that use no space on the disk. The browser cannot read them, "due to permission problems".
      for (const name of ["huge.onnx", "huge.onnxtxt", "huge.json"]) {
        const path = join(folder, name);
        await writeFile(path, "");
        await truncate(path, 2 ** 32 - 1);
        await page.open(path);
        await isRefused(name, "it has 4.3 GB");
      }
      await page.pick("menu-examples", "A perceptron with weights");
      await page.hasText("hidden_raw");
      await ready(page);
    },
  },

  policy: {
    async run(page, { address }) {
      await ready(page);
      await page.click("#tab-sizes"); // starts the worker for tasks
      await page.says("#sizes-content", "By part");
      // Another server, which would answer a request. Neither the page nor a worker may send it one.
      let asked = 0;
      const other = await serve(0, (_, response) => void response.writeHead(200, { "Access-Control-Allow-Origin": "*" }).end(String(++asked)));
      const workers = page.puppet.workers().filter((worker) => worker.url().startsWith(address));
      assert.equal(workers.length, 3, "for tasks, the language server, and the layout");
      for (const place of [page.puppet, ...workers]) {
        assert.equal(await place.evaluate((url) => fetch(url).then(() => "asked", () => "refused"), other.address), "refused");
      }
      assert.equal(asked, 0);
      page.faults = page.faults.filter((fault) => !fault.includes(other.address));
      await other.close();
    },
  },
};
