// Tests that what is saved is, byte for byte, what was opened with the edits made: random files, and random edits in the
// editor's own state. Runs the tasks of the page in Node.js with the WebAssembly module, without a browser.
//
//   node --test test/saves.test.mjs
//
// SAVES=20000 SEED=2 in the environment: how many files are opened and saved, and which.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { EditorState } from "@codemirror/state";
import { build } from "esbuild";

const ROOT = new URL("../../", import.meta.url).pathname;
const PACKAGE = join(process.env.ONNXC_PACKAGE ?? `${ROOT}build/wasm/package`, "index.mjs");
const SAVES = Number(process.env.SAVES ?? 400);
let seed = Number(process.env.SEED ?? 1);
let folder, page, tasks, golden;

/** Returns a random integer below `limit` (mulberry32). */
function random(limit) {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
}
const oneOf = (all) => all[random(all.length)];

/** Builds a part of the page for Node.js. */
async function load(name) {
  const outfile = join(folder, `${name}.mjs`);
  await build({ entryPoints: [`${ROOT}web/src/${name}.ts`], outfile, bundle: true, format: "esm", platform: "node", alias: { onnxc: PACKAGE }, external: [PACKAGE] });
  return import(outfile);
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "onnxc-saves-"));
  page = Object.assign({}, ...(await Promise.all(["exact", "elided", "tasks"].map(load))));
  const { Onnxc } = await import(PACKAGE);
  let onnxc;
  tasks = new page.Tasks(async () => (onnxc ??= await Onnxc.load()), async () => null, () => (onnxc = undefined));
  const names = (await readdir(`${ROOT}testdata/golden`)).filter((name) => name.endsWith(".onnxtxt"));
  golden = await Promise.all(names.map((name) => readFile(`${ROOT}testdata/golden/${name}`)));
  golden = golden.filter(({ length }) => length < 20_000).map((bytes) => bytes.toString().replace(/\r\n?/g, "\n"));
});
after(() => rm(folder, { recursive: true }));

let inputs = 0;
/** Runs the native command on a file of its own, because calls may overlap, and returns what it writes, or undefined if it fails. */
async function native(bytes, ...args) {
  const path = join(folder, `input${++inputs}`);
  await writeFile(path, bytes);
  const { status, stdout } = spawnSync(`${ROOT}build/release/onnxc`, [...args, path], { cwd: folder, maxBuffer: 1 << 28 });
  return status === 0 ? stdout : undefined;
}

let files = 0;
/** Opens a file as the page does: all files have the same size, as far as it is known, and the same time. */
async function open(name, bytes) {
  const source = { id: ++files, name, files: [new File([bytes], name, { lastModified: 1 })] };
  return { ...(await tasks.open(source)), source };
}
const save = (opened, text, format) => tasks.save({ ...opened, text, isUnchanged: text === opened.text }, format, false);

function assertSame(actual, expected, what) {
  if (Buffer.compare(actual, expected) === 0) return;
  assert.fail(`${what}:\n${JSON.stringify(Buffer.from(actual).toString("latin1"))}\n  instead of\n${JSON.stringify(Buffer.from(expected).toString("latin1"))}`);
}

/** The bytes and the length in the editor of what a file consists of. No two of them together have another meaning. */
const atom = (bytes, length = 1) => ({ bytes: Buffer.from(bytes), length });
const atomsOf = (text) => [...text].map((character) => atom(character, character.length));
const ODD = [atom([0xff]), atom([0xc0]), atom("\u00e9"), atom("\u{1f600}", 2), atom("\ufeff"), atom("\u2028"), atom("\0"), atom("\rx", 2)];

/** Divides a text into atoms, and gives it other line breaks and odd characters. */
function disguised(text) {
  const breaks = oneOf([["\n"], ["\r\n"], ["\n", "\r\n"], ["\n", "\n", "\n", "\n", "\r\n"]]);
  const atoms = atomsOf(text).map((one) => (one.bytes[0] === 10 ? atom(oneOf(breaks)) : one));
  for (let i = random(4); i > 0; --i) atoms.splice(random(atoms.length + 1), 0, oneOf(ODD));
  if (random(4) === 0) atoms.unshift(atom("\ufeff"));
  // In a text with two kinds of line breaks, "\r\n" has two characters, as in the editor.
  const bytes = Buffer.concat(atoms.map((one) => one.bytes)).toString("latin1");
  const isMixed = /\r\n/.test(bytes) && /(^|[^\r])\n/.test(bytes);
  return { atoms: atoms.map((one) => (isMixed && one.bytes.equals(Buffer.from("\r\n")) ? { ...one, length: 2 } : one)), isMixed, lineBreak: !isMixed && bytes.includes("\r\n") ? "\r\n" : "\n" };
}

/** Makes random edits in the editor's state and in the bytes. */
function edited(text, { atoms, lineBreak }) {
  let state = EditorState.create({ doc: text, extensions: text.includes("\r") ? EditorState.lineSeparator.of("\n") : [] }); // as src/editor.ts
  atoms = [...atoms];
  for (let count = 1 + random(3); count > 0; --count) {
    const from = random(atoms.length + 1);
    const removed = random(3) === 0 ? Math.min(random(30), atoms.length - from) : 0;
    const insert = oneOf(["", "x", "\n", "# \u00fcber\n", '"', "{", " "]);
    const lengthOf = (some) => some.reduce((sum, { length }) => sum + length, 0);
    const at = lengthOf(atoms.slice(0, from));
    state = state.update({ changes: { from: at, to: at + lengthOf(atoms.slice(from, from + removed)), insert } }).state;
    atoms.splice(from, removed, ...atomsOf(insert).map((one) => (one.bytes[0] === 10 ? atom(lineBreak) : one)));
  }
  return { text: state.doc.toString(), bytes: Buffer.concat(atoms.map(({ bytes }) => bytes)) };
}

test("any bytes are shown and encoded again without a loss", () => {
  const parts = [...ODD.map(({ bytes }) => bytes), ...["\r", "\n", "\r\n", "a", "\u20ac"].map((text) => Buffer.from(text)), ...[0x80, 0xc3, 0xe2, 0xed, 0xa0, 0xf0, 0x9f, 0xf4, 0x90].map((byte) => Buffer.from([byte]))];
  for (let i = 0; i < 50 * SAVES; ++i) {
    const bytes = Buffer.concat(Array.from({ length: random(12) }, () => (random(5) === 0 ? Buffer.from([random(256)]) : oneOf(parts))));
    const exact = page.decode(bytes);
    assertSame(page.encode(exact), bytes, JSON.stringify(exact));
    assert.equal(/\r(?!\n)/.test(exact.text), false, "the editor knows no such line break");
  }
});

test("a text keeps the bytes that were not edited, and compiles like its file", async () => {
  for (let i = 0; i < SAVES; ++i) {
    const file = disguised(oneOf(golden));
    const bytes = Buffer.concat(file.atoms.map((one) => one.bytes));
    const opened = await open("model.onnxtxt", bytes);
    assertSame(await save(opened, opened.text, "onnxtxt"), bytes, "nothing was edited");
    const now = edited(opened.text, file);
    assertSame(await save(opened, now.text, "onnxtxt"), now.bytes, "some characters were edited");
    if (random(10) > 0) continue;
    const compiled = await native(now.bytes, "compile", "--no-check", "-q", "-o", "-");
    const saved = save(opened, now.text, "onnx");
    if (compiled === undefined) await assert.rejects(saved);
    else assertSame(await saved, compiled, "as ONNX");
  }
});

test("a model in another format keeps its bytes, or becomes what the command makes of the edited text", async () => {
  for (let i = 0; i < SAVES / 10; ++i) {
    const [name, to] = oneOf([["m.onnx", "onnx"], ["m.pbtxt", "textproto"], ["m.json", "json"]]);
    let bytes = await native(oneOf(golden), "compile", "--no-check", "-q", "--to", to, "-o", "-");
    if (bytes === undefined) continue; // a part of a model
    // What means the same, but is not written by protobuf: a field twice, other blanks.
    if (to === "onnx") bytes = Buffer.concat([bytes, Buffer.from([0x08, 0x08, 0x08, 0x09])]);
    else bytes = Buffer.from(bytes.toString("latin1").replaceAll("\n", oneOf(["\r\n", "\n\n", "\n"])), "latin1");
    const opened = await open(name, bytes);
    assertSame(await save(opened, opened.text, to), bytes, `${name}: nothing was edited`);
    const now = edited(opened.text, { atoms: atomsOf(opened.text), lineBreak: "\n" });
    if (now.text === opened.text) continue;
    const compiled = await native(now.text, "compile", "--no-check", "-q", "--to", to, "-o", "-");
    const saved = save(opened, now.text, to);
    if (compiled === undefined) await assert.rejects(saved);
    else assertSame(await saved, compiled, `${name}: some characters were edited`);
  }
});

test("long lists become checksums, and come back where they belong", async () => {
  const numbers = (count) => Array.from({ length: count }, () => random(1e6) / 8).join(oneOf([", ", ",", ",\n   "]));
  for (let i = 0; i < SAVES; ++i) {
    const lines = Array.from({ length: 1 + random(8) }, (_, at) => oneOf([
      `# a comment with { ${numbers(300)} }`,
      `<doc_string: "a string with { ${numbers(300)} } and \\" {">`,
      `float[300] w${at} = {${numbers(300)}},`,
      `float[300] w${at} ={ ${numbers(300)} },`,
      `c = Constant <value = float[300] {${numbers(300)}}> ()`,
      `c = Constant <value = float[300] t {${numbers(300)}}> ()`,
      `float[2] short${at} = {1, 2},`,
      `   y = Add (x,   w)   # as it was laid out`,
    ]));
    const text = `${lines.join("\n")}\n`;
    const { text: shown, lists } = await page.elide(text);
    assert.equal(page.restore(shown, lists), text);
    assert.ok(shown.split("\n").every((line) => line.length < 1024 || line.includes("#") || line.includes("doc_string")), shown);
    // A line that is removed or moved takes its data along.
    const [one, two] = [random(lines.length), random(lines.length)];
    const moved = (await Promise.all(lines.map(async (line) => (await page.elide(line)).text))).toSpliced(one, 1);
    assert.equal(page.restore(moved.toSpliced(two, 0, "# new").join("\n"), lists), lines.toSpliced(one, 1).toSpliced(two, 0, "# new").join("\n"));
  }
});

test("lists that differ in a byte that is not UTF-8 stay different, and no '=' is written twice", async () => {
  const numbers = Array(400).fill("1.5").join(", ");
  const bytes = [0xfe, 0xff].map((byte) => Buffer.concat([Buffer.from(`float[400] w = {${numbers}`), Buffer.from([byte]), Buffer.from("},\n")]));
  const { text } = page.decode(Buffer.concat(bytes));
  const odd = await page.elide(text);
  assert.equal(page.restore(odd.text, odd.lists), text);
  const commented = `float[400] w = # a comment\n {${numbers}}`;
  assert.equal((await page.elide(commented)).text, commented);
});

const largeText = (value, count = 600_000) => `# a comment  \r\n<ir_version: 8, opset_import: ["": 17], doc_string: "\r\n">\n` +
  `g (float[${count}] x) => (float[${count}] y) <float[${count}] w = {${Array(count).fill(value).join(", ")}}> {\n  y = Add (x,w)\n  z = Constant <value = float[${count}] {${Array(count).fill(7).join(",")}}> ()\n}\n`;

test("a large text keeps its weights, its comments and its layout", async () => {
  const bytes = Buffer.from(largeText("0.125"));
  const opened = await open("big.onnxtxt", bytes);
  assert.ok(opened.isElided && opened.text.length < 2000);
  assert.match(opened.notice, /Saving puts them back/);
  assert.notEqual(await native(opened.text, "fmt"), undefined, "the text with checksums is right");
  assertSame(await save(opened, opened.text, "onnxtxt"), bytes, "nothing was edited");
  const change = (text) => text.replace("# a comment", "# \u00e9").replace("Add (x,w)", "Sub (x, w)");
  const expected = Buffer.from(change(bytes.toString()));
  assertSame(await save(opened, change(opened.text), "onnxtxt"), expected, "edited");
  assertSame(await save(opened, change(opened.text), "onnx"), await native(expected, "compile", "--no-check", "-q", "-o", "-"), "as ONNX");
});

test("two files of the same name, size and time are two files", async () => {
  const models = await Promise.all(["1.5", "2.5"].map((value) => native(largeText(value, 400), "compile", "--no-check", "-q", "-o", "-")));
  assert.equal(models[0].length, models[1].length);
  const opened = await Promise.all(models.map((bytes) => open("model.onnx", bytes)));
  for (const at of [1, 0, 1]) {
    assert.ok(opened[at].isElided);
    assertSame(await save(opened[at], opened[at].text, "onnx"), models[at], "nothing was edited");
    assertSame(await save(opened[at], `${opened[at].text}# edited\n`, "onnx"), models[at], "a comment was added");
  }
});

test("equal weights in different fields keep their fields", async () => {
  const list = `{${Array(400).fill("1.5").join(", ")}}`;
  const text = `<ir_version: 8, opset_import: ["": 17]>\ng (float[400] x) => (float[400] y) <\n  # onnxc: raw\n  float[400] w = ${list}, float[400] v = ${list}> { y = Add (x, w) }\n`;
  const bytes = await native(text, "compile", "--no-check", "-q", "-o", "-");
  const opened = await open("model.onnx", bytes);
  assert.ok(opened.isElided);
  assertSame(await save(opened, `${opened.text}# edited\n`, "onnx"), bytes, "a comment was added");
});
