#!/usr/bin/env node
// The command `onnxc`, which reads and writes the files of this machine.
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as tty from 'node:tty';

import { Onnxc, OnnxcError } from '../onnxc.mjs';

/** Writes all bytes to a file descriptor. If a pipe is full, tries again.
 * @param {number} fd
 */
const writer = (fd) => (/** @type {Uint8Array} */ chunk) => {
  for (let at = 0; at < chunk.length; ) {
    try {
      at += fs.writeSync(fd, chunk, at);
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code === 'EPIPE') process.exit(0);  // nobody reads from the pipe any more
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
};

/** @param {Uint8Array} into */
function read(into) {
  for (;;) {
    try {
      return fs.readSync(0, into);
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

const isWindows = process.platform === 'win32';

/** Returns the path that a file on Windows has in the module. C:\\models becomes /c:/models, as in the URIs of editors.
 * @param {string} file
 */
function inModule(file) {
  if (!isWindows || !(path.isAbsolute(file) || fs.existsSync(file))) return file;
  return file.replaceAll('\\', '/').replace(/^([A-Za-z]):/, (_, drive) => `/${drive.toLowerCase()}:`);
}

/** Returns whether the path is a folder. Returns false for a path that cannot be read, such as a link to itself.
 * @param {string} file
 */
function isFolder(file) {
  try {
    return fs.statSync(file).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Returns the drives on Windows. On other systems, returns the folders at the root, except for those that the module
 * provides itself.
 */
function mounts() {
  if (isWindows) {
    return [...'abcdefghijklmnopqrstuvwxyz'].filter((drive) => fs.existsSync(`${drive}:\\`))
      .map((drive) => ({ root: `${drive}:\\`, at: `/${drive}:` }));
  }
  return fs.readdirSync('/')
    .filter((name) => !['dev', 'proc', 'sys'].includes(name) && isFolder(`/${name}`))
    .map((name) => ({ root: `/${name}`, at: `/${name}` }));
}

try {
  const onnxc = await Onnxc.load(undefined, process.env);
  process.exitCode = onnxc.runOnHost(process.argv.slice(2).map(inModule), inModule(process.cwd()), {
    mounts: mounts(),
    streams: { read, out: writer(1), err: writer(2) },
    terminals: [0, 1, 2].map((fd) => tty.isatty(fd)),
  });
} catch (error) {
  if (!(error instanceof OnnxcError)) throw error;
  if (!error.stderr) fs.writeSync(2, `onnxc: error: ${error.message}\n`);
  process.exitCode = 2;
}
