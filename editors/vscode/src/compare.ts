// Shows two versions of a model side by side as texts: two files, or a file and a version of it in git.
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import * as vscode from "vscode";
import { COMPARED, modelOf, SCHEME, textOf } from "./models";
import { Outcome, Program, run } from "./program";

/** A document as it is in the editor, or a file as it is on the disk, or was in a commit. */
interface Version {
  /** Of a model or a text. */
  path: string;
  /** The document has no file. */
  isUntitled?: boolean;
  commit?: string;
  /** What the commit is called. */
  revision?: string;
}

function isText({ path, isUntitled }: Version): boolean {
  return isUntitled === true || /\.(onnxtxt|onnxtext)$/.test(path);
}

function versionOf(uri: vscode.Uri): Version {
  if (uri.scheme === COMPARED) return (JSON.parse(uri.query) as { version: Version }).version;
  if (uri.scheme === "untitled") return { path: uri.path, isUntitled: true };
  return { path: (uri.scheme === SCHEME ? modelOf(uri) : uri).fsPath };
}

/** What shows a version that is not of a commit. */
function editableOf(version: Version): vscode.Uri {
  if (version.isUntitled) return vscode.Uri.from({ scheme: "untitled", path: version.path });
  const file = vscode.Uri.file(version.path);
  return isText(version) ? file : textOf(file);
}

/** Where programs that read a version run. */
function folderOf({ path, isUntitled }: Version): string | undefined {
  return isUntitled ? undefined : dirname(path);
}

function git(folder: string, ...words: string[]): Promise<Outcome> {
  const paths = [vscode.workspace.getConfiguration("git").get<string | string[] | null>("path") ?? []].flat();
  const command = paths.find((path) => existsSync(path)) ?? paths[0] ?? "git"; // like git's own extension
  return run({ command, args: [] }, ["-C", folder, ...words]);
}

async function findCommit(path: string, revision: string): Promise<string> {
  const found = await git(dirname(path), "rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`);
  const commit = /^[0-9a-f]{40,}$/m.exec(found.output.toString())?.[0];
  if (found.status !== 0 || commit === undefined) {
    throw new Error(`git has no version '${revision}' in ${dirname(path)}. ${found.errors.trim()}`);
  }
  return commit;
}

/** The text in the editor where no file has it. */
function unsaved(version: Version): vscode.TextDocument | undefined {
  if (version.commit !== undefined) return undefined;
  const uri = editableOf(version).toString();
  return vscode.workspace.textDocuments.find(
    (document) => (document.isDirty || document.isUntitled) && document.uri.toString() === uri,
  );
}

async function bytesOf(version: Version): Promise<Uint8Array> {
  const document = unsaved(version);
  if (document !== undefined) return Buffer.from(document.getText());
  if (version.commit === undefined) return readFile(version.path);
  const shown = await git(dirname(version.path), "cat-file", "blob", `${version.commit}:./${basename(version.path)}`);
  if (shown.status !== 0) throw new Error(`${version.revision} has no ${basename(version.path)}. ${shown.errors.trim()}`);
  return shown.output;
}

/** The texts of versions that no editor can change: of commits, and of texts in the layout of a model's text. */
export class Versions implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly waiting = new Map<string, NodeJS.Timeout>(); // by the document that has to be printed again

  constructor(private readonly program: () => Promise<Program>) {}

  register(): vscode.Disposable[] {
    const files = vscode.workspace.createFileSystemWatcher("**/*.{onnxtxt,onnxtext}");
    return [
      this.changed,
      files,
      files.onDidChange((uri) => this.refresh(uri)),
      files.onDidCreate((uri) => this.refresh(uri)), // like a tool that saves by writing another file and renaming it
      { dispose: () => this.waiting.forEach((timer) => clearTimeout(timer)) },
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.refresh(document.uri)),
      vscode.workspace.registerTextDocumentContentProvider(COMPARED, this),
    ];
  }

  /** The texts that are printed from a document that has changed are printed again. */
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
    const program = await this.program(); // fails if the folder is not trusted, because then git is not run, either
    const input = await bytesOf(version);
    if (!isPrinted) return Buffer.from(input).toString();
    const options = { cwd: folderOf(version), input };
    const printed = await run(program, ["print", "-q", "--weights", "elide", "-"], options);
    if (printed.status === 0) return printed.output.toString();
    if (isText(version)) return Buffer.from(input).toString(); // a text with errors is shown as it was written
    throw new Error(printed.errors);
  }
}

/** The document of a version. One that is beside a model is printed as the model is. */
function documentOf(version: Version, isPrinted: boolean): vscode.Uri {
  if (version.commit === undefined && !(isText(version) && isPrinted)) return editableOf(version);
  const file = vscode.Uri.file(version.path);
  const name = version.revision === undefined ? file.path : `${file.path} (${version.revision.replace(/\//g, "-")})`;
  return file.with({ scheme: COMPARED, path: `${name}.onnxtxt`, query: JSON.stringify({ version, isPrinted }) });
}

function titleOf(version: Version): string {
  return version.revision === undefined ? basename(version.path) : `${basename(version.path)} (${version.revision})`;
}

export class Comparisons {
  constructor(
    private readonly program: () => Promise<Program>,
    private readonly output: vscode.OutputChannel,
  ) {}

  register(): vscode.Disposable[] {
    return [
      ...new Versions(this.program).register(),
      vscode.commands.registerCommand("onnxc.compare", (uri?: vscode.Uri, chosen?: vscode.Uri[]) => this.choose(uri, chosen)),
    ];
  }

  /** From the explorer with one or two files; else the file of the editor. */
  private async choose(uri?: vscode.Uri, chosen: vscode.Uri[] = []): Promise<void> {
    try {
      await this.program(); // in untrusted folders there is no server, and git is not run, either
      const document = uri ?? vscode.window.activeTextEditor?.document.uri;
      if (document === undefined) return;
      if (chosen.length === 2) return await this.show(versionOf(chosen[0]), versionOf(chosen[1]));
      const newer = versionOf(document);
      const older = await pickOther(newer);
      if (older !== undefined) await this.show(older, newer);
    } catch (error) {
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    }
  }

  private async show(older: Version, newer: Version): Promise<void> {
    const isPrinted = !isText(older) || !isText(newer);
    const [before, after] = [documentOf(older, isPrinted), documentOf(newer, isPrinted)];
    for (const side of [before, after]) {
      const document = await vscode.workspace.openTextDocument(side); // an error in one of them is shown first
      if (document.languageId !== "onnxtxt") await vscode.languages.setTextDocumentLanguage(document, "onnxtxt");
    }
    const title = `${titleOf(older)} ↔ ${titleOf(newer)}`;
    await vscode.commands.executeCommand("vscode.diff", before, after, title);
    this.tell(title, older, newer).catch((error: unknown) => {
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    });
  }

  /** `onnxc diff` of the models, as they are in the editor. */
  private async diff(older: Version, newer: Version): Promise<Outcome> {
    const program = await this.program();
    const folder = await mkdtemp(join(tmpdir(), "onnxc-compare-"));
    try {
      const pathOf = async (version: Version, name: string): Promise<string> => {
        const document = unsaved(version);
        if (version.commit === undefined && document === undefined) return version.path;
        const path = join(folder, name);
        const input = await bytesOf(version);
        if (document?.uri.scheme !== SCHEME) await writeFile(path, input);
        else await run(program, ["compile", "-q", "--no-check", "-", "--weights", version.path, "-o", path], { cwd: folderOf(version), input });
        return path; // if the text has errors, this file does not exist, and the status of the comparison says so
      };
      const files = [await pathOf(older, "older"), await pathOf(newer, "newer")];
      return await run(program, ["diff", "-q", "--color", "never", ...files]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** What differs in the models, not in their texts. */
  private async tell(title: string, older: Version, newer: Version): Promise<void> {
    const found = await this.diff(older, newer);
    if (found.status === 0) {
      void vscode.window.showInformationMessage("The models are the same: what differs is layout or comments.");
      return;
    }
    if (found.status !== 1) return; // the text has errors, which its editor shows
    const lines = found.output.toString().trimEnd();
    this.output.appendLine(`${title}\n${lines}`);
    const count = lines.split("\n").filter((line) => /^[+~>-]/.test(line)).length;
    const [list, picture] = ["List", "Picture"];
    const choice = await vscode.window.showInformationMessage(`${count} difference${count === 1 ? "" : "s"} of the models.`, list, picture);
    if (choice === list) this.output.show();
    if (choice === picture) await vscode.commands.executeCommand("onnxc.showGraph");
  }
}

async function pickOther({ path, isUntitled }: Version): Promise<Version | undefined> {
  const [last, other, file] = ["The last commit (HEAD)", "Another version in git...", "Another file..."];
  const choice = await vscode.window.showQuickPick(isUntitled ? [file] : [last, other, file], { placeHolder: `Compare ${basename(path)} with` });
  if (choice === undefined) return undefined;
  if (choice === file) {
    const filters = { "ONNX models and texts": ["onnx", "onnxtxt", "onnxtext"] };
    const [picked] = (await vscode.window.showOpenDialog({ filters })) ?? [];
    return picked && { path: picked.fsPath };
  }
  const prompt = "A commit, branch or tag";
  const revision = choice === last ? "HEAD" : await vscode.window.showInputBox({ prompt, value: "HEAD~1" });
  return revision ? { path, revision, commit: await findCommit(path, revision) } : undefined;
}

/** The version that a document is compared with now, in the comparison of this extension or of git's. */
export function otherVersion(uri: vscode.Uri): { uri: vscode.Uri; isNewer: boolean } | undefined {
  for (const { input } of vscode.window.tabGroups.all.flatMap((group) => group.tabs)) {
    if (!(input instanceof vscode.TabInputTextDiff)) continue;
    if (input.modified.toString() === uri.toString()) return { uri: input.original, isNewer: false };
    if (input.original.toString() === uri.toString()) return { uri: input.modified, isNewer: true };
  }
  return undefined;
}
