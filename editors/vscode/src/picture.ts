// The picture of a graph beside its text. A click on a node shows its line; the cursor on a line marks its node.
import { instance, Viz } from "@viz-js/viz";
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { Program, run } from "./program";

interface Graph {
  title: string;
  dot: string;
  /** The places of the picture's nodes in the text, by their names in `dot`. */
  nodes: Map<string, vscode.Range>;
}

let renderer: Promise<Viz> | undefined;

export class Pictures {
  private panel: vscode.WebviewPanel | undefined;
  private shown: { uri: vscode.Uri; position: vscode.Position } | undefined;
  private ranges = new Map<string, vscode.Range>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly client: () => LanguageClient | undefined,
    private readonly program: () => Promise<Program>,
  ) {}

  register(): vscode.Disposable[] {
    return [
      vscode.window.onDidChangeTextEditorSelection((event) => this.mark(event.textEditor)),
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document.uri.toString() !== this.shown?.uri.toString()) return;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.draw(), 500);
      }),
    ];
  }

  /** Shows the graph at a position; without one, that at the cursor. */
  async show(uri?: string | vscode.Uri, position?: { line: number; character: number }): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const of = typeof uri === "string" ? vscode.Uri.parse(uri) : (uri ?? editor?.document.uri);
    if (of === undefined) return;
    const at = position ?? (editor?.document.uri.toString() === of.toString() ? editor.selection.active : { line: 0, character: 0 });
    this.shown = { uri: of, position: new vscode.Position(at.line, at.character) };
    if (this.panel === undefined) {
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.panel = vscode.window.createWebviewPanel("onnxc.picture", "Picture", column, { enableScripts: true });
      this.panel.onDidDispose(() => (this.panel = undefined));
      this.panel.webview.onDidReceiveMessage((message: { node: string }) => this.reveal(message.node));
    }
    await this.draw();
    if (editor !== undefined) this.mark(editor);
  }

  private async draw(): Promise<void> {
    if (this.panel === undefined || this.shown === undefined) return;
    try {
      const { uri, position } = this.shown;
      const client = this.client();
      const graph = client && drawsGraphs(client) ? await graphOfServer(client, uri, position) : await graphOfProgram(await this.program(), uri);
      if (graph === undefined) return; // a text that cannot be drawn now: the last picture stays
      renderer ??= instance();
      const svg = (await renderer).renderString(graph.dot, { format: "svg" });
      this.ranges = graph.nodes;
      this.panel.title = graph.title;
      this.panel.webview.html = page(svg.slice(svg.indexOf("<svg")));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.panel.webview.html = page(`<pre>${message.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</pre>`);
    }
  }

  /** From the picture to the text. */
  private async reveal(node: string): Promise<void> {
    const range = this.ranges.get(node);
    if (range === undefined || this.shown === undefined) return;
    const open = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === this.shown?.uri.toString());
    const document = await vscode.workspace.openTextDocument(this.shown.uri);
    await vscode.window.showTextDocument(document, { viewColumn: open?.viewColumn ?? vscode.ViewColumn.One, selection: range });
  }

  /** From the text to the picture: the smallest node around the cursor. */
  private mark(editor: vscode.TextEditor): void {
    if (this.panel === undefined || editor.document.uri.toString() !== this.shown?.uri.toString()) return;
    let best: [string, vscode.Range] | undefined;
    for (const [name, range] of this.ranges) {
      if (range.contains(editor.selection.active) && (best === undefined || best[1].contains(range))) best = [name, range];
    }
    void this.panel.webview.postMessage({ mark: best?.[0] ?? "" });
  }
}

export const SHOW_GRAPH = "onnxc.showGraph";

/** Whether the server gives pictures itself. */
export function drawsGraphs(client: LanguageClient): boolean {
  return client.initializeResult?.capabilities.executeCommandProvider?.commands.includes(SHOW_GRAPH) ?? false;
}

/** The graph, function or subgraph at a position. */
async function graphOfServer(client: LanguageClient, uri: vscode.Uri, position: vscode.Position): Promise<Graph | undefined> {
  const place = { uri: client.code2ProtocolConverter.asUri(uri), position };
  const graph = await client.sendRequest<{ title: string; dot: string; nodes: Record<string, ProtocolRange> } | null>(
    "workspace/executeCommand",
    { command: SHOW_GRAPH, arguments: [place] },
  );
  if (graph === null) return undefined;
  const nodes = Object.entries(graph.nodes).map(([name, range]): [string, vscode.Range] => [name, client.protocol2CodeConverter.asRange(range)]);
  return { ...graph, nodes: new Map(nodes) };
}

type ProtocolRange = Parameters<LanguageClient["protocol2CodeConverter"]["asRange"]>[0] & object;

/** The whole model. A node's place is that of the symbol that is called as its first output, in the order of the text. */
async function graphOfProgram(program: Program, uri: vscode.Uri): Promise<Graph | undefined> {
  const document = await vscode.workspace.openTextDocument(uri);
  const drawn = await run(program, ["graph", "-q", "-"], { input: Buffer.from(document.getText()) });
  if (drawn.status !== 0) return undefined;
  const dot = drawn.output.toString();
  const places = new Map<string, vscode.Range[]>();
  const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>("vscode.executeDocumentSymbolProvider", uri);
  const collect = (symbol: vscode.DocumentSymbol): void => {
    places.set(symbol.name, [...(places.get(symbol.name) ?? []), symbol.range]);
    symbol.children.forEach(collect);
  };
  symbols?.forEach(collect);
  const nodes = new Map<string, vscode.Range>();
  for (const [, name, output] of dot.matchAll(/^\s*(n\d+) \[.*tooltip="([^",= ]+)[^"]* = /gm)) {
    const range = places.get(output)?.shift();
    if (range !== undefined) nodes.set(name, range);
  }
  return { title: `Picture of ${uri.path.split("/").pop() ?? ""}`, dot, nodes };
}

function page(svg: string): string {
  const nonce = randomBytes(16).toString("hex");
  return `<!DOCTYPE html>
<html>
<head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'">
<style>
  body { background: white; }
  svg { max-width: 100%; height: auto; }
  g.node { cursor: pointer; }
  g.node.marked path, g.node.marked polygon, g.node.marked ellipse { stroke: #d1242f; stroke-width: 2.5; }
</style>
</head>
<body>${svg}
<script nonce="${nonce}">
  const editor = acquireVsCodeApi();
  const nodes = new Map([...document.querySelectorAll("g.node")].map((g) => [g.querySelector("title").textContent, g]));
  for (const [name, g] of nodes) g.addEventListener("click", () => editor.postMessage({ node: name }));
  window.addEventListener("message", ({ data }) => {
    for (const [name, g] of nodes) g.classList.toggle("marked", name === data.mark);
    nodes.get(data.mark)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
</script>
</body>
</html>`;
}
