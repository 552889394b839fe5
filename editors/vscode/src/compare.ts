// Shows two versions of a model side by side as texts. The versions are two files, or a file and its version in a commit of
// git.
import * as vscode from "vscode";
import { Argument, bytesOf, Context, folderOf, Host, messageOf, nameOf, Outcome, RunOptions, textOf } from "./host";
import { COMPARED, modelOf, SCHEME, textOf as textOfModel } from "./models";

/** A version of a document: in the editor, on the disk, or in a commit. */
interface Version {
  /** The URI of a model or a text, or of a document without a file. */
  file: string;
  commit?: string;
  /** The name by which the user chose the commit, such as HEAD. */
  revision?: string;
}

const fileOf = ({ file }: Version): vscode.Uri => vscode.Uri.parse(file);
const isUntitled = (version: Version): boolean => fileOf(version).scheme === "untitled";

function isText(version: Version): boolean {
  return isUntitled(version) || /\.(onnxtxt|onnxtext)$/.test(fileOf(version).path);
}

function versionOf(uri: vscode.Uri): Version {
  if (uri.scheme === COMPARED) return (JSON.parse(uri.query) as { version: Version }).version;
  return { file: (uri.scheme === SCHEME ? modelOf(uri) : uri).toString() };
}

/** Returns the URI of a version that is not in a commit. */
function editableOf(version: Version): vscode.Uri {
  return isText(version) ? fileOf(version) : textOfModel(fileOf(version));
}

/** Returns the options for a program that reads a version. */
function optionsFor(version: Version, input: Uint8Array): RunOptions {
  return { folder: isUntitled(version) ? undefined : folderOf(fileOf(version)), input };
}

/** Returns the document of a version if the text in the editor differs from the file. */
function unsaved(version: Version): vscode.TextDocument | undefined {
  if (version.commit !== undefined) return undefined;
  const uri = editableOf(version).toString();
  return vscode.workspace.textDocuments.find(
    (document) => (document.isDirty || document.isUntitled) && document.uri.toString() === uri,
  );
}

/** Reads the contents of versions. */
class Contents {
  constructor(private readonly host: Host) {}

  get hasGit(): boolean {
    return this.host.git !== undefined;
  }

  private git(folder: vscode.Uri, ...words: string[]): Promise<Outcome> {
    return this.host.git?.(folder, ...words) ?? Promise.reject(new Error("There is no git here."));
  }

  async findCommit(file: vscode.Uri, revision: string): Promise<string> {
    const found = await this.git(folderOf(file), "rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`);
    const commit = /^[0-9a-f]{40,}$/m.exec(textOf(found.output))?.[0];
    if (found.status !== 0 || commit === undefined) {
      throw new Error(`git has no version '${revision}' in ${folderOf(file).fsPath}. ${found.errors.trim()}`);
    }
    return commit;
  }

  async of(version: Version): Promise<Uint8Array> {
    const document = unsaved(version);
    if (document !== undefined) return bytesOf(document.getText());
    const file = fileOf(version);
    if (version.commit === undefined) return vscode.workspace.fs.readFile(file);
    const shown = await this.git(folderOf(file), "cat-file", "blob", `${version.commit}:./${nameOf(file)}`);
    if (shown.status !== 0) throw new Error(`${version.revision} has no ${nameOf(file)}. ${shown.errors.trim()}`);
    return shown.output;
  }
}

/**
 * Provides the texts of versions that cannot be edited: versions in commits, and texts that are printed again to look
 * like the text of a model.
 */
export class Versions implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly waiting = new Map<string, ReturnType<typeof setTimeout>>(); // timers, by document to print again

  constructor(
    private readonly context: Context,
    private readonly contents: Contents,
  ) {}

  register(): vscode.Disposable[] {
    const files = vscode.workspace.createFileSystemWatcher("**/*.{onnxtxt,onnxtext}");
    return [
      this.changed,
      files,
      files.onDidChange((uri) => this.refresh(uri)),
      files.onDidCreate((uri) => this.refresh(uri)), // needed for tools that save by renaming another file
      { dispose: () => this.waiting.forEach((timer) => clearTimeout(timer)) },
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.refresh(document.uri)),
      vscode.workspace.registerTextDocumentContentProvider(COMPARED, this),
    ];
  }

  /** If the changed document was printed for a comparison, prints it again. */
  private refresh(changed: vscode.Uri): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme !== COMPARED) continue;
      const version = versionOf(uri);
      if (version.commit !== undefined || editableOf(version).toString() !== changed.toString()) continue;
      clearTimeout(this.waiting.get(uri.toString()));
      const timer = setTimeout(() => {
        this.waiting.delete(uri.toString());
        this.changed.fire(uri);
      }, 500);
      this.waiting.set(uri.toString(), timer);
    }
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { version, isPrinted } = JSON.parse(uri.query) as { version: Version; isPrinted: boolean };
    const program = await this.context.program(); // fails in a folder that is not trusted, so that git is not run there, either
    const input = await this.contents.of(version);
    if (!isPrinted) return textOf(input);
    const printed = await program.run(["print", "-q", "--weights", "elide", "-"], optionsFor(version, input));
    if (printed.status === 0) return textOf(printed.output);
    if (isText(version)) return textOf(input); // a text with errors is shown as it was written
    throw new Error(printed.errors);
  }
}

/** Returns the URI of the document that shows a version. A text that is compared with a model is printed like the model. */
function documentOf(version: Version, isPrinted: boolean): vscode.Uri {
  if (version.commit === undefined && !(isText(version) && isPrinted)) return editableOf(version);
  const file = fileOf(version);
  const name = version.revision === undefined ? file.path : `${file.path} (${version.revision.replace(/\//g, "-")})`;
  return file.with({ scheme: COMPARED, path: `${name}.onnxtxt`, query: JSON.stringify({ version, isPrinted }) });
}

function titleOf(version: Version): string {
  const name = nameOf(fileOf(version));
  return version.revision === undefined ? name : `${name} (${version.revision})`;
}

export class Comparisons {
  private readonly contents: Contents;

  constructor(
    private readonly context: Context,
    host: Host,
    private readonly output: vscode.OutputChannel,
  ) {
    this.contents = new Contents(host);
  }

  register(): vscode.Disposable[] {
    return [
      ...new Versions(this.context, this.contents).register(),
      vscode.commands.registerCommand("onnxc.compare", (uri?: vscode.Uri, chosen?: vscode.Uri[]) => this.choose(uri, chosen)),
    ];
  }

  /** Determines the versions: one or two files from the explorer, or the file of the active editor. */
  private async choose(uri?: vscode.Uri, chosen: vscode.Uri[] = []): Promise<void> {
    try {
      await this.context.program(); // fails in a folder that is not trusted, so that git is not run there
      const document = uri ?? vscode.window.activeTextEditor?.document.uri;
      if (document === undefined) return;
      if (chosen.length === 2) return await this.show(versionOf(chosen[0]), versionOf(chosen[1]));
      const newer = versionOf(document);
      const older = await this.pickOther(newer);
      if (older !== undefined) await this.show(older, newer);
    } catch (error) {
      void vscode.window.showErrorMessage(messageOf(error));
    }
  }

  private async show(older: Version, newer: Version): Promise<void> {
    const isPrinted = !isText(older) || !isText(newer);
    const [before, after] = [documentOf(older, isPrinted), documentOf(newer, isPrinted)];
    for (const side of [before, after]) {
      const document = await vscode.workspace.openTextDocument(side); // throws errors before the comparison opens
      if (document.languageId !== "onnxtxt") await vscode.languages.setTextDocumentLanguage(document, "onnxtxt");
    }
    const title = `${titleOf(older)} ↔ ${titleOf(newer)}`;
    await vscode.commands.executeCommand("vscode.diff", before, after, title);
    this.tell(title, older, newer).catch((error: unknown) => {
      void vscode.window.showErrorMessage(messageOf(error));
    });
  }

  /** Runs `onnxc diff` for the models, with the unsaved texts of the editor. Returns undefined if one of the texts has errors. */
  private async diff(older: Version, newer: Version): Promise<Outcome | undefined> {
    const program = await this.context.program();
    const fileFor = async (version: Version, name: string): Promise<Argument | undefined> => {
      const document = unsaved(version);
      if (version.commit === undefined && document === undefined) return fileOf(version);
      const bytes = await this.contents.of(version);
      if (document?.uri.scheme !== SCHEME) return { name, bytes };
      const words = ["compile", "-q", "--no-check", "-", "--weights", fileOf(version), "-o", "-"];
      const compiled = await program.run(words, optionsFor(version, bytes));
      return compiled.status === 0 ? { name, bytes: compiled.output } : undefined;
    };
    const files = [await fileFor(older, "older"), await fileFor(newer, "newer")].filter((file) => file !== undefined);
    return files.length === 2 ? program.run(["diff", "-q", "--color", "never", ...files]) : undefined;
  }

  /** Shows the differences between the models, not those between their texts. */
  private async tell(title: string, older: Version, newer: Version): Promise<void> {
    const found = await this.diff(older, newer);
    if (found?.status === 0) {
      void vscode.window.showInformationMessage("The models are the same: what differs is layout or comments.");
      return;
    }
    if (found?.status !== 1) return; // a text has errors; its editor shows them
    const lines = textOf(found.output).trimEnd();
    this.output.appendLine(`${title}\n${lines}`);
    const count = lines.split("\n").filter((line) => /^[+~>-]/.test(line)).length;
    const [list, picture] = ["List", "Picture"];
    const choice = await vscode.window.showInformationMessage(`${count} difference${count === 1 ? "" : "s"} of the models.`, list, picture);
    if (choice === list) this.output.show();
    if (choice === picture) await vscode.commands.executeCommand("onnxc.showGraph");
  }

  private async pickOther(version: Version): Promise<Version | undefined> {
    const uri = fileOf(version);
    const [last, other, file] = ["The last commit (HEAD)", "Another version in git...", "Another file..."];
    const choices = isUntitled(version) || !this.contents.hasGit ? [file] : [last, other, file];
    const choice = await vscode.window.showQuickPick(choices, { placeHolder: `Compare ${nameOf(uri)} with` });
    if (choice === undefined) return undefined;
    if (choice === file) {
      const filters = { "ONNX models and texts": ["onnx", "onnxtxt", "onnxtext"] };
      const [picked] = (await vscode.window.showOpenDialog({ filters })) ?? [];
      return picked && versionOf(picked);
    }
    const prompt = "A commit, branch or tag";
    const revision = choice === last ? "HEAD" : await vscode.window.showInputBox({ prompt, value: "HEAD~1" });
    return revision ? { file: version.file, revision, commit: await this.contents.findCommit(uri, revision) } : undefined;
  }
}

/**
 * Returns the document with which a document is compared now, in a comparison of this extension or of git. Returns
 * undefined if there is no comparison.
 */
export function otherVersion(uri: vscode.Uri): { uri: vscode.Uri; isNewer: boolean } | undefined {
  for (const { input } of vscode.window.tabGroups.all.flatMap((group) => group.tabs)) {
    if (!(input instanceof vscode.TabInputTextDiff)) continue;
    if (input.modified.toString() === uri.toString()) return { uri: input.original, isNewer: false };
    if (input.original.toString() === uri.toString()) return { uri: input.modified, isNewer: true };
  }
  return undefined;
}
