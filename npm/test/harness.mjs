// Gives the tests the package that scripts/wasm has built, and the native command with which they compare it.
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = process.env.ONNXC_PACKAGE ?? path.join(root, 'build/wasm/package');
export const native = process.env.ONNXC_NATIVE ?? path.join(root, 'build/release/onnxc');
export const command = path.join(folder, 'bin/onnxc.mjs');
/** @type {typeof import('../index.mjs')} */
export const onnxc = await import(pathToFileURL(path.join(folder, 'index.mjs')).href);

const decoder = new TextDecoder();
/** @param {Uint8Array} bytes */
export const textOf = (bytes) => decoder.decode(bytes);

/**
 * Returns all files in a folder and its subfolders.
 * @param {string} folder
 * @returns {string[]} by their relative paths, sorted
 */
export function filesBelow(folder) {
  return fs.readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

/**
 * Runs the native command in a folder with the files. Returns its result.
 * @param {string[]} args
 * @param {{ files?: Record<string, Uint8Array>, stdin?: Uint8Array }} [options]
 */
export function runNatively(args, { files = {}, stdin = new Uint8Array() } = {}) {
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'onnxc-'));
  try {
    for (const [name, bytes] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(work, name)), { recursive: true });
      fs.writeFileSync(path.join(work, name), bytes);
    }
    const { status, stdout, stderr, error } = spawnSync(native, args, { cwd: work, input: stdin, maxBuffer: 2 ** 31 - 1 });
    if (error) throw error;
    const written = new Map();
    for (const name of filesBelow(work)) {
      const bytes = fs.readFileSync(path.join(work, name));
      if (!(name in files) || !bytes.equals(files[name])) written.set(name, bytes);
    }
    return { status, stdout, stderr, files: written };
  } finally {
    fs.rmSync(work, { recursive: true });
  }
}

/**
 * Describes where two runs differ, for people. Returns '' if they do not differ.
 * @param {import('../index.d.ts').RunResult} wasm
 * @param {ReturnType<typeof runNatively>} native
 * @param {Record<string, Uint8Array>} files
 */
export function difference(wasm, native, files) {
  if (wasm.status !== native.status) return `status ${wasm.status}, natively ${native.status}: ${textOf(wasm.stderr)}`;
  for (const stream of /** @type {const} */ (['stderr', 'stdout'])) {
    if (!native[stream].equals(wasm[stream])) return `${stream} differs:\n${textOf(wasm[stream])}\nnatively\n${textOf(native[stream])}`;
  }
  // A file that was written again may have the same contents as before.
  const changed = new Map([...wasm.files].filter(([name, bytes]) => !(name in files && Buffer.from(bytes).equals(files[name]))));
  const names = [...new Set([...changed.keys(), ...native.files.keys()])];
  const differing = names.filter((name) => !native.files.get(name)?.equals(changed.get(name) ?? Buffer.from('\0')));
  return differing.length === 0 ? '' : `written differently: ${differing.join(', ')}`;
}
