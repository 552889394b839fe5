// The steps of the tests. Each runs on a separate page.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answer, serve } from "../serve.mjs";
import { attackSteps } from "./attacks.mjs";
import { FOUND, onnxc, Page, ready, ROOT } from "./browser.mjs";
import { accessible } from "./accessible.mjs";
import { newcomer } from "./newcomer.mjs";
import { deepText, heavyModel } from "./models.mjs";

const MISTAKES = "A text with mistakes";
const OUTPUT = "#fbe9d0"; // the colour of outputs in the picture
const phone = { width: 375, height: 740 };
const dark = { features: [{ name: "prefers-color-scheme", value: "dark" }] };

async function modelIn(folder, name = "mlp") {
  const { status, stderr } = onnxc(["compile", `${ROOT}testdata/examples/${name}.onnxtxt`, "-o", `${name}.onnx`], folder);
  assert.equal(status, 0, stderr);
  return join(folder, `${name}.onnx`);
}

async function workerOf(page, name) {
  for (const worker of page.puppet.workers()) if ((await worker.evaluate(() => self.name)) === name) return worker;
  throw new Error(`there is no worker '${name}'`);
}

export const steps = {
  begin: {
    async run(page) {
      await ready(page);
      await page.hasText("ReduceSum");
      await page.until(() => [...document.querySelector("#text").shadowRoot.querySelectorAll(".cm-hint")].some((hint) => hint.textContent === ": bool"));
      assert.equal(await page.textOf("#name"), "branch.onnxtxt");
    },
  },

  correct: {
    async run(page) {
      await ready(page);
      await page.pick("menu-examples", MISTAKES);
      await page.says("#findings-summary", "2 errors");
      await page.says("#findings-list", "no value named 'wieghts' is visible here");
      await page.click("#findings-list li:nth-child(2) .place");
      await page.says("#findings-list .correct", "Replace 'wieghts' with 'weights'");
      await page.click("#findings-list .quiet");
      await page.says("#dialog-text", 'says "there is also"'); // the command wraps the lines of this text
      await page.press("Escape");
      await page.click("#findings-list .correct");
      await page.hasText("c = Mul(x, weights)");
      await page.says("#findings-summary", "1 error");
      await page.click("#findings-list .quiet");
      await page.says("#dialog-text", "input");
      await page.press("Escape");
    },
  },

  save: {
    async run(page, { folder }) {
      await ready(page);
      const path = await modelIn(folder);
      await page.open(path);
      await page.says("#name", "mlp.onnx");
      await page.hasText("hidden_raw");
      assert.deepEqual(await page.save("mlp.onnx", "Save"), await readFile(path), "what was not changed keeps its bytes");
      // A change in the page gives the same file as the command.
      await page.select("hidden_raw");
      await page.press("F2");
      await page.says("#rename-old", "hidden_raw");
      await page.puppet.keyboard.type("hidden"); // this name is already used
      await page.press("Enter");
      await page.says("#rename-error", "hidden");
      await page.press("Control+a");
      await page.puppet.keyboard.type("before");
      await page.press("Enter");
      await page.hasText("Relu (before)");
      await page.says("#findings-summary", "Nothing is wrong");
      for (const [entry, suffix] of [["Save", "onnx"], ["As JSON", "json"], ["As protobuf's text", "pbtxt"]]) {
        const native = onnxc(["rename", "mlp.onnx", "hidden_raw=before", "-o", `renamed.${suffix}`], folder);
        assert.equal(native.status, 0, native.stderr);
        assert.deepEqual(await page.save(`mlp.${suffix}`, entry), await readFile(join(folder, `renamed.${suffix}`)), entry);
      }
      const text = onnxc(["print", "renamed.onnx"], folder).stdout;
      assert.deepEqual(await page.save("mlp.onnxtxt", "As text"), text);
    },
  },

  exact: {
    async run(page) {
      await ready(page);
      // A text of 5 MB, with line breaks of two kinds, and a byte that is not UTF-8.
      const list = Array.from({ length: 400_000 }, (_, i) => `${i}.125`).join(", ");
      const begin = Buffer.concat([Buffer.from('# a comment\r\n<ir_version: 8, opset_import: ["": 17], doc_string: "a\r\nb\rc'), Buffer.from([0xff])]);
      const end = Buffer.from(`">\n  g (float[400000] x) => (float[400000] y) <float[400000] w = {${list}}> {\n   y = Add (x,  w)  \r\n}\n`);
      const large = Buffer.concat([begin, end]);
      const small = Buffer.from(large.toString("latin1").replace(list, "1").replaceAll("400000", "1").replaceAll("\r\n", "\n").replaceAll("\n", "\r\n"), "latin1");
      for (const [name, bytes] of [["large.onnxtxt", large], ["small.onnxtxt", small]]) {
        await page.drop([{ name, bytes }]);
        await page.says("#name", name);
        await page.says("#findings-summary", "Nothing is wrong");
        assert.equal((await page.textOf("#notice")).includes("Saving puts them back"), name === "large.onnxtxt");
        assert.ok((await page.save(name, "Save")).equals(bytes), "what was not changed keeps its bytes");
        await page.select("Add (");
        await page.press("ArrowLeft");
        await page.puppet.keyboard.type("Un");
        await page.press("Control+End");
        await page.puppet.keyboard.type("# end");
        await page.press("Enter");
        await page.press("Control+s");
        const breaks = name === "large.onnxtxt" ? "\n" : "\r\n";
        const expected = Buffer.from(`${bytes.toString("latin1").replace("= Add", "= UnAdd")}# end${breaks}`, "latin1");
        assert.ok((await page.saved(name)).equals(expected), "only what was typed is different");
      }
      // Two files that differ only in their contents.
      const model = (value) => Buffer.from(`g (float[1] x) => (float[1] y) <float[1] w = {${value}}> { y = Add (x, w) }\n`);
      for (const value of [1, 2]) {
        await page.puppet.evaluate((text) => {
          const data = new DataTransfer();
          data.items.add(new File([text], "same.onnxtxt", { lastModified: 1 }));
          for (const type of ["dragenter", "dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
        }, model(value).toString());
        await page.hasText(`{${value}}`);
        assert.deepEqual(await page.save("same.onnxtxt", "Save"), model(value));
      }
    },
  },

  asks: {
    async run(page, { folder }) {
      await ready(page);
      const path = await modelIn(folder);
      await page.select("Less");
      await page.press("ArrowLeft");
      await page.puppet.keyboard.type("Un");
      await page.hasText("UnLess");
      const ways = {
        "mlp.onnxtxt": () => page.pick("menu-examples", "A perceptron with weights"),
        "mlp.onnx": () => page.open(path),
        "dropped.onnxtxt": () => page.drop([{ name: "dropped.onnxtxt", bytes: Buffer.from("g (float x) => (float y) { y = Abs (x) }\n") }]),
      };
      for (const [name, replace] of Object.entries(ways)) {
        await replace();
        await page.says("#banner-text", `If you open ${name}, you lose your changes of branch.onnxtxt`);
        await page.click("#banner-close");
        await page.hasText("UnLess");
        assert.equal(await page.textOf("#name"), "branch.onnxtxt");
      }
      await ways["dropped.onnxtxt"]();
      await page.says("#banner-text", "you lose your changes");
      await page.click("#banner-action");
      await page.hasText("Abs");
      // Without changes, and after they were saved, it does not ask.
      await page.select("Abs");
      await page.press("ArrowLeft");
      await page.puppet.keyboard.type("Un");
      await page.save("dropped.onnxtxt", "Save");
      await page.open(path);
      await page.says("#name", /^mlp\.onnx$/);
    },
  },

  broken: {
    async run(page) {
      await ready(page);
      await page.drop([{ name: "broken.onnx", bytes: Buffer.from("08 07 not a model at all ()") }]);
      await page.says("#banner-text", "broken.onnx cannot be opened");
      assert.equal(await page.textOf("#name"), "branch.onnxtxt");
      await page.drop([{ name: "broken.onnxtxt", bytes: Buffer.from("<ir_version: 8>\ng (float x => (float y) { y = Relu (x }\n") }]);
      await page.says("#findings-summary", "error");
      assert.equal(await page.puppet.$eval("#banner", ({ hidden }) => hidden), true);
    },
  },

  formats: {
    async run(page, { folder }) {
      await ready(page);
      const path = await modelIn(folder);
      for (const suffix of ["json", "pbtxt"]) {
        assert.equal(onnxc(["compile", "mlp.onnx", "-o", `formats.${suffix}`], folder).status, 0);
        await page.open(join(folder, `formats.${suffix}`));
        await page.says("#name", `formats.${suffix}`);
        await page.hasText("hidden_raw");
        assert.deepEqual(await page.save(`formats.${suffix}`, "Save"), await readFile(join(folder, `formats.${suffix}`)), suffix);
        assert.deepEqual(await page.save("formats.onnx", "As ONNX"), await readFile(path));
      }
      await writeFile(join(folder, "t.onnxtxt"), "float[3] t = {1, 2, 3}\n");
      assert.equal(onnxc(["compile", "--kind", "tensor", "t.onnxtxt", "-o", "input_0.pb"], folder).status, 0);
      await page.open(join(folder, "input_0.pb"));
      await page.says("#name", "input_0.pb");
      await page.hasText("{1, 2, 3}");
      assert.deepEqual(await page.save("input_0.pb", "Save"), await readFile(join(folder, "input_0.pb")));
    },
  },

  weights: {
    async run(page, { folder }) {
      await ready(page);
      await heavyModel(folder, 1 << 20);
      await copyFile(join(folder, "heavy.onnx"), join(folder, "inside.onnx"));
      assert.equal(onnxc(["compile", "-q", "heavy.onnxtxt", "-o", "outside.onnx"], folder).status, 0);
      await page.drop([{ name: "outside.onnx", bytes: await readFile(join(folder, "outside.onnx")) }, { name: "heavy.data", bytes: await readFile(join(folder, "heavy.data")) }]);
      await page.says("#notice", "checksums");
      await page.hasText('"elided": "sha256:');
      await page.says("#findings-summary", "Nothing is wrong"); // the weights are not missing
      assert.deepEqual(await page.save("outside.onnx", "Save"), await readFile(join(folder, "outside.onnx")));
      await page.drop([{ name: "outside.onnx", bytes: await readFile(join(folder, "outside.onnx")) }]);
      await page.says("#notice", "heavy.data");
      await page.drop([{ name: "inside.onnx", bytes: await readFile(join(folder, "inside.onnx")) }]);
      await page.says("#name", "inside.onnx");
      await page.says("#notice", "checksums");
      const whole = await page.save("inside.onnxtxt", "As text with all weights");
      assert.deepEqual(whole, onnxc(["print", "--weights", "inline", "inside.onnx"], folder).stdout);
    },
  },

  large: {
    async run(page, { folder }) {
      await ready(page);
      const path = await heavyModel(folder, 100e6);
      // The page continues to paint while the model is opened and saved. Prints the longest pause.
      await page.puppet.evaluate(() => {
        window.pause = 0;
        let last = performance.now();
        const tick = () => {
          const now = performance.now();
          [window.pause, last] = [Math.max(window.pause, now - last), now];
          requestAnimationFrame(tick);
        };
        tick();
      });
      const begin = Date.now();
      await page.open(path);
      await page.says("#name", "heavy.onnx");
      await page.hasText('"elided": "sha256:');
      const opened = Date.now() - begin;
      await page.click("#tab-sizes");
      await page.says("#sizes-content", "100 MB in 9 nodes");
      const saved = await page.save("heavy.onnx", "Save");
      assert.ok(saved.equals(await readFile(path)), "100 MB keep their bytes");
      const ended = Date.now() - begin;
      const pause = Math.round(await page.puppet.evaluate(() => window.pause));
      console.log(`   100 MB: text after ${opened} ms, saved after ${ended} ms, longest pause of the page ${pause} ms`);
      assert.ok(pause < 1000, "the page pauses");
    },
  },

  picture: {
    async run(page) {
      await ready(page);
      // A click in the picture shows the place in the text.
      await page.puppet.type("#picture-search", "less");
      await page.says("#picture-found", "1 of 1");
      const { x, y } = await page.middleOf(FOUND);
      await page.puppet.mouse.click(x, y + 9);
      await page.until(() => getSelection() !== null && document.querySelector("#text").shadowRoot.querySelector(".cm-activeLine")?.textContent.includes("Less"));
      await page.says("#picture-spoken", "Less");
      // The keyboard moves between the nodes of the picture.
      await page.puppet.focus("#picture");
      await page.press("Home");
      await page.says("#picture-spoken", "x, input");
      await page.press("ArrowDown");
      await page.says("#picture-spoken", "ReduceSum");
      await page.press("Enter");
      await page.until(() => document.querySelector("#text").shadowRoot.querySelector(".cm-activeLine")?.textContent.includes("ReduceSum"));
      // In a smaller window all of the picture is still visible.
      const size = page.puppet.viewport();
      await page.click("#picture-fit");
      await page.puppet.setViewport({ width: 900, height: 500 });
      await page.middleOf(OUTPUT);
      await page.puppet.setViewport(size);
      // A function is closed at first; its node opens it.
      await page.pick("menu-examples", "A function of the model's own");
      await page.says("#picture-note", "3 nodes");
      await page.puppet.focus("#picture");
      await page.press("Home");
      await page.press("ArrowDown");
      await page.press("Enter");
      await page.says("#picture-open", "Open Scale");
      await page.click("#picture-open");
      await page.says("#picture-note", "5 nodes");
    },
  },

  deep: {
    async run(page, { folder }) {
      await ready(page);
      await writeFile(join(folder, "deep.onnxtxt"), deepText(10_000, true));
      const begin = Date.now();
      await page.open(join(folder, "deep.onnxtxt"));
      await page.until(() => /^10,0\d\d nodes$/.test(document.querySelector("#picture-note").textContent));
      const drawn = Date.now() - begin;
      const frames = await page.puppet.evaluate(async () => {
        const canvas = document.querySelector("#picture");
        const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
        const times = {};
        for (const [name, event] of [["moves", { deltaY: 40 }], ["zooms out", { deltaY: 30, ctrlKey: true }], ["all of it", { deltaX: 1 }]]) {
          if (name === "all of it") document.querySelector("#picture-fit").click();
          const all = [];
          for (let i = 0; i < 40; ++i) {
            const from = await next();
            canvas.dispatchEvent(new WheelEvent("wheel", { ...event, cancelable: true }));
            all.push((await next()) - from);
          }
          times[name] = Math.round(all.sort((a, b) => a - b)[20]);
        }
        return times;
      });
      console.log(`   10,000 nodes: drawn after ${drawn} ms; ms a frame: ${JSON.stringify(frames)}`);
      assert.ok(Math.max(...Object.values(frames)) < 100, "the picture is slow");
      await page.shot("deep-all");
      await page.puppet.type("#picture-search", "b100_p");
      await page.says("#picture-found", "of");
      await page.click("#tab-types");
      await page.says("#types-summary", "10,0");
      await page.puppet.type("#types-filter", "b200_kt");
      await page.says("#types-list", "float[N, 256, 64]");
    },
  },

  compare: {
    async run(page, { folder }) {
      await ready(page);
      const path = await modelIn(folder, "branch");
      const text = await readFile(`${ROOT}testdata/examples/branch.onnxtxt`, "utf8");
      const other = text.replace("Neg (total)", "Abs (total)");
      await page.drop([{ name: "other.onnxtxt", bytes: Buffer.from(other) }], "#panel-differences, #drop-compare");
      await page.says("#differences-summary", "1 difference from other.onnxtxt");
      await page.says("#differences-list", "Abs → Neg");
      await page.click("#differences-list .row");
      await page.until(() => document.querySelector("#text").shadowRoot.querySelector(".cm-activeLine")?.textContent.includes("Neg"));
      await page.choose([path], "#other-file");
      await page.says("#differences-summary", "No difference from branch.onnx");
      await page.click("#differences-end");
      await page.says("#differences-summary", "Compare this model");
    },
  },

  share: {
    async run(page, { browser, address }) {
      await ready(page);
      await page.select("Less");
      await page.press("ArrowLeft");
      await page.puppet.keyboard.type("Le");
      await page.puppet.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: { writeText: (text) => Promise.resolve(void (window.copied = text)) } }));
      await page.click("#link");
      await page.until(() => window.copied !== undefined);
      const link = await page.puppet.evaluate(() => window.copied);
      const other = await Page.open(browser, address + link.slice(link.indexOf("#")));
      await other.hasText("LeLess");
      assert.equal(await other.textOf("#name"), "branch.onnxtxt");
      // Another link is opened in the same tab. The link does not determine the kind of the saved file.
      const fragment = await page.puppet.evaluate(async (text) => {
        const bytes = await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))).bytes();
        return `#name=report.html&text=${btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_")}`;
      }, "g (float x) => (float y) { y = Abs (x) }\n");
      await other.puppet.evaluate((hash) => (location.hash = hash), fragment);
      await other.hasText("Abs");
      assert.equal(await other.textOf("#name"), "report.onnxtxt");
      // Opening a link does not lose changes.
      await other.select("Abs");
      await other.press("ArrowLeft");
      await other.puppet.keyboard.type("Un");
      await other.puppet.evaluate((hash) => (location.hash = hash), link.slice(link.indexOf("#")));
      await other.says("#banner-text", "you lose your changes");
      await other.hasText("UnAbs");
      await other.click("#banner-action");
      await other.hasText("LeLess");
      await other.puppet.evaluate(() => (location.hash = ""));
      await other.close();
      const broken = await Page.open(browser, `${address}#text=%21%21`);
      await broken.says("#banner-text", "The link cannot be read");
      await broken.hasText("ReduceSum");
      await broken.close();
    },
  },

  memory: {
    async run(page, { folder }) {
      await ready(page);
      await page.open(await modelIn(folder));
      await page.says("#name", "mlp.onnx");
      // The browser refuses more memory for the module.
      const worker = await workerOf(page, "tasks");
      await worker.evaluate(() => {
        self.grow = WebAssembly.Memory.prototype.grow;
        WebAssembly.Memory.prototype.grow = () => { throw new RangeError("no"); };
      });
      await page.open(await heavyModel(folder, 64e6));
      await page.says("#banner-text", "heavy.onnx cannot be opened: out of memory");
      await page.hasText("hidden_raw");
      await page.select("layer1");
      await page.press("ArrowRight");
      await page.puppet.keyboard.type("er");
      await page.hasText("layer1er");
      await worker.evaluate(() => void (WebAssembly.Memory.prototype.grow = self.grow));
      await page.open(join(folder, "heavy.onnx"));
      await page.says("#banner-text", "you lose your changes");
      await page.click("#banner-action");
      await page.says("#name", "heavy.onnx");
    },
  },

  ends: {
    async run(page) {
      await ready(page);
      // The worker of the language server fails for some reason.
      const worker = await workerOf(page, "language server");
      await worker.evaluate(() => void setTimeout(() => { throw new Error("a failure"); }));
      await page.says("#banner-text", "a failure");
      page.faults = page.faults.filter((fault) => !fault.includes("a failure"));
      await page.hasText("ReduceSum");
      await page.click("#banner-action");
      await page.select("Less");
      await page.press("ArrowLeft");
      await page.puppet.keyboard.type("Un");
      await page.says("#findings-list", "UnLess");
      await page.pick("menu-examples", "A perceptron with weights");
      await page.says("#banner-text", "you lose your changes");
      await page.click("#banner-action");
      await page.says("#findings-summary", "Nothing is wrong");
    },
  },

  unloaded: {
    async run(_, { browser }) {
      let isThere = false;
      const { address, close } = await serve(0, (request, response) =>
        request.url.endsWith(".wasm") && !isThere ? void response.writeHead(404).end() : answer(request, response));
      const page = await Page.open(browser, address);
      await page.says("#banner-text", "onnxc.wasm cannot be loaded: 404");
      await page.hasText("ReduceSum");
      isThere = true;
      await page.click("#banner-action");
      await ready(page);
      await page.close();
      await close();
    },
  },

  offline: {
    async run(_, { browser }) {
      const { address, close } = await serve();
      const page = await Page.open(browser, address);
      await ready(page);
      await page.puppet.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await page.until(() => navigator.serviceWorker.controller !== null);
      await close();
      await assert.rejects(fetch(address), "the server has ended");
      await page.puppet.goto(address);
      await ready(page);
      await page.hasText("ReduceSum");
      assert.deepEqual(page.faults, []);
      await page.close();
    },
  },

  command: {
    async run() {
      const taken = await serve();
      const { port } = new URL(taken.address);
      const run = (...args) => spawnSync(args[0], args.slice(1), { cwd: ROOT, encoding: "utf8", timeout: 60_000 });
      const serving = run(process.execPath, "web/serve.mjs", port);
      assert.deepEqual([serving.status, serving.stderr], [1, `Port ${port} is taken: scripts/web PORT uses another one.\n`]);
      for (const wrong of [["--nothing"], ["70000"], ["8000", "more"]]) {
        const { status, stderr } = run("scripts/web", ...wrong);
        assert.equal(status, 2);
        assert.match(stderr, /^scripts\/web knows --build/);
      }
      await taken.close();
    },
  },

  keyboard: {
    async run(page) {
      await ready(page);
      const { keyboard } = page.puppet;
      await page.puppet.focus("#open");
      for (let i = 0; i < 2; ++i) await keyboard.press("Tab");
      await keyboard.press("Enter");
      await page.until(() => document.activeElement?.getAttribute("role") === "menuitem");
      for (let i = 0; i < 3; ++i) await keyboard.press("ArrowDown");
      await keyboard.press("Enter");
      await page.says("#findings-summary", "2 errors");
      await page.puppet.focus("#tab-findings");
      await keyboard.press("ArrowRight");
      assert.equal(await page.puppet.evaluate(() => document.activeElement?.id), "tab-types");
      await page.says("#types-summary", "value");
      await page.puppet.focus("#types-filter");
      await keyboard.press("Tab");
      await keyboard.press("ArrowDown");
      await keyboard.press("Enter");
      await page.until(() => document.activeElement?.id === "text");
      await keyboard.press("Tab"); // leaves the editor
      assert.notEqual(await page.puppet.evaluate(() => document.activeElement?.id), "text");
    },
  },

  ...attackSteps,

  newcomer: {
    async run(page, { folder, address }) {
      await ready(page);
      await newcomer(page, { folder, address, model: await modelIn(folder) });
    },
  },

  light: { run: async (page) => (await ready(page), await accessible(page)) },
  dark: {
    options: dark,
    async run(page) {
      await ready(page);
      assert.equal(await page.puppet.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(22, 25, 29)");
      await accessible(page);
      await page.click("#theme"); // light, whatever the system says
      assert.equal(await page.puppet.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
      await page.puppet.reload();
      await ready(page);
      assert.equal(await page.puppet.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
      await page.click("#theme");
    },
  },
  phone: {
    options: phone,
    async run(page) {
      await page.says("#findings-summary", "Nothing is wrong");
      await accessible(page);
      await page.click("#tab-picture");
      await page.says("#picture-note", "node");
      await page.shot("phone-picture");
      await page.pick("menu-examples", MISTAKES);
      await page.click("#tab-findings");
      await page.says("#findings-summary", "2 errors");
      await page.shot("phone-findings");
      await page.click("#findings-list .place");
      await page.until(() => document.body.dataset.view === "text");
      const width = await page.puppet.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= phone.width, `the page is ${width} wide`);
    },
  },
};
