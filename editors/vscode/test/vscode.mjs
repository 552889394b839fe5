// Tests the extension in a real VS Code: code-server, shown in Chromium. Each step waits until the expected contents are shown,
// and saves a picture in the folder PICTURES.
//
//   node vscode.mjs CODE_SERVER VSIX ONNXC TESTDATA PICTURES      CODE_SERVER: the folder where npm installed code-server
//
// In the environment, PYTHON is a Python with onnxruntime, which runs models. With HOST=browser, the extension runs in a worker
// of Chromium, as in vscode.dev, instead of in Node.js.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [codeServer, vsix, onnxc, testdata, pictures] = process.argv.slice(2).map((path) => resolve(path));
const { chromium } = createRequire(join(codeServer, "package.json"))("playwright-core");
const only = process.env.STEPS?.split(",");
const isBrowser = process.env.HOST === "browser";

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
const longest = 60000; // the maximum time of a wait in milliseconds; long, because a machine may be slow
const usual = { width: 820, height: 440 }; // the size of the window
let server, browser, page, address;
const results = [];

/** Writes the settings of the user. `trust` says whether folders must be trusted first. */
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
    "diffEditor.renderSideBySideInlineBreakpoint": 300,
    "git.openRepositoryInParentFolders": "never",
    "chat.disableAIFeatures": true,
    "telemetry.telemetryLevel": "off",
    "files.autoSave": "off",
    ...(isBrowser ? { "remote.extensionKind": { "onnxc.onnxtxt": ["web"] } } : {}),
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
  writeFileSync(join(workspace, "large.onnxtxt"), largeGraph());
  const unused = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = Relu (x) }\n';
  writeFileSync(join(workspace, "warned.onnxtxt"), unused);
  const git = (...words) => execFileSync("git", ["-C", workspace, "-c", "user.name=a", "-c", "user.email=a@b.c", ...words]);
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "models");
  settings({ trust: false });
  const other = spawnSync("sh", ["-lc", "command -v onnxc || python3 -m onnxc --version"], { env: environment, encoding: "utf8" });
  if (other.status === 0) throw new Error(`the machine has another onnxc: ${other.stdout}`); // the test needs the extension's
  execFileSync(process.execPath, [entry, ...places, "--install-extension", vsix], { env: environment, stdio: "pipe" });
}

/** Returns a graph with 10,000 nodes. */
function largeGraph() {
  const lines = ['<ir_version: 10, opset_import: ["" : 21]>', "large (float[N, 64] x0) => (float[N, 64] y)", "   <float w = {0.5}>", "{"];
  for (let i = 0; i < 9996; i += 4) {
    lines.push(`   a${i} = Mul (x${i}, w)`, `   b${i} = Relu (a${i})`, `   c${i} = Sigmoid (a${i})`, `   x${i + 4} = Add (b${i}, c${i})`);
  }
  return [...lines, "   d = Neg (x9996)", "   e = Abs (d)", "   f = Sqrt (e)", "   y = Exp (f)", "}", ""].join("\n");
}

/** Writes the settings of the machine, which are in a separate file. */
function machine(values) {
  mkdirSync(join(folder, "user/Machine"), { recursive: true });
  writeFileSync(join(folder, "user/Machine/settings.json"), JSON.stringify({ "onnxc.python": process.env.PYTHON, ...values }));
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
  page = await browser.newPage({ viewport: usual });
  page.setDefaultTimeout(longest);
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

/**
 * Opens a list with a key, types into it, and chooses the entry when it is selected. `opensList` says whether another
 * list opens then.
 */
async function choose(key, typed, entry, opensList = false) {
  await page.keyboard.press(key);
  const input = page.locator(".quick-input-widget input:visible").first();
  await input.waitFor();
  await input.fill(typed);
  const chosen = page.locator(".quick-input-list .monaco-list-row.focused", { hasText: entry });
  await chosen.first().waitFor();
  await page.keyboard.press("Enter");
  if (!opensList) await input.waitFor({ state: "hidden" });
}

const palette = (command, opensList) => choose("F1", `>${command}`, command, opensList);

/** Chooses an entry of a list that a command has opened. */
async function pick(entry) {
  const row = page.locator(".quick-input-list .monaco-list-row", { hasText: entry }).first();
  await row.waitFor();
  await row.click();
}

/** Waits until the page of the picture contains an element for the selector. Returns the page. */
async function pictureWith(selector) {
  let found;
  await until(`a picture with ${selector}`, async () => {
    for (const frame of page.frames()) if ((await frame.locator(selector).count().catch(() => 0)) > 0) found = frame;
    return found !== undefined;
  });
  return found;
}

async function open(name) {
  await choose(`${modifier}+p`, name, name);
  await page.locator(".editor-group-container.active .tab.active", { hasText: name }).first().waitFor();
  await page.locator(".editor-group-container.active .view-lines .view-line").first().waitFor();
}

/** Puts the cursor before `text` on the first line that contains it. */
async function goTo(text) {
  await page.keyboard.press(`${modifier}+f`);
  const find = page.locator(".find-widget.visible textarea.input, .find-widget.visible .find-part textarea").first();
  await find.waitFor();
  await find.fill(text);
  await page.locator(".find-widget.visible .matchesCount", { hasText: /^\d+ of \d+/ }).first().waitFor();
  await until("the end of the search", async () => {
    await page.keyboard.press("Escape");
    return (await page.locator(".find-widget.visible").count()) === 0;
  });
  await page.keyboard.press("ArrowLeft");
}

/** Returns the text of the active editor, without inlay hints. */
async function text() {
  const lines = await page.locator(".editor-group-container.active .view-lines").first().locator(".view-line").evaluateAll(textsOfLines);
  return lines.join("\n");
}

/**
 * Runs in the page: returns the texts of lines, from top to bottom. Inlay hints are recognized by the class of their
 * spans, and left out.
 */
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
  for (let waited = 0; waited < longest; waited += 200) {
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
  await step("syntax", async () => {
    await palette("ONNX: Show the Syntax on One Page");
    await until("the page", async () => (await text()).includes("# This page is a model."));
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
    await (await pictureWith("svg g.node.marked")).locator("svg g.node.marked", { hasText: "ReduceSum" }).waitFor();
  });
  await page.setViewportSize({ width: 1040, height: 500 });
  await step("picture-legend", async () => {
    const picture = await pictureWith("svg g.node.output");
    await picture.locator("#explain").click();
    await picture.locator("#legend i.input").waitFor();
  });
  await step("picture-dark", async () => {
    const fill = async () => (await pictureWith("svg g.node.input")).locator("svg g.node.input ellipse").first().evaluate((shape) => getComputedStyle(shape).fill);
    const light = await fill();
    await (await pictureWith("svg g.node.input")).locator("#explain").click();
    machine({ "workbench.colorTheme": "Default Dark Modern" });
    await until("other colours", async () => (await fill()) !== light);
    await page.waitForTimeout(1500);
  });
  machine({});
  await page.setViewportSize(usual);
  await step("picture-search", async () => {
    const picture = await pictureWith("svg g.node.input");
    await picture.locator("#search").fill("less");
    await picture.locator("#search").press("Enter");
    await picture.locator("svg g.node.found.marked", { hasText: "Less" }).waitFor();
    if ((await picture.locator("#count").textContent()) !== "1 of 1") throw new Error("the number of nodes is wrong");
    await picture.locator("#search").fill("");
  });
  await step("picture-to-text", async () => {
    for (const frame of page.frames()) {
      const node = frame.locator("svg g.node", { hasText: "Less" }).first();
      if ((await node.count().catch(() => 0)) > 0) await node.click();
    }
    await until("the line of the node", async () => /is_negative = Less/.test(await selectedLine()));
  });
  await step("picture-large", async () => {
    await palette("View: Close All Editors");
    await open("large.onnxtxt");
    await goTo("a5000 = ");
    await palette("ONNX: Show the Picture of This Graph");
    const picture = await pictureWith("svg g.node.place");
    await until("the part at the cursor", async () => (await picture.locator("#part").textContent()) === "part 26 of 50");
    await picture.locator("#next").click();
    await until("the next part", async () => (await picture.locator("#part").textContent()) === "part 27 of 50");
    await picture.locator("#search").fill("sqrt");
    await picture.locator("#search").press("Enter");
    await picture.locator("svg g.node.found.marked", { hasText: "Sqrt" }).waitFor();
    await until("the last part", async () => (await picture.locator("#part").textContent()) === "part 50 of 50");
  });
  await page.setViewportSize({ width: 1240, height: 480 });
  if (!isBrowser) await comparisonsWithGit();
  await step("compare-files", async () => {
    await palette("View: Close All Editors");
    await open("branch.onnxtxt");
    await palette("ONNX: Compare with...", true);
    if (isBrowser && (await page.locator(".quick-input-list .monaco-list-row", { hasText: "HEAD" }).count()) > 0) throw new Error("there is no git");
    await pick("Another file...");
    const input = page.locator(".quick-input-widget input:visible").first();
    await until("the dialog", async () => (await input.inputValue()).startsWith("/"));
    await input.fill(join(workspace, "mlp.onnx"));
    await page.keyboard.press("Enter");
    await page.locator(".monaco-diff-editor .line-insert").first().waitFor({ state: "attached" });
    await page.locator(".notification-list-item", { hasText: /\d+ differences of the models/ }).first().waitFor();
  });
  await page.setViewportSize(usual);
  await palette("Notifications: Clear All Notifications");
  if (!isBrowser) await runs();
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

/** Tests comparisons with versions in git. */
async function comparisonsWithGit() {
  await step("compare", async () => {
    await palette("View: Close All Editors");
    const path = join(workspace, "branch.onnxtxt");
    const changed = readFileSync(path, "utf8").replace("keepdims = 0", "keepdims = 1").replace("t = Neg (total)", "m = Neg (total) t = Neg (m)");
    writeFileSync(path, changed);
    await open("branch.onnxtxt");
    await palette("ONNX: Compare with...", true);
    await pick("The last commit (HEAD)");
    await page.locator(".monaco-diff-editor .line-insert").first().waitFor({ state: "attached" });
    await page.locator(".notification-list-item", { hasText: "2 differences of the models" }).first().waitFor();
  });
  await step("compare-picture", async () => {
    await page.locator(".notification-list-item").getByText("Picture").first().click();
    const picture = await pictureWith("svg g.node.changed");
    await picture.locator("svg g.node.added", { hasText: "Neg" }).first().waitFor();
  });
  await step("compare-unsaved", async () => {
    await palette("View: Close All Editors");
    await open("branch.onnxtxt");
    await goTo("Less (");
    for (let i = 0; i < 4; ++i) await page.keyboard.press("Delete");
    await page.keyboard.type("Equal");
    await palette("ONNX: Compare with...", true);
    await pick("The last commit (HEAD)");
    await page.locator(".notification-list-item", { hasText: "3 differences of the models" }).first().waitFor();
  });
  await palette("Notifications: Clear All Notifications");
  await open("branch.onnxtxt");
  await revert();
}

/** Tests runs of models in ONNX Runtime. */
async function runs() {
  await step("run", async () => {
    await palette("View: Close All Editors");
    await open("branch.onnxtxt");
    await palette("ONNX: Run This Model", true);
    await pick("Numbers at random");
    await until("what values are", async () => /→ bool/.test((await page.locator(".view-lines span[class*='dyn-rule']").allInnerTexts()).join(" ").replaceAll("\u00a0", " ")));
    await page.locator(".notification-list-item", { hasText: "Running the model" }).waitFor({ state: "detached" });
  });
  await step("run-in-branch", async () => {
    await goTo("Identity (");
    await palette("ONNX: Run up to This Node", true);
    await pick("Numbers at random");
    await page.locator(".notification-list-item", { hasText: "The node of the main graph was run" }).first().waitFor();
  });
  await step("run-in-function", async () => {
    await open("function.onnxtxt");
    await goTo("Mul (");
    await palette("ONNX: Run up to This Node");
    await page.locator(".notification-list-item", { hasText: "Only nodes of the main graph can be run" }).first().waitFor();
  });
  await palette("Notifications: Clear All Notifications");
}

/** Waits for a message that offers help. */
async function told(words) {
  const message = page.locator(".notification-list-item", { hasText: words }).first();
  await message.waitFor();
  for (const button of ["How to Install", "Open the Settings", "Details"]) await message.getByText(button).first().waitFor();
}

/** Tests the messages if the server is missing or too old. */
async function otherServers() {
  await step("not-found", async () => {
    machine({ "onnxc.server.path": "/nowhere/onnxc" });
    await told("The program onnxc is not found");
  });
  await palette("Notifications: Clear All Notifications");
  await step("old-server", async () => {
    const old = join(folder, "old-onnxc");
    writeFileSync(old, "#!/bin/sh\necho onnxc 0.0.9\n", { mode: 0o755 });
    machine({ "onnxc.server.path": old });
    await told(`${old} is onnxc 0.0.9`);
  });
  await step("how-to-install", async () => {
    await page.locator(".notification-list-item").getByText("How to Install").first().click();
    await page.locator(".gettingStartedContainer:visible", { hasText: "Get Started with ONNX Text" }).first().waitFor();
  });
  await palette("Notifications: Clear All Notifications");
  machine({});
}

/** Tests that the server in a browser can read the files of the workspace. */
async function filesOfBrowser() {
  await step("symbols-of-workspace", async () => {
    await palette("View: Close All Editors");
    await choose("F1", "#absolute_sum", "absolute_sum");
    await until("the text", async () => (await text()).includes("is_negative = Less"));
  });
  await step("settings-of-folder", async () => {
    await open("warned.onnxtxt");
    await page.locator(".squiggly-warning").first().waitFor();
    writeFileSync(join(workspace, ".onnxc.toml"), '[warnings]\nall = "off"\n');
    await page.locator(".squiggly-warning").first().waitFor({ state: "detached" });
  });
}

/** Tests that in a folder that is not trusted, the text has colours but no program is run. */
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

/** Returns the text of the line with the cursor. */
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
  machine({});
  await start();
  await steps();
  if (isBrowser) await filesOfBrowser();
  else await otherServers();
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
