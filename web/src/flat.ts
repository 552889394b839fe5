// Computes the layout of boxes and lines without frames, with dagre. The time of dagre grows faster than the number of
// boxes, so a large graph is divided into pieces at places that few values cross. Each piece is laid out separately.
import { Graph, layout } from "@dagrejs/dagre";

interface Item {
  width: number;
  height: number;
}

interface Link {
  from: number;
  to: number;
}

interface Placed {
  width: number;
  height: number;
  /** The middle of each item. */
  middles: { x: number; y: number }[];
  /** The points of each link: x, y, x, y, ... */
  routes: number[][];
}

/** The maximum number of items that are laid out together. */
const MOST = 300;
/** The minimum number of items in a piece of a larger graph. The maximum is twice as large. */
const LEAST = 120;
/**
 * The maximum number of lines that are laid out between the same two boxes, and of values that are laid out across the
 * border of a piece.
 */
const MOST_PARALLEL = 4;
const MOST_CROSSING = 60;
const GAP = 44;
const LANE = 10;

/** Divides a list of items into pieces at places that the fewest values cross. Returns the first item of each piece. */
function divide(count: number, links: Link[]): number[] {
  if (count <= MOST) return [0];
  const last = Array.from({ length: count }, (_, i) => i); // for each item: the last item that reads it
  for (const { from, to } of links) last[from] = Math.max(last[from], to);
  const change = new Int32Array(count + 2);
  for (let i = 0; i < count; ++i) {
    change[i + 1] += 1;
    change[last[i] + 1] -= 1;
  }
  const crossing = new Int32Array(count + 1);
  for (let i = 1; i <= count; ++i) crossing[i] = crossing[i - 1] + change[i];
  const firsts = [0];
  while (count - firsts[firsts.length - 1] > 2 * LEAST) {
    const begin = firsts[firsts.length - 1] + LEAST;
    let best = begin;
    for (let i = begin; i <= begin + LEAST && i < count; ++i) if (crossing[i] < crossing[best]) best = i;
    firsts.push(best);
  }
  return firsts;
}

/** Lays out items with dagre. The items from index `bottom` on are the ends of lines that continue in a piece below. */
function place(items: Item[], links: Link[], bottom: number): Placed {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ nodesep: 22, ranksep: GAP, edgesep: 14, marginx: 0, marginy: 0 });
  graph.setDefaultEdgeLabel(() => ({}));
  items.forEach(({ width, height }, i) => graph.setNode(String(i), { width, height }));
  links.forEach(({ from, to }, i) => graph.setEdge(String(from), String(to), {}, String(i)));
  if (bottom < items.length) {
    // Lines that continue in the next piece end at an extra node below all others, so that they leave the piece at the
    // bottom.
    graph.setNode("below", { width: 0, height: 0 });
    const has = new Set(links.map(({ from }) => from));
    for (let i = 0; i < items.length; ++i) if (!has.has(i)) graph.setEdge(String(i), "below", { weight: i >= bottom ? 2 : 0 }, "below");
  }
  layout(graph);
  const middles = items.map((_, i) => graph.node(String(i)) as { x: number; y: number });
  const routes = links.map(({ from, to }, i) => {
    const edge = graph.edge(String(from), String(to), String(i)) as { points: { x: number; y: number }[] };
    return edge.points.flatMap(({ x, y }) => [x, y]);
  });
  return normalized(items, middles, routes);
}

function normalized(items: Item[], middles: { x: number; y: number }[], routes: number[][]): Placed {
  let [left, above, right, below] = [Infinity, Infinity, -Infinity, -Infinity];
  middles.forEach(({ x, y }, i) => {
    left = Math.min(left, x - items[i].width / 2);
    right = Math.max(right, x + items[i].width / 2);
    above = Math.min(above, y - items[i].height / 2);
    below = Math.max(below, y + items[i].height / 2);
  });
  for (const route of routes) {
    for (let i = 0; i < route.length; i += 2) {
      left = Math.min(left, route[i]);
      right = Math.max(right, route[i]);
    }
  }
  if (items.length === 0) return { width: 0, height: 0, middles, routes };
  for (const route of routes) {
    for (let i = 0; i < route.length; i += 2) {
      route[i] -= left;
      route[i + 1] -= above;
    }
  }
  return { width: right - left, height: below - above, middles: middles.map(({ x, y }) => ({ x: x - left, y: y - above })), routes };
}

/** A piece of a larger graph. `links` contains the indices of the links that are laid out in it, in the order of `routes`. */
export interface Part {
  first: number;
  placed: Placed;
  links: number[];
}

/** Keeps the layouts of the pieces of the last picture, because most pieces stay the same after a change. */
export class Layouts {
  private known = new Map<string, Placed>();
  private used = new Map<string, Placed>();

  begin(): void {
    this.known = this.used;
    this.used = new Map();
  }

  place(items: Item[], links: Link[], bottom = items.length): Placed {
    const key = JSON.stringify([items.map(({ width, height }) => [width, height]), links.map(({ from, to }) => [from, to]), bottom]);
    const found = this.known.get(key) ?? this.used.get(key) ?? place(items, links, bottom);
    this.used.set(key, found);
    return structuredClone(found);
  }

  /**
   * Lays out all pieces, one below the other, and yields each as soon as it is complete. Items and routes have their
   * final positions.
   */
  async *pieces(items: Item[], links: Link[]): AsyncGenerator<Part> {
    const kept = few(links);
    const firsts = divide(items.length, links);
    if (firsts.length > 1) {
      const stack = new Stack(this, items, links, kept, firsts);
      for (let piece = 0; piece < firsts.length; ++piece) yield stack.add(piece);
    } else {
      yield { first: 0, placed: this.place(items, kept.map((i) => links[i])), links: kept };
    }
  }
}

/** Returns the indices of the links, without links that are parallel to many others. */
function few(links: Link[]): number[] {
  const counts = new Map<string, number>();
  return [...links.keys()].filter((i) => {
    const key = `${links[i].from} ${links[i].to}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= MOST_PARALLEL;
  });
}

/** The links of a piece: those within it, those from it to later pieces, and those from earlier pieces into it. */
interface Crossing {
  own: number[];
  out: number[];
  in: number[];
}

/**
 * Puts pieces one below the other. A line to a later piece leaves its piece at the bottom, and enters the later piece
 * at the top.
 */
class Stack {
  private readonly pieceOf: Int32Array;
  private readonly crossings: Crossing[];
  /** The points of the line from an item to the bottom of its piece, by item. */
  private readonly exits = new Map<number, number[]>();
  private readonly middles: { x: number; y: number }[] = [];
  private y = 0;
  private left = 0;
  private lanes = 0;

  constructor(
    private readonly layouts: Layouts,
    private readonly items: Item[],
    private readonly links: Link[],
    kept: number[],
    private readonly firsts: number[],
  ) {
    this.pieceOf = new Int32Array(items.length);
    firsts.forEach((first, piece) => this.pieceOf.fill(piece, first));
    this.crossings = firsts.map(() => ({ own: [], out: [], in: [] }));
    for (const i of kept) {
      const [from, to] = [this.pieceOf[links[i].from], this.pieceOf[links[i].to]];
      if (from === to) this.crossings[from].own.push(i);
      else {
        this.crossings[from].out.push(i);
        this.crossings[to].in.push(i);
      }
    }
  }

  add(piece: number): Part {
    const { links, items } = this;
    const first = this.firsts[piece];
    const end = this.firsts[piece + 1] ?? items.length;
    const count = end - first;
    const { own, out, in: entering } = this.crossings[piece];
    const sourcesOf = (numbers: number[]): number[] => [...new Set(numbers.map((i) => links[i].from))].slice(0, MOST_CROSSING);
    const sources = sourcesOf(entering).filter((source) => this.exits.has(source));
    const leaving = sourcesOf(out);
    const entry = new Map(sources.map((source, i) => [source, count + i]));
    const laid = entering.filter((i) => entry.has(links[i].from));
    const ends = [...sources, ...leaving].map(() => ({ width: 1, height: 1 }));
    const inner = [
      ...own.map((i) => ({ from: links[i].from - first, to: links[i].to - first })),
      ...laid.map((i) => ({ from: entry.get(links[i].from)!, to: links[i].to - first })),
      ...leaving.map((source, i) => ({ from: source - first, to: count + sources.length + i })),
    ];
    const placed = this.layouts.place([...items.slice(first, end), ...ends], inner, count + sources.length);
    this.move(placed, this.shiftOf(sources, entry, placed));
    this.middles.push(...placed.middles.slice(0, count));
    const routes = placed.routes.slice(0, own.length);
    laid.forEach((link, i) => routes.push(this.join(links[link].from, piece, placed.routes[own.length + i])));
    const straight = entering.filter((i) => !entry.has(links[i].from) && links[i].from < end);
    routes.push(...straight.map((i) => this.straight(links[i])));
    leaving.forEach((source, i) => this.exits.set(source, placed.routes[own.length + laid.length + i]));
    this.y += placed.height + GAP;
    return { first, placed: { ...placed, middles: placed.middles.slice(0, count), routes }, links: [...own, ...laid, ...straight] };
  }

  /** Returns how far a piece must be moved sideways so that most lines from above enter it vertically. */
  private shiftOf(sources: number[], entry: Map<number, number>, { middles }: Placed): number {
    const shifts = sources.map((source) => this.exits.get(source)!.at(-2)! - middles[entry.get(source)!].x).sort((a, b) => a - b);
    return shifts[shifts.length >> 1] ?? 0;
  }

  private move({ middles, routes }: Placed, dx: number): void {
    for (const middle of middles) [middle.x, middle.y] = [middle.x + dx, middle.y + this.y];
    for (const route of routes) for (let i = 0; i < route.length; i += 2) [route[i], route[i + 1]] = [route[i] + dx, route[i + 1] + this.y];
    this.left = Math.min(this.left, dx);
  }

  /**
   * Returns the points of a line from its source to a reader in another piece. If there are pieces in between, the line
   * passes beside them.
   */
  private join(source: number, piece: number, below: number[]): number[] {
    const above = this.exits.get(source)!;
    if (this.pieceOf[source] === piece - 1) return [...above, ...below];
    const lane = this.left - LANE * (1 + (this.lanes++ % 12));
    return [...above, lane, above[above.length - 1] + GAP / 2, lane, below[1] - GAP / 2, ...below];
  }

  private straight({ from, to }: Link): number[] {
    const [a, b] = [this.middles[from], this.middles[to]];
    return [a.x, a.y + this.items[from].height / 2, b.x, b.y - this.items[to].height / 2];
  }
}
