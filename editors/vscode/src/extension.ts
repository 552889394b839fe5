// The ONNX text syntax in VS Code: starts the server `onnxc lsp`, opens binary models as text, and shows pictures.
import * as vscode from "vscode";
import card from "../../../docs/card.onnxtxt";
import { BaseLanguageClient, LanguageClientOptions, Location, Position, StaticFeature, vsdiag } from "vscode-languageclient";
import { Comparisons } from "./compare";
import { Context, Host, messageOf, Program } from "./host";
import { COMPARED, ModelEditor, Models, openAsText, SCHEME } from "./models";
import { drawsGraphs, Pictures, SHOW_GRAPH } from "./picture";

/**
 * The command of code lenses that shows calls. The server sends code lenses with a command only to editors that announce this
 * command.
 */
const SHOW_REFERENCES = "onnxc.showReferences";
const LENS_COMMANDS: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    capabilities.experimental = { ...(capabilities.experimental as object), commands: { commands: [SHOW_REFERENCES, SHOW_GRAPH] } };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

/** The scheme of the page `onnxc help syntax`. */
const HELP = "onnxc-help";

let host: Host;
let client: BaseLanguageClient | undefined;
let started = Promise.resolve(); // the last start, even if it failed
let starts = 0; // the number of requested starts
let ownCommand: vscode.Disposable | undefined; // the command onnxc.showGraph, if the server does not provide it
let output: vscode.LogOutputChannel;
let extension: vscode.Extension<unknown>;
let pictures: Pictures;

/** Starts the extension. `disposables` are ended together with it. */
export async function start(self: vscode.Extension<unknown>, disposables: vscode.Disposable[], place: Host): Promise<void> {
  host = place;
  extension = self;
  output = vscode.window.createOutputChannel("ONNX text", { log: true });
  const context: Context = { extension: extension.extensionUri, client: () => client, program };
  pictures = new Pictures(context, host);
  disposables.push(
    output,
    vscode.workspace.registerFileSystemProvider(SCHEME, new Models(program), { isCaseSensitive: true }),
    vscode.window.registerCustomEditorProvider("onnxc.model", new ModelEditor()),
    vscode.commands.registerCommand("onnxc.openAsText", (uri?: vscode.Uri) => pickAndOpen(uri)),
    vscode.commands.registerCommand("onnxc.restartServer", restart),
    vscode.commands.registerCommand("onnxc.showOutput", () => output.show()),
    vscode.workspace.registerTextDocumentContentProvider(HELP, { provideTextDocumentContent: () => card }),
    vscode.commands.registerCommand("onnxc.showSyntax", () => vscode.window.showTextDocument(vscode.Uri.parse(`${HELP}:syntax.onnxtxt`))),
    vscode.commands.registerCommand(SHOW_REFERENCES, showReferences),
    ...pictures.register(),
    ...new Comparisons(context, host, output).register(),
    ...host.register(context),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("onnxc.server")) await restart();
    }),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  ++starts; // waiting starts are cancelled
  await untilStarted();
  await client?.stop().catch(() => undefined);
}

/** Shows the message that the server is missing or too old, and offers solutions. */
async function offerHelp(message: string): Promise<void> {
  const [install, settings, details] = ["How to Install", "Open the Settings", "Details"];
  const choice = await vscode.window.showWarningMessage(message, install, settings, details);
  if (choice === install) await vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extension.id}#onnxc.start`);
  if (choice === settings) await vscode.commands.executeCommand("workbench.action.openSettings", "onnxc.server");
  if (choice === details) output.show();
}

/** Returns the program for work that the server does not do. */
async function program(): Promise<Program> {
  if (!vscode.workspace.isTrusted) throw new Error("This folder is not trusted: no program is run.");
  const found = await host.find();
  if (found.program === undefined) throw new Error(`onnxc is not found. Tried: ${found.tried.join("; ")}`);
  return found.program;
}

async function startServer(): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    output.info("The folder is not trusted: the server is not started.");
    return;
  }
  const { program, tried } = await host.find();
  if (program === undefined) {
    output.error(`onnxc is not found. Tried:\n${tried.join("\n")}`);
    void offerHelp("The program onnxc is not found: only colours and snippets work. Install it, or set its path.");
    return;
  }
  const { name, version } = program;
  const wanted: string = extension.packageJSON.version;
  output.info(`Server: ${name} lsp, version ${version}`);
  if (isOlder(version, wanted)) {
    void offerHelp(`${name} is onnxc ${version}; this extension was made for ${wanted}. Some features may be missing.`);
  }
  const settings = vscode.workspace.getConfiguration("onnxc");
  const options: LanguageClientOptions = {
    documentSelector: host.schemes.map((scheme) => ({ language: "onnxtxt", scheme })),
    outputChannel: output,
    initializationOptions: Object.fromEntries(
      ["warnings", "infer", "inlayHints", "codeLenses", "workspaceDiagnostics"].map((name) => [name, settings.get(name)]),
    ),
    synchronize: { configurationSection: "onnxc" },
    middleware: {
      // The client registers each command of the server as a command of VS Code. The command onnxc.showGraph returns only data,
      // so it is replaced by one that shows the picture.
      executeCommand: (command, args, next) => (command === SHOW_GRAPH ? showGraph(args) : next(command, args)),
      // Texts of other versions in comparisons have no findings.
      handleDiagnostics: (uri, found, next) => next(uri, uri.scheme === COMPARED ? [] : found),
      provideDiagnostics: (document, before, token, next) => {
        const uri = document instanceof vscode.Uri ? document : document.uri;
        return uri.scheme === COMPARED ? { kind: vsdiag.DocumentDiagnosticReportKind.full, items: [] } : next(document, before, token);
      },
    },
  };
  client = host.client(program, options);
  client.registerFeature(LENS_COMMANDS);
  try {
    await client.start();
    if (!drawsGraphs(client)) ownCommand = vscode.commands.registerCommand(SHOW_GRAPH, (...args: unknown[]) => showGraph(args));
  } catch (error) {
    output.error(`The server does not start: ${messageOf(error)}`);
  }
}

/** Waits until the last start of the server has ended, but at most ten seconds, because a server may never answer. */
async function untilStarted(): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((done) => (timer = setTimeout(done, 10_000)));
  await Promise.race([started.catch(() => undefined), limit]);
  clearTimeout(timer);
}

/**
 * Restarts the server after earlier starts have ended, because a client that is starting cannot be stopped. Of several waiting
 * restarts, only the last one is done.
 */
function restart(): Promise<void> {
  const turn = ++starts;
  const earlier = untilStarted();
  started = earlier.then(async () => {
    if (turn !== starts) return;
    await client?.dispose().catch(() => undefined);
    client = undefined;
    ownCommand?.dispose();
    ownCommand = undefined;
    await startServer();
  });
  return started;
}

/** Shows a picture. The command palette calls this without arguments, and a code lens calls it with {uri, position}. */
function showGraph(args: unknown[]): Promise<void> {
  const place = args[0] as { uri?: string; position?: { line: number; character: number } } | vscode.Uri | undefined;
  return place === undefined || place instanceof vscode.Uri ? pictures.show(place) : pictures.show(place.uri, place.position);
}

/**
 * Called by a click on a code lens. The arguments are a document, a position in it, and places as the protocol
 * represents them.
 */
async function showReferences(uri: string, at: Position, places: Location[]): Promise<void> {
  const convert = client?.protocol2CodeConverter;
  if (convert === undefined) return;
  const locations = places.map((place) => convert.asLocation(place));
  await vscode.commands.executeCommand("editor.action.showReferences", convert.asUri(uri), convert.asPosition(at), locations);
}

async function pickAndOpen(uri?: vscode.Uri): Promise<void> {
  const files = uri ? [uri] : await vscode.window.showOpenDialog({ filters: { "ONNX models": ["onnx"] }, canSelectMany: true });
  for (const file of files ?? []) await openAsText(file);
}

/** Returns whether one version comes before another one. */
function isOlder(version: string, other: string): boolean {
  return version.localeCompare(other, "en", { numeric: true }) < 0;
}
