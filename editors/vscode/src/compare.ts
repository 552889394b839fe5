// Two versions of a model side by side, as texts: two files, or a file and what git has of it.
import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import { COMPARED, modelOf, SCHEME, textOf } from "./models";
import { Outcome, Program, run } from "./program";

/** A file as it is on the disk, or as it was in a commit. */
interface Version {
  path: string;
  commit?: string;
  /** What the commit is called. */
  revision?: string;
}

function isText({ path }: Version): boolean {
  return /\.(onnxtxt|onnxtext)$/.test(path);
}

function git(folder: string, ...words: string[]): Promise<Outcome> {
  const command = vscode.workspace.getConfiguration("git").get<string | null>("path") || "git";
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

async function bytesOf(version: Version): Promise<Uint8Array> {
  if (version.commit === undefined) return readFile(version.path);
  const shown = await git(dirname(version.path), "cat-file", "blob", `${version.commit}:./${basename(version.path)}`);
  if (shown.status !== 0) throw new Error(`${version.revision} has no ${basename(version.path)}. ${shown.errors.trim()}`);
  return shown.output;
}

/** The texts of versions that no editor can change: of commits, and of texts in the layout of a model's text. */
export class Versions implements vscode.TextDocumentContentProvider {
  constructor(private readonly program: () => Promise<Program>) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { isPrinted, ...version } = JSON.parse(uri.query) as Version & { isPrinted: boolean };
    const program = await this.program(); // an error where the folder is not trusted: then git is not run either
    const input = await bytesOf(version);
    if (!isPrinted) return Buffer.from(input).toString();
    const options = { cwd: dirname(version.path), input };
    const printed = await run(program, ["print", "-q", "--weights", "elide", "-"], options);
    if (printed.status === 0) return printed.output.toString();
    if (isText(version)) return Buffer.from(input).toString(); // with errors: as it was written
    throw new Error(printed.errors);
  }
}

/** The document of a version. One that is beside a model is printed as the model is. */
function documentOf(version: Version, isPrinted: boolean): vscode.Uri {
  const file = vscode.Uri.file(version.path);
  if (version.commit === undefined && isText(version) && !isPrinted) return file;
  if (version.commit === undefined && !isText(version)) return textOf(file);
  const name = version.revision === undefined ? file.path : `${file.path} (${version.revision.replace(/\//g, "-")})`;
  return file.with({ scheme: COMPARED, path: `${name}.onnxtxt`, query: JSON.stringify({ ...version, isPrinted }) });
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
      vscode.workspace.registerTextDocumentContentProvider(COMPARED, new Versions(this.program)),
      vscode.commands.registerCommand("onnxc.compare", (uri?: vscode.Uri, chosen?: vscode.Uri[]) => this.choose(uri, chosen)),
    ];
  }

  /** From the explorer with one or two files; else the file of the editor. */
  private async choose(uri?: vscode.Uri, chosen: vscode.Uri[] = []): Promise<void> {
    try {
      await this.program(); // in folders that are not trusted there is none, and git is not run, either
      const document = uri ?? vscode.window.activeTextEditor?.document.uri;
      if (document === undefined) return;
      const path = (of: vscode.Uri): string => (of.scheme === SCHEME ? modelOf(of) : of).fsPath;
      if (chosen.length === 2) return await this.show({ path: path(chosen[0]) }, { path: path(chosen[1]) });
      const newer = { path: path(document) };
      const older = await pickOther(newer.path);
      if (older !== undefined) await this.show(older, newer);
    } catch (error) {
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    }
  }

  private async show(older: Version, newer: Version): Promise<void> {
    const isPrinted = !isText(older) || !isText(newer);
    const [before, after] = [documentOf(older, isPrinted), documentOf(newer, isPrinted)];
    for (const side of [before, after]) {
      const document = await vscode.workspace.openTextDocument(side); // what is wrong with one is told before the editor opens
      if (document.languageId !== "onnxtxt") await vscode.languages.setTextDocumentLanguage(document, "onnxtxt");
    }
    const title = `${titleOf(older)} ↔ ${titleOf(newer)}`;
    await vscode.commands.executeCommand("vscode.diff", before, after, title);
    void this.tell(title, older, newer);
  }

  /** What differs in the models, not in their texts: `onnxc diff` of the files. */
  private async tell(title: string, older: Version, newer: Version): Promise<void> {
    const input = older.commit === undefined ? undefined : await bytesOf(older);
    const files = [input === undefined ? older.path : "-", newer.path];
    const found = await run(await this.program(), ["diff", "-q", "--color", "never", ...files], { cwd: dirname(newer.path), input });
    if (found.status === 0) {
      void vscode.window.showInformationMessage("The models are the same: what differs is layout or comments.");
      return;
    }
    if (found.status !== 1) return; // a text has errors, which its editor shows
    const lines = found.output.toString().trimEnd();
    this.output.appendLine(`${title}\n${lines}`);
    const count = lines.split("\n").filter((line) => /^[+~>-]/.test(line)).length;
    const [list, picture] = ["List", "Picture"];
    const choice = await vscode.window.showInformationMessage(`${count} difference${count === 1 ? "" : "s"} of the models.`, list, picture);
    if (choice === list) this.output.show();
    if (choice === picture) await vscode.commands.executeCommand("onnxc.showGraph");
  }
}

async function pickOther(path: string): Promise<Version | undefined> {
  const [last, other, file] = ["The last commit (HEAD)", "Another version in git...", "Another file..."];
  const choice = await vscode.window.showQuickPick([last, other, file], { placeHolder: `Compare ${basename(path)} with` });
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
