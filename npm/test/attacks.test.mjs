// Inputs that try to break the module. Each must give an error; if it ends the module, the module can be loaded again.
import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { before, describe, test } from 'node:test';

import { command, difference, onnxc, runNatively, textOf } from './harness.mjs';

const { Onnxc, OnnxcError } = onnxc;
const head = '<ir_version: 8, opset_import: ["" : 17]>\n';
const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);

/** @type {import('../index.mjs').Onnxc} */
let module;
before(async () => {
  module = await Onnxc.load();
});

/**
 * Checks that the result is the same as that of the native command.
 * @param {string[]} args
 * @param {string | Uint8Array} content
 */
function same(args, content) {
  const files = { 'm.onnxtxt': typeof content === 'string' ? bytes(content) : content };
  const result = module.run([...args, 'm.onnxtxt'], { files });
  assert.equal(difference(result, runNatively([...args, 'm.onnxtxt'], { files }), files), '');
  return result;
}

describe('sizes', () => {
  for (const size of ['2147483647', '2147483648', '4294967295', '4294967296', '9223372036854775807', '9223372036854775808']) {
    test(size, () => {
      same(['check'], `${head}g (float[${size}] x) => (float[${size}, ${size}] y) { y = Identity (x) }`);
      same(['check'], `${head}g () => (y) { s = Constant <value = int64[1] {${size}}> ()\n y = ConstantOfShape (s) }`);
      same(['check'], `${head}g () => (y) { y = Constant <value = float[${size}] {1}> () }`);
      same(['infer', '--to', 'onnxtxt'], `${head}g (float[${size}] x) => (y) { z = Concat <axis = 0> (x, x)\n y = Tile (z, z) }`);
      same(['check'], `${head}g () => (y) <float[2] w = ["location": "m.onnxtxt", "offset": "${size}", "length": "8"]> { y = Identity (w) }`);
    });
  }

  test('of files', () => {
    const work = fs.mkdtempSync(path.join(os.tmpdir(), 'onnxc-'));
    try {
      const file = path.join(work, 'm.onnx');
      for (const size of [2 ** 32 + 5, 2 ** 40]) {  // the sessions of testdata/cli contain a file of 2 GiB
        fs.writeFileSync(file, '');
        fs.truncateSync(file, size);
        const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'print', file], { encoding: 'utf8' });
        assert.ok(status === 1 || status === 2, stdout);
        assert.equal(stdout, '');
        assert.match(stderr, /input-too-large/);
      }
    } finally {
      fs.rmSync(work, { recursive: true });
    }
  });

  // A protobuf field that declares this length: field 7, the graph. The length is encoded in five bytes.
  test('of fields', () => {
    for (const length of [[0xff, 0xff, 0xff, 0xff, 0x07], [0xff, 0xff, 0xff, 0xff, 0x0f], [0x80, 0x80, 0x80, 0x80, 0x10]]) {
      same(['print'], new Uint8Array([0x08, 0x08, 0x3a, ...length, 1, 2, 3]));
    }
  });
});

describe('nests', () => {
  const deep = 200000;
  for (const [name, text] of Object.entries({
    graphs: `${head}g (bool b) => (y) ${'{ y = If (b) <then_branch = h () => (y) '.repeat(deep)}`,
    sequences: `${head}g (${'seq('.repeat(deep)}float${')'.repeat(deep)} x) => (y) { y = Identity (x) }`,
    brackets: '<'.repeat(deep),
    lists: `${head}g () => (y) { y = Constant <value = ${'['.repeat(deep)}`,
    json: '{"graph":'.repeat(deep),
    textproto: 'graph { '.repeat(deep),
  })) {
    for (const command of ['check', 'fmt', 'print']) test(`${name}: ${command}`, () => void same([command], text));
  }

  test('of messages', () => {
    // Attributes with graphs whose nodes have attributes with graphs: each level is a message inside of another
    // message.
    let message = new Uint8Array([0x22, 1, 0x41]);
    for (let i = 0; i < 3000; ++i) {
      const length = message.length;
      message = Uint8Array.of([0x0a, 0x2a, 0x32][i % 3], (length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, length >> 14, ...message);
    }
    same(['print'], message);
  });
});

describe('bombs', () => {
  test('a text that doubles', () => {
    let body = 'x1 = Add (x, x)\n';
    for (let i = 1; i < 60; ++i) body += `x${i + 1} = Concat <axis = 0> (x${i}, x${i})\n`;
    same(['infer', '--to', 'onnxtxt'], `${head}g (float[2] x) => (x60) {\n${body}}`);
  });

  test('many functions that call the next one twice', () => {
    let text = `<ir_version: 8, opset_import: ["" : 17, "f" : 1]>\ng (float[2] x) => (y) { y = f.f0 (x) }\n`;
    for (let i = 0; i < 40; ++i) {
      text += `<domain: "f", opset_import: ["" : 17, "f" : 1]>\nf${i} (a) => (c) { b = f.f${i + 1} (a)\n c = f.f${i + 1} (b) }\n`;
    }
    text += '<domain: "f", opset_import: ["" : 17]>\nf40 (a) => (b) { b = Identity (a) }\n';
    same(['check'], text);
  });

  test('ten million brackets, commas, quotes', () => {
    for (const mark of ['(', ',', '"', '\\', '\n', '0']) same(['check'], head + mark.repeat(10_000_000));
  });
});

test('a model of 200 MB opens, and is printed and compiled byte for byte', async () => {
  const large = await Onnxc.load();
  const weights = new Uint8Array(new Float32Array(50_000_000).map((_, i) => i * 0.37).buffer);
  const text = `${head}g (float[50000000] x) => (float[50000000] y) <float[50000000] w = ["location": "w.bin"]> { y = Add (x, w) }`;
  /**
   * @param {string[]} args
   * @param {Record<string, Uint8Array | string>} files
   */
  const run = (args, files) => {
    const { status, stderr, files: written } = large.run(args, { files });
    assert.equal(textOf(stderr), '');
    assert.equal(status, 0);
    return written.get(args.at(-1) ?? '') ?? new Uint8Array();
  };
  const model = run(['weights', 'inline', 'm.onnxtxt', '-o', 'm.onnx'], { 'm.onnxtxt': text, 'w.bin': weights });
  assert.ok(model.length > 200_000_000);
  run(['check', 'm.onnx'], { 'm.onnx': model });
  const printed = run(['print', 'm.onnx', '-o', 'm.onnxtxt'], { 'm.onnx': model });
  const again = run(['compile', 'm.onnxtxt', '-o', 'm.onnx'], { 'm.onnxtxt': printed });
  assert.ok(Buffer.from(again).equals(model));
});

test('no memory is a message, and a new module works', async () => {
  const last = await Onnxc.load();
  // More than 4 GiB: the text, its copy, and a message of 100 million numbers.
  const numbers = `${head}g () => (y) { y = Constant <value = string[500000000] {${'"a",'.repeat(100_000_000)}"a"}> () }`;
  let said = '';
  try {
    said = textOf(last.run(['compile', 'm.onnxtxt', '-o', 'm.onnx'], { files: { 'm.onnxtxt': bytes(numbers) } }).stderr);
  } catch (error) {
    assert.ok(error instanceof OnnxcError, String(error));
    assert.ok(last.hasEnded);
    assert.throws(() => last.run(['--version']), OnnxcError);
    said = error.message;
  }
  assert.match(said, /out of memory/);
  assert.equal((await Onnxc.load()).run(['--version']).status, 0);
});

test('a module that has failed is not used again', async () => {
  const broken = await Onnxc.load();
  const server = broken.languageServer(() => {});
  // Memory cannot grow, neither for the message nor for the error about it.
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = () => {
    throw new RangeError('no');
  };
  try {
    assert.throws(() => server.receive({ jsonrpc: '2.0', method: 'unknown', params: ['x'.repeat(100_000_000)] }), OnnxcError);
  } finally {
    WebAssembly.Memory.prototype.grow = grow;
  }
  assert.ok(broken.hasEnded);
  assert.throws(() => broken.run(['--version']), OnnxcError);
  server.dispose();
  assert.equal((await Onnxc.load()).run(['--version']).status, 0);
});
