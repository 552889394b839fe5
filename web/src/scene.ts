// A picture after the layout: boxes and lines with their positions.
import type { Drawing, DrawnLine, DrawnNode } from "./dot";

export interface Box {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
  title: string;
  /** What stands below the title. */
  lines: string[];
  node?: DrawnNode;
  /** A graph inside of a node, or a function: open with its content in it, or closed. */
  frame?: { isOpen: boolean; count: number };
}

export interface Route {
  line?: DrawnLine; // a node and its graph have none
  /** x0, y0, x1, y1, ... */
  points: number[];
}

/** A part of the picture: what is in it is within its bounds. */
export interface Piece {
  x: number;
  y: number;
  width: number;
  height: number;
  boxes: Box[];
  routes: Route[];
}

/** To the layout. `open`: frames that the reader has opened or closed. */
export interface Wanted {
  turn: number;
  level: Drawing;
  open: Record<string, boolean>;
}

/** From the layout: a piece when it is done, and at last all bounds. */
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
