// Connects the parts of the page.
import { openSearchPanel } from "@codemirror/search";
import { redo, undo } from "@codemirror/commands";
import { findReferences, formatDocument, jumpToDefinition } from "@codemirror/lsp-client";
import type { Extension } from "@codemirror/state";
import { Differences, placeOf } from "./differences";
import { Document, sourceOf } from "./document";
import { element, later, make, messageOf } from "./dom";
import { acceptDrops, chooseFiles } from "./drop";
import { Editor } from "./editor";
import { EXAMPLES } from "./examples";
import { Findings } from "./findings";
import { inlayHints } from "./hints";
import { textLanguage } from "./language";
import { linkTo, textOfLink } from "./link";
import type { Shared } from "./link";
import { menu } from "./menus";
import { Picture } from "./picture";
import type { Difference, Place, Source } from "./protocol";
import { applyEdit, codeActions, connect, makeClient, serverExtensions, URI } from "./server";
import { Rename } from "./rename";
import { scopesOf } from "./scopes";
import { showNoSizes, showSizes } from "./sizes";
import { startSplits } from "./split";
import { during, say, tell, warn } from "./status";
import { Tabs } from "./tabs";
import { colours, startTheme } from "./theme";
import { Values } from "./values";
import { Stopped, Worked } from "./work";
import { startOffline } from "./offline";

const PATIENCE = 2000; // milliseconds until the page shows that the text is being checked

const server = new Worked("language server");
const worker = new Worked("tasks");

let hasServerEnded = false;
let colouring: Extension = [];
let compared: { source: Source; before?: string } | undefined;
const stale = new Set<string>(); // tabs whose contents are older than the text

const client = makeClient({ // If the text shows weights as checksums, the file has the weights, so they are not missing.
  diagnostics: (found) => void findings.show(model.isElided ? found.filter(({ code }) => code !== "external-elided") : found).catch(() => undefined),
});
const editor = new Editor(element("text"), {
  changed: () => {
    expectFindings();
    stale.add("types").add("sizes").add("differences");
    update();
  },
  moved: (place) => mark(place),
});
const model = new Document(editor, worker, show);
const findings = new Findings(editor, () => client, ({ start, end }) => revealText(start, end), (kind) => tell(explain(kind)));
const rename = new Rename(editor, client);
const values = new Values(({ place }) => revealText(place));
const differences = new Differences((difference) => revealDifference(difference));
const picture = new Picture(colours, {
  draw: async (place) => server.call("draw", URI, await synced(), place, compared?.before),
  scopes: () => scopesOf(client),
  reveal: ({ start, end }) => revealText(start, end),
  say: (message) => (element("picture-spoken").textContent = message),
});
const tabs = new Tabs();
const mark = later(60, (place: Place) => picture.mark(place));
const draw = (): void => void picture.update().catch((error: unknown) => { if (!(error instanceof Stopped)) say(`No picture: ${messageOf(error)}`); });
const update = later(500, () => {
  if (!model.isData) draw();
  void refresh();
});

/** Sends changes of the text to the language server. Returns the text that the server has then. */
async function synced(): Promise<string> {
  client.sync();
  const { text } = editor;
  await client.initializing; // the client sends the changes only after this
  return text;
}

/** If checking the text takes long, shows a message about it, with a button that stops the check. */
function expectFindings(): void {
  if (!hasServerEnded) void during("Checking the text", findings.next(), () => server.stop(), PATIENCE);
}

/** Shows another text in the editor, and updates the findings, the picture and the tabs. */
function show(text: string): void {
  picture.begin();
  compared = undefined;
  differences.show(undefined, []);
  const isKnown = !model.isData; // the language server checks only models
  findings.clear(isKnown ? "onnxc reads the text…" : "Only models are checked, and this is data.");
  if (isKnown) {
    if (hasServerEnded) startServer();
    expectFindings();
  }
  editor.show(text, [colouring, isKnown ? [serverExtensions(client), inlayHints(client)] : []]);
  stale.add("types").add("sizes").add("differences");
  if (isKnown) draw();
  void refresh();
}

/** Updates the visible tab. */
async function refresh(): Promise<void> {
  const { name } = tabs;
  if (!stale.delete(name)) return;
  try {
    if (name === "types" && !model.isData) values.show(await server.call("types", URI, await synced()));
    if (name === "sizes") showSizes(await during("Counting bytes", worker.call("sizes", model.current()), () => worker.stop()));
    if (name === "differences" && compared !== undefined) await compare();
  } catch (error) {
    if (name === "sizes") showNoSizes(`The sizes cannot be shown, because the text has errors: ${messageOf(error)}`);
    else if (!(error instanceof Stopped)) say(messageOf(error));
  }
}

async function compare(): Promise<void> {
  const { source } = compared!;
  try {
    const { differences: found, before } = await during(`Comparing with ${source.name}`, worker.call("compare", model.current(), source), () => worker.stop());
    if (compared?.source !== source) return;
    const isFirst = compared.before === undefined;
    compared.before = before;
    differences.show(source.name, found);
    if (isFirst) draw(); // marks the nodes that differ
  } catch (error) {
    if (compared?.source === source) differences.show(source.name, [], `${source.name} cannot be compared: ${messageOf(error)}`);
  }
}

function compareWith(files: File[]): void {
  const source = sourceOf(files);
  if (source === undefined) return;
  compared = { source };
  stale.add("differences");
  tabs.show("differences");
}

element("differences-end").addEventListener("click", () => {
  compared = undefined;
  differences.show(undefined, []);
  draw();
});

const isNarrow = (): boolean => matchMedia("(max-width: 800px)").matches;
function revealText(start: Place, end?: Place): void {
  if (isNarrow()) tabs.show("text");
  editor.reveal(start, end);
}

function revealDifference(difference: Difference): void {
  const found = placeOf(difference, editor.text);
  if (found === undefined) return say("The text of the open model does not contain this.");
  revealText(editor.placeOf(found.from), editor.placeOf(found.to));
}

async function explain(kind: string): Promise<void> {
  const text = await worker.call("explain", kind).catch(messageOf);
  element("dialog-title").textContent = kind;
  const body = text.replace(`${kind}\n\n`, ""); // without its title
  element("dialog-text").textContent = body.replace(/(?<=^\S.*)\n(?=[^\s|*-])/gm, " "); // the dialog wraps the lines itself
  element<HTMLDialogElement>("dialog").showModal();
}

async function copyLink(): Promise<void> {
  const link = await linkTo(model.name, editor.text);
  if (link === undefined) return warn("This text is too large for a link. Save it, and send the file.");
  try {
    await navigator.clipboard.writeText(link);
    say(model.isElided ? "The link is copied. It contains the text, but not the large weights." : "The link is copied. It contains the whole text; nothing is uploaded.");
  } catch {
    history.replaceState(null, "", link);
    say("The link is in the address bar.");
  }
}

async function readLink(): Promise<Shared | undefined> {
  try {
    return await textOfLink(location.hash);
  } catch (error) {
    warn(`The link cannot be read: ${messageOf(error)}`);
    return undefined;
  }
}

/** Opens the text of another link that was entered in the same browser tab. */
async function openLink(): Promise<void> {
  const shared = await readLink();
  if (shared !== undefined) model.begin(shared.name, shared.text);
}

async function fixes(): Promise<void> {
  const place = editor.cursor;
  const actions = await codeActions(client, { start: place, end: place }, []);
  const shown = actions.filter(({ edit }) => edit !== undefined);
  element("actions").replaceChildren(...shown.map((action) => make("button", { click: () => {
    element<HTMLDialogElement>("choices").close();
    applyEdit(editor.view, action.edit!);
    editor.view.focus();
  } }, action.title)));
  if (shown.length === 0) return say("There are no changes to offer at the cursor.");
  element<HTMLDialogElement>("choices").showModal();
}

function startMenus(open: () => void, openOther: () => void): void {
  const { view } = editor;
  menu("menu-save", () => [
    { name: "Save", more: model.fileName(model.format), run: () => void model.save(model.format) },
    { name: "As ONNX", more: ".onnx", run: () => void model.save("onnx") },
    { name: "As text", more: model.isSavedElided ? ".onnxtxt, large weights as checksums" : ".onnxtxt", run: () => void model.save("onnxtxt") },
    ...(model.isSavedElided ? [{ name: "As text with all weights", more: ".onnxtxt", run: () => void model.save("onnxtxt", true) }] : []),
    { name: "As protobuf's text", more: ".pbtxt", run: () => void model.save("textproto") },
    { name: "As JSON", more: ".json", run: () => void model.save("json") },
  ]);
  menu("menu-examples", () => EXAMPLES.map(({ name, title, text }) => ({ name: title, run: () => model.begin(name, text) })));
  menu("menu-edit", () => [
    { name: "Undo", more: "Ctrl+Z", run: () => void undo(view) },
    { name: "Redo", more: "Ctrl+Y", run: () => void redo(view) },
    { name: "Find and replace", more: "Ctrl+F", run: () => void openSearchPanel(view) },
    { name: "Rename at the cursor", more: "F2", run: () => tell(rename.ask()) },
    { name: "Go to definition", more: "F12", run: () => void jumpToDefinition(view) },
    { name: "Show all uses", more: "Shift+F12", run: () => void findReferences(view) },
    { name: "Changes at the cursor", more: "Ctrl+.", run: () => tell(fixes()) },
    { name: "Format the text", more: "Shift+Alt+F", run: () => void formatDocument(view) },
  ]);
  element("open").addEventListener("click", open);
  element("compare").addEventListener("click", openOther);
  element("differences-choose").addEventListener("click", openOther);
  element("link").addEventListener("click", () => tell(copyLink()));
  element("banner-close").addEventListener("click", () => (element("banner").hidden = true));
  window.addEventListener("keydown", (event) => {
    const key = event.ctrlKey || event.metaKey ? event.key.toLowerCase() : "";
    if (key === "s") void model.save(model.format);
    else if (key === "o") open();
    else if (key === ".") tell(fixes());
    else if (event.key === "F2") tell(rename.ask());
    else return;
    event.preventDefault();
  });
  window.addEventListener("beforeunload", (event) => {
    if (model.isChanged) event.preventDefault();
  });
}

server.onEnd = (reason) => {
  hasServerEnded = true;
  findings.clear("The text is not checked now.");
  warn(`The text is no longer checked: ${reason}. You can still edit and save it.`, { name: "Check it again", run: () => startServer() });
};

function startServer(): void {
  hasServerEnded = false;
  client.disconnect();
  server.restart();
  connect(client, server);
  client.initializing.then(draw, () => undefined);
}

async function start(): Promise<void> {
  startTheme(() => picture.repaint());
  startSplits();
  tabs.onShow = () => void refresh();
  startMenus(chooseFiles("file", (files) => void model.open(files)), chooseFiles("other-file", compareWith));
  acceptDrops((files) => void model.open(files), compareWith);
  connect(client, server);
  colouring = await textLanguage();
  const shared = await readLink();
  const [first] = EXAMPLES;
  model.begin(shared?.name ?? first.name, shared?.text ?? first.text);
  window.addEventListener("hashchange", () => tell(openLink()));
  startOffline();
}

void start();
