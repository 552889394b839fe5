// The tasks that a worker does for the page. Each task runs the command once or twice, with files in memory.
import type { Onnxc, RunResult } from "onnxc";
import { parseDot } from "./dot";
import type { Drawing } from "./dot";
import { plural } from "./dom";
import type { Current, Difference, Format, Opened, Range, Source, Value } from "./protocol";
import { namesAt } from "./words";

/** Texts up to this size are edited as they are; of larger ones large weights are shown as checksums. */
const LARGEST_TEXT = 4 << 20;
// The name of the source file in the folder of the module. The file may have any format, because the content determines
// the format.
const MODEL = "model.onnx";
const EDITED = "edited.onnxtxt";
const OTHER = "old";
const COMPILED = "compiled";
/** No file beside a model takes these names. */
const OWN = [MODEL, EDITED, OTHER, COMPILED];
/** Files of more bytes are worth a new instance after them. */
const MUCH = 16 << 20;
const FORMATS: Record<string, Format> = {
  onnxtxt: "onnxtxt", onnxtext: "onnxtxt", txt: "onnxtxt", json: "json",
  pbtxt: "textproto", textproto: "textproto", prototxt: "textproto", txtpb: "textproto",
};
const DATA_KINDS = ["tensor", "sequence", "map", "optional"];

type Files = Record<string, Uint8Array | string>;
type Request = <Result>(method: string, params: object) => Promise<Result | null>;

/** A run that failed, with what the command said. */
export class Failed extends Error {}

interface Report {
  diagnostics: { kind: string; message: string; severity: string; path?: string; range?: { begin: { line: number; column: number } } }[];
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function reportOf({ stderr }: RunResult): Report["diagnostics"] {
  const said = text(stderr);
  try {
    return (JSON.parse(said) as Report).diagnostics;
  } catch {
    return said.trim() === "" ? [] : [{ kind: "", severity: "error", message: said.trim().replace(/^onnxc[^:]*: error: /, "") }];
  }
}

export function formatOf(name: string): Format {
  return FORMATS[name.slice(name.lastIndexOf(".") + 1).toLowerCase()] ?? "onnx";
}

export class Tasks {
  private read: { source: Source; files: Files } | undefined; // the files of the source that was used last

  constructor(
    private readonly onnxc: () => Promise<Onnxc>,
    private readonly request: Request,
    /** Lets the instance go: an instance gives no memory back. */
    private readonly release: () => void,
  ) {}

  private async run(args: string[], files: Files): Promise<RunResult> {
    const result = (await this.onnxc()).run(args, { files });
    if (Object.values(files).reduce((sum, { length }) => sum + length, 0) > MUCH) this.release();
    return result;
  }

  /** The output of a run that must not fail; `accepted`: other exit codes that are none. */
  private async output(args: string[], files: Files, accepted: number[] = []): Promise<RunResult> {
    const result = await this.run([...args, "--error-format", "json"], files);
    if (result.status === 0 || accepted.includes(result.status)) return result;
    const errors = reportOf(result).filter(({ severity }) => severity === "error");
    const lines = errors.slice(0, 5).map(({ message, range, path }) => (range ? `Line ${range.begin.line}: ` : path ? `${path}: ` : "") + message);
    if (errors.length > 5) lines.push(`and ${plural(errors.length - 5, "other error")}`);
    throw new Failed(lines.join("\n") || `onnxc ended with status ${result.status}`);
  }

  /** The files of a source as the module sees them; they are kept, as the next task needs the same ones. */
  private async filesOf(source: Source): Promise<Files> {
    const known = this.read?.source;
    if (known?.name === source.name && known.files.length === source.files.length && known.files.every((file, i) => isSame(file, source.files[i]))) {
      return this.read!.files;
    }
    this.read = undefined; // before others are read: both may be large
    const files: Files = {};
    for (const [i, file] of source.files.entries()) {
      const name = i === 0 ? MODEL : file.name;
      if (i > 0 && (OWN.includes(name) || name === "" || /[/\\\0]|^\.+$/.test(name))) continue;
      files[name] = new Uint8Array(await file.arrayBuffer());
    }
    this.read = { source, files };
    return files;
  }

  async open(source: Source): Promise<Opened> {
    const format = formatOf(source.name);
    const [model] = source.files;
    if (format === "onnxtxt" && model.size <= LARGEST_TEXT) {
      return { text: await model.text(), format, isElided: false, kind: "model" };
    }
    const files = await this.filesOf(source);
    const kind = /\.pb$/i.test(source.name) ? await this.kindOf(files) : "model";
    const print = ["print", "--kind", kind, MODEL, "--weights"];
    try {
      const printed = text((await this.output([...print, "elide"], files)).stdout);
      const isElided = printed.includes('["elided": "sha256:');
      const lost = format === "onnxtxt" ? " Its comments and its layout are not kept." : "";
      const notice = isElided ? `Large weights are shown as checksums. Saving puts them back.${lost}` : lost.trim() || undefined;
      return { text: printed, format, isElided, kind, notice };
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      // If the weights are in files that the page does not have, the text shows their locations.
      const printed = await this.run(["print", "--kind", kind, MODEL], files);
      if (printed.status !== 0) throw error;
      const notice = `${error.message.split(": ").pop()}: drop the model together with the files of its weights to see them as checksums.`;
      return { text: text(printed.stdout), format, isElided: false, kind, notice };
    }
  }

  /** `.pb` is a model, or data of a test. */
  private async kindOf(files: Files): Promise<string> {
    for (const kind of ["model", ...DATA_KINDS]) {
      const { status } = await this.run(["check", "-q", "--no-infer", "--kind", kind, MODEL], files);
      if (status === 0) return kind;
    }
    return "model";
  }

  /** What the text of the document compiles to, with all weights: those that it shows as checksums come from the source. */
  private async compiled(current: Current, to: Exclude<Format, "onnxtxt">): Promise<Uint8Array> {
    const files = current.source && current.isElided ? await this.filesOf(current.source) : {};
    const weights = current.isElided ? ["--weights", MODEL] : [];
    // --no-check: a model with findings can be saved, too; the page shows the findings.
    const args = ["compile", "-q", "--no-check", "--kind", current.kind, "--to", to, EDITED, ...weights, "-o", COMPILED];
    const result = await this.output(args, { ...files, [EDITED]: current.text });
    const bytes = result.files.get(COMPILED);
    if (bytes === undefined) throw new Failed("onnxc wrote no file");
    return bytes;
  }

  /** The bytes to save. `isWhole`: a text with all weights in it. */
  async save(current: Current, to: Format, isWhole: boolean): Promise<Uint8Array> {
    if (to !== "onnxtxt") return this.compiled(current, to);
    if (!isWhole) return new TextEncoder().encode(current.text);
    const files = { ...(current.source ? await this.filesOf(current.source) : {}), [MODEL]: await this.compiled(current, "onnx") };
    return (await this.output(["print", "--kind", current.kind, "--weights", "inline", MODEL], files)).stdout;
  }

  /** The model as the files of a run; its name is `MODEL`. */
  private async model(current: Current): Promise<Files> {
    if (current.source && current.isUnchanged) return this.filesOf(current.source);
    const beside = current.source ? await this.filesOf(current.source) : {};
    return { ...beside, [MODEL]: await this.compiled(current, "onnx") };
  }

  async sizes(current: Current): Promise<Summary> {
    const { stdout } = await this.output(["info", "--json", "--top", "100", "--kind", current.kind, MODEL], await this.model(current));
    return (JSON.parse(text(stdout)) as { models: Summary[] }).models[0];
  }

  /** The differences of the document from another model, and the text of that one. */
  async compare(current: Current, other: Source): Promise<{ differences: Difference[]; before: string }> {
    const files = await this.model(current);
    const old = { [OTHER]: new Uint8Array(await other.files[0].arrayBuffer()) };
    const { stdout } = await this.output(["diff", "--json", "--kind", current.kind, OTHER, MODEL], { ...files, ...old }, [1]);
    const { differences } = JSON.parse(text(stdout)) as { differences: Difference[] };
    const print = ["print", "--kind", current.kind, OTHER];
    const elided = await this.run([...print, "--weights", "elide"], old);
    // If the weights are in files that the page does not have, the text shows their locations.
    const { stdout: before } = elided.status === 0 ? elided : await this.output(print, old);
    return { differences, before: text(before) };
  }

  async explain(kind: string): Promise<string> {
    const { status, stdout, stderr } = await this.run(["explain", kind], {});
    return text(status === 0 ? stdout : stderr);
  }

  /** The inferred types of all values that nodes give, in the order of the text. */
  async types(uri: string, document: string): Promise<Value[]> {
    return namesAt(document, await this.hints(uri, { start: { line: 0, character: 0 }, end: { line: 1 << 30, character: 0 } }));
  }

  private async hints(uri: string, range: Range): Promise<Hint[]> {
    const hints = await this.request<Hint[]>("textDocument/inlayHint", { textDocument: { uri }, range });
    return (hints ?? []).filter(({ kind }) => kind === 1);
  }

  /** The picture of the graph or function at a place, with the inferred types of its values. */
  async draw(uri: string, document: string, position: Range["start"], before?: string): Promise<Drawing | null> {
    const place = { uri, position, before };
    const graph = await this.request<Picture>("workspace/executeCommand", { command: "onnxc.showGraph", arguments: [place] });
    if (graph === null) return null;
    const types = new Map(namesAt(document, await this.hints(uri, graph.range)).map(({ name, type }) => [name, type]));
    return parseDot(graph.dot, { places: graph.nodes, words: graph.words, changed: graph.changed ?? {}, types });
  }
}

export interface Hint {
  kind?: number;
  label: string;
  position: Range["start"];
}

interface Picture {
  dot: string;
  range: Range;
  nodes: Record<string, Range>;
  words: Record<string, string>;
  changed?: Record<string, string>;
}

/** What `onnxc info --json` tells of a model. */
export interface Summary {
  file_bytes: number;
  bytes: number;
  nodes: number;
  subgraphs: number;
  parameters: { element_type: string; tensors: number; elements: number; bytes: number; external_bytes: number }[];
  constants: Summary["parameters"];
  operators: { domain: string; op_type: string; nodes: number }[];
  largest: { name: string; type: string; bytes: number; is_external: boolean; readers: string[] }[];
}

const isSame = (a: File, b: File): boolean => a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;

