// Binary models as texts. `onnxc:/folder/model.onnx.onnxtxt` is the text of the file /folder/model.onnx: checksums
// replace large weights in it, and saving compiles it with the weights of that file.
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import * as vscode from "vscode";
import { Program, run } from "./program";

export const SCHEME = "onnxc";
/** Of older versions, which are only read. */
export const COMPARED = "onnxc-compared";
/** Of the texts that the server is told of. */
export const SCHEMES = ["file", "untitled", SCHEME, COMPARED];
const SUFFIX = ".onnxtxt";

export function textOf(model: vscode.Uri): vscode.Uri {
  return model.with({ scheme: SCHEME, path: model.path + SUFFIX });
}

export function modelOf(text: vscode.Uri): vscode.Uri {
  return text.with({ scheme: "file", path: text.path.slice(0, -SUFFIX.length) });
}

export class Models implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  constructor(private readonly program: () => Promise<Program>) {}

  watch(uri: vscode.Uri): vscode.Disposable {
    const file = modelOf(uri);
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(file, ".."), file.path.split("/").pop() ?? "");
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const tell = (type: vscode.FileChangeType) => () => this.changed.fire([{ type, uri }]);
    watcher.onDidChange(tell(vscode.FileChangeType.Changed));
    watcher.onDidCreate(tell(vscode.FileChangeType.Created));
    watcher.onDidDelete(tell(vscode.FileChangeType.Deleted));
    return watcher;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const model = uri.path.endsWith(`.onnx${SUFFIX}`) ? await stat(modelOf(uri).fsPath).catch(() => undefined) : undefined;
    if (model === undefined || !model.isFile()) throw vscode.FileSystemError.FileNotFound(uri);
    return { type: vscode.FileType.File, ctime: model.ctimeMs, mtime: model.mtimeMs, size: model.size };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const path = modelOf(uri).fsPath;
    const printed = await run(await this.program(), ["print", "--weights", "elide", path]);
    if (printed.status !== 0) throw vscode.FileSystemError.Unavailable(printed.errors);
    return printed.output;
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const path = modelOf(uri).fsPath;
    const options = { cwd: dirname(path), input: content };
    // --no-check: a model with findings can be opened, so it can be saved, too; the editor shows the findings.
    const compiled = await run(await this.program(), ["compile", "-q", "--no-check", "-", "--weights", path, "-o", path], options);
    if (compiled.status !== 0) throw vscode.FileSystemError.Unavailable(`The model is not changed. ${compiled.errors}`);
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }
  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}

/** Opens a `.onnx` file that was clicked as its text, in the place of the editor of bytes. */
export class ModelEditor implements vscode.CustomReadonlyEditorProvider {
  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor(document: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      panel.webview.html = "<p>This folder is not trusted: no program is run to show the model.</p>";
      return;
    }
    const column = panel.viewColumn;
    try {
      await openAsText(document.uri, column);
      panel.dispose();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      panel.webview.html = `<pre>${message.replace(/[&<]/g, (c) => (c === "&" ? "&amp;" : "&lt;"))}</pre>`;
    }
  }
}

export async function openAsText(model: vscode.Uri, viewColumn?: vscode.ViewColumn): Promise<void> {
  const document = await vscode.workspace.openTextDocument(textOf(model));
  await vscode.window.showTextDocument(document, { viewColumn, preview: false });
}
