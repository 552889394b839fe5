// Copies files of the workspace into the memory of the module, so that the language server can read them. The paths there are
// /SCHEME+AUTHORITY/PATH. For example, the server receives the URI vscode-vfs://github/owner/models/a.onnxtxt as
// file:///vscode-vfs%2Bgithub/owner/models/a.onnxtxt.
import * as vscode from "vscode";
import { Files } from "./protocol";

/** The files that the server reads. */
const READ = /^\.onnxc\.toml$|\.(onnxtxt|onnxtext)$/;
/** The folders that the server skips. */
const SKIPPED = /^\.|^node_modules$/;
const MOST_FILES = 1000;
const MOST_FOLDERS = 1000;
const MOST_BYTES = 1 << 20; // of a file

export function pathFor({ scheme, authority, path }: vscode.Uri): string {
  return `/${scheme}+${authority}${path}`;
}

/** Returns the URI for the server. `own` contains the schemes of documents that are not files. */
export function toServer(uri: vscode.Uri, own: string[]): string {
  return own.includes(uri.scheme) ? uri.toString() : vscode.Uri.file(pathFor(uri)).toString();
}

export function fromServer(text: string): vscode.Uri {
  const uri = vscode.Uri.parse(text);
  const [, scheme, authority, path] = /^\/([a-z][a-z0-9.-]*)\+([^/]*)(\/.*)$/.exec(uri.path) ?? [];
  return uri.scheme === "file" && scheme !== undefined ? vscode.Uri.from({ scheme, authority, path }) : uri;
}

/** Reads a file. Returns null if there is no such file, or if it is too large. */
async function read(uri: vscode.Uri): Promise<Uint8Array | null> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    return size > MOST_BYTES ? null : await vscode.workspace.fs.readFile(uri);
  } catch {
    return null;
  }
}

interface Entry {
  uri: vscode.Uri;
  name: string;
  type: vscode.FileType;
}

/** Returns the entries of a folder. Returns none if the folder cannot be read. */
async function entriesOf(folder: vscode.Uri): Promise<Entry[]> {
  const entries = await vscode.workspace.fs.readDirectory(folder).then((read) => read, () => []);
  return entries.map(([name, type]) => ({ uri: vscode.Uri.joinPath(folder, name), name, type }));
}

/**
 * Returns the files in the folders of the workspace. The server skips hidden folders and node_modules, so they are not read
 * here, either. The folders of one level are read at the same time, because each of them may be a request to another machine.
 * (VS Code's own search is not used, because it finds nothing until its provider has started.)
 */
async function find(): Promise<vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  for (let done = 0; done < folders.length && found.length < MOST_FILES; ) {
    const level = folders.slice(done, MOST_FOLDERS);
    done = folders.length;
    for (const { uri, name, type } of (await Promise.all(level.map(entriesOf))).flat()) {
      if (type === vscode.FileType.Directory && !SKIPPED.test(name)) folders.push(uri);
      if (type === vscode.FileType.File && READ.test(name)) found.push(uri);
    }
  }
  return found.slice(0, MOST_FILES);
}

export async function filesForServer(): Promise<Files> {
  const files: Files = {};
  await Promise.all((await find()).map(async (uri) => {
    const bytes = await read(uri);
    if (bytes !== null) files[pathFor(uri)] = bytes;
  }));
  return files;
}

export async function changeForServer(text: string): Promise<{ path: string; bytes: Uint8Array | null }> {
  const uri = fromServer(text);
  return { path: pathFor(uri), bytes: await read(uri) };
}
