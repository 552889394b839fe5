// Opens the page in Chromium, and acts on it for the tests.
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

export const ROOT = new URL("../../", import.meta.url).pathname;
const PROGRAM = process.env.ONNXC ?? `${ROOT}build/release/onnxc`;
const PATIENCE = Number(process.env.PATIENCE ?? 120_000); // milliseconds; long, because the machine may be slow

/** Runs the native command in a folder. */
export function onnxc(args, cwd) {
  const { status, stdout, stderr } = spawnSync(PROGRAM, args, { cwd, maxBuffer: 1 << 30 });
  return { status, stdout, stderr: stderr.toString() };
}

export function launch() {
  const args = ["--disable-gpu", "--js-flags=--max-old-space-size=4096", ...(process.getuid() === 0 ? ["--no-sandbox"] : [])];
  return puppeteer.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args, headless: true, protocolTimeout: 3 * PATIENCE });
}

export class Page {
  /** The faults of the page: errors, violations of its policy, and requests to other servers. */
  faults = [];

  static async open(browser, address, { width = 1280, height = 800, features = [], isNew = true } = {}) {
    const context = isNew ? await browser.createBrowserContext() : browser.defaultBrowserContext();
    const page = new Page();
    page.context = context;
    page.puppet = await context.newPage();
    page.folder = await mkdtemp(join(tmpdir(), "onnxc-page-"));
    const { puppet } = page;
    await puppet.setViewport({ width, height });
    await puppet.emulateMediaFeatures(features);
    const session = await puppet.createCDPSession();
    await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: page.folder, browserContextId: context.id, eventsEnabled: true });
    puppet.on("pageerror", (error) => page.faults.push(`error: ${error.message}`));
    puppet.on("console", (message) => {
      const isOfTests = message.text().includes("getImageData"); // middleOf() reads the picture again and again
      if (["error", "warn"].includes(message.type()) && !isOfTests) page.faults.push(`${message.type()}: ${message.text()}`);
    });
    puppet.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(new URL(address).origin) && !/^(data|blob):/.test(url)) page.faults.push(`request: ${url}`);
    });
    puppet.on("dialog", (dialog) => {
      if (dialog.type() !== "beforeunload") page.faults.push(`dialog: ${dialog.message()}`);
      void dialog.accept();
    });
    await puppet.goto(address);
    return page;
  }

  async close() {
    await this.puppet.close();
    if (this.context !== this.puppet.browser().defaultBrowserContext()) await this.context.close();
    await rm(this.folder, { recursive: true });
  }

  /** Waits until a function that runs in the page returns a true value. */
  until(condition, ...args) {
    return this.puppet.waitForFunction(condition, { timeout: PATIENCE, polling: 50 }, ...args);
  }
  textOf(selector) {
    return this.puppet.$eval(selector, (found) => found.textContent);
  }
  /** Waits until the text of an element contains words, or matches an expression. */
  async says(selector, words) {
    const isPattern = words instanceof RegExp;
    await this.until((at, part, matches) => {
      const text = document.querySelector(at)?.textContent ?? "";
      return matches ? new RegExp(part).test(text) : text.includes(part);
    }, selector, isPattern ? words.source : words, isPattern).catch(async () => {
      throw new Error(`${selector} says "${await this.textOf(selector)}", not "${words}"`);
    });
  }
  /** Waits until a box of the editor, such as a list of completions, contains words. */
  async shows(selector, words) {
    await this.until((at, part) => [...document.querySelector("#text").shadowRoot.querySelectorAll(at)].some(({ textContent }) => textContent.includes(part)), selector, words).catch(() => {
      throw new Error(`${selector} does not say "${words}"`);
    });
  }
  click(selector) {
    return this.puppet.$eval(selector, (found) => found.click());
  }

  /** Returns the lines that the editor shows. This is the whole text only if the text fits into the window. */
  text() {
    return this.puppet.$eval("#text", ({ shadowRoot }) =>
      [...shadowRoot.querySelectorAll(".cm-line")].map((line) => {
        const copy = line.cloneNode(true);
        for (const hint of copy.querySelectorAll(".cm-hint")) hint.remove();
        return copy.textContent;
      }).join("\n"));
  }
  async hasText(words) {
    await this.until((part) => {
      const lines = [...(document.querySelector("#text").shadowRoot?.querySelectorAll(".cm-line") ?? [])];
      for (const line of lines) {
        const copy = line.cloneNode(true);
        for (const hint of copy.querySelectorAll(".cm-hint")) hint.remove();
        if (copy.textContent.includes(part)) return true;
      }
      return false;
    }, words).catch(async () => {
      throw new Error(`The editor has no "${words}", but:\n${await this.text()}`);
    });
  }
  async focusText() {
    await this.puppet.$eval("#text", ({ shadowRoot }) => shadowRoot.querySelector(".cm-content").focus());
  }
  /** Finds a word with the search of the editor, like a user, and puts the cursor in front of it. */
  async select(word) {
    await this.focusText();
    const { keyboard } = this.puppet;
    await this.press("Control+Home");
    await this.press("Control+f");
    await this.until(() => document.querySelector("#text").shadowRoot.querySelector(".cm-search [name=search]"));
    await this.puppet.$eval("#text", ({ shadowRoot }) => shadowRoot.querySelector(".cm-search [name=search]").select());
    await keyboard.type(word);
    await keyboard.press("Enter");
    await keyboard.press("Escape");
  }
  /** Returns the middle of a word in the editor. */
  async placeOf(word) {
    const handle = await this.until((part) => {
      const walker = document.createTreeWalker(document.querySelector("#text").shadowRoot.querySelector(".cm-content"), NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const at = walker.currentNode.data.indexOf(part);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(walker.currentNode, at);
        range.setEnd(walker.currentNode, at + part.length);
        const { left, top, width, height } = range.getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2 };
      }
      return false;
    }, word);
    return handle.jsonValue();
  }
  async hover(word) {
    const { x, y } = await this.placeOf(word);
    await this.puppet.mouse.move(x, y);
  }
  async clickWord(word) {
    const { x, y } = await this.placeOf(word);
    await this.puppet.mouse.click(x, y);
  }
  async press(keys) {
    const names = keys.split("+");
    const { keyboard } = this.puppet;
    for (const name of names.slice(0, -1)) await keyboard.down(name);
    await keyboard.press(names[names.length - 1]);
    for (const name of names.slice(0, -1).reverse()) await keyboard.up(name);
  }

  async choose(files, input = "#file") {
    const chooser = await this.puppet.$(input);
    await chooser.uploadFile(...files);
  }
  async open(...files) {
    await this.choose(files);
  }
  async pick(menu, entry) {
    await this.click(`[popovertarget="${menu}"]`);
    await this.until((id) => document.getElementById(id).matches(":popover-open"), menu);
    await this.puppet.$eval(`#${menu}`, (list, name) => {
      const found = [...list.children].find((item) => item.firstChild.textContent === name);
      if (!found) throw new Error(`no entry '${name}'`);
      found.click();
    }, entry);
  }
  /** Saves the document, and returns the bytes of the file. */
  async save(name, entry) {
    await this.pick("menu-save", entry);
    return this.saved(name);
  }
  async saved(name) {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const names = await readdir(this.folder);
      if (names.includes(name)) break;
      const banner = await this.puppet.$eval("#banner", ({ hidden, textContent }) => (hidden ? "" : textContent.trim()));
      if (banner !== "") throw new Error(`not saved: ${banner}`);
      if (Date.now() > end) throw new Error(`${name} was not saved; there are: ${names.join(", ")}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const bytes = await readFile(join(this.folder, name));
    await rm(join(this.folder, name));
    return bytes;
  }
  /** Drops files on an element, as the system would. */
  async drop(files, selector = "body") {
    const contents = await Promise.all(files.map(async ({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString("base64") })));
    await this.puppet.evaluate((at, dropped) => {
      const data = new DataTransfer();
      for (const { name, base64 } of dropped) data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
      const target = document.querySelector(at);
      for (const type of ["dragenter", "dragover", "drop"]) target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true, composed: true }));
    }, selector, contents);
  }
  /** Returns the middle of the pixels that have this colour in the picture, as a position in the window. */
  async middleOf(colour) {
    const handle = await this.until((wanted) => {
      const canvas = document.querySelector("#picture");
      const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const [r, g, b] = [1, 3, 5].map((at) => parseInt(wanted.slice(at, at + 2), 16));
      let [sumX, sumY, count] = [0, 0, 0];
      for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) {
        const at = 4 * (y * width + x);
        if (data[at] === r && data[at + 1] === g && data[at + 2] === b) [sumX, sumY, count] = [sumX + x, sumY + y, count + 1];
      }
      if (count < 20) return false;
      const { left, top } = canvas.getBoundingClientRect();
      return { x: left + sumX / count / devicePixelRatio, y: top + sumY / count / devicePixelRatio };
    }, colour);
    return handle.jsonValue();
  }
  shot(name) {
    return this.puppet.screenshot({ path: join(PICTURES, `${name}.png`) });
  }
}

/** Waits until the first example is shown, checked and drawn. */
export async function ready(page) {
  await page.says("#findings-summary", "Nothing is wrong");
  await page.says("#picture-note", "node");
}

/** The colour of the nodes that a search in the picture has found. */
export const FOUND = "#ffdf5d";

export const PICTURES = `${ROOT}build/web-pictures/`;
