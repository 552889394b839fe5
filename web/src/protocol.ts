// The messages between the page and its workers.
import type { Kind } from "onnxc";
import type { Tasks } from "./tasks";

/** A file that was opened, with the files beside it that hold weights. The files stay where they are until they are read. */
export interface Source {
  name: string;
  files: File[];
}

export type Format = "onnxtxt" | "onnx" | "textproto" | "json";

export interface Opened {
  text: string;
  format: Format;
  /** The text has checksums in the place of large weights, which come from the source when it is saved. */
  isElided: boolean;
  /** What the reader has to know about the text. */
  notice?: string;
  /** A model, or data. */
  kind: Kind;
}

/** The document of the page: the text in the editor, and where it comes from. */
export interface Current {
  text: string;
  /** The text is what the source was opened as. */
  isUnchanged: boolean;
  isElided: boolean;
  kind: Kind;
  source?: Source;
}

export interface Place {
  line: number;
  character: number;
}
export interface Range {
  start: Place;
  end: Place;
}

export interface Difference {
  kind: "added" | "removed" | "changed" | "renamed";
  path: string;
  before?: string;
  after?: string;
  detail?: string;
  subject?: string;
}

export interface Value {
  name: string;
  type: string;
  place: Place;
  /** The node's operator, or what else gives the value. */
  from: string;
}

/** To the worker. */
export type ToWorker = { call: number; task: keyof Tasks; args: unknown[] } | { lsp: string };

/** From the worker. `ended`: the language server has ended, by this message. */
export type FromWorker = { answer: number; value?: unknown; error?: string } | { lsp: string } | { ended: string };
