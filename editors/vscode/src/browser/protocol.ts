// The messages between the extension and the workers that run onnxc.
export type Files = Record<string, Uint8Array>;

/**
 * The first message to a worker. If the worker is a language server, `serve` is the port of its client, and the server
 * can read `files`.
 */
export interface Start {
  module: WebAssembly.Module;
  serve?: MessagePort;
  files?: Files;
}

/** A message to a language server: a file has changed, or was deleted (null). */
export interface Change {
  path: string;
  bytes: Uint8Array | null;
}

/** A message to the worker of the command. */
export interface Request {
  number: number;
  args: string[];
  files: Files;
  input?: Uint8Array;
}

/** The result of a request. */
export interface Result {
  number: number;
  status: number;
  output: Uint8Array;
  errors: string;
  /** The files that the command has written. */
  files: Map<string, Uint8Array>;
}
