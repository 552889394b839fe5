// Runs the shell sessions of testdata/cli with the command in Node.js. It must do what the native command did when the sessions
// were recorded. tests/cli/cli_test.cc explains the format of the files.
import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { after, describe, test } from 'node:test';

import { command, root } from './harness.mjs';

const sessions = path.join(root, 'testdata/cli');

const closed = 'Node.js opens /dev/null instead of a closed stream';
const devices = 'the only devices of the module are the standard streams and /dev/null';
const words = 'the C library describes the error in other words';
const pipe = 'the module does not see named pipes';
const graphviz = 'the module cannot start a program';

/** The commands whose results differ, with the reasons. The key is a part of the command. */
const exceptions = /** @type {Record<string, Record<string, string>>} */ ({
  'files.test': {
    '-o /dev/full': devices,
    'compile - <&-': closed,
    '-o - >&-': closed,
    '-o /dev/fd/3': devices,
    '> out.json && head -n 2': 'the module does not know which file is the standard output',
  },
  'folder_links.test': { 'ln -sf .onnxc.toml repo/.onnxc.toml': words },
  'graph.test': { '-o m.svg': graphviz, '-o m.png': graphviz, '-o nowhere/n.svg': graphviz, 'graph m.onnxtxt -o n.svg': graphviz },
  'no_stderr.test': { '2>&-': closed },
  'rename.test': { "'(=w' --regex": words },
  'warnings.test': { 'mkfifo below/.onnxc.toml': pipe },
});

const bin = fs.mkdtempSync(path.join(os.tmpdir(), 'onnxc-bin-'));
fs.writeFileSync(path.join(bin, 'onnxc'), `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`, { mode: 0o755 });
after(() => fs.rmSync(bin, { recursive: true }));
const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, NO_COLOR: '', LC_ALL: 'C' };

/** Replaces characters that cannot be printed by escape sequences.
 * @param {string} line
 */
const shown = (line) => line.replace(/[\p{Cc}\p{Cf}]/gu, (character) => {
  const code = /** @type {number} */ (character.codePointAt(0));
  const named = /** @type {Record<string, string>} */ ({ '\t': '\\t', '\r': '\\r' })[character];
  return named ?? (code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`);
});

/**
 * @param {string} mark
 * @param {string} file
 */
function inLines(mark, file) {
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const last = lines.pop();
  const marked = lines.map((line) => `${mark}${line === '' ? '' : ' '}${shown(line)}\n`);
  return marked.join('') + (last === '' ? '' : `${mark} ${shown(/** @type {string} */ (last))}\n\\ ${mark}\n`);
}

/**
 * Runs a command, and returns what it did, in the format of a session.
 * @param {string} line
 * @param {string} folder
 * @returns {Promise<string>}
 */
async function observe(line, folder) {
  const [script, out, err] = ['command', 'out', 'err'].map((name) => path.join(folder, name));
  fs.writeFileSync(script, `exec 2>${err} >${out}\n${line}\n`);
  const shell = spawn('sh', ['../command'], { cwd: path.join(folder, 'work'), env, stdio: 'ignore' });
  const status = await new Promise((resolve) => shell.on('close', (code, signal) => resolve(code ?? 128 + os.constants.signals[/** @type {NodeJS.Signals} */ (signal)])));
  return inLines('>', out) + inLines('!', err) + (status === 0 ? '' : `= ${status}\n`);
}

/**
 * Runs the commands of a session again. Returns the session with their new results.
 * @param {string} session
 * @param {(line: string) => boolean} isException
 */
async function replay(session, isException) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'onnxc-session-'));
  const work = path.join(folder, 'work');
  fs.mkdirSync(work);
  try {
    let result = '';
    let file = '';
    let isRecorded = false;
    for (const line of session.split('\n').slice(0, -1)) {
      const [mark, rest] = [line[0], line.slice(2)];
      if (mark && '>!\\='.includes(mark)) {
        if (isRecorded) result += `${line}\n`;
        continue;
      }
      result += `${line}\n`;
      if (mark === '@') {
        file = path.join(work, rest);
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, '');
      }
      if (mark === '|') fs.appendFileSync(file, `${rest}\n`);
      if (mark !== '$') continue;
      const observed = await observe(rest, folder);
      isRecorded = isException(rest);
      if (!isRecorded) result += observed;
    }
    return result;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

describe('sessions', { concurrency: os.availableParallelism() }, () => {
  for (const name of fs.readdirSync(sessions).sort()) {
    test(name, async () => {
      const session = fs.readFileSync(path.join(sessions, name), 'utf8');
      const parts = Object.keys(exceptions[name] ?? {});
      const commands = session.split('\n').filter((line) => line.startsWith('$'));
      assert.deepEqual(parts.filter((part) => !commands.some((line) => line.includes(part))), [], 'exceptions that the session does not have');
      assert.equal(await replay(session, (line) => parts.some((part) => line.includes(part))), session);
    });
  }
});
