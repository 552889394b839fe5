/** A model: a text, or the bytes of a file in any format that `onnxc` reads (text, protobuf, protobuf's text format or JSON). */
export type Model = string | Uint8Array;

export interface Position {
  /** Counted from 1. */
  line: number;
  /** Counted from 1, in characters. */
  column: number;
  /** Counted from 0, in bytes of UTF-8. */
  offset: number;
}

export interface Range {
  begin: Position;
  end: Position;
}

/** A finding as `--error-format json` writes it. */
export interface Finding {
  file: string;
  /** The name of the kind of finding. It can be passed to `explain`. */
  kind: string;
  /** The address of the page that explains the kind, if the documents are published. */
  help?: string;
  severity: 'error' | 'warning';
  message: string;
  /** The place of the finding if the model is a text. */
  range?: Range;
  /** The place of the finding if the model is not a text, such as `graph.node[0]`. */
  path?: string;
  notes: { message: string; range?: Range; path?: string }[];
  /** The corrections. They must be applied together. */
  fix_its: { range: Range; replacement: string }[];
}

export type Kind =
  | 'model' | 'graph' | 'function' | 'node' | 'attr' | 'type' | 'tensor' | 'shape' | 'sequence' | 'map' | 'optional';

export interface CommonOptions {
  /** The kind of the message, if it is only a part of a model (default: model). */
  kind?: Kind;
  /** The level of each kind of warning. The key `all` stands for all kinds. */
  warnings?: Record<string, 'off' | 'warning' | 'error'>;
  /** Return all findings. Otherwise, more than 20 findings of a kind are combined into one, and at most 100 are returned. */
  allFindings?: boolean;
  /** Files beside the model: weights, libraries, `.onnxc.toml`. The keys are relative paths. */
  files?: Record<string, Uint8Array | string>;
  /** Further options of the command. */
  args?: string[];
  /** The module to use instead of the module that the functions share. */
  onnxc?: Onnxc;
}

export interface CompileOptions extends CommonOptions {
  to?: 'onnx' | 'textproto' | 'json';
  /** If false, the model is not checked. */
  check?: boolean;
  /** If false, types and shapes are not inferred. */
  infer?: boolean;
}

export interface PrintOptions extends CommonOptions {
  dialect?: 'onnxc' | 'reference';
  weights?: 'inline' | 'elide';
  /** Print only the structure, without weights. */
  skeleton?: boolean;
  /** Add the types of all values as comments. */
  types?: boolean;
  allowLoss?: boolean;
}

export interface CheckOptions extends CommonOptions {
  /** Treat warnings as errors. */
  strict?: boolean;
  infer?: boolean;
}

export interface InferOptions extends CommonOptions {
  to?: 'onnx' | 'textproto' | 'json' | 'onnxtxt';
  /** Replace declared types by inferred types. */
  overwrite?: boolean;
  /** Return no model if types contradict each other. */
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
  /** The number of the largest tensors that are listed. */
  top?: number;
}

export interface GraphOptions extends CommonOptions {
  around?: string;
  function?: string;
  depth?: number;
  from?: string[];
  to?: string[];
}

/** The result of a function. `output` is null if it failed; the findings then contain the reason. */
export interface Result<Output> {
  output: Output | null;
  findings: Finding[];
}

/** `onnxc compile` */
export function compile(model: Model, options?: CompileOptions): Promise<Result<Uint8Array>>;
/** `onnxc print` */
export function print(model: Model, options?: PrintOptions): Promise<Result<string>>;
/** `onnxc check`; `ok` is true if there is no error. */
export function check(model: Model, options?: CheckOptions): Promise<{ ok: boolean; findings: Finding[] }>;
/** `onnxc infer` */
export function infer(model: Model, options?: InferOptions): Promise<Result<Uint8Array>>;
/** `onnxc fmt` */
export function format(text: string, options?: FormatOptions): Promise<Result<string>>;
/** `onnxc diff --json`; `differences` is null if the models cannot be compared. */
export function diff(a: Model, b: Model, options?: DiffOptions):
  Promise<{ same: boolean; differences: Record<string, unknown>[] | null; findings: Finding[] }>;
/** `onnxc info --json`; `summary` is null if the model cannot be read. */
export function info(model: Model, options?: InfoOptions):
  Promise<{ summary: Record<string, unknown> | null; findings: Finding[] }>;
/** `onnxc graph`; the output is a picture in the DOT language. */
export function graph(model: Model, options?: GraphOptions): Promise<Result<string>>;
/** `onnxc explain`; rejects if the kind does not exist. */
export function explain(kind: string, options?: { onnxc?: Onnxc }): Promise<string>;

export interface RunResult {
  /** The exit status. */
  status: number;
  stdout: Uint8Array;
  stderr: Uint8Array;
  /** The files that the command has written. The keys are relative paths. */
  files: Map<string, Uint8Array>;
}

export interface RunOptions {
  /** The input files. The keys are relative paths. The module uses the bytes without copying them. */
  files?: Record<string, Uint8Array | string>;
  stdin?: Uint8Array | string;
}

export interface LanguageServerCore {
  /**
   * Handles a message of the Language Server Protocol. All answers are sent before this function returns. Exceptions of
   * `send` are rethrown.
   */
  receive(message: object): void;
  dispose(): void;
}

/**
 * An instance of the WebAssembly module. It handles one call at a time. It never releases memory; a new instance has
 * its own memory.
 */
export class Onnxc {
  private constructor();
  /** `wasm` is the file `onnxc/onnxc.wasm` of this package. It is needed only if a bundler has moved the files. */
  static load(wasm?: URL | BufferSource | WebAssembly.Module): Promise<Onnxc>;
  /** True if the module has failed. All further calls then throw, and a new module must be loaded. */
  readonly hasEnded: boolean;
  /** Runs `onnxc ARGS` in a folder that contains the files. Throws OnnxcError if the module fails. */
  run(args: string[], options?: RunOptions): RunResult;
  /**
   * `send` receives the messages for the client. It may call receive(). If `send` throws, the module can still be used. `files`
   * are the files that the server can read. The keys are absolute paths such as `/models/.onnxc.toml`.
   */
  languageServer(
    send: (message: object) => void,
    options?: { files?: Record<string, Uint8Array | string> },
  ): LanguageServerCore;
  /** Writes files that language servers can read. The keys are absolute paths. The value null removes a file. */
  writeFiles(files: Record<string, Uint8Array | string | null>): void;
}

/** The module has failed (out of memory, or stack overflow), or the command was called with wrong arguments. */
export class OnnxcError extends Error {
  readonly stderr: string;
}

/** A MessagePort, a Worker, the global object of a worker, or an equivalent object in Node.js. */
export type Port = { postMessage(message: unknown): void; start?(): void } & (
  | { addEventListener(type: 'message', listener: (event: any) => void): void;
      removeEventListener(type: 'message', listener: (event: any) => void): void }
  | { on(type: 'message', listener: (message: any) => void): unknown;
      off(type: 'message', listener: (message: any) => void): unknown }
);

export interface LanguageServerOptions {
  /** The module to use (default: a new module is loaded). */
  onnxc?: Onnxc;
  files?: Record<string, Uint8Array | string>;
  /** Called if the module has failed. The port receives no more answers. */
  onError?(error: unknown): void;
}

/** Starts a language server for the editor at the other end of the port. */
export function createLanguageServer(port: Port, options?: LanguageServerOptions): Promise<{ dispose(): void }>;
