// What the extension and the workers that run onnxc say to each other.
export type Files = Record<string, Uint8Array>;

/** The first message to a worker. `serve`: the port of the client of a language server that finds these files. */
export interface Start {
  module: WebAssembly.Module;
  serve?: MessagePort;
  files?: Files;
}

/** To the worker of a language server: a file has changed; null: it was deleted. */
export interface Change {
  path: string;
  bytes: Uint8Array | null;
}

/** To the worker of the command. */
export interface Request {
  number: number;
  args: string[];
  files: Files;
  input?: Uint8Array;
}

/** What came of a request. */
export interface Result {
  number: number;
  status: number;
  output: Uint8Array;
  errors: string;
  /** What was written. */
  files: Map<string, Uint8Array>;
}
