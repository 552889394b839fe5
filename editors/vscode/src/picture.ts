// Shows the picture of a graph next to its text. A click on a node shows its line, and the node at the cursor is
// marked. A large graph is drawn in parts.
import * as vscode from "vscode";
import { BaseLanguageClient } from "vscode-languageclient";
import { otherVersion } from "./compare";
import { bytesOf, Context, Host, messageOf, nameOf, Program, textOf } from "./host";
import { Renderer, Stopped } from "./renderer";

interface Graph {
  title: string;
  dot: string;
  /** The ranges of the drawn nodes in the text, by their names in `dot`. */
  nodes: Map<string, vscode.Range>;
  /** The range of the complete graph, including parts that are not drawn. */
  range?: vscode.Range;
  part?: number;
  parts?: number;
  /** The node that a search has found, or null if it has found none. */
  found?: string | null;
  /** For each node, the text in which a search looks. */
  words?: Record<string, string>;
  /** Maps names of nodes to "added", "changed" or "removed". */
  changed?: Record<string, string>;
}

/** The part of a graph to draw: its number, or a word that it must contain. */
interface Wanted {
  part?: number;
  find?: string;
}

export class Pictures {
  private panel: vscode.WebviewPanel | undefined;
  private shown: { uri: vscode.Uri; position: vscode.Position; part?: number } | undefined;
  private drawn: { graph: Graph; svg: string } | undefined;
  private most = 0; // the maximum number of nodes in a part; less than in the settings if the layout took too long
  private asked = 0; // the number of requested pictures
  private turn = 0; // the number of the picture that is being laid out or shown
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly renderer: Renderer;

  constructor(
    private readonly context: Context,
    private readonly host: Host,
  ) {
    this.renderer = new Renderer(host.startLayout);
  }

  register(): vscode.Disposable[] {
    const isShown = (uri: vscode.Uri): boolean => uri.toString() === this.shown?.uri.toString();
    return [
      this.renderer,
      vscode.window.onDidChangeTextEditorSelection((event) => this.mark(event.textEditor, true)),
      vscode.workspace.onDidChangeTextDocument((event) => {
        const other = this.shown && otherVersion(this.shown.uri)?.uri;
        if (isShown(event.document.uri) || event.document.uri.toString() === other?.toString()) this.drawSoon(500);
      }),
      // If a comparison begins, nodes that differ are marked. If it ends, the marks are removed.
      vscode.window.tabGroups.onDidChangeTabs(() => {
        if ((this.shown && otherVersion(this.shown.uri)) !== undefined || this.drawn?.graph.changed !== undefined) this.drawSoon(100);
      }),
    ];
  }

  /** Shows the graph at a position, or at the cursor if there is none. */
  async show(uri?: string | vscode.Uri, position?: { line: number; character: number }): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const of = typeof uri === "string" ? vscode.Uri.parse(uri) : (uri ?? editor?.document.uri);
    if (of === undefined) return;
    const at = position ?? (editor?.document.uri.toString() === of.toString() ? editor.selection.active : { line: 0, character: 0 });
    this.shown = { uri: of, position: new vscode.Position(at.line, at.character) };
    this.most = vscode.workspace.getConfiguration("onnxc").get<number>("picture.nodes", 200);
    this.panel ??= this.openPanel();
    await this.draw();
  }

  private openPanel(): vscode.WebviewPanel {
    const media = vscode.Uri.joinPath(this.context.extension, "media");
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel("onnxc.picture", "Picture", column, { enableScripts: true, localResourceRoots: [media] });
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.drawn = undefined;
    });
    panel.webview.onDidReceiveMessage((message: { node?: string; part?: number; find?: string; isReady?: boolean }) => {
      if (message.node !== undefined) void this.reveal(message.node);
      if (message.part !== undefined || message.find !== undefined) void this.draw(message);
      if (message.isReady) this.send(); // also sent if the page was hidden and is loaded again
    });
    panel.webview.html = page(panel.webview, media);
    return panel;
  }

  private drawSoon(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.draw(), delay);
  }

  private async draw(wanted: Wanted = {}): Promise<void> {
    if (this.panel === undefined || this.shown === undefined) return;
    const turn = ++this.asked;
    const shown = this.shown;
    const { uri, position } = shown;
    const isLate = (): boolean => turn < this.turn || uri.toString() !== this.shown?.uri.toString();
    let graph: Graph | undefined;
    try {
      const client = this.context.client();
      const isKnown = client !== undefined && drawsGraphs(client) && this.host.schemes.includes(uri.scheme);
      const want = { part: shown.part, ...wanted };
      graph = isKnown
        ? await graphOfServer(client, uri, { position, most: this.most, ...want })
        : await graphOfProgram(await this.context.program(), uri);
      if (graph === undefined || isLate()) return; // if the text cannot be drawn now, the last picture is shown
      this.turn = turn;
      if (wanted.part !== undefined || wanted.find !== undefined) shown.part = graph.part;
      const svg = await this.renderer.svgOf(graph.dot);
      if (isLate() || this.panel === undefined) return;
      this.drawn = { graph, svg };
      this.panel.title = graph.title;
      this.send();
    } catch (error) {
      if (isLate() || this.panel === undefined) return;
      if (error instanceof Stopped && error.isSlow && this.most > 10 && graph?.parts !== undefined) {
        this.most = Math.floor(this.most / 2);
        shown.part = undefined;
        return this.draw({ find: wanted.find }); // the numbers of the parts may have changed
      }
      void this.panel.webview.postMessage({ message: messageOf(error) });
    }
  }

  /** Sends the last drawing to the view. */
  private send(): void {
    if (this.panel === undefined || this.drawn === undefined) return;
    const { part, parts, found, words, changed, nodes } = this.drawn.graph;
    void this.panel.webview.postMessage({ draw: { svg: this.drawn.svg, part, parts, found, words, changed, places: [...nodes.keys()] } });
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === this.shown?.uri.toString());
    if (editor !== undefined && found === undefined) this.mark(editor, false);
  }

  /** Selects the place of a node in the text. */
  private async reveal(node: string): Promise<void> {
    const range = this.drawn?.graph.nodes.get(node);
    if (range === undefined || this.shown === undefined) return;
    const open = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === this.shown?.uri.toString());
    if (open !== undefined && otherVersion(this.shown.uri) !== undefined) {
      open.selection = new vscode.Selection(range.start, range.start); // keeps the comparison, to which the editor belongs
      open.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      return;
    }
    const document = await vscode.workspace.openTextDocument(this.shown.uri);
    await vscode.window.showTextDocument(document, { viewColumn: open?.viewColumn ?? vscode.ViewColumn.One, selection: range });
  }

  /**
   * Marks the smallest node around the cursor in the picture. If `follows` is true and the cursor is in a part that is
   * not drawn, draws that part.
   */
  private mark(editor: vscode.TextEditor, follows: boolean): void {
    const graph = this.drawn?.graph;
    if (this.panel === undefined || graph === undefined || editor.document.uri.toString() !== this.shown?.uri.toString()) return;
    const cursor = editor.selection.active;
    let best: [string, vscode.Range] | undefined;
    for (const [name, range] of graph.nodes) {
      if (range.contains(cursor) && (best === undefined || best[1].contains(range))) best = [name, range];
    }
    if (follows && best === undefined && (graph.parts ?? 1) > 1 && graph.range?.contains(cursor) && isOutside(cursor, graph)) {
      this.shown = { uri: this.shown.uri, position: cursor }; // without a part number, the part at the cursor is drawn
      this.drawSoon(150);
    }
    void this.panel.webview.postMessage({ mark: best?.[0] ?? "" });
  }
}

/** Returns whether a position is before all drawn nodes or after all drawn nodes. */
function isOutside(position: vscode.Position, graph: Graph): boolean {
  const ranges = [...graph.nodes.values()];
  return ranges.every((range) => range.start.isAfter(position)) || ranges.every((range) => range.end.isBefore(position));
}

export const SHOW_GRAPH = "onnxc.showGraph";

/** Returns whether the server can draw pictures. */
export function drawsGraphs(client: BaseLanguageClient): boolean {
  return client.initializeResult?.capabilities.executeCommandProvider?.commands.includes(SHOW_GRAPH) ?? false;
}

type ProtocolRange = Parameters<BaseLanguageClient["protocol2CodeConverter"]["asRange"]>[0] & object;
type ServerGraph = Omit<Graph, "nodes" | "range"> & { nodes: Record<string, ProtocolRange>; range?: ProtocolRange };

/**
 * Returns the graph, function or subgraph at a position, or a part of it. In a comparison, includes the differences
 * from the other version.
 */
async function graphOfServer(
  client: BaseLanguageClient,
  uri: vscode.Uri,
  wanted: Wanted & { position: vscode.Position; most: number },
): Promise<Graph | undefined> {
  const other = otherVersion(uri);
  const before = other && (await vscode.workspace.openTextDocument(other.uri)).getText();
  const place = { uri: client.code2ProtocolConverter.asUri(uri), ...wanted, before };
  const graph = await client.sendRequest<ServerGraph | null>("workspace/executeCommand", { command: SHOW_GRAPH, arguments: [place] });
  if (graph === null) return undefined;
  const { asRange } = client.protocol2CodeConverter;
  const nodes = Object.entries(graph.nodes).map(([name, range]): [string, vscode.Range] => [name, asRange(range)]);
  const changed = graph.changed && Object.entries(graph.changed).map(([name, change]) => [name, other?.isNewer && change === "added" ? "removed" : change]);
  return { ...graph, nodes: new Map(nodes), range: graph.range && asRange(graph.range), changed: changed && Object.fromEntries(changed) };
}

/**
 * Returns the whole model, drawn by the command instead of the server. A node is found in the text by the name of its first
 * output. If several symbols have this name, they are assigned in the order of the text.
 */
async function graphOfProgram(program: Program, uri: vscode.Uri): Promise<Graph | undefined> {
  const document = await vscode.workspace.openTextDocument(uri);
  const drawn = await program.run(["graph", "-q", "-"], { input: bytesOf(document.getText()) });
  if (drawn.status !== 0) return undefined;
  const dot = textOf(drawn.output);
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
  return { title: `Picture of ${nameOf(uri)}`, dot, nodes };
}

function page(webview: vscode.Webview, media: vscode.Uri): string {
  const address = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
  const kinds = [
    ["", "", "node"],
    ["input", "", "input"],
    ["output", "", "output"],
    ["weight", "", "weight"],
    ["unknown", "x", "value of the graph around, or unknown"],
    ["frame", "", "graph inside of a node, or function"],
    ["inside", "", "from a node to its graph"],
    ["marked", "", "at the cursor"],
    ["found", "", "found"],
  ];
  const differences = [
    ["added", "", "not in the other version"],
    ["changed", "", "changed"],
    ["removed", "", "removed in the newer version"],
  ];
  const line = (attributes: string) => ([kind, sign, words]: string[]) => `<li${attributes}><i class="${kind}">${sign}</i>${words}</li>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}; script-src ${webview.cspSource}">
<link rel="stylesheet" href="${address("picture.css")}">
</head>
<body>
<header>
  <input id="search" type="search" placeholder="Search" aria-label="Search in the picture" spellcheck="false">
  <output id="count" for="search"></output>
  <span id="parts" hidden>
    <button id="previous" title="Previous part" aria-label="Previous part">&#8249;</button>
    <output id="part"></output>
    <button id="next" title="Next part" aria-label="Next part">&#8250;</button>
  </span>
  <span>
    <button id="smaller" title="Smaller" aria-label="Smaller">&#8722;</button>
    <button id="larger" title="Larger" aria-label="Larger">+</button>
    <button id="fit" title="As wide as the window">Fit</button>
  </span>
  <button id="explain" aria-expanded="false" aria-controls="legend">Legend</button>
</header>
<ul id="legend" hidden>${kinds.map(line("")).join("")}${differences.map(line(' class="difference"')).join("")}</ul>
<p id="message" hidden></p>
<main id="picture"></main>
<script src="${address("picture.js")}"></script>
</body>
</html>`;
}
