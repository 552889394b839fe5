// Copies files of the workspace into the memory of the module, at /SCHEME+AUTHORITY/PATH, where the language server finds them.
// For the server, a URI such as vscode-vfs://github/owner/models/a.onnxtxt is
// file:///vscode-vfs%2Bgithub/owner/models/a.onnxtxt.
import * as vscode from "vscode";
import { Files } from "./protocol";

/** The files that the server reads. */
const READ = /^\.onnxc\.toml$|\.(onnxtxt|onnxtext)$/;
const MOST_FILES = 1000;
const MOST_FOLDERS = 1000;
const MOST_BYTES = 1 << 20; // of a file

export function pathFor({ scheme, authority, path }: vscode.Uri): string {
  return `/${scheme}+${authority}${path}`;
}

/** Returns the URI for the server. `own` are the schemes of documents that are not files. */
export function toServer(uri: vscode.Uri, own: string[]): string {
  return own.includes(uri.scheme) ? uri.toString() : vscode.Uri.file(pathFor(uri)).toString();
}

export function fromServer(text: string): vscode.Uri {
  const uri = vscode.Uri.parse(text);
  const [, scheme, authority, path] = /^\/([a-z][a-z0-9.-]*)\+([^/]*)(\/.*)$/.exec(uri.path) ?? [];
  return uri.scheme === "file" && scheme !== undefined ? vscode.Uri.from({ scheme, authority, path }) : uri;
}

/** Returns null if there is no such file, or if it is too large. */
async function read(uri: vscode.Uri): Promise<Uint8Array | null> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    return size > MOST_BYTES ? null : await vscode.workspace.fs.readFile(uri);
  } catch {
    return null;
  }
}

/**
 * Returns the files in the folders of the workspace, except hidden folders. (VS Code's search finds nothing until its provider
 * has started.)
 */
async function find(): Promise<vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  for (let i = 0; i < folders.length && i < MOST_FOLDERS && found.length < MOST_FILES; ++i) {
    const entries = await vscode.workspace.fs.readDirectory(folders[i]).then((read) => read, () => []);
    for (const [name, type] of entries) {
      const uri = vscode.Uri.joinPath(folders[i], name);
      if (type === vscode.FileType.Directory && !name.startsWith(".")) folders.push(uri);
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
