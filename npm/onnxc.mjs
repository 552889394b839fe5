// Loads the WebAssembly module. It contains the language server and the complete command, which works on files in memory.
import createModule from './module/onnxc.mjs';

/** The module has failed, for example because it is out of memory. A new one can be loaded. */
export class OnnxcError extends Error {
  /**
   * @param {string} message
   * @param {{ stderr?: string, cause?: unknown }} [details]
   */
  constructor(message, { stderr = '', cause } = {}) {
    super(message, { cause });
    this.name = 'OnnxcError';
    /** What the command wrote to standard error before the failure. */
    this.stderr = stderr;
  }
}

const utf8 = new TextEncoder();
const text = new TextDecoder();
const isNode = typeof process === 'object' && !!process.versions?.node && !('importScripts' in globalThis);

/** @param {string | Uint8Array} content */
const bytesOf = (content) => (typeof content === 'string' ? utf8.encode(content) : content);

/** @param {Uint8Array[]} chunks */
function joined(chunks) {
  if (chunks.length === 1) return chunks[0];
  const all = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/**
 * @param {URL | BufferSource | WebAssembly.Module} wasm
 * @returns {Promise<WebAssembly.Module>}
 */
async function compiled(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (!(wasm instanceof URL)) return WebAssembly.compile(wasm);
  if (isNode && wasm.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(wasm));
  }
  const response = await fetch(wasm);
  if (!response.ok) throw new OnnxcError(`${wasm.href} cannot be loaded: ${response.status} ${response.statusText}`);
  // compileStreaming() requires the content type of .wasm. Some web servers do not send it.
  const isKnown = response.headers.get('content-type')?.startsWith('application/wasm');
  return isKnown ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** @type {Promise<WebAssembly.Module> | undefined} */
let beside;

/** Returns the module in the file beside this one. The file is compiled once. */
function besideThis() {
  beside ??= compiled(new URL('./module/onnxc.wasm', import.meta.url));
  beside.catch(() => (beside = undefined));
  return beside;
}

/** The other ends of the module's three standard streams. */
class Streams {
  /** @type {(into: Uint8Array) => number} */
  read = () => 0;
  /** @type {(chunk: Uint8Array) => void} */
  out = () => {};
  /** @type {(chunk: Uint8Array) => void} */
  err = () => {};
}

/** The maximum number of bytes that one call reads or writes, because Node.js refuses 2 GiB. */
const kMostAtOnce = 1 << 30;

/** The value of EIO in the module. */
const kInputOutput = 29;

/** The major device number of the standard streams. */
const kDevices = 64;

export class Onnxc {
  #module;
  #streams;
  /** @type {OnnxcError | undefined} */
  #end;
  #sessions = 0;
  /** Messages of the language servers that were not delivered yet, by session. @type {Map<number, string[]>} */
  #said = new Map();

  /** Called only by load().
   * @param {any} module
   * @param {Streams} streams
   */
  constructor(module, streams) {
    this.#module = module;
    this.#streams = streams;
    module.send = (/** @type {number} */ session, /** @type {string} */ message) => void this.#said.get(session)?.push(message);
  }

  /**
   * @param {URL | BufferSource | WebAssembly.Module} [wasm] default: the file beside this one
   * @param {Record<string, string | undefined>} [env] the environment variables, for the command in Node.js
   * @returns {Promise<Onnxc>}
   */
  static async load(wasm, env = {}) {
    const binary = await (wasm === undefined ? besideThis() : compiled(wasm));
    const streams = new Streams();
    const module = await new Promise((resolve, reject) => {
      const options = {
        noFSInit: true,
        /** Sets the environment variables, which the module copies when it starts.
         * @param {any} starting
         */
        preRun: (starting) => void Object.assign(starting.ENV, env),
        /**
         * @param {WebAssembly.Imports} imports
         * @param {(instance: WebAssembly.Instance, module: WebAssembly.Module) => void} receive
         */
        instantiateWasm(imports, receive) {
          WebAssembly.instantiate(binary, imports).then((instance) => receive(instance, binary), reject);
          return {};
        },
      };
      createModule(options).then(resolve, reject);
    });
    openStreams(module, streams);
    growFast(module.FS);
    return new Onnxc(module, streams);
  }

  /** Returns whether the module has failed, so that another one must be loaded. */
  get hasEnded() {
    return this.#end !== undefined;
  }

  /**
   * Runs `onnxc ARGS` in a folder that contains the files.
   * @param {string[]} args
   * @param {{ files?: Record<string, Uint8Array | string>, stdin?: Uint8Array | string }} [options]
   */
  run(args, { files = {}, stdin = '' } = {}) {
    const { FS } = this.#module;
    const folder = '/run';
    FS.mkdirTree(folder);
    try {
      const before = writeFiles(FS, folder, files);
      FS.chdir(folder);
      const result = this.#main(args, bytesOf(stdin));
      return { ...result, files: changedFiles(FS, folder, before) };
    } finally {
      FS.chdir('/');
      removeTree(FS, folder);
    }
  }

  /**
   * Returns the core of a language server. `send` receives each message for the client. All answers are sent before receive()
   * returns. `send` may call receive(). If `send` throws an exception, receive() throws it again.
   * @param {(message: object) => void} send
   * @param {{ files?: Record<string, Uint8Array | string> }} [options] the files that the server can read,
   *     by their absolute paths, such as /models/.onnxc.toml
   */
  languageServer(send, { files = {} } = {}) {
    this.writeFiles(files);
    const number = ++this.#sessions;
    /** @type {string[]} */
    const said = [];
    this.#said.set(number, said);
    const session = this.#call((module) => module._OnnxcBeginSession(number));
    return {
      receive: (/** @type {object} */ message) => {
        const bytes = utf8.encode(JSON.stringify(message));
        try {
          this.#call((module) =>
            withBytes(module, bytes, (at) => module._OnnxcReceive(session, at, bytes.length)));
        } finally {
          deliver(said, send);
        }
      },
      dispose: () => {
        said.length = 0;
        if (this.#said.delete(number) && !this.#end) this.#call((module) => module._OnnxcEndSession(session));
      },
    };
  }

  /**
   * Writes files that language servers can read. The keys are absolute paths. The value null removes a file.
   * @param {Record<string, Uint8Array | string | null>} files
   */
  writeFiles(files) {
    const { FS } = this.#module;
    for (const [path, content] of Object.entries(files)) {
      if (content !== null) writeFiles(FS, '', { [path]: content });
      else if (FS.analyzePath(path).exists) FS.unlink(path);
    }
  }

  /** Runs the command on the files and standard streams of the machine, for the command in Node.js.
   * @param {string[]} args
   * @param {string} folder
   * @param {{ mounts: { root: string, at: string }[], streams: Partial<Streams>, terminals: boolean[] }} host
   * @returns {number} the exit status
   */
  runOnHost(args, folder, { mounts, streams, terminals }) {
    const { FS, NODEFS } = this.#module;
    mendFiles(NODEFS);
    for (const { root, at } of mounts) {
      if (!FS.analyzePath(at).exists) FS.mkdirTree(at);
      FS.mount(NODEFS, { root }, at);
    }
    // Makes the other folders read-only, because files that are written there would be lost.
    for (const inMemory of ['/', '/dev', '/proc']) FS.chmod(inMemory, 0o555);
    terminals.forEach((is, fd) => {
      if (is) FS.getStream(fd).tty = { ops: {} };
    });
    FS.chdir(folder);
    Object.assign(this.#streams, streams);
    return this.#call((module) => callMain(module, args));
  }

  /**
   * @param {string[]} args
   * @param {Uint8Array} stdin
   */
  #main(args, stdin) {
    /** @type {Uint8Array[]} */
    const out = [];
    /** @type {Uint8Array[]} */
    const err = [];
    let at = 0;
    this.#streams.read = (into) => {
      const count = Math.min(into.length, stdin.length - at);
      into.set(stdin.subarray(at, at + count));
      at += count;
      return count;
    };
    this.#streams.out = (chunk) => out.push(chunk);
    this.#streams.err = (chunk) => err.push(chunk);
    const status = this.#call((module) => callMain(module, args), () => text.decode(joined(err)));
    return { status, stdout: joined(out), stderr: joined(err) };
  }

  /**
   * Calls the module. After a trap the module is in an undefined state, so all further calls throw.
   * @template Result
   * @param {(module: any) => Result} call
   * @param {() => string} [said]
   * @returns {Result}
   */
  #call(call, said = () => '') {
    if (this.#end) throw this.#end;
    try {
      return call(this.#module);
    } catch (error) {
      const stderr = said();
      this.#end = new OnnxcError(reasonOf(error, stderr), { stderr, cause: error });
      throw this.#end;
    }
  }
}

/**
 * Sends all messages in order, even if `send` throws. Then throws the first exception of `send`, if there is one.
 * @param {string[]} messages
 * @param {(message: object) => void} send
 */
function deliver(messages, send) {
  const failures = [];
  for (let message; (message = messages.shift()) !== undefined; ) {
    try {
      send(JSON.parse(message));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * @param {unknown} error
 * @param {string} stderr
 */
function reasonOf(error, stderr) {
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  if (last.startsWith('onnxc: error: ')) return last.slice('onnxc: error: '.length);
  if (error instanceof RangeError) {
    return /stack/i.test(error.message) ? 'the stack of the WebAssembly module is full' : 'out of memory';
  }
  return `the WebAssembly module has failed: ${error instanceof Error ? error.message : String(error)}`;
}

/**
 * @param {any} module
 * @param {Uint8Array} bytes
 * @param {(at: number) => any} use
 */
function withBytes(module, bytes, use) {
  const at = module._malloc(bytes.length + 1) >>> 0;
  if (at === 0) throw new RangeError('out of memory');
  module.HEAPU8.set(bytes, at);
  module.HEAPU8[at + bytes.length] = 0;
  const result = use(at);
  module._free(at);  // not reached after a trap, because the module must not be called then
  return result;
}

/**
 * @param {any} module
 * @param {string[]} args
 * @returns {number} the exit status
 */
function callMain(module, args) {
  const strings = ['onnxc', ...args].map((arg) => utf8.encode(`${arg}\0`));
  const size = 4 * (strings.length + 1);  // the pointers come first
  const block = new Uint8Array(size + strings.reduce((sum, string) => sum + string.length, 0));
  return withBytes(module, block, (at) => {
    const pointers = new DataView(module.HEAPU8.buffer, at, size);
    let next = at + size;
    strings.forEach((string, i) => {
      pointers.setUint32(4 * i, next, true);
      module.HEAPU8.set(string, next);
      next += string.length;
    });
    return module._OnnxcMain(strings.length, at);
  });
}

/**
 * @param {any} module
 * @param {Streams} streams
 */
function openStreams({ FS, NODEFS }, streams) {
  /** Converts an error of the machine, such as a full disk, to the same error in the module.
   * @template Result
   * @param {() => Result} action
   */
  const inModule = (action) => {
    try {
      return action();
    } catch (error) {
      throw typeof error === 'object' && error !== null && 'code' in error ? new FS.ErrnoError(NODEFS.convertNodeCode(error) ?? kInputOutput) : error;
    }
  };
  /** @param {Int8Array} heap @param {number} at @param {number} size */
  const bytesAt = (heap, at, size) => new Uint8Array(heap.buffer, heap.byteOffset + at, Math.min(size, kMostAtOnce));
  FS.registerDevice(FS.makedev(kDevices, 0), {
    read: (/** @type {any} */ _, /** @type {Int8Array} */ heap, /** @type {number} */ at, /** @type {number} */ size) =>
      inModule(() => streams.read(bytesAt(heap, at, size))),
  });
  /** @type {('out' | 'err')[]} */ (['out', 'err']).forEach((name, i) =>
    FS.registerDevice(FS.makedev(kDevices, 1 + i), {
      write: (/** @type {any} */ _, /** @type {Int8Array} */ heap, /** @type {number} */ at, /** @type {number} */ size) => {
        const chunk = bytesAt(heap, at, size).slice();
        inModule(() => streams[name](chunk));
        return chunk.length;
      },
    }));
  ['stdin', 'stdout', 'stderr'].forEach((name, i) => {
    FS.mkdev(`/dev/${name}`, i === 0 ? 0o444 : 0o222, FS.makedev(kDevices, i));
    FS.open(`/dev/${name}`, i === 0 ? 0 : 1);
  });
}

/**
 * Corrects two mistakes of emscripten with files of the machine. Emscripten gives each name of a file a different inode number;
 * now all names get the inode number of the file. And a call could read or write more bytes than Node.js can at once; now it
 * reads or writes fewer.
 * @param {any} NODEFS
 */
function mendFiles(NODEFS) {
  const { getattr, stream_ops: { read, write } } = NODEFS;
  NODEFS.getattr = (/** @type {() => import('node:fs').Stats} */ stat, /** @type {any} */ node) => {
    let ino = 0;
    const attributes = getattr(() => {
      const found = stat();
      ino = found.ino;
      return found;
    }, node);
    return { ...attributes, ino };
  };
  for (const [name, call] of Object.entries({ read, write })) {
    NODEFS.stream_ops[name] = (/** @type {any} */ stream, /** @type {any} */ buffer, /** @type {number} */ at, /** @type {number} */ size,
      /** @type {number} */ position) => call(stream, buffer, at, Math.min(size, kMostAtOnce), position);
  }
}

/**
 * Doubles the buffer of a file in memory when it is full. Emscripten enlarges the buffer only by an eighth, and so copies a large
 * file many times.
 * @param {any} FS
 */
function growFast(FS) {
  FS.writeFile('/file', '');
  const operations = FS.lookupPath('/file').node.stream_ops;  // shared by all files in memory
  FS.unlink('/file');
  const { write } = operations;
  operations.write = (/** @type {any} */ stream, /** @type {Int8Array} */ heap, /** @type {number} */ at, /** @type {number} */ size,
    /** @type {number} */ position, /** @type {boolean} */ canOwn) => {
    const { node } = stream;
    const { contents, usedBytes } = node;
    if (!canOwn && usedBytes >= 1 << 20 && position + size > contents.length) {
      node.contents = new Uint8Array(Math.max(position + size, contents.length + Math.min(contents.length, 1 << 28)));
      node.contents.set(contents.subarray(0, usedBytes));
    }
    return write(stream, heap, at, size, position, canOwn);
  };
}

/**
 * @param {any} FS
 * @param {string} folder
 * @param {Record<string, Uint8Array | string>} files
 * @returns {Map<string, object>} the node at each path
 */
function writeFiles(FS, folder, files) {
  const before = new Map();
  for (const [name, content] of Object.entries(files)) {
    const path = `${folder}/${name}`.replace(/\/+/g, '/');
    FS.mkdirTree(path.slice(0, path.lastIndexOf('/')) || '/');
    FS.writeFile(path, bytesOf(content), { canOwn: true });
    before.set(path, FS.lookupPath(path).node);
  }
  return before;
}

/**
 * @param {any} FS
 * @param {string} folder
 * @returns {Generator<{ path: string, isFolder: boolean }>} the contents of a folder come before the folder
 */
function* treeOf(FS, folder) {
  for (const name of FS.readdir(folder)) {
    if (name === '.' || name === '..') continue;
    const path = `${folder}/${name}`;
    const isFolder = FS.isDir(FS.lstat(path).mode);
    if (isFolder) yield* treeOf(FS, path);
    yield { path, isFolder };
  }
}

/**
 * Returns the files that the command has written. The command never writes into an existing file but replaces it, so a written
 * file has a new node in the file system.
 * @param {any} FS
 * @param {string} folder
 * @param {Map<string, object>} before
 * @returns {Map<string, Uint8Array>}
 */
function changedFiles(FS, folder, before) {
  const changed = new Map();
  for (const { path, isFolder } of treeOf(FS, folder)) {
    if (isFolder || FS.lookupPath(path).node === before.get(path)) continue;
    changed.set(path.slice(folder.length + 1), FS.readFile(path));
  }
  return changed;
}

/**
 * @param {any} FS
 * @param {string} folder
 */
function removeTree(FS, folder) {
  for (const { path, isFolder } of treeOf(FS, folder)) {
    if (isFolder) FS.rmdir(path);
    else FS.unlink(path);
  }
  FS.rmdir(folder);
}
