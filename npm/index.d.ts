/** A model: text, or the bytes of any format that `onnxc` reads (protobuf, its text format, its JSON). */
export type Model = string | Uint8Array;

export interface Position {
  /** From 1. */
  line: number;
  /** From 1, in characters. */
  column: number;
  /** From 0, in bytes of UTF-8. */
  offset: number;
}

export interface Range {
  begin: Position;
  end: Position;
}

/** What `--error-format json` writes. */
export interface Finding {
  file: string;
  /** The name of its kind, which `explain` takes. */
  kind: string;
  /** Where the kind is explained. */
  help: string;
  severity: 'error' | 'warning';
  message: string;
  /** Its place in a text. */
  range?: Range;
  /** Its place in a model that is no text, such as `graph.node[0]`. */
  path?: string;
  notes: { message: string; range?: Range; path?: string }[];
  /** The corrections: all of them are to be made together. */
  fix_its: { range: Range; replacement: string }[];
}

export type Kind =
  | 'model' | 'graph' | 'function' | 'node' | 'attr' | 'type' | 'tensor' | 'shape' | 'sequence' | 'map' | 'optional';

export interface CommonOptions {
  /** What the model is, where it is a part of one. */
  kind?: Kind;
  /** The levels of warnings; `all` stands for all kinds. */
  warnings?: Record<string, 'off' | 'warning' | 'error'>;
  /** Without it, more than 20 findings of a kind are told as one, and no more than 100 in all. */
  allFindings?: boolean;
  /** Files beside the model, by their relative paths: weights, libraries, `.onnxc.toml`. */
  files?: Record<string, Uint8Array | string>;
  /** Further options of the command. */
  args?: string[];
  /** The module to be used instead of the one that the functions share. */
  onnxc?: Onnxc;
}

export interface CompileOptions extends CommonOptions {
  to?: 'onnx' | 'textproto' | 'json';
  /** False: the rules of the checker are left out. */
  check?: boolean;
  /** False: types and shapes are left out. */
  infer?: boolean;
}

export interface PrintOptions extends CommonOptions {
  dialect?: 'onnxc' | 'reference';
  weights?: 'inline' | 'elide';
  /** The structure, without weights. */
  skeleton?: boolean;
  /** The types of all values, as comments. */
  types?: boolean;
  allowLoss?: boolean;
}

export interface CheckOptions extends CommonOptions {
  /** Warnings are errors. */
  strict?: boolean;
  infer?: boolean;
}

export interface InferOptions extends CommonOptions {
  to?: 'onnx' | 'textproto' | 'json' | 'onnxtxt';
  /** Declared types are replaced. */
  overwrite?: boolean;
  /** Nothing is returned where types contradict each other. */
  strict?: boolean;
}

export interface FormatOptions extends CommonOptions {
  width?: number;
}

export interface DiffOptions extends CommonOptions {
  ignore?: ('names' | 'docs' | 'metadata' | 'storage')[];
  tolerance?: number;
  weightsTolerance?: number;
}

export interface InfoOptions extends CommonOptions {
  /** How many of the largest tensors are listed. */
  top?: number;
}

export interface GraphOptions extends CommonOptions {
  around?: string;
  function?: string;
  depth?: number;
  from?: string[];
  to?: string[];
}

/** What came of it: null where the findings say why. */
export interface Result<Output> {
  output: Output | null;
  findings: Finding[];
}

/** `onnxc compile` */
export function compile(model: Model, options?: CompileOptions): Promise<Result<Uint8Array>>;
/** `onnxc print` */
export function print(model: Model, options?: PrintOptions): Promise<Result<string>>;
/** `onnxc check`; `ok`: there is no error. */
export function check(model: Model, options?: CheckOptions): Promise<{ ok: boolean; findings: Finding[] }>;
/** `onnxc infer` */
export function infer(model: Model, options?: InferOptions): Promise<Result<Uint8Array>>;
/** `onnxc fmt` */
export function format(text: string, options?: FormatOptions): Promise<Result<string>>;
/** `onnxc diff --json`; `differences` is null where the models cannot be compared. */
export function diff(a: Model, b: Model, options?: DiffOptions):
  Promise<{ same: boolean; differences: Record<string, unknown>[] | null; findings: Finding[] }>;
/** `onnxc info --json`; `summary` is null where the model cannot be read. */
export function info(model: Model, options?: InfoOptions):
  Promise<{ summary: Record<string, unknown> | null; findings: Finding[] }>;
/** `onnxc graph`: a picture in the language DOT. */
export function graph(model: Model, options?: GraphOptions): Promise<Result<string>>;
/** `onnxc explain`; rejects where there is no such kind. */
export function explain(kind: string, options?: { onnxc?: Onnxc }): Promise<string>;

export interface RunResult {
  /** The exit status. */
  status: number;
  stdout: Uint8Array;
  stderr: Uint8Array;
  /** What was written, by relative paths. */
  files: Map<string, Uint8Array>;
}

export interface RunOptions {
  /** By relative paths. The module takes the bytes over without a copy. */
  files?: Record<string, Uint8Array | string>;
  stdin?: Uint8Array | string;
}

export interface LanguageServerCore {
  /** A message of the Language Server Protocol; what it is answered with is sent before this returns. Throws what `send` throws. */
  receive(message: object): void;
  dispose(): void;
}

/** The WebAssembly module. It works on one call at a time, and does not give memory back: a new one has its own. */
export class Onnxc {
  private constructor();
  /** `wasm` is `onnxc/onnxc.wasm` of this package, which is found without it where no bundler moved the files. */
  static load(wasm?: URL | BufferSource | WebAssembly.Module): Promise<Onnxc>;
  /** Whether it has failed. Then all calls throw, and a new one must be loaded. */
  readonly hasEnded: boolean;
  /** Does what `onnxc ARGS` does in a folder that holds the files. Throws OnnxcError where the module fails. */
  run(args: string[], options?: RunOptions): RunResult;
  /**
   * `send` may call receive(), and the module goes on if it throws.
   * `files`: what the server finds where it looks for files, by absolute paths such as `/models/.onnxc.toml`.
   */
  languageServer(
    send: (message: object) => void,
    options?: { files?: Record<string, Uint8Array | string> },
  ): LanguageServerCore;
  /** Writes files that language servers find, by absolute paths; null removes a file. */
  writeFiles(files: Record<string, Uint8Array | string | null>): void;
}

/** The module failed (no memory, a stack that is full), or the command was called wrongly. */
export class OnnxcError extends Error {
  readonly stderr: string;
}

/** A MessagePort, a Worker, the global object of a worker, or their like in Node.js. */
export type Port = { postMessage(message: unknown): void; start?(): void } & (
  | { addEventListener(type: 'message', listener: (event: any) => void): void;
      removeEventListener(type: 'message', listener: (event: any) => void): void }
  | { on(type: 'message', listener: (message: any) => void): unknown;
      off(type: 'message', listener: (message: any) => void): unknown }
);

export interface LanguageServerOptions {
  /** The module to be used; else one of its own is loaded. */
  onnxc?: Onnxc;
  files?: Record<string, Uint8Array | string>;
  /** The module has failed. The port gets no more answers. */
  onError?(error: unknown): void;
}

/** Serves the editor at the other end of the port. */
export function createLanguageServer(port: Port, options?: LanguageServerOptions): Promise<{ dispose(): void }>;
