// The formats of files, by their suffixes. src/codec/suffixes.h is the corresponding table of the command.
import type { Format } from "./protocol";

/**
 * If files are opened together, the file whose suffix comes first in this table is the model. To save in a format, its
 * first suffix is used.
 */
const SUFFIXES: [string, Format][] = [
  [".onnx", "onnx"], [".onnxtxt", "onnxtxt"], [".onnxtext", "onnxtxt"], [".pb", "onnx"],
  [".pbtxt", "textproto"], [".textproto", "textproto"], [".prototxt", "textproto"], [".txtpb", "textproto"], [".json", "json"], [".txt", "onnxtxt"],
];

function rowOf(name: string): number {
  const row = SUFFIXES.findIndex(([suffix]) => name.toLowerCase().endsWith(suffix));
  return row < 0 ? SUFFIXES.length : row;
}

export function formatOf(name: string): Format {
  return SUFFIXES[rowOf(name)]?.[1] ?? "onnx";
}

export function suffixOf(wanted: Format): string {
  return SUFFIXES.find(([, format]) => format === wanted)![0];
}

/** Returns a file name without its suffix. */
export function stemOf(name: string): string {
  return name.replace(/\.[A-Za-z]+$/, "");
}

/** Returns the files in an order in which the model is the first one. */
export function modelFirst(files: File[]): File[] {
  return files.toSorted((a, b) => rowOf(a.name) - rowOf(b.name));
}
