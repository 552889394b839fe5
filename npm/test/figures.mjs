// figures.mjs PACKAGE NATIVE: measures how soon the module answers, and compares its speed with that of the native
// program on one thread. Fails if a figure is worse than docs/web.md says.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, native] = process.argv.slice(2).map((each) => path.resolve(each));
const begin = performance.now();
const { Onnxc } = await import(pathToFileURL(path.join(folder, 'index.mjs')).href);
const module = await Onnxc.load();
const loaded = performance.now();
const right = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[N] x) => (float[N] y) { y = Add (x, x) }\n';
module.run(['check', 'm.onnxtxt'], { files: { 'm.onnxtxt': right } });
const answered = performance.now();
let failed = false;
/**
 * @param {string} what
 * @param {boolean} isMet
 */
function tell(what, isMet) {
  console.log(isMet ? what : `FAILED: ${what}`);
  failed ||= !isMet;
}
console.log(`loaded in ${(loaded - begin).toFixed(0)} ms`);
tell(`first answer ${(answered - loaded).toFixed(0)} ms after that, of at most 150`, answered - loaded <= 150);

// A model with 40,000 nodes, and a tensor of a million numbers.
let text = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[N] x0) => (float[N] x40000)\n<float[1000000] w = {';
for (let i = 0; i < 1_000_000; ++i) text += `${i === 0 ? '' : ', '}${Math.fround(i * 0.37)}`;
text += '}>\n{\n';
for (let i = 0; i < 40000; ++i) text += `   x${i + 1} = Clip <some_name = "block.${i}.clip"> (x${i}, , x${i % 100})\n`;
text += '}\n';

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'onnxc-'));
const quick = ['--no-check', '--no-infer'];
try {
  const file = path.join(work, 'm.onnxtxt');
  fs.writeFileSync(file, text);
  const bytes = fs.readFileSync(file);
  execFileSync(native, ['compile', ...quick, '--threads', '1', file]);
  const model = fs.readFileSync(path.join(work, 'm.onnx'));
  const empty = path.join(work, 'empty.onnxtxt');
  fs.writeFileSync(empty, right);
  /** @param {() => unknown} call */
  const best = (call) => Math.min(...Array.from({ length: 5 }, () => {
    const start = performance.now();
    call();
    return performance.now() - start;
  }));
  const start = best(() => execFileSync(native, ['compile', ...quick, empty]));  // the time that every process needs
  for (const [name, args, input, size] of /** @type {const} */ ([
    ['compile', ['compile', ...quick], { 'm.onnxtxt': bytes }, bytes.length],
    ['print', ['print'], { 'm.onnx': model }, bytes.length],
  ])) {
    const [source] = Object.keys(input);
    const ours = best(() => module.run([...args, source, '-o', 'out'], { files: { ...input } }));
    const theirs = best(() => execFileSync(native, [...args, '--threads', '1', path.join(work, source), '-o', path.join(work, 'out')])) - start;
    const speed = (/** @type {number} */ ms) => `${(size / 1000 / ms).toFixed(0)} MB/s`;
    tell(`${name}: ${speed(ours)}, natively ${speed(theirs)}: ${(theirs / ours).toFixed(2)}, of at least 0.5`, theirs / ours >= 0.5);
  }
} finally {
  fs.rmSync(work, { recursive: true });
}
process.exitCode = failed ? 1 : 0;
