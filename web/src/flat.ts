// The layout of boxes and lines without frames, by dagre. Its time grows faster than the number of boxes, so a large graph is
// divided where few values cross, and laid out piece by piece.
import { Graph, layout } from "@dagrejs/dagre";

export interface Item {
  width: number;
  height: number;
}

export interface Link {
  from: number;
  to: number;
}

export interface Placed {
  width: number;
  height: number;
  /** The middle of each item. */
  middles: { x: number; y: number }[];
  /** x, y, x, y, ... of each link. */
  routes: number[][];
}

/** Up to so many items are laid out at once. */
const MOST = 300;
/** A piece of a larger graph has between so many items and twice as many. */
const LEAST = 120;
const GAP = 44;
const LANE = 10;

/** Where a list is divided: the first items of all pieces, each where the fewest values cross. */
export function divide(count: number, links: Link[]): number[] {
  if (count <= MOST) return [0];
  const last = Array.from({ length: count }, (_, i) => i); // the last reader of each item
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

/** By dagre alone. Items from `bottom` on are ends of lines that go on below. */
function place(items: Item[], links: Link[], bottom: number): Placed {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ nodesep: 22, ranksep: GAP, edgesep: 14, marginx: 0, marginy: 0 });
  graph.setDefaultEdgeLabel(() => ({}));
  items.forEach(({ width, height }, i) => graph.setNode(String(i), { width, height }));
  links.forEach(({ from, to }, i) => graph.setEdge(String(from), String(to), {}, String(i)));
  if (bottom < items.length) {
    // What goes on below is kept at the bottom by a node below everything.
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

/** One piece of a larger graph. `links` are the numbers of the links that are laid out in it, in the order of `routes`. */
export interface Part {
  first: number;
  placed: Placed;
  links: number[];
}

/** The layouts of the last picture: after a change most pieces are the same. */
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

  /** All pieces one below the other, each told when it is there. Items and routes have their final places. */
  async *pieces(items: Item[], links: Link[]): AsyncGenerator<Part> {
    const firsts = divide(items.length, links);
    if (firsts.length === 1) {
      yield { first: 0, placed: this.place(items, links), links: links.map((_, i) => i) };
      return;
    }
    const pieceOf = new Int32Array(items.length);
    firsts.forEach((first, piece) => pieceOf.fill(piece, first));
    const perPiece = firsts.map(() => ({ own: [] as number[], out: [] as number[], in: [] as number[] }));
    links.forEach(({ from, to }, i) => {
      const [a, b] = [pieceOf[from], pieceOf[to]];
      if (a === b) perPiece[a].own.push(i);
      else {
        perPiece[a].out.push(i);
        perPiece[b].in.push(i);
      }
    });
    const exits = new Map<number, number[]>(); // the way of an item's value to the bottom of its piece
    let [y, lanes] = [0, 0];
    for (const [piece, first] of firsts.entries()) {
      const end = firsts[piece + 1] ?? items.length;
      const { own, out, in: entering } = perPiece[piece];
      const sources = [...new Set(entering.map((i) => links[i].from))];
      const leaving = [...new Set(out.map((i) => links[i].from))];
      const count = end - first;
      const all = [...items.slice(first, end), ...[...sources, ...leaving].map(() => ({ width: 1, height: 1 }))];
      const entry = new Map(sources.map((source, i) => [source, count + i]));
      const inner = [
        ...own.map((i) => ({ from: links[i].from - first, to: links[i].to - first })),
        ...entering.map((i) => ({ from: entry.get(links[i].from)!, to: links[i].to - first })),
        ...leaving.map((source, i) => ({ from: source - first, to: count + sources.length + i })),
      ];
      const placed = this.place(all, inner, count + sources.length);
      const shift = this.shiftOf(sources, entry, exits, placed);
      for (const middle of placed.middles) [middle.x, middle.y] = [middle.x + shift, middle.y + y];
      for (const route of placed.routes) for (let i = 0; i < route.length; i += 2) [route[i], route[i + 1]] = [route[i] + shift, route[i + 1] + y];
      const routes = placed.routes.slice(0, own.length);
      entering.forEach((link, i) => {
        const above = exits.get(links[link].from) ?? [];
        const below = placed.routes[own.length + i];
        const isNext = pieceOf[links[link].from] === piece - 1;
        const lane = -LANE * (1 + (lanes++ % 12)); // what is read far below goes beside the pieces between
        const beside = isNext || above.length === 0 ? [] : [lane, above[above.length - 1] + GAP / 2, lane, below[1] - GAP / 2];
        routes.push([...above, ...beside, ...below]);
      });
      leaving.forEach((source, i) => exits.set(source, placed.routes[own.length + entering.length + i]));
      const middles = placed.middles.slice(0, count);
      yield { first, placed: { ...placed, middles, routes }, links: [...own, ...entering] };
      y += placed.height + GAP;
    }
  }

  /** How far a piece is moved so that what comes from above goes straight down. */
  private shiftOf(sources: number[], entry: Map<number, number>, exits: Map<number, number[]>, placed: Placed): number {
    const shifts = sources.flatMap((source) => {
      const way = exits.get(source);
      return way === undefined ? [] : [way[way.length - 2] - placed.middles[entry.get(source)!].x];
    });
    shifts.sort((a, b) => a - b);
    return shifts[shifts.length >> 1] ?? 0;
  }
}
