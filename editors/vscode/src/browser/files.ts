// The files of the workspace as the language server finds them: it looks in the memory of the module, at
// /SCHEME+AUTHORITY/PATH. A URI such as vscode-vfs://github/owner/models/a.onnxtxt is for the server
// file:///vscode-vfs%2Bgithub/owner/models/a.onnxtxt.
import * as vscode from "vscode";
import { Files } from "./protocol";

/** What the server reads. */
const READ = /^\.onnxc\.toml$|\.(onnxtxt|onnxtext)$/;
const MOST_FILES = 1000;
const MOST_FOLDERS = 1000;
const MOST_BYTES = 1 << 20; // of a file

function pathFor({ scheme, authority, path }: vscode.Uri): string {
  return `/${scheme}+${authority}${path}`;
}

/** `own`: schemes of documents that are not files. */
export function toServer(uri: vscode.Uri, own: string[]): string {
  return own.includes(uri.scheme) ? uri.toString() : vscode.Uri.file(pathFor(uri)).toString();
}

export function fromServer(text: string): vscode.Uri {
  const uri = vscode.Uri.parse(text);
  const [, scheme, authority, path] = /^\/([a-z][a-z0-9.-]*)\+([^/]*)(\/.*)$/.exec(uri.path) ?? [];
  return uri.scheme === "file" && scheme !== undefined ? vscode.Uri.from({ scheme, authority, path }) : uri;
}

/** Null: there is no such file, or it is too large. */
async function read(uri: vscode.Uri): Promise<Uint8Array | null> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    return size > MOST_BYTES ? null : await vscode.workspace.fs.readFile(uri);
  } catch {
    return null;
  }
}

/** The files in the folders of the workspace, without hidden folders. (A search finds nothing until its provider has started.) */
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
