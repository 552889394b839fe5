// Shows the picture on a canvas: moves and zooms it, and finds the node under the pointer. It is independent of texts
// and models.
import type { Palette } from "./palette";
import { paint } from "./paint";
import type { Marks, View } from "./paint";
import type { Box, Piece } from "./scene";

const SMALLEST = 0.005;
const LARGEST = 3;

interface Events {
  /** A box was clicked or chosen by the keyboard. */
  choose(box: Box): void;
  /** The focus of the keyboard has moved to a box. */
  focus(box: Box): void;
}

/** Returns the complete text of a box, including parts that are not painted because they are too small or too long. */
function wordsOf({ title, node }: Box): string {
  return node ? [node.title, node.name, ...node.details].filter((word) => word !== "").join("\n") : title;
}

export class PictureCanvas {
  private readonly view: View = { x: 0, y: 0, scale: 1, width: 0, height: 0 };
  private readonly context: CanvasRenderingContext2D;
  private pieces: Piece[] = [];
  private boxes = new Map<string, Box>();
  private isAsked = false;
  private marks: Marks = { found: new Set() };
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private moved = 0;
  /** How the picture was fitted to the window; undefined after the user has moved it. */
  private fitted: "readable" | "whole" | undefined = "readable";

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly colours: () => Palette,
    private readonly events: Events,
  ) {
    this.context = canvas.getContext("2d")!;
    new ResizeObserver(() => this.resize()).observe(canvas);
    canvas.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.onDown(event));
    canvas.addEventListener("pointermove", (event) => this.onMove(event));
    canvas.addEventListener("pointerup", (event) => this.onUp(event));
    canvas.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener("keydown", (event) => this.onKey(event));
    canvas.addEventListener("blur", () => this.mark({ focused: undefined }));
  }

  /** Replaces the pieces. The view does not move. */
  show(pieces: Piece[]): void {
    this.pieces = pieces;
    this.boxes = new Map(pieces.flatMap((piece) => piece.boxes.map((box) => [box.id, box])));
    this.ask();
  }

  all(): Iterable<Box> {
    return this.boxes.values();
  }

  box(id: string): Box | undefined {
    return this.boxes.get(id);
  }

  mark(marks: Partial<Marks>): void {
    this.marks = { ...this.marks, ...marks };
    this.ask();
  }

  /** The bounds of all pieces. */
  private bounds(): { x: number; y: number; width: number; height: number } {
    const left = Math.min(...this.pieces.map(({ x }) => x));
    const top = Math.min(...this.pieces.map(({ y }) => y));
    const right = Math.max(...this.pieces.map(({ x, width }) => x + width));
    const bottom = Math.max(...this.pieces.map(({ y, height }) => y + height));
    return { x: left, y: top, width: right - left, height: bottom - top };
  }

  /**
   * Fits the whole picture to the window. If `isReadable` is true, keeps the text readable, and may show only the
   * beginning of the picture.
   */
  fit(isReadable = false): void {
    this.fitted = isReadable ? "readable" : "whole";
    if (this.pieces.length === 0 || this.view.width === 0) return;
    const { x, y, width, height } = this.bounds();
    const margin = 16;
    const whole = Math.min((this.view.width - 2 * margin) / width, (this.view.height - 2 * margin) / height, 1);
    const wide = (this.view.width - 2 * margin) / width;
    // A high, narrow picture would become a thin line, so it is scaled to its width instead.
    const readable = whole >= 0.7 ? whole : Math.max(Math.min(0.75, wide), 0.5);
    const scale = isReadable ? readable : Math.max(whole, Math.min(0.3, wide));
    this.view.scale = scale;
    this.view.x = width * scale > this.view.width && isReadable ? this.beginning() - this.view.width / 2 / scale : x + width / 2 - this.view.width / 2 / scale;
    this.view.y = height * scale > this.view.height ? y - margin / scale : y + height / 2 - this.view.height / 2 / scale;
    this.ask();
  }

  private beginning(): number {
    const [first] = this.pieces[0].boxes;
    return first.x + first.width / 2;
  }

  /** Moves the view so that a box is visible. */
  reveal(box: Box): void {
    const { view } = this;
    if (view.scale < 0.5) view.scale = 0.8;
    const [width, height] = [view.width / view.scale, view.height / view.scale];
    const isVisible = box.x >= view.x && box.x + box.width <= view.x + width && box.y >= view.y && box.y + Math.min(box.height, 40) <= view.y + height;
    if (!isVisible) {
      this.fitted = undefined;
      view.x = box.x + box.width / 2 - width / 2;
      view.y = box.y + Math.min(box.height, height) / 2 - height / 2;
    }
    this.ask();
  }

  zoom(factor: number, x = this.view.width / 2, y = this.view.height / 2): void {
    const { view } = this;
    this.fitted = undefined;
    const scale = Math.min(LARGEST, Math.max(SMALLEST, view.scale * factor));
    view.x += x / view.scale - x / scale;
    view.y += y / view.scale - y / scale;
    view.scale = scale;
    this.ask();
  }

  /** Requests painting before the next frame. Several requests cause one painting. */
  ask(): void {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      if (this.view.width > 0) paint(this.context, this.pieces, this.view, this.colours(), this.marks);
    });
  }

  /**
   * Adapts the view to a new size of the window. If the user has not moved the picture, it is fitted again. Otherwise
   * its middle stays in the middle.
   */
  private resize(): void {
    const { view } = this;
    const { width, height } = this.canvas.getBoundingClientRect();
    if (width === 0 || height === 0) return; // it is hidden, so the view is kept for later
    this.pan((view.width - width) / 2, (view.height - height) / 2);
    Object.assign(view, { width, height });
    this.canvas.width = Math.round(width * devicePixelRatio);
    this.canvas.height = Math.round(height * devicePixelRatio);
    if (this.fitted !== undefined) this.fit(this.fitted === "readable");
    paint(this.context, this.pieces, view, this.colours(), this.marks);
  }

  /** Moves the view by `x` and `y` pixels. */
  private pan(x: number, y: number): void {
    this.view.x += x / this.view.scale;
    this.view.y += y / this.view.scale;
  }

  private at(x: number, y: number): Box | undefined {
    const [px, py] = [this.view.x + x / this.view.scale, this.view.y + y / this.view.scale];
    let best: Box | undefined;
    for (const piece of this.pieces) {
      if (px < piece.x || px > piece.x + piece.width || py < piece.y || py > piece.y + piece.height) continue;
      for (const box of piece.boxes) {
        const isInside = px >= box.x && px <= box.x + box.width && py >= box.y && py <= box.y + box.height;
        if (isInside && (best === undefined || box.width * box.height < best.width * best.height)) best = box;
      }
    }
    return best;
  }

  private onWheel(event: WheelEvent): void {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) return this.zoom(Math.exp(-event.deltaY / 200), event.offsetX, event.offsetY);
    const unit = event.deltaMode === 1 ? 20 : 1;
    this.fitted = undefined;
    this.pan(event.deltaX * unit, event.deltaY * unit);
    this.ask();
  }

  private onDown(event: PointerEvent): void {
    this.canvas.setPointerCapture(event.pointerId);
    if (this.pointers.size === 0) this.moved = 0;
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
  }

  private onMove(event: PointerEvent): void {
    const last = this.pointers.get(event.pointerId);
    if (last === undefined) {
      const over = this.at(event.offsetX, event.offsetY);
      this.canvas.classList.toggle("over", over !== undefined);
      this.canvas.title = over === undefined ? "" : wordsOf(over);
      return;
    }
    const [dx, dy] = [event.offsetX - last.x, event.offsetY - last.y];
    this.moved += Math.abs(dx) + Math.abs(dy);
    this.fitted = undefined;
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other !== undefined) {
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const after = Math.hypot(event.offsetX - other.x, event.offsetY - other.y);
      this.zoom(after / Math.max(1, before), other.x, other.y);
    } else {
      this.pan(-dx, -dy);
    }
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.ask();
  }

  private onUp(event: PointerEvent): void {
    if (!this.pointers.delete(event.pointerId) || this.moved > 5) return;
    const box = this.at(event.offsetX, event.offsetY);
    if (box !== undefined) this.events.choose(box);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: [0, 1], ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowLeft: [-1, 0] }[event.key];
    const focused = this.marks.focused === undefined ? undefined : this.boxes.get(this.marks.focused);
    if (step !== undefined) this.focus(this.next(focused, step[0], step[1]));
    else if (event.key === "Home") this.focus(this.boxes.values().next().value);
    else if (event.key === "End") this.focus([...this.boxes.values()].pop());
    else if ((event.key === "Enter" || event.key === " ") && focused !== undefined) this.events.choose(focused);
    else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }

  private focus(box: Box | undefined): void {
    if (box === undefined) return;
    this.mark({ focused: box.id });
    this.reveal(box);
    this.events.focus(box);
  }

  /** Returns the nearest box in a direction. */
  private next(from: Box | undefined, dx: number, dy: number): Box | undefined {
    if (from === undefined) return this.boxes.get(this.marks.marked ?? "") ?? this.boxes.values().next().value;
    const middle = ({ x, y, width, height }: Box): [number, number] => [x + width / 2, y + height / 2];
    const [x, y] = middle(from);
    let best: { box: Box; distance: number } | undefined;
    for (const box of this.boxes.values()) {
      const [bx, by] = middle(box);
      const [along, across] = dx === 0 ? [(by - y) * dy, Math.abs(bx - x)] : [(bx - x) * dx, Math.abs(by - y)];
      const distance = along + 2 * across;
      if (box !== from && along > 1 && (best === undefined || distance < best.distance)) best = { box, distance };
    }
    return best?.box;
  }
}
