// The messages between the page and its workers.
import type { Kind } from "onnxc";
import type { Exact } from "./exact";
import type { Tasks } from "./tasks";

/** An opened file, and the files with its weights. The contents of the files are read only when they are needed. */
export interface Source {
  /** Two sources may have files of equal names, sizes and times, but they have different numbers. */
  id: number;
  name: string;
  files: File[];
}

export type Format = "onnxtxt" | "onnx" | "textproto" | "json";

export interface Opened extends Exact {
  format: Format;
  /** The text contains checksums instead of large weights. When the document is saved, the weights come from the source. */
  isElided: boolean;
  /** A message about the text for the user. */
  notice?: string;
  /** "model", or the kind of the data. */
  kind: Kind;
}

/** The document of the page: the text in the editor, and where it comes from. */
export interface Current extends Omit<Opened, "notice"> {
  /** The text has not changed since the source was opened. */
  isUnchanged: boolean;
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
  /** The operator of the node that computes the value. */
  from: string;
}

/** A message to the worker: a task, or a message for its language server. */
export type ToWorker = { call: number; task: keyof Tasks; args: unknown[] } | { lsp: string };

/**
 * A message from the worker: the answer to a task, a message of its language server, or `ended` with the error that
 * ended the language server.
 */
export type FromWorker = { answer: number; value?: unknown; error?: string } | { lsp: string } | { ended: string };
