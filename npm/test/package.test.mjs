// Tests what index.d.ts declares.
import * as assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';

import { command, native, onnxc, root, textOf } from './harness.mjs';

const { check, compile, createLanguageServer, diff, explain, format, graph, infer, info, Onnxc, OnnxcError, print } = onnxc;

const right = `<
   ir_version: 8,
   opset_import: ["": 17]
>
doubled (float[N] x) => (float[N] y) {
   y = Add (x, x)
}
`;
const wrong = right.replace('float[N] x', 'flaot[N] x');

test('compile and print', async () => {
  const { output, findings } = await compile(right);
  assert.deepEqual(findings, []);
  assert.ok(output instanceof Uint8Array);
  assert.equal((await print(output)).output, right);
  assert.match(textOf(/** @type {Uint8Array} */ ((await compile(right, { to: 'json' })).output)), /"op_type"/);
});

test('findings are objects', async () => {
  const { output, findings } = await compile(wrong);
  assert.equal(output, null);
  assert.equal(findings.length, 1);
  const { kind, severity, message, range, fix_its: [{ replacement }] } = findings[0];
  assert.equal(kind, 'unknown-type');
  assert.equal(severity, 'error');
  assert.match(message, /flaot/);
  assert.deepEqual(range?.begin, { line: 5, column: 10, offset: wrong.indexOf('flaot') });
  assert.equal(replacement, 'float');
  assert.equal((await check(wrong)).ok, false);
  assert.equal((await check(right)).ok, true);
});

test('infer, format, graph, explain', async () => {
  const { output } = await infer(right.replace('=> (float[N] y)', '=> (y)'), { to: 'onnxtxt' });
  assert.match(textOf(/** @type {Uint8Array} */ (output)), /float\[N\] y/);
  assert.equal((await format(right.replace('   y = ', 'y='))).output, right);
  assert.match(/** @type {string} */ ((await graph(right)).output), /^digraph/);
  assert.match(await explain('unknown-type'), /unknown-type/);
  await assert.rejects(explain('nothing-like-it'), RangeError);
});

test('diff and info', async () => {
  assert.deepEqual(await diff(right, right), { same: true, differences: [], findings: [] });
  const { same, differences } = await diff(right, right.replace('Add', 'Mul'));
  assert.equal(same, false);
  assert.equal(differences?.length, 1);
  assert.equal((await info(right)).summary?.nodes, 1);
});

test('a wrong call is an error', async () => {
  await assert.rejects(compile(right, { args: ['--no-such-option'] }), OnnxcError);
});

test('run writes what the command writes', async () => {
  const module = await Onnxc.load();
  const { status, files } = module.run(['compile', 'a/m.onnxtxt'], { files: { 'a/m.onnxtxt': right, 'a/other': 'x' } });
  assert.equal(status, 0);
  assert.deepEqual([...files.keys()], ['a/m.onnx']);
  const again = module.run(['print', '-'], { stdin: files.get('a/m.onnx') });
  assert.equal(textOf(again.stdout), right);
  assert.equal(module.run(['print', 'a/m.onnx']).status, 2, 'the next run has none of the files');
  const fixed = module.run(['check', '--fix', 'm.onnxtxt'], { files: { 'm.onnxtxt': wrong } });
  assert.equal(textOf(fixed.files.get('m.onnxtxt') ?? new Uint8Array()), right);
});

test('weights beside the model', async () => {
  const module = await Onnxc.load();
  const text = right.replace('float[N] x)', 'float[2] x)').replace('y) {', 'y) <float[2] w = {1, 2}> {').replace('(x, x)', '(x, w)');
  const { status, stderr, files } = module.run(['compile', 'm.onnxtxt', '--save-as-external', 'm.data', '--size-threshold', '0'], { files: { 'm.onnxtxt': text } });
  assert.equal(status, 0, textOf(stderr));
  assert.deepEqual([...files.keys()].sort(), ['m.data', 'm.onnx']);
  const inline = module.run(['print', '--weights', 'inline', 'm.onnx'], { files: Object.fromEntries(files) });
  assert.match(textOf(inline.stdout), /\{1, 2\}/);
  const outside = module.run(['check', 'in/m.onnxtxt'], {
    files: { 'in/m.onnxtxt': text.replace('{1, 2}', '["location": "../m.data"]'), 'm.data': '12345678' } });
  assert.match(textOf(outside.stderr), /external-location|outside/);
});

test('the language server answers in order', async () => {
  const { port1, port2 } = new MessageChannel();
  const server = await createLanguageServer(port2);
  /** @type {any[]} */
  const messages = [];
  const published = new Promise((resolve) => port1.on('message', (message) => {
    messages.push(message);
    if (message.method === 'textDocument/publishDiagnostics') resolve(undefined);
  }));
  const uri = 'file:///m.onnxtxt';
  port1.postMessage({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities: {}, rootUri: null, processId: null } });
  port1.postMessage({ jsonrpc: '2.0', method: 'initialized', params: {} });
  port1.postMessage({ jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'onnxtxt', version: 1, text: wrong } } });
  await published;
  assert.equal(messages[0].id, 1);
  assert.ok(messages[0].result.capabilities.hoverProvider);
  assert.equal(messages.at(-1).params.diagnostics[0].code, 'unknown-type');
  server.dispose();
  port1.close();
});

const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities: {}, rootUri: null, processId: null } };
/** @param {string} uri */
const open = (uri) => ({ jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'onnxtxt', version: 1, text: wrong } } });

test('a client that fails does not end the module', async () => {
  const module = await Onnxc.load();
  let calls = 0;
  const server = module.languageServer(() => {
    calls++;
    throw new Error('there is no client');
  });
  assert.throws(() => server.receive(initialize), /^Error: there is no client$/);
  assert.throws(() => server.receive(open('file:///m.onnxtxt')), /^Error: there is no client$/);
  assert.equal(calls, 2);
  assert.ok(!module.hasEnded);
  server.dispose();
  assert.equal(module.run(['--version']).status, 0);
});

test('a client may answer while it is told', async () => {
  const module = await Onnxc.load();
  /** @type {any[]} */
  const messages = [];
  const server = module.languageServer((/** @type {any} */ message) => {
    messages.push(message);
    if (message.id !== 1) return;
    server.receive({ jsonrpc: '2.0', method: 'initialized', params: {} });
    server.receive(open('file:///m.onnxtxt'));
    assert.equal(messages.at(-1).method, 'textDocument/publishDiagnostics');
  });
  server.receive(initialize);
  assert.equal(messages.at(-1).params.diagnostics[0].code, 'unknown-type');
  server.dispose();
  assert.ok(!module.hasEnded);
});

test('the files of a language server can change', async () => {
  const module = await Onnxc.load();
  /** @type {any[]} */
  const messages = [];
  const settings = '/m/.onnxc.toml';
  const server = module.languageServer((message) => void messages.push(message), { files: { [settings]: '[warnings]\nall = "off"\n' } });
  const uri = 'file:///m/m.onnxtxt';
  const text = right.replace('(float[N] y) {', '(float[N] y) <float w = {1}> {');
  const findings = () => messages.filter((message) => message.params?.uri === uri).at(-1).params.diagnostics.length;
  server.receive(initialize);
  server.receive({ jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'onnxtxt', version: 1, text } } });
  assert.equal(findings(), 0);
  for (const [content, count] of /** @type {const} */ ([[null, 1], ['[warnings]\nall = "off"\n', 0]])) {
    module.writeFiles({ [settings]: content });
    server.receive({ jsonrpc: '2.0', method: 'workspace/didChangeWatchedFiles', params: { changes: [{ uri: `file://${settings}`, type: 2 }] } });
    assert.equal(findings(), count);
  }
  module.writeFiles({ '/m/nothing': null });
  server.dispose();
});

test('the command knows the variables of the environment', async () => {
  for (const [env, hasColor] of /** @type {const} */ ([[{ TERM: 'xterm' }, true], [{ TERM: 'xterm', NO_COLOR: '1' }, false], [{ TERM: 'dumb' }, false]])) {
    const module = await /** @type {any} */ (Onnxc).load(undefined, env);
    const input = Buffer.from(wrong);
    let said = '';
    let at = 0;
    const status = module.runOnHost(['check', '-'], '/', {
      mounts: [],
      terminals: [true, true, true],
      streams: {
        read: (/** @type {Uint8Array} */ into) => {
          const from = at;
          at += input.copy(into, 0, at);
          return at - from;
        },
        err: (/** @type {Uint8Array} */ chunk) => void (said += textOf(chunk)),
      },
    });
    assert.equal(status, 1);
    assert.match(said, /flaot/);
    assert.equal(said.includes('\x1b['), hasColor, JSON.stringify(env));
  }
});

test('the command works on the files of the machine', () => {
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'onnxc-'));
  try {
    fs.writeFileSync(path.join(work, 'm.onnxtxt'), right);
    execFileSync(process.execPath, [command, 'compile', 'm.onnxtxt'], { cwd: work });
    const ours = fs.readFileSync(path.join(work, 'm.onnx'));
    execFileSync(native, ['compile', 'm.onnxtxt'], { cwd: work });
    assert.ok(ours.equals(fs.readFileSync(path.join(work, 'm.onnx'))));
    assert.equal(execFileSync(process.execPath, [command, 'print', path.join(work, 'm.onnx')], { encoding: 'utf8' }), right);
    assert.equal(execFileSync(process.execPath, [command, 'fmt', '-'], { input: right, encoding: 'utf8' }), right);
    assert.equal(spawnSync(process.execPath, [command, 'print', 'none.onnx'], { cwd: work }).status, 2);
    const lost = spawnSync(process.execPath, [command, 'compile', 'm.onnxtxt', '-o', '/dev/m.onnx'], { cwd: work, encoding: 'utf8' });
    assert.equal(lost.status, 2, 'the module has this folder in memory');
    assert.match(lost.stderr, /Permission denied/);
  } finally {
    fs.rmSync(work, { recursive: true });
  }
});

test('the command serves an editor', () => {
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities: {}, rootUri: null, processId: process.pid } },
    { jsonrpc: '2.0', id: 2, method: 'shutdown' },
    { jsonrpc: '2.0', method: 'exit' },
  ].map((message) => JSON.stringify(message));
  const input = messages.map((message) => `Content-Length: ${message.length}\r\n\r\n${message}`).join('');
  const { status, stdout } = spawnSync(process.execPath, [command, 'lsp', '--stdio'], { input, encoding: 'utf8' });
  assert.equal(status, 0);
  assert.match(stdout, /^Content-Length: \d+\r\n\r\n\{.*"hoverProvider":true/);
});

test('the package holds what it names', () => {
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'npm/package.json'), 'utf8'));
  assert.match(execFileSync(process.execPath, [command, '--version'], { encoding: 'utf8' }), new RegExp(`^onnxc ${version}\n`));
});
