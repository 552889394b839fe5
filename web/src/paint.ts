// Paints the visible part of a picture. Text that would be too small to read is left out, so that a picture of 10,000
// nodes is painted quickly.
import { LINE_FONT, TITLE_FONT } from "./fonts";
import type { Palette } from "./palette";
import type { Box, Piece, Route } from "./scene";

export interface View {
  /**
   * `x` and `y` are the point of the picture at the upper left corner of the canvas. `scale` is the number of pixels
   * per unit.
   */
  x: number;
  y: number;
  scale: number;
  width: number;
  height: number;
}

export interface Marks {
  marked?: string;
  focused?: string;
  found: Set<string>;
}

/** Minimum scales at which texts, types of lines, and curves are drawn. */
const READABLE = 0.45;
const TYPES = 0.7;
const CURVED = 0.2;

function meets(view: View, x: number, y: number, width: number, height: number): boolean {
  return x < view.x + view.width / view.scale && x + width > view.x && y < view.y + view.height / view.scale && y + height > view.y;
}

function trace(context: CanvasRenderingContext2D, { points }: Route, isCurved: boolean): void {
  context.moveTo(points[0], points[1]);
  const last = points.length - 2;
  if (!isCurved) {
    for (let i = 2; i <= last; i += 2) context.lineTo(points[i], points[i + 1]);
    return;
  }
  for (let i = 2; i < last; i += 2) {
    context.quadraticCurveTo(points[i], points[i + 1], (points[i] + points[i + 2]) / 2, (points[i + 1] + points[i + 3]) / 2);
  }
  context.lineTo(points[last], points[last + 1]);
}

function arrow(context: CanvasRenderingContext2D, { points }: Route): void {
  const [x0, y0, x, y] = points.slice(-4);
  const angle = Math.atan2(y - y0, x - x0);
  context.moveTo(x, y);
  context.lineTo(x - 7 * Math.cos(angle - 0.4), y - 7 * Math.sin(angle - 0.4));
  context.lineTo(x - 7 * Math.cos(angle + 0.4), y - 7 * Math.sin(angle + 0.4));
}

/** Paints the visible parts of the pieces. Frames are painted first, because they are behind their contents. */
export function paint(context: CanvasRenderingContext2D, pieces: Piece[], view: View, colours: Palette, marks: Marks): void {
  const ratio = devicePixelRatio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, view.width, view.height);
  const factor = ratio * view.scale;
  context.setTransform(factor, 0, 0, factor, -view.x * factor, -view.y * factor);
  const visible = pieces.filter(({ x, y, width, height }) => meets(view, x, y, width, height));
  const boxes = visible.flatMap((piece) => piece.boxes.filter(({ x, y, width, height }) => meets(view, x - 4, y - 4, width + 8, height + 8)));
  for (const box of boxes) if (box.frame) paintFrame(context, box, view, colours, marks);
  paintRoutes(context, visible, view, colours);
  for (const box of boxes) if (!box.frame) paintNode(context, box, view, colours, marks);
  if (view.scale >= TYPES) paintTypes(context, visible, view, colours);
}

function paintRoutes(context: CanvasRenderingContext2D, pieces: Piece[], view: View, colours: Palette): void {
  context.strokeStyle = context.fillStyle = colours["op-line"];
  context.lineWidth = Math.max(1, 0.6 / view.scale);
  for (const isInside of [false, true]) {
    context.setLineDash(isInside ? [5, 4] : []);
    context.beginPath();
    for (const { routes } of pieces) for (const route of routes) if ((route.line === undefined) === isInside) trace(context, route, view.scale >= CURVED);
    context.stroke();
  }
  context.setLineDash([]);
  if (view.scale < CURVED) return;
  context.beginPath();
  for (const { routes } of pieces) for (const route of routes) arrow(context, route);
  context.fill();
}

/** Paints the type of each value once, beside the first line from its node. */
function paintTypes(context: CanvasRenderingContext2D, pieces: Piece[], view: View, colours: Palette): void {
  context.font = LINE_FONT;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  const told = new Set<string>();
  for (const { routes } of pieces) {
    for (const { line, points } of routes) {
      if (line === undefined || line.type === "") continue;
      const key = `${line.from} ${line.value}`;
      const [x, y] = [points[0] + 6, points[1] + 14];
      if (told.has(key) || !meets(view, x, y - 8, 240, 16)) continue;
      told.add(key);
      context.strokeStyle = colours.paper;
      context.lineWidth = 3;
      context.strokeText(line.type, x, y);
      context.fillStyle = colours.quiet;
      context.fillText(line.type, x, y);
    }
  }
}

function outline(context: CanvasRenderingContext2D, box: Box, radius: number): void {
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, radius);
}

function paintFrame(context: CanvasRenderingContext2D, box: Box, view: View, colours: Palette, marks: Marks): void {
  context.fillStyle = colours.frame;
  context.strokeStyle = colours["frame-line"];
  context.lineWidth = 1;
  outline(context, box, 8);
  context.fill();
  context.stroke();
  ring(context, box, view, colours, marks);
  if (view.scale < READABLE / 2) return;
  const { isOpen, count } = box.frame!;
  context.fillStyle = colours.ink;
  context.font = TITLE_FONT;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(`${isOpen ? "▾" : "▸"} ${box.title}${isOpen ? "" : ` (${count})`}`, box.x + 9, box.y + 15);
}

function paintNode(context: CanvasRenderingContext2D, box: Box, view: View, colours: Palette, marks: Marks): void {
  const shape = box.node!.shape;
  // Values from unknown sources have only an outline.
  const [fill, line] = shape === "unknown" ? [colours.paper, colours.unknown] : [colours[shape], colours[`${shape}-line`]];
  context.fillStyle = marks.found.has(box.id) ? colours.found : fill;
  if (view.scale < CURVED / 2) {
    if (!marks.found.has(box.id)) context.fillStyle = line;
    context.fillRect(box.x, box.y, box.width, box.height);
  } else {
    context.strokeStyle = line;
    context.lineWidth = 1;
    outline(context, box, shape === "input" || shape === "output" ? box.height / 2 : shape === "weight" ? 0 : 5);
    context.fill();
    context.stroke();
  }
  ring(context, box, view, colours, marks);
  if (view.scale < READABLE) return;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const middle = box.x + box.width / 2;
  context.fillStyle = shape === "unknown" ? colours.unknown : colours.ink;
  context.font = TITLE_FONT;
  context.fillText(box.title, middle, box.y + 14);
  context.fillStyle = colours.quiet;
  context.font = LINE_FONT;
  box.lines.forEach((line, i) => context.fillText(line, middle, box.y + 29 + 13 * i));
}

/** Paints a ring around a box that is at the cursor, in focus, or different in the other model. */
function ring(context: CanvasRenderingContext2D, box: Box, view: View, colours: Palette, marks: Marks): void {
  const changed = box.node?.changed;
  const isMarked = box.id === marks.marked || box.id === marks.focused;
  if (!isMarked && changed === undefined) return;
  const pixel = Math.max(1, 1 / view.scale);
  context.strokeStyle = isMarked ? colours.marked : changed === "added" ? colours.added : colours.changed;
  context.lineWidth = (box.id === marks.focused ? 3.5 : 2.5) * pixel;
  context.setLineDash(!isMarked && changed === "changed" ? [6 * pixel, 3 * pixel] : []);
  outline(context, box, 5);
  context.stroke();
  context.setLineDash([]);
}
