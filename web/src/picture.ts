// The picture next to the text: selects what is drawn, and connects nodes in the picture with their places in the text.
import { PictureCanvas } from "./canvas";
import type { Drawing, Frame } from "./dot";
import { countNodes } from "./dot";
import { element, make, plural } from "./dom";
import type { Palette } from "./palette";
import type { Place, Range } from "./protocol";
import type { Box, LaidOut, Piece, Wanted } from "./scene";
import { holds } from "./words";

/** A graph or a function of the text. */
export interface Scope {
  name: string;
  isFunction: boolean;
  place: Place;
}

interface PictureEvents {
  /** Returns a drawing of the graph or function at a place, or null if it cannot be drawn. */
  draw(place: Place): Promise<Drawing | null>;
  scopes(): Promise<Scope[]>;
  reveal(range: Range): void;
  say(message: string): void;
}

const SLOW = 300; // the progress is shown for pictures with more nodes than this
const LONGEST = 20_000; // the maximum time for the layout of a piece, in milliseconds

export class Picture {
  private readonly canvas: PictureCanvas;
  private layout: Worker | undefined;
  private asked = 0; // the number of requested drawings
  private turn = 0; // the number of the newest layout
  private waiting: ReturnType<typeof setTimeout> | undefined; // the timer for the next piece
  private isBusy = false; // the layout worker has worked on one piece for long
  private drawing: Drawing | undefined;
  private pieces: Piece[] = [];
  private scopes: Scope[] = [];
  private chosen = 0; // the index of the scope that is shown
  private isNew = true; // the picture is new, so the view begins at its beginning
  private open: Record<string, boolean> = {};
  /** Functions whose bodies are drawn below the nodes that call them, by node. */
  private called = new Map<string, Scope>();
  private cursor: Place | undefined;
  private found: string[] = [];
  private at = -1;

  constructor(
    colours: () => Palette,
    private readonly events: PictureEvents,
  ) {
    this.canvas = new PictureCanvas(element("picture"), colours, { choose: (box) => this.choose(box), focus: (box) => this.tell(box) });
    element("picture-fit").addEventListener("click", () => this.canvas.fit());
    element("picture-larger").addEventListener("click", () => this.canvas.zoom(1.3));
    element("picture-smaller").addEventListener("click", () => this.canvas.zoom(1 / 1.3));
    element("picture-scope").addEventListener("change", (event) => void this.scope(Number((event.target as HTMLSelectElement).value)));
    const search = element<HTMLInputElement>("picture-search");
    search.addEventListener("input", () => this.search(search.value));
    search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
    });
    element("legend-toggle").addEventListener("click", ({ currentTarget }) => {
      const legend = element("legend");
      legend.hidden = !legend.hidden;
      (currentTarget as HTMLElement).setAttribute("aria-expanded", String(!legend.hidden));
    });
  }

  /** Begins with another text. All choices of the user for the last text are forgotten. */
  begin(): void {
    this.turn++; // a layout that is running is of the last text
    this.chosen = 0;
    this.isNew = true;
    this.open = {};
    this.called = new Map();
    this.canvas.show([]);
    this.canvas.mark({ marked: undefined, focused: undefined });
    this.note("");
    this.drawing = undefined;
  }

  repaint(): void {
    this.canvas.ask();
  }

  /** Draws the text as it is now. */
  async update(): Promise<void> {
    const asked = ++this.asked;
    this.scopes = await this.events.scopes();
    if (this.chosen >= this.scopes.length) this.chosen = 0;
    const select = element<HTMLSelectElement>("picture-scope");
    select.replaceChildren(...this.scopes.map(({ name, isFunction }, i) => make("option", { value: String(i), selected: i === this.chosen }, `${isFunction ? "Function" : "Graph"} ${name}`)));
    select.hidden = this.scopes.length < 2;
    const drawing = await this.events.draw(this.scopes[this.chosen]?.place ?? { line: 0, character: 0 });
    if (asked !== this.asked) return;
    if (drawing === null || drawing.nodes.length + drawing.frames.length === 0) {
      if (this.drawing === undefined) this.note(this.scopes.length === 0 ? "There is no graph in this text yet." : "This graph is empty.");
      return; // if the text cannot be drawn now, the last picture stays
    }
    for (const [node, scope] of this.called) await this.addFunction(drawing, node, scope);
    if (asked !== this.asked) return;
    this.drawing = drawing;
    this.lay();
  }

  /** Adds the body of a function to the drawing, below the node that calls the function. */
  private async addFunction(drawing: Drawing, caller: string, scope: Scope): Promise<void> {
    const inner = await this.events.draw(scope.place);
    const [frame] = inner?.frames ?? [];
    if (inner === null || frame === undefined || !drawing.nodes.some(({ id }) => id === caller)) return;
    const own = (id: string): string => `${caller}/${id}`;
    const rename = (level: Frame): Frame => ({
      ...level, id: own(level.id), owner: level.owner === undefined ? caller : own(level.owner),
      nodes: level.nodes.map((node) => ({ ...node, id: own(node.id) })), frames: level.frames.map(rename),
    });
    drawing.frames.push(rename(frame));
    drawing.lines.push(...inner.lines.map((line) => ({ ...line, from: own(line.from), to: own(line.to) })));
    this.open[own(frame.id)] ??= true;
  }

  private lay(): void {
    const turn = ++this.turn;
    if (this.isBusy) this.end(); // it receives no message before its current piece is complete
    this.layout ??= this.start();
    this.pieces = [];
    this.await();
    this.layout.postMessage({ turn, level: this.drawing!, open: this.open } satisfies Wanted);
  }

  /** Waits for the next piece. Stops the layout if the piece takes too long. */
  private await(): void {
    const begin = Date.now();
    clearInterval(this.waiting);
    this.isBusy = false;
    this.waiting = setInterval(() => {
      this.isBusy = Date.now() - begin > LONGEST / 10;
      if (Date.now() - begin < LONGEST) return;
      this.end();
      this.note("This picture is too large to be laid out.");
    }, 500);
  }

  private end(): void {
    clearInterval(this.waiting);
    this.isBusy = false;
    this.layout?.terminate();
    this.layout = undefined;
  }

  private start(): Worker {
    const worker = new Worker("layout.js", { type: "module", name: "layout" });
    worker.onmessage = ({ data }: MessageEvent<LaidOut>) => this.take(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.end();
      this.note(`The picture cannot be laid out: ${event.message}`);
    };
    return worker;
  }

  private take(laidOut: LaidOut): void {
    if (laidOut.turn !== this.turn) return;
    if ("error" in laidOut || laidOut.isLast) clearInterval(this.waiting);
    else this.await();
    if ("error" in laidOut) return this.note(`The picture cannot be laid out: ${laidOut.error}`);
    this.pieces.push(...laidOut.pieces);
    const count = countNodes(this.drawing!);
    // A new picture is shown piece by piece, from the top. If a picture is already shown, it is replaced when the new
    // one is complete.
    if (this.isNew || laidOut.isLast) this.canvas.show([...this.pieces]);
    if (this.isNew && this.pieces.length > 0) {
      this.canvas.fit(true);
      this.isNew = false;
    } else if (!laidOut.isLast && count > SLOW && !this.canvas.all()[Symbol.iterator]().next().done) this.canvas.show([...this.pieces]);
    this.note(laidOut.isLast ? plural(count, "node") : count > SLOW ? `Laying out: ${Math.round(100 * laidOut.done)} %` : "");
    if (laidOut.isLast) {
      this.mark(this.cursor, false);
      this.search(element<HTMLInputElement>("picture-search").value, false);
    }
  }

  private note(text: string): void {
    element("picture-note").textContent = text;
  }

  private async scope(chosen: number): Promise<void> {
    this.begin();
    this.chosen = chosen;
    await this.update();
  }

  /** Handles a click on a box: a frame opens or closes; for a node, the text shows its place. */
  private choose(box: Box): void {
    this.tell(box);
    if (box.frame) {
      const caller = box.id.slice(0, box.id.lastIndexOf("/"));
      if (caller !== "" && this.called.has(caller)) this.called.delete(caller);
      else this.open[box.id] = !box.frame.isOpen;
      void this.update();
      return;
    }
    if (box.node?.place) this.events.reveal(box.node.place);
    this.canvas.mark({ marked: box.id });
    this.offerFunction(box);
  }

  /** If the node calls a function of the text, shows a button that draws the function's body. */
  private offerFunction(box: Box): void {
    const button = element<HTMLButtonElement>("picture-open");
    const name = box.node?.title.split(".").pop() ?? "";
    const scope = box.node?.title.includes(".") ? this.scopes.find((known) => known.isFunction && known.name === name) : undefined;
    button.hidden = scope === undefined || box.id.includes("/");
    if (scope === undefined) return;
    const isOpen = this.called.has(box.id);
    button.textContent = isOpen ? `Close ${name}` : `Open ${name}`;
    button.onclick = () => {
      if (isOpen) this.called.delete(box.id);
      else this.called.set(box.id, scope);
      button.hidden = true;
      void this.update();
    };
  }

  private tell({ title, lines, node, frame }: Box): void {
    const kind = frame ? `${frame.isOpen ? "open" : "closed"} frame of ${plural(frame.count, "node")}, Enter ${frame.isOpen ? "closes" : "opens"} it` : node!.shape === "op" ? "node" : node!.shape;
    this.events.say([title, ...lines, kind].join(", "));
  }

  /** Marks the smallest node around the cursor of the editor in the picture. */
  mark(place: Place | undefined, reveals = true): void {
    this.cursor = place;
    if (place === undefined) return;
    let best: Box | undefined;
    for (const box of this.canvas.all()) {
      const range = box.node?.place;
      if (range === undefined || !holds(range, place)) continue;
      if (best === undefined || holds(best.node!.place!, range.start)) best = box;
    }
    this.canvas.mark({ marked: best?.id });
    if (best !== undefined && reveals) this.canvas.reveal(best);
  }

  /** Marks all boxes that contain a word, and shows the first one. */
  private search(word: string, reveals = true): void {
    const wanted = word.trim().toLowerCase();
    this.found = [];
    if (wanted !== "") for (const box of this.canvas.all()) if ((box.node?.words ?? box.title.toLowerCase()).includes(wanted)) this.found.push(box.id);
    this.at = -1;
    this.canvas.mark({ found: new Set(this.found) });
    this.counted(wanted);
    if (reveals && this.found.length > 0) this.step(1);
  }

  private step(direction: number): void {
    if (this.found.length === 0) return;
    this.at = (this.at + direction + this.found.length) % this.found.length;
    const box = this.canvas.box(this.found[this.at]);
    if (box === undefined) return;
    this.canvas.mark({ focused: box.id });
    this.canvas.reveal(box);
    this.counted("found");
  }

  private counted(word: string): void {
    const count = this.found.length === 0 ? "none" : this.at < 0 ? String(this.found.length) : `${this.at + 1} of ${this.found.length}`;
    element("picture-found").textContent = word === "" ? "" : count;
  }
}
