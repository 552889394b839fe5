// Runs the model of a text in ONNX Runtime, with the user's Python. The values of the results are shown after the
// nodes, and values that do not match their declared types are reported.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import * as vscode from "vscode";
import { Range } from "vscode-languageclient";
import { bytesOf, Context, folderOf, messageOf } from "../host";
import { modelOf, SCHEME } from "../models";
import { runCommand } from "./program";

const LIST_VALUES = "onnxc.listValues";
const NO_NODE = "Only nodes of the main graph can be run. ONNX Runtime does not tell the values inside of functions: run a call of the function.";
const INSIDE = "The node of the main graph was run. ONNX Runtime does not tell the values of the graphs inside of it.";

interface Answer {
  values?: { name: string; type: string; contents: string; about: string }[];
  findings?: { name: string; message: string }[];
  error?: string;
}

/** A result of a node, and its place in the text. */
interface Place {
  name: string;
  range: vscode.Range;
  node: vscode.Range;
  /** The cursor is in a subgraph of the node. */
  inside?: boolean;
}

export class Runs implements vscode.InlayHintsProvider {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeInlayHints = this.changed.event;
  private readonly hints = new Map<string, vscode.InlayHint[]>(); // the results for the text that was run, by document
  private readonly findings = vscode.languages.createDiagnosticCollection("onnxc.run");
  private readonly inputs = new Map<string, string>(); // the input files that the user has chosen, by document

  constructor(private readonly context: Context) {}

  register(): vscode.Disposable[] {
    return [
      this.changed,
      this.findings,
      vscode.languages.registerInlayHintsProvider({ language: "onnxtxt" }, this),
      vscode.commands.registerCommand("onnxc.run", () => this.start(false)),
      vscode.commands.registerCommand("onnxc.runNode", () => this.start(true)),
      vscode.commands.registerCommand("onnxc.clearRun", () => this.clear()),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.clear(document.uri);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.clear(uri)),
    ];
  }

  provideInlayHints(document: vscode.TextDocument, range: vscode.Range): vscode.InlayHint[] {
    return (this.hints.get(document.uri.toString()) ?? []).filter((hint) => range.contains(hint.position));
  }

  private clear(uri = vscode.window.activeTextEditor?.document.uri): void {
    if (uri === undefined) return;
    this.findings.delete(uri);
    if (this.hints.delete(uri.toString())) this.changed.fire();
  }

  /** Runs the model of the active editor, or only the nodes that are needed for the node at the cursor. */
  private async start(isNode: boolean): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== "onnxtxt") return;
    if (!vscode.workspace.isTrusted) return void vscode.window.showErrorMessage("This folder is not trusted: no model is run.");
    const python = vscode.workspace.getConfiguration("onnxc").get<string>("python", "").trim();
    if (python === "") return offerSettings("Models are run by a Python that has the package onnxruntime. Set which one.");
    const { document, selection } = editor;
    const { version } = document;
    try {
      const places = await this.placesOf(document, selection.active, isNode);
      if (isNode && places.length === 0) throw new Error(NO_NODE);
      const inputs = await this.pickInputs(document.uri);
      if (inputs === undefined) return;
      const progress = { location: vscode.ProgressLocation.Notification, title: "Running the model", cancellable: true };
      const answer = await vscode.window.withProgress(progress, (_, token) => {
        const abort = new AbortController();
        token.onCancellationRequested(() => abort.abort());
        return this.evaluate(document, places, python, inputs || null, abort.signal);
      });
      if (answer === undefined || document.version !== version) return;
      this.show(document.uri, places, answer);
      if (places.some(({ inside }) => inside)) void vscode.window.showInformationMessage(INSIDE);
    } catch (error) {
      void vscode.window.showErrorMessage(messageOf(error));
    }
  }

  /** Returns the file with the inputs, "" for random inputs, or undefined if the user has cancelled the run. */
  private async pickInputs(uri: vscode.Uri): Promise<string | undefined> {
    const last = this.inputs.get(uri.toString());
    const [random, file, again] = ["Numbers at random", "Inputs from a file...", `Inputs from ${last && basename(last)}`];
    const choice = await vscode.window.showQuickPick([...(last === undefined ? [] : [again]), random, file], { placeHolder: "The inputs of the model" });
    if (choice === random) return "";
    if (choice !== file) return choice === again ? last : undefined;
    const [picked] = (await vscode.window.showOpenDialog({ filters: { Inputs: ["npz", "npy", "json"] } })) ?? [];
    if (picked !== undefined) this.inputs.set(uri.toString(), picked.fsPath);
    return picked?.fsPath;
  }

  /**
   * Runs the model with Python. Returns undefined if the user has cancelled the run. If Python cannot run the model,
   * reports the reason and returns undefined.
   */
  private async evaluate(
    document: vscode.TextDocument,
    places: Place[],
    python: string,
    inputs: string | null,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const folder = await mkdtemp(join(tmpdir(), "onnxc-run-"));
    try {
      const model = vscode.Uri.file(join(folder, "model.onnx"));
      const { scheme } = document.uri;
      const home = scheme === "untitled" ? vscode.Uri.file(folder) : folderOf(scheme === SCHEME ? modelOf(document.uri) : document.uri);
      await this.compile(document, model, home);
      const sizes = vscode.workspace.getConfiguration("onnxc").get<Record<string, number>>("run.sizes", {});
      const request = { values: places.map(({ name }) => name), inputs, sizes };
      const script = vscode.Uri.joinPath(this.context.extension, "python", "evaluate.py").fsPath;
      // With -I, Python loads no modules from the open folder.
      const options = { cwd: folder, input: bytesOf(JSON.stringify(request)), signal };
      const ran = await runCommand({ command: python, args: ["-I", script] }, [model.fsPath, home.fsPath], options);
      if (signal.aborted) return undefined;
      if (ran.status !== 0) {
        void offerSettings(`${python} does not run models: ${lastLine(ran.errors)}`);
        return undefined;
      }
      const answer = JSON.parse(ran.output.toString()) as Answer;
      if (answer.error !== undefined) throw new Error(`ONNX Runtime: ${answer.error}`);
      return answer;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async placesOf(document: vscode.TextDocument, position: vscode.Position, node: boolean): Promise<Place[]> {
    const client = this.context.client();
    if (client === undefined) throw new Error("The server does not run.");
    const place = { uri: client.code2ProtocolConverter.asUri(document.uri), position, node };
    const values = await client.sendRequest<{ name: string; range: Range; node: Range; inside?: boolean }[]>("workspace/executeCommand", {
      command: LIST_VALUES,
      arguments: [place],
    });
    const { asRange } = client.protocol2CodeConverter;
    return values.map(({ range, node, ...value }) => ({ ...value, range: asRange(range), node: asRange(node) }));
  }

  /** Compiles the text of the editor. The text is not checked, because the editor already shows the findings. */
  private async compile(document: vscode.TextDocument, model: vscode.Uri, home: vscode.Uri): Promise<void> {
    const weights = document.uri.scheme === SCHEME ? ["--weights", modelOf(document.uri)] : [];
    const words = ["compile", "-q", "--no-check", "--color", "never", "-", "-o", model, ...weights];
    const compiled = await (await this.context.program()).run(words, { folder: home, input: bytesOf(document.getText()) });
    if (compiled.status !== 0) throw new Error(`The text is not a model: ${compiled.errors.trim().split("\n")[0]}`);
  }

  private show(uri: vscode.Uri, places: Place[], { values = [], findings = [] }: Answer): void {
    const byName = new Map(places.map((place) => [place.name, place]));
    const hints = values.flatMap(({ name, type, contents, about }) => {
      const place = byName.get(name);
      if (place === undefined) return [];
      const isOnly = places.filter((other) => other.node.isEqual(place.node)).length === 1;
      const hint = new vscode.InlayHint(place.node.end, `${isOnly ? "" : `${name} `}→ ${type} ${contents}`);
      hint.paddingLeft = true;
      hint.tooltip = `${name}: ${about}`;
      return [hint];
    });
    this.hints.set(uri.toString(), hints);
    this.changed.fire();
    this.findings.set(
      uri,
      findings.map(({ name, message }) => {
        const start = new vscode.Position(0, 0);
        const finding = new vscode.Diagnostic(byName.get(name)?.range ?? new vscode.Range(start, start), message, vscode.DiagnosticSeverity.Warning);
        finding.source = "ONNX Runtime";
        return finding;
      }),
    );
  }
}

function lastLine(text: string): string {
  return text.trim().split("\n").pop() ?? "";
}

async function offerSettings(message: string): Promise<void> {
  const settings = "Open the Settings";
  const choice = await vscode.window.showWarningMessage(message, settings);
  if (choice === settings) await vscode.commands.executeCommand("workbench.action.openSettings", "onnxc.python");
}
