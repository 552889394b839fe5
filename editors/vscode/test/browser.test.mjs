// Tests the browser version of the extension without a browser. Its files are bundled with small substitutes for VS Code, for
// the language client, and for the npm package onnxc.
import * as assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const MUCH = 16 << 20;
const text = (bytes) => new TextDecoder().decode(bytes);

class Uri {
  constructor(scheme, authority, path) {
    Object.assign(this, { scheme, authority, path });
  }
  static file = (path) => new Uri("file", "", path);
  static from = ({ scheme, authority, path }) => new Uri(scheme, authority, path);
  static parse(uri) {
    const { protocol, hostname, pathname } = new URL(uri);
    return new Uri(protocol.slice(0, -1), hostname, decodeURIComponent(pathname));
  }
  static joinPath = ({ scheme, authority, path }, ...names) => new Uri(scheme, authority, [path, ...names].join("/"));
  toString() {
    return `${this.scheme}://${this.authority}${this.path.split("/").map(encodeURIComponent).join("/")}`;
  }
}

const FileType = { File: 1, Directory: 2 };

/** The files of the workspace, by their URIs. There are only the folders that contain files. */
let files;
/** The accesses to the workspace so far. */
let asked;

const fs = {
  async readFile(uri) {
    asked.reads.push(`${uri}`);
    await new Promise((later) => setTimeout(later));
    const bytes = files.get(`${uri}`);
    if (bytes === undefined) throw new Error("there is no such file");
    return bytes;
  },
  stat: async (uri) => ({ size: files.get(`${uri}`).length }),
  writeFile: async (uri, bytes) => void files.set(`${uri}`, bytes),
  async readDirectory(uri) {
    asked.folders.push(uri.path);
    asked.atOnce = Math.max(asked.atOnce, ++asked.now);
    await new Promise((later) => setTimeout(later));
    asked.now--;
    const inside = [...files.keys()].filter((file) => file.startsWith(`${uri}/`)).map((file) => file.slice(`${uri}/`.length).split("/"));
    return [...new Map(inside.map(([name, ...rest]) => [name, rest.length > 0 ? FileType.Directory : FileType.File]))];
  },
};

const vscode = { Uri, FileType, workspace: { fs, workspaceFolders: [{ uri: new Uri("vscode-vfs", "github", "/w") }] } };

/** An instance of the module. Its command writes the contents of its first file, doubled, into its second file. */
class Onnxc {
  static loaded = [];
  hasEnded = false;
  given = {};
  static async load() {
    Onnxc.loaded.push(new Onnxc());
    return Onnxc.loaded.at(-1);
  }
  run([word, from, to], { files: given }) {
    if (word === "fail") {
      this.hasEnded = true;
      throw new Error("out of memory");
    }
    const written = new Map(to === undefined ? [] : [[to, new TextEncoder().encode(text(given[from]).repeat(2))]]);
    return { status: 0, stdout: new TextEncoder().encode(Object.keys(given).join(" ")), stderr: new Uint8Array(), files: written };
  }
  writeFiles(given) {
    Object.assign(this.given, given);
  }
}

/** The modules that the bundles get instead of packages and of other files of the extension. */
globalThis.substitutes = {
  vscode,
  "vscode-languageclient/browser": { BrowserMessageReader: class {}, BrowserMessageWriter: class {}, LanguageClient: class {} },
  onnxc: { Onnxc, createLanguageServer: async (_, { onnxc, files: given }) => onnxc.writeFiles(given) },
  "../extension": { start: (_, __, place) => (host = place), deactivate: () => undefined },
  "../models": { SCHEMES: ["untitled"] },
};
let host;

const withSubstitutes = {
  name: "substitutes",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path }) => (path in substitutes ? { path, namespace: "substitute" } : undefined));
    onLoad({ filter: /.*/, namespace: "substitute" }, ({ path }) => ({ contents: `module.exports = globalThis.substitutes[${JSON.stringify(path)}]` }));
  },
};

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "onnxc-browser-"));
  await build({
    entryPoints: ["files", "program", "worker", "main"].map((name) => fileURLToPath(new URL(`../src/browser/${name}.ts`, import.meta.url))),
    bundle: true, format: "esm", platform: "browser", outdir: folder, outExtension: { ".js": ".mjs" }, plugins: [withSubstitutes],
  });
});
after(() => rm(folder, { recursive: true }));
beforeEach(() => {
  files = new Map();
  asked = { reads: [], folders: [], now: 0, atOnce: 0 };
  Onnxc.loaded = [];
});

const load = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href);

/** Starts the worker. Returns a function that sends it a request and waits for the answer. */
async function startWorker(start = {}) {
  const answers = [];
  let take;
  globalThis.self = {
    postMessage: (answer) => {
      answers.push(answer);
      take?.();
    },
  };
  await import(`${pathToFileURL(join(folder, "worker.mjs")).href}?${Math.random()}`);
  const { self } = globalThis;
  self.onmessage({ data: { module: {}, ...start } });
  return async (request) => {
    const answered = new Promise((resolve) => (take = resolve));
    self.onmessage({ data: { number: 1, files: {}, ...request } });
    await answered;
    return answers.at(-1);
  };
}

describe("files", () => {
  test("of the same path on two machines stay apart", async () => {
    const { pathFor, toServer, fromServer } = await load("files");
    const uris = [new Uri("vscode-vfs", "github", "/o/a b.onnxtxt"), new Uri("vscode-vfs", "gitlab", "/o/a b.onnxtxt"), new Uri("memfs", "", "/o/a b.onnxtxt")];
    assert.equal(new Set(uris.map(pathFor)).size, 3);
    for (const uri of uris) assert.deepEqual({ ...fromServer(toServer(uri, ["untitled"])) }, { ...uri });
    assert.equal(toServer(new Uri("untitled", "", "u"), ["untitled"]), "untitled://u");

    const { ModuleProgram } = await load("program");
    const sent = [];
    const worker = {
      postMessage: ({ number, args, files: given }) => {
        if (args === undefined) return;
        sent.push({ args, given });
        worker.onmessage({ data: { number, status: 0, output: new Uint8Array(), errors: "", files: new Map([[args[2], new Uint8Array([3])]]) } });
      },
    };
    uris.forEach((uri, i) => files.set(`${uri}`, new Uint8Array([i])));
    await new ModuleProgram("1", {}, () => worker).run(["diff", uris[0], uris[1]]);
    const [{ args, given }] = sent;
    assert.deepEqual(args.slice(1).map((path) => given[path]), [new Uint8Array([0]), new Uint8Array([1])]);
    assert.deepEqual(uris.map((uri) => files.get(`${uri}`)), [[0], [3], [2]].map((bytes) => new Uint8Array(bytes)), "the file that was written");
  });

  test("for the server: the folders of one level are read at the same time, and some are skipped", async () => {
    const { filesForServer } = await load("files");
    const base = "vscode-vfs://github/w";
    const wanted = ["a/a.onnxtxt", "b/deep/b.onnxtext", "c/.onnxc.toml"];
    const others = ["a/a.onnx", "node_modules/n.onnxtxt", ".git/g.onnxtxt"];
    for (const path of [...wanted, ...others]) files.set(`${base}/${path}`, new TextEncoder().encode(path));
    files.set(`${base}/large.onnxtxt`, new Uint8Array((1 << 20) + 1));
    const found = await filesForServer();
    assert.deepEqual(Object.keys(found).sort(), wanted.map((path) => `/vscode-vfs+github/w/${path}`));
    assert.deepEqual(asked.folders.sort(), ["/w", "/w/a", "/w/b", "/w/b/deep", "/w/c"]);
    assert.equal(asked.atOnce, 3);
  });

  test("that have changed", async () => {
    const { changeForServer, toServer } = await load("files");
    const uri = new Uri("vscode-vfs", "github", "/w/m.onnxtxt");
    files.set(`${uri}`, new Uint8Array([1]));
    assert.deepEqual(await changeForServer(toServer(uri, [])), { path: "/vscode-vfs+github/w/m.onnxtxt", bytes: new Uint8Array([1]) });
    files.delete(`${uri}`);
    assert.equal((await changeForServer(toServer(uri, []))).bytes, null);
  });
});

describe("the worker", () => {
  test("gives memory back after large files", async () => {
    const run = await startWorker();
    const given = (length) => ({ args: ["check", "m"], files: { m: new Uint8Array(length) } });
    for (const [length, instances] of [[1, 1], [MUCH, 1], [MUCH + 1, 1], [1, 2], [1, 2]]) {
      assert.equal((await run(given(length))).status, 0);
      assert.equal(Onnxc.loaded.length, instances, `after ${length} bytes`);
    }
    await run({ args: ["check"], input: new Uint8Array(MUCH + 1) });
    await run({ args: ["check"] });
    assert.equal(Onnxc.loaded.length, 3);
  });

  test("replaces an instance that has failed", async () => {
    const run = await startWorker();
    assert.deepEqual(await run({ args: ["fail"] }), { number: 1, status: -1, output: new Uint8Array(), errors: "out of memory", files: new Map() });
    const { status, files: written } = await run({ args: ["double", "a", "b"], files: { a: new TextEncoder().encode("x") } });
    assert.equal(status, 0);
    assert.equal(text(written.get("b")), "xx");
    assert.equal(Onnxc.loaded.length, 2);
  });

  test("gives a language server the files that have changed", async () => {
    const run = await startWorker({ serve: {}, files: { "/a": 1 } });
    globalThis.self.onmessage({ data: { path: "/b", bytes: null } });
    await run({ args: ["check"] });
    assert.deepEqual(Onnxc.loaded.map(({ given }) => given), [{ "/a": 1, "/b": null }]);
  });
});

describe("the scripts of workers", () => {
  const started = [];
  const addresses = new Set();

  before(() => {
    globalThis.Worker = class {
      constructor(script) {
        started.push(script);
      }
      postMessage() {}
      terminate() {}
    };
    Object.assign(URL, {
      createObjectURL: () => {
        addresses.add(`blob:${addresses.size}`);
        return [...addresses].at(-1);
      },
      revokeObjectURL: (address) => addresses.delete(address),
    });
  });

  test("are read once, again after a failure, and are released at the end", async () => {
    const { activate } = await load("main");
    activate({ extension: { extensionUri: new Uri("https", "host", "/e"), packageJSON: { version: "1" } }, subscriptions: [] });
    const ends = [];
    const startLayout = async () => {
      host.startLayout({ answer: () => undefined, end: ({ message }) => ends.push(message) }).post("digraph {}");
      await new Promise((later) => setTimeout(later, 20));
    };
    await startLayout();
    assert.deepEqual(ends, ["there is no such file"]);
    files.set("https://host/e/dist/layout.js", new Uint8Array());
    for (let i = 0; i < 3; ++i) await startLayout();
    assert.equal(ends.length, 1);
    assert.deepEqual(started, ["blob:0", "blob:0", "blob:0"]);
    assert.equal(asked.reads.length, 2, "once without and once with the file");
    host.dispose();
    await new Promise((later) => setTimeout(later));
    assert.equal(addresses.size, 0);
  });
});
