// A picture after the layout: boxes and lines with their positions.
import type { Drawing, DrawnLine, DrawnNode } from "./dot";

export interface Box {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
  title: string;
  /** The lines of text below the title. */
  lines: string[];
  node?: DrawnNode;
  /** Set if the box is the frame of a subgraph or a function. An open frame shows its contents. */
  frame?: { isOpen: boolean; count: number };
}

export interface Route {
  line?: DrawnLine; // undefined for the line between a node and its subgraph
  /** The points: x0, y0, x1, y1, ... */
  points: number[];
}

/** A part of the picture. The bounds enclose all its boxes and routes. */
export interface Piece {
  x: number;
  y: number;
  width: number;
  height: number;
  boxes: Box[];
  routes: Route[];
}

/** A message to the layout worker. `open` contains the frames that the user has opened (true) or closed (false). */
export interface Wanted {
  turn: number;
  level: Drawing;
  open: Record<string, boolean>;
}

/** A message from the layout worker: a complete piece, the end of the layout (`isLast`), or an error. */
export type LaidOut = { turn: number; pieces: Piece[]; done: number; isLast: boolean } | { turn: number; error: string };

export function move(piece: Piece, dx: number, dy: number): Piece {
  piece.x += dx;
  piece.y += dy;
  for (const box of piece.boxes) {
    box.x += dx;
    box.y += dy;
  }
  for (const { points } of piece.routes) {
    for (let i = 0; i < points.length; i += 2) {
      points[i] += dx;
      points[i + 1] += dy;
    }
  }
  return piece;
}
