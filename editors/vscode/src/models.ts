// Shows binary models as texts. `onnxc:/folder/model.onnx.onnxtxt` is the text of the file /folder/model.onnx. In the text,
// checksums replace large weights. When the text is saved, it is compiled with the weights of the file. If the model is not a
// file of the machine, the query of the URI is the scheme of the model.
import * as vscode from "vscode";
import { folderOf, messageOf, nameOf, Program } from "./host";

export const SCHEME = "onnxc";
/** The scheme of versions in comparisons that cannot be edited. */
export const COMPARED = "onnxc-compared";
/** The schemes of texts that the server receives, except for files. */
export const SCHEMES = ["untitled", SCHEME, COMPARED];
const SUFFIX = ".onnxtxt";

export function textOf(model: vscode.Uri): vscode.Uri {
  return model.with({ scheme: SCHEME, path: model.path + SUFFIX, query: model.scheme === "file" ? "" : model.scheme });
}

export function modelOf(text: vscode.Uri): vscode.Uri {
  return text.with({ scheme: text.query || "file", path: text.path.slice(0, -SUFFIX.length), query: "" });
}

export class Models implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  constructor(private readonly program: () => Promise<Program>) {}

  watch(uri: vscode.Uri): vscode.Disposable {
    const file = modelOf(uri);
    const pattern = new vscode.RelativePattern(folderOf(file), nameOf(file));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const tell = (type: vscode.FileChangeType) => () => this.changed.fire([{ type, uri }]);
    watcher.onDidChange(tell(vscode.FileChangeType.Changed));
    watcher.onDidCreate(tell(vscode.FileChangeType.Created));
    watcher.onDidDelete(tell(vscode.FileChangeType.Deleted));
    return watcher;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (!uri.path.endsWith(`.onnx${SUFFIX}`)) throw vscode.FileSystemError.FileNotFound(uri);
    const model = await vscode.workspace.fs.stat(modelOf(uri));
    if (!(model.type & vscode.FileType.File)) throw vscode.FileSystemError.FileNotFound(uri);
    return { ...model, type: vscode.FileType.File };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const printed = await (await this.program()).run(["print", "--weights", "elide", modelOf(uri)]);
    if (printed.status !== 0) throw vscode.FileSystemError.Unavailable(printed.errors);
    return printed.output;
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const model = modelOf(uri);
    const options = { folder: folderOf(model), input: content };
    // --no-check: a model with findings can be opened, so it can be saved, too. The editor shows the findings.
    const compiled = await (await this.program()).run(["compile", "-q", "--no-check", "-", "--weights", model, "-o", model], options);
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

/** Opens the text of a `.onnx` file that was clicked, instead of an editor for bytes. */
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
      panel.webview.html = `<pre>${messageOf(error).replace(/[&<]/g, (c) => (c === "&" ? "&amp;" : "&lt;"))}</pre>`;
    }
  }
}

export async function openAsText(model: vscode.Uri, viewColumn?: vscode.ViewColumn): Promise<void> {
  const document = await vscode.workspace.openTextDocument(textOf(model));
  await vscode.window.showTextDocument(document, { viewColumn, preview: false });
}
