// The extension in a real VS Code: code-server, shown in Chromium. What it must show is waited for; a picture of each step
// goes into the folder PICTURES.
//
//   node vscode.mjs CODE_SERVER VSIX ONNXC TESTDATA PICTURES      CODE_SERVER: the folder where npm installed code-server
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [codeServer, vsix, onnxc, testdata, pictures] = process.argv.slice(2).map((path) => resolve(path));
const { chromium } = createRequire(join(codeServer, "package.json"))("playwright-core");
const only = process.env.STEPS?.split(",");

const folder = mkdtempSync(join(tmpdir(), "onnxc-vscode-"));
const workspace = join(folder, "models");
const entry = join(codeServer, "node_modules/code-server/out/node/entry.js");
const places = ["--user-data-dir", join(folder, "user"), "--extensions-dir", join(folder, "extensions")];
const environment = {
  ...process.env,
  HOME: folder,
  XDG_CONFIG_HOME: join(folder, "config"),
  XDG_DATA_HOME: join(folder, "data"),
};
const modifier = "Control";
let server, browser, page, address;
const results = [];

/** Those of the user; `trust`: whether folders must be trusted first. */
function settings({ trust }) {
  const values = {
    "security.workspace.trust.enabled": trust,
    "security.workspace.trust.startupPrompt": "never",
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Light Modern",
    "workbench.tips.enabled": false,
    "workbench.activityBar.location": "hidden",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "breadcrumbs.enabled": false,
    "editor.minimap.enabled": false,
    "editor.fontSize": 13,
    "chat.commandCenter.enabled": false,
    "chat.disableAIFeatures": true,
    "telemetry.telemetryLevel": "off",
    "files.autoSave": "off",
  };
  writeFileSync(join(folder, "user/User/settings.json"), JSON.stringify(values));
}

function prepare() {
  mkdirSync(join(folder, "user/User"), { recursive: true });
  mkdirSync(workspace, { recursive: true });
  mkdirSync(pictures, { recursive: true });
  for (const name of ["branch", "function", "mlp"]) cpSync(join(testdata, `examples/${name}.onnxtxt`), join(workspace, `${name}.onnxtxt`));
  cpSync(join(testdata, "docs/scale.onnxtxt"), join(workspace, "scale.onnxtxt"));
  execFileSync(onnxc, ["compile", join(workspace, "mlp.onnxtxt"), "-o", join(workspace, "mlp.onnx")]);
  settings({ trust: false });
  const other = spawnSync("sh", ["-lc", "command -v onnxc || python3 -m onnxc --version"], { env: environment, encoding: "utf8" });
  if (other.status === 0) throw new Error(`the machine has another onnxc: ${other.stdout}`); // the extension's is to be tried
  execFileSync(process.execPath, [entry, ...places, "--install-extension", vsix], { env: environment, stdio: "pipe" });
}

/** Settings of the machine are in a file of their own. */
function useServer(path) {
  mkdirSync(join(folder, "user/Machine"), { recursive: true });
  writeFileSync(join(folder, "user/Machine/settings.json"), JSON.stringify(path === undefined ? {} : { "onnxc.server.path": path }));
}

function freePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

async function start() {
  const port = await freePort();
  const words = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check"];
  server = spawn(process.execPath, [entry, ...places, ...words, workspace], { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  server.stdout.on("data", (data) => (log += data));
  server.stderr.on("data", (data) => (log += data));
  for (let i = 0; i < 300 && !log.includes("HTTP server listening"); ++i) await new Promise((next) => setTimeout(next, 100));
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
  page = await browser.newPage({ viewport: { width: 820, height: 440 } });
  page.setDefaultTimeout(15000);
  address = `http://127.0.0.1:${port}`;
  await load(workspace);
}

/** Opens a folder, and closes the list of its files. */
async function load(path) {
  await page.goto(`${address}/?folder=${encodeURIComponent(path)}`);
  await page.waitForSelector(".monaco-workbench .explorer-folders-view", { timeout: 120000 });
  await page.keyboard.press(`${modifier}+b`);
}

// ---- what a person does

/** Types into the list that a key opens, and takes the entry once it is the chosen one. */
async function choose(key, typed, entry) {
  await page.keyboard.press(key);
  const input = page.locator(".quick-input-widget input:visible").first();
  await input.waitFor();
  await input.fill(typed);
  const chosen = page.locator(".quick-input-list .monaco-list-row.focused", { hasText: entry });
  await chosen.first().waitFor();
  await page.keyboard.press("Enter");
  await input.waitFor({ state: "hidden" });
}

const palette = (command) => choose("F1", `>${command}`, command);

async function open(name) {
  await choose(`${modifier}+p`, name, name);
  await page.locator(".editor-group-container.active .tab.active", { hasText: name }).first().waitFor();
  await page.locator(".editor-group-container.active .view-lines .view-line").first().waitFor();
}

/** Puts the cursor before `text` on the first line that holds it. */
async function goTo(text) {
  await page.keyboard.press(`${modifier}+f`);
  const find = page.locator(".find-widget.visible textarea.input, .find-widget.visible .find-part textarea").first();
  await find.waitFor();
  await find.fill(text);
  await page.locator(".find-widget.visible .matchesCount", { hasText: /^\d+ of \d+/ }).first().waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".find-widget.visible").waitFor({ state: "detached" });
  await page.keyboard.press("ArrowLeft");
}

/** The text of the active editor, without inlay hints. */
async function text() {
  const lines = await page.locator(".editor-group-container.active .view-lines").first().locator(".view-line").evaluateAll(textsOfLines);
  return lines.join("\n");
}

/** In the page: what lines hold, those at the top first. Spans of hints have a class of their own. */
function textsOfLines(lines) {
  const top = (line) => line.getBoundingClientRect().y;
  const shown = (line) => [...line.querySelectorAll("span > span")].filter((span) => !/dyn-rule/.test(span.className));
  return lines
    .sort((a, b) => top(a) - top(b))
    .map((line) => shown(line).map((span) => span.textContent).join("").replaceAll("\u00a0", " "));
}

async function revert() {
  await palette("File: Revert File").catch(() => page.keyboard.press("Escape"));
  await page.waitForTimeout(300);
}

async function until(what, condition) {
  for (let i = 0; i < 75; ++i) {
    if (await condition()) return;
    await page.waitForTimeout(200);
  }
  throw new Error(`${what} did not come`);
}

async function step(name, action) {
  if (only && !only.includes(name)) return;
  try {
    await action();
    results.push([name, true]);
    console.log(`ok    ${name}`);
  } catch (error) {
    results.push([name, false]);
    console.log(`FAILED ${name}: ${error.message.split("\n")[0]}`);
  }
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

// ---- what must be seen

async function steps() {
  await step("colours", async () => {
    await open("function.onnxtxt");
    await until("more than four colours", async () => {
      const classes = await page.locator(".view-lines span[class*='mtk']").evaluateAll((spans) => spans.map((span) => span.className));
      return new Set(classes.map((name) => name.match(/mtk\d+/)?.[0])).size > 4;
    });
  });
  await step("inlay-hints", async () => {
    await open("branch.onnxtxt");
    await until("inferred types", async () => /bool/.test((await page.locator(".view-lines span[class*='dyn-rule']").allInnerTexts()).join(" ")));
  });
  await step("lens", async () => {
    await open("function.onnxtxt");
    await page.locator(".codelens-decoration a", { hasText: /\d calls?$/ }).first().click();
    await page.locator(".peekview-widget .monaco-list-row").first().waitFor();
  });
  await page.keyboard.press("Escape");
  await step("hover", async () => {
    await open("branch.onnxtxt");
    await goTo("ReduceSum");
    await palette("Show or Focus Hover");
    await until("the operator's documentation", async () =>
      /ReduceSum/.test((await page.locator(".monaco-hover:visible").allInnerTexts()).join(" ")));
  });
  await page.keyboard.press("Escape");
  await step("squiggle", async () => {
    await open("scale.onnxtxt");
    await page.locator(".squiggly-error").first().waitFor();
  });
  await step("quick-fix", async () => {
    await open("scale.onnxtxt");
    await goTo("wieghts");
    await page.keyboard.press(`${modifier}+.`);
    await page.locator(".action-widget:visible, .context-view .monaco-list:visible").first().waitFor();
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(pictures, "quick-fix-menu.png") });
    await page.keyboard.press("Enter");
    await until("the correction", async () => !(await text()).includes("wieghts"));
  });
  await revert();
  await step("rename", async () => {
    await open("branch.onnxtxt");
    await goTo("total = ");
    await page.keyboard.press("F2");
    const box = page.locator(".rename-box input, .monaco-editor .rename-input").first();
    await box.waitFor();
    await box.fill("sum");
    await page.keyboard.press("Enter");
    await until("the new name", async () => /Less \(sum, zero\)[\s\S]*Neg \(sum\)/.test(await text()));
  });
  await revert();
  await step("completion", async () => {
    await open("branch.onnxtxt");
    await goTo("is_negative = ");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("q = Sof", { delay: 50 });
    await page.keyboard.press("Control+Space");
    await page.locator(".suggest-widget:visible .monaco-list-row", { hasText: "Softmax" }).first().waitFor();
  });
  await page.keyboard.press("Escape");
  await revert();
  await step("picture", async () => {
    await open("branch.onnxtxt");
    await goTo("ReduceSum");
    await palette("ONNX: Show the Picture of This Graph");
    await until("the picture", async () => {
      for (const frame of page.frames()) if ((await frame.locator("svg g.node").count().catch(() => 0)) > 3) return true;
      return false;
    });
    await page.waitForTimeout(500);
  });
  await step("picture-to-text", async () => {
    for (const frame of page.frames()) {
      const node = frame.locator("svg g.node", { hasText: "Less" }).first();
      if ((await node.count().catch(() => 0)) > 0) await node.click();
    }
    await until("the line of the node", async () => /is_negative = Less/.test(await selectedLine()));
  });
  await step("binary", async () => {
    await palette("View: Close All Editors");
    await open("mlp.onnx");
    await until("the model's text", async () => (await text()).includes("opset_import"));
  });
  await step("binary-saved", async () => {
    const before = readFileSync(join(workspace, "mlp.onnx"));
    await goTo("Relu");
    for (let i = 0; i < 4; ++i) await page.keyboard.press("Delete");
    await page.keyboard.type("Tanh");
    await page.keyboard.press("Escape");
    await page.keyboard.press(`${modifier}+s`);
    const wanted = Buffer.from(before.toString("latin1").replace("Relu", "Tanh"), "latin1");
    await until("the file", () => readFileSync(join(workspace, "mlp.onnx")).equals(wanted));
  });
}

/** Waits for a message that offers help, and closes it. */
async function told(words) {
  const message = page.locator(".notification-list-item", { hasText: words }).first();
  await message.waitFor();
  for (const button of ["How to Install", "Open the Settings", "Details"]) await message.getByText(button).first().waitFor();
}

/** What is said where no server runs, or an old one. */
async function otherServers() {
  await step("not-found", async () => {
    useServer("/nowhere/onnxc");
    await told("The program onnxc is not found");
  });
  await palette("Notifications: Clear All Notifications");
  await step("old-server", async () => {
    const old = join(folder, "old-onnxc");
    writeFileSync(old, "#!/bin/sh\necho onnxc 0.0.9\n", { mode: 0o755 });
    useServer(old);
    await told(`${old} is onnxc 0.0.9`);
  });
  await palette("Notifications: Clear All Notifications");
  useServer(undefined);
}

/** In a folder that is not trusted there are colours, and no program is run. */
async function restricted() {
  await step("restricted", async () => {
    settings({ trust: true });
    const folder = join(workspace, "stranger");
    mkdirSync(folder);
    cpSync(join(testdata, "docs/scale.onnxtxt"), join(folder, "scale.onnxtxt"));
    await load(folder);
    await page.locator(".statusbar-item", { hasText: "Restricted Mode" }).first().waitFor();
    await open("scale.onnxtxt");
    await page.waitForTimeout(5000);
    if ((await page.locator(".view-lines span[class*='mtk']").count()) < 10) throw new Error("there are no colours");
    if ((await page.locator(".squiggly-error").count()) > 0) throw new Error("a program was run");
  });
}

/** The text of the line where the cursor is. */
async function selectedLine() {
  const cursor = await page.locator(".editor-group-container .cursors-layer .cursor").first().boundingBox();
  for (const line of await page.locator(".view-lines .view-line").all()) {
    const box = await line.boundingBox();
    if (box && cursor && Math.abs(box.y - cursor.y) < 3) return (await line.evaluateAll(textsOfLines))[0];
  }
  return "";
}

try {
  prepare();
  await start();
  await steps();
  await otherServers();
  await restricted();
} finally {
  if (page && (results.length === 0 || results.some(([, passed]) => !passed))) {
    await palette("ONNX: Show the Server's Output").catch(() => undefined);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(pictures, "server-output.png") });
  }
  await browser?.close();
  server?.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
const failed = results.filter(([, passed]) => !passed).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 || results.length === 0 ? 1 : 0;
