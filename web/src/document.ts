// The document of the page. Its text is in the editor. It can be opened from files and saved to files; opened files
// never change before it is saved.
import { element, messageOf, sizeOf } from "./dom";
import type { Editor } from "./editor";
import { decode } from "./exact";
import { modelFirst, stemOf, suffixOf } from "./formats";
import type { Current, Format, Opened, Source } from "./protocol";
import { calm, during, say, warn } from "./status";
import { Stopped } from "./work";
import type { Worked } from "./work";

let sources = 0;

/**
 * Returns the files that were opened together: the model, and files with its weights. Returns undefined if there are no
 * files.
 */
export function sourceOf(files: File[]): Source | undefined {
  const sorted = modelFirst(files);
  return sorted.length === 0 ? undefined : { id: ++sources, name: sorted[0].name, files: sorted };
}

const EMPTY: Opened = { text: "", lineBreak: "\n", format: "onnxtxt", isElided: false, kind: "model" };

export class Document {
  name = "";
  private opened = EMPTY;
  private source: Source | undefined;
  private saved = ""; // the text as it was last opened or saved
  private turn = 0;

  constructor(
    private readonly editor: Editor,
    private readonly worker: Worked,
    /** Shows another text. */
    private readonly show: (text: string) => void,
  ) {}

  /** Returns the current state of the document, for the worker. */
  current(): Current {
    const { text } = this.editor;
    return { ...this.opened, text, isUnchanged: this.source !== undefined && text === this.opened.text, source: this.source };
  }

  get isData(): boolean {
    return this.opened.kind !== "model";
  }
  get isElided(): boolean {
    return this.opened.isElided;
  }
  get isChanged(): boolean {
    return this.editor.text !== this.saved;
  }

  /** Begins with a text that is not in a file: an example, or the text of a link. */
  begin(name: string, text: string): void {
    this.turn++;
    this.offer(name, { ...EMPTY, ...decode(new TextEncoder().encode(text)) }, undefined);
  }

  async open(files: File[]): Promise<void> {
    const source = sourceOf(files);
    if (source === undefined) return;
    const turn = ++this.turn;
    try {
      const what = `Opening ${source.name} (${sizeOf(source.files[0].size)})`;
      const opened = await during(what, this.worker.call("open", source), () => this.worker.stop());
      if (turn === this.turn) this.offer(source.name, opened, source);
    } catch (error) {
      if (error instanceof Stopped) say(`${source.name} was not opened.`);
      else if (turn === this.turn) warn(`${source.name} cannot be opened: ${messageOf(error)}`);
    }
  }

  /** Replaces the document. If this loses changes, asks first: the text may have been edited while the files were read, too. */
  private offer(name: string, opened: Opened, source: Source | undefined): void {
    const run = (): void => this.take(name, opened, source);
    if (this.isChanged) warn(`If you open ${name}, you lose your changes of ${this.name}, which are not saved.`, { name: "Open it", run });
    else run();
  }

  private take(name: string, opened: Opened, source: Source | undefined): void {
    this.opened = opened;
    this.saved = opened.text;
    this.source = source;
    this.name = name;
    calm();
    element("name").textContent = name;
    document.title = `${name} – onnxc`;
    element("notice").textContent = opened.notice ?? "";
    element("notice").hidden = !opened.notice;
    this.show(this.opened.text);
  }

  /** A large text is always saved with its weights. */
  get isSavedElided(): boolean {
    return this.isElided && this.format !== "onnxtxt";
  }

  /** The format in which "Save" saves. */
  get format(): Format {
    return this.opened.format;
  }

  fileName(format: Format): string {
    if (format === this.opened.format) return this.name;
    return stemOf(this.name) + suffixOf(format);
  }

  async save(format: Format, isWhole = false): Promise<void> {
    const name = this.fileName(format);
    const current = this.current();
    try {
      const bytes = await during(`Saving ${name}`, this.worker.call("save", current, format, isWhole), () => this.worker.stop());
      download(name, bytes as Uint8Array<ArrayBuffer>);
      if (format !== "onnxtxt" || isWhole || !this.isSavedElided) this.saved = current.text; // without weights, it is not saved
      say(`${name} is saved: ${sizeOf(bytes.length)}.`);
    } catch (error) {
      if (error instanceof Stopped) say(`${name} was not saved.`);
      else warn(`${name} cannot be saved: ${messageOf(error)}`);
    }
  }
}

function download(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const address = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
