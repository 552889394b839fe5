// The formats of files, by their suffixes; src/codec/suffixes.h is the table of the command.
import type { Format } from "./protocol";

/** Of files that are opened together, the one with the first of these suffixes is the model. The first one of a format is used to save. */
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

/** A name without its suffix. */
export function stemOf(name: string): string {
  return name.replace(/\.[A-Za-z]+$/, "");
}

/** The files with the model in front. */
export function modelFirst(files: File[]): File[] {
  return files.toSorted((a, b) => rowOf(a.name) - rowOf(b.name));
}
