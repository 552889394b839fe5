// The worker that computes the layout of pictures. The innermost frames are laid out first; a frame is then a single
// box in the layout of the frame around it.
import type { DrawnLine, DrawnNode, Drawing, Frame, Level } from "./dot";
import { countNodes } from "./dot";
import { messageOf } from "./dom";
import { Layouts } from "./flat";
import { LINE_FONT, TITLE_FONT } from "./fonts";
import { move } from "./scene";
import type { Box, LaidOut, Piece, Wanted } from "./scene";

/** In pictures with more nodes than this, frames are closed at first. */
const LARGE = 400;
const TITLE_HEIGHT = 24;
const PADDING = 12;
const LONGEST = 44;
const MOST_LINES = 6;

const layouts = new Layouts();
let newest = 0;

const context = new OffscreenCanvas(1, 1).getContext("2d")!;
const widths = new Map<string, number>();
function widthOf(text: string, font: string): number {
  const key = font + text;
  let width = widths.get(key);
  if (width === undefined) {
    context.font = font;
    width = context.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}
const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

function boxOf(node: DrawnNode): Box {
  const details = node.details.slice(0, MOST_LINES);
  if (node.details.length > MOST_LINES) details[MOST_LINES - 1] = `… ${node.details.length - MOST_LINES + 1} more`;
  const lines = [...(node.name === "" ? [] : [node.name]), ...details].map(short);
  const title = short(node.title);
  const width = Math.max(widthOf(title, TITLE_FONT), ...lines.map((line) => widthOf(line, LINE_FONT)));
  return { id: node.id, x: 0, y: 0, width: Math.ceil(width) + 22, height: 26 + 13 * lines.length, title, lines, node };
}

/**
 * The boxes of one level, nodes and frames, in the order of the text, and the lines between them. `inner` contains the
 * contents of open frames.
 */
interface Flat {
  boxes: Box[];
  inner: (Piece[] | undefined)[];
  links: { from: number; to: number; line?: DrawnLine }[];
}

class Picture {
  /** The frames around each node, the outermost first. */
  private readonly around = new Map<string, Frame[]>();
  readonly boxes = new Map<string, Box>();
  private readonly isLarge: boolean;

  constructor(
    private readonly drawing: Drawing,
    private readonly open: Record<string, boolean>,
    private readonly isLate: () => boolean,
  ) {
    this.isLarge = countNodes(drawing) > LARGE;
    const walk = (level: Level, frames: Frame[]): void => {
      for (const node of level.nodes) this.around.set(node.id, frames);
      for (const frame of level.frames) walk(frame, [...frames, frame]);
    };
    walk(drawing, []);
  }

  async *pieces(): AsyncGenerator<{ piece: Piece; done: number }> {
    const flat = await this.flatten(this.drawing, 0);
    yield* this.placed(flat);
  }

  /** Returns the boxes of a level. The contents of its open frames are laid out first. */
  private async flatten(level: Level, depth: number): Promise<Flat> {
    const boxes: Box[] = [];
    const inner: Flat["inner"] = [];
    const place = new Map<string, number>();
    const framesOf = Map.groupBy(level.frames, (frame) => frame.owner ?? "");
    const add = async (frame: Frame): Promise<void> => {
      place.set(frame.id, boxes.length);
      const count = countNodes(frame);
      const isOpen = this.open[frame.id] ?? !this.isLarge;
      const title = short(frame.title);
      const box: Box = { id: frame.id, x: 0, y: 0, width: widthOf(title, TITLE_FONT) + 60, height: TITLE_HEIGHT + 6, title, lines: [], frame: { isOpen, count } };
      boxes.push(box);
      inner.push(isOpen ? await this.inside(frame, depth + 1, box) : undefined);
    };
    for (const node of this.ordered(level)) {
      place.set(node.id, boxes.length);
      boxes.push(boxOf(node));
      inner.push(undefined);
      for (const frame of framesOf.get(node.id) ?? []) await add(frame);
    }
    for (const frame of level.frames) if (!place.has(frame.id)) await add(frame);
    for (const box of boxes) this.boxes.set(box.id, box);
    const links: Flat["links"] = [];
    const itemOf = (id: string): number | undefined => {
      const frames = this.around.get(id);
      if (frames === undefined) return undefined;
      return place.get(frames.length > depth ? frames[depth].id : id);
    };
    for (const line of this.drawing.lines) {
      const [from, to] = [itemOf(line.from), itemOf(line.to)];
      if (from !== undefined && to !== undefined && from !== to) links.push({ from, to, line });
    }
    for (const frame of level.frames) {
      const owner = frame.owner === undefined ? undefined : place.get(frame.owner);
      if (owner !== undefined) links.push({ from: owner, to: place.get(frame.id)! });
    }
    return { boxes, inner, links };
  }

  /**
   * Sorts the nodes. Nodes that depend on an input stay in the order of the text. Inputs, and nodes that depend only on
   * constants, come directly before their first reader. Outputs come directly after their source.
   */
  private ordered({ nodes }: Level): DrawnNode[] {
    const place = new Map(nodes.map(({ id }, i) => [id, i]));
    const shapes = new Map(nodes.map(({ id, shape }) => [id, shape]));
    const readers = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
    const inner = this.drawing.lines.filter(({ from, to }) => place.has(from) && place.has(to));
    for (const { from, to } of inner) if (shapes.get(to) !== "output") readers.get(from)!.push(to);
    const isFixed = new Set<string>(); // nodes that depend on an input
    for (const { id, shape } of nodes) {
      if (shape === "input" || isFixed.has(id)) for (const reader of readers.get(id)!) isFixed.add(reader);
    }
    for (const { id } of nodes.toReversed()) {
      if (isFixed.has(id)) continue;
      const first = readers.get(id)!.reduce((least, reader) => Math.min(least, place.get(reader)!), Infinity);
      if (first !== Infinity) place.set(id, first - 0.001);
    }
    for (const { from, to } of inner) if (shapes.get(to) === "output") place.set(to, place.get(from)! + 0.5);
    return nodes.toSorted((one, other) => place.get(one.id)! - place.get(other.id)!);
  }

  /** Lays out the contents of an open frame, and enlarges its box to fit them. */
  private async inside(frame: Frame, depth: number, box: Box): Promise<Piece[]> {
    const pieces: Piece[] = [];
    for await (const { piece } of this.placed(await this.flatten(frame, depth))) pieces.push(piece);
    const left = Math.min(0, ...pieces.map(({ x }) => x));
    for (const piece of pieces) move(piece, PADDING - left, TITLE_HEIGHT + PADDING);
    box.width = Math.max(box.width, ...pieces.map(({ x, width }) => x + width + PADDING));
    box.height = Math.max(box.height, ...pieces.map(({ y, height }) => y + height + PADDING));
    return pieces;
  }

  private async *placed({ boxes, inner, links }: Flat): AsyncGenerator<{ piece: Piece; done: number }> {
    for await (const { first, placed, links: numbers } of layouts.pieces(boxes, links)) {
      const piece: Piece = { x: 0, y: 0, width: 0, height: 0, boxes: [], routes: [] };
      const innermost: Piece[] = [];
      placed.middles.forEach(({ x, y }, i) => {
        const box = boxes[first + i];
        box.x = x - box.width / 2;
        box.y = y - box.height / 2;
        piece.boxes.push(box);
        for (const part of inner[first + i] ?? []) innermost.push(move(part, box.x, box.y));
      });
      numbers.forEach((number, i) => piece.routes.push({ line: links[number].line, points: placed.routes[i] }));
      for (const part of innermost) {
        piece.boxes.push(...part.boxes);
        piece.routes.push(...part.routes);
      }
      bound(piece);
      yield { piece, done: (first + placed.middles.length) / boxes.length };
      await new Promise((resolve) => setTimeout(resolve)); // receives messages: a newer picture may have been requested
      if (this.isLate()) return;
    }
  }

  /** Continues lines that end at an open frame to the node inside. */
  extend({ routes }: Piece): void {
    for (const { line, points } of routes) {
      if (line === undefined) continue;
      const to = this.boxes.get(line.to);
      if (to === undefined) continue;
      const [x, y] = points.slice(-2);
      const isInside = x >= to.x - 1 && x <= to.x + to.width + 1 && y >= to.y - 1 && y <= to.y + to.height + 1;
      if (!isInside) points.splice(-2, 2, to.x + to.width / 2, y, to.x + to.width / 2, to.y);
    }
  }
}

function bound(piece: Piece): void {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of piece.boxes) {
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + width), Math.max(bottom, y + height)];
  }
  for (const { points } of piece.routes) {
    for (let i = 0; i < points.length; i += 2) {
      [left, right] = [Math.min(left, points[i]), Math.max(right, points[i])];
      [top, bottom] = [Math.min(top, points[i + 1]), Math.max(bottom, points[i + 1])];
    }
  }
  if (left > right) return;
  Object.assign(piece, { x: left, y: top, width: right - left, height: bottom - top });
}

const say = (message: LaidOut): void => self.postMessage(message);

self.onmessage = async ({ data: { turn, level, open } }: MessageEvent<Wanted>) => {
  newest = turn;
  layouts.begin();
  const picture = new Picture(level, open, () => turn !== newest);
  try {
    for await (const { piece, done } of picture.pieces()) {
      picture.extend(piece);
      say({ turn, pieces: [piece], done, isLast: false });
    }
    if (turn === newest) say({ turn, pieces: [], done: 1, isLast: true });
  } catch (error) {
    say({ turn, error: messageOf(error) });
  }
};

