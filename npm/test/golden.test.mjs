// For each golden file, the module gives the same results as the native command, byte for byte: exit status, output,
// findings and files.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { before, describe, test } from 'node:test';

import { difference, filesBelow, native, onnxc, root, runNatively } from './harness.mjs';

/** @type {import('../index.mjs').Onnxc} */
let module;
before(async () => {
  module = await onnxc.Onnxc.load();
});

/**
 * @param {string[]} args
 * @param {Record<string, Uint8Array>} files
 * @returns the result of the module, which must be that of the native command
 */
function same(args, files) {
  const ours = module.run(args, { files });
  const theirs = runNatively(args, { files });
  const differs = difference(ours, theirs, files);
  assert.equal(differs, '', `onnxc ${args.join(' ')}: ${differs}`);
  return ours;
}

const testdata = path.join(root, 'testdata');
const kinds = ['graph', 'function', 'node', 'attr', 'type', 'tensor', 'shape', 'sequence', 'map', 'optional'];
const texts = ['golden', 'fail', 'format', 'docs', 'examples', 'operators'].flatMap((folder) =>
  filesBelow(path.join(testdata, folder)).filter((name) => name.endsWith('.onnxtxt')).map((name) => path.join(folder, name)));

describe('golden files', () => {
  assert.ok(texts.length > 100);
  for (const name of texts) {
    test(name, () => {
      const bytes = fs.readFileSync(path.join(testdata, name));
      const kind = kinds.find((word) => name.split('.').includes(word)) ?? 'model';
      const text = { 'm.onnxtxt': bytes };
      const of = ['--kind', kind];
      const { files } = same(['compile', ...of, 'm.onnxtxt', '-o', 'm.onnx'], text);
      same(['check', ...of, 'm.onnxtxt'], text);
      same(['check', ...of, '--error-format', 'json', '--all-findings', 'm.onnxtxt'], text);
      same(['check', ...of, '--fix', 'm.onnxtxt'], text);
      same(['fmt', ...of, '-w', 'm.onnxtxt'], text);
      same(['print', ...of, 'm.onnxtxt'], text);
      if (kind === 'model') same(['infer', 'm.onnxtxt', '--to', 'onnxtxt'], text);
      const model = files.get('m.onnx');
      if (model === undefined) return;
      same(['print', ...of, 'm.onnx'], { 'm.onnx': model });
      same(['info', ...of, '--json', 'm.onnx'], { 'm.onnx': model });
      same(['diff', ...of, 'm.onnx', 'm.onnxtxt'], { ...text, 'm.onnx': model });
    });
  }

  test('differences', () => {
    const models = texts.filter((name) => name.startsWith('examples') || name.startsWith('docs'));
    for (const [i, name] of models.entries()) {
      const other = models[(i + 1) % models.length];
      const [a, b] = [name, other].map((each) => fs.readFileSync(path.join(testdata, each)));
      same(['diff', 'a.onnxtxt', 'b.onnxtxt'], { 'a.onnxtxt': a, 'b.onnxtxt': b });
      same(['diff', '--json', 'a.onnxtxt', 'b.onnxtxt'], { 'a.onnxtxt': a, 'b.onnxtxt': b });
    }
  });

  test('old formats', () => {
    for (const name of filesBelow(path.join(testdata, 'old')).filter((each) => each.endsWith('.textproto'))) {
      same(['print', 'm.textproto'], { 'm.textproto': fs.readFileSync(path.join(testdata, 'old', name)) });
    }
  });
});

const models = '/usr/share/libonnx-testdata/data';
describe('libonnx-testdata', { skip: fs.existsSync(models) ? false : 'it is not installed' }, () => {
  test('print and compile', () => {
    const names = filesBelow(models).filter((name) => name.endsWith('.onnx'));
    assert.ok(names.length >= 500);
    for (const name of names) {
      const bytes = fs.readFileSync(path.join(models, name));
      const printed = same(['print', 'm.onnx'], { 'm.onnx': bytes });
      if (printed.status !== 0) continue;
      const { files } = same(['compile', 'm.onnxtxt', '-o', 'm.onnx', '--no-check'], { 'm.onnxtxt': printed.stdout });
      assert.ok(files.has('m.onnx'), name);
    }
  });
});

test('the native program is the same version', () => {
  assert.equal(difference(module.run(['--version']), runNatively(['--version']), {}), '', native);
});
