// The tasks that a worker does for the page. Each task calls one or two functions of the npm package.
import { check, compile, diff, explain, info, print } from "onnxc";
import type { CommonOptions, Finding, Kind, Onnxc, Result } from "onnxc";
import { parseDot } from "./dot";
import type { Drawing } from "./dot";
import { plural, sizeOf } from "./dom";
import { elide, restore } from "./elided";
import { decode, encode } from "./exact";
import type { Exact } from "./exact";
import { formatOf } from "./formats";
import type { Current, Difference, Format, Opened, Range, Source, Value } from "./protocol";
import { namesAt } from "./words";

/** In larger texts, large weights are shown as checksums. */
const LARGEST_TEXT = 4 << 20;
/** The names of models in the module's folder. No file beside a model takes these names. */
const MODEL = "model.onnx";
const WEIGHTS = "weights.onnx"; // the source, if it supplies the weights of a text
const OWN = [MODEL, WEIGHTS, "model.onnxtxt"];
/** Browsers cannot read files of about 2 GiB. */
const MOST = 2e9;
/** After work on files with more bytes, a new instance is loaded, because an instance never releases memory. */
const MUCH = 16 << 20;
const ELIDED = "Large weights are shown as checksums. Saving puts them back.";
const KINDS: Kind[] = ["model", "tensor", "sequence", "map", "optional"];

type Files = Record<string, Uint8Array>;
type Request = <Result>(method: string, params: object) => Promise<Result | null>;

/** The error that is thrown if the command finds errors. */
class Failed extends Error {
  constructor(findings: Finding[]) {
    const errors = findings.filter(({ severity }) => severity === "error");
    const lines = errors.slice(0, 5).map(({ message, range, path }) => (range ? `Line ${range.begin.line}: ` : path ? `${path}: ` : "") + message);
    if (errors.length > 5) lines.push(`and ${plural(errors.length - 5, "other error")}`);
    super(lines.join("\n"));
  }
}

/** Returns the output of a function. Throws an exception if there is none. */
function outputOf<Output>({ output, findings }: Result<Output>): Output {
  if (output === null) throw new Failed(findings);
  return output;
}

export class Tasks {
  private read: { source: Source; files: Files } | undefined; // the files of the source that was used last

  constructor(
    private readonly onnxc: () => Promise<Onnxc>,
    private readonly request: Request,
    /** Releases the instance, so that the next task loads a new one. */
    private readonly release: () => void,
  ) {}

  /** Calls functions of the package with these files. */
  private async use<Output>(files: Files, call: (options: CommonOptions) => Promise<Output>): Promise<Output> {
    const output = await call({ onnxc: await this.onnxc(), files });
    if (Object.values(files).reduce((sum, { length }) => sum + length, 0) > MUCH) this.release();
    return output;
  }

  /**
   * Returns the files of a source under the names that they have in the module. They are kept, because the next task
   * often needs the same files.
   */
  private async filesOf(source: Source): Promise<Files> {
    if (this.read?.source.id === source.id) return this.read.files;
    this.read = undefined; // freed before the other files are read, because both may be large
    const files: Files = {};
    for (const [i, file] of source.files.entries()) {
      const name = i === 0 ? MODEL : file.name;
      if (i > 0 && (OWN.includes(name) || name === "" || /[/\\\0]|^\.+$/.test(name))) continue;
      files[name] = await bytesOf(file);
    }
    this.read = { source, files };
    return files;
  }

  async open(source: Source): Promise<Opened> {
    const format = formatOf(source.name);
    const files = await this.filesOf(source);
    if (format === "onnxtxt") return openText(files[MODEL]);
    const kind = /\.pb$/i.test(source.name) ? await this.kindOf(files) : "model";
    return this.use(files, async (options) => {
      const elided = await print(files[MODEL], { ...options, kind, weights: "elide" });
      if (elided.output !== null) {
        const isElided = elided.output.includes('["elided": "sha256:');
        return { ...printed(elided.output), format, isElided, kind, notice: isElided ? ELIDED : undefined };
      }
      // If the weights are in files that the page does not have, the text shows their locations.
      const { output } = await print(files[MODEL], { ...options, kind });
      const failure = new Failed(elided.findings);
      if (output === null) throw failure;
      const notice = `${failure.message.split(": ").pop()}. To see its weights as checksums, open the model together with that file.`;
      return { ...printed(output), format, isElided: false, kind, notice };
    });
  }

  /** Returns the kind of a `.pb` file: it contains a model, or test data. */
  private async kindOf(files: Files): Promise<Kind> {
    for (const kind of KINDS) {
      const { ok } = await this.use(files, (options) => check(files[MODEL], { ...options, kind, infer: false }));
      if (ok) return kind;
    }
    return "model";
  }

  /** Returns the bytes of the text of the document. If the source is a text, it supplies what is shown as checksums. */
  private async textOf({ text, lineBreak, format, isElided, source }: Current): Promise<Uint8Array> {
    if (!source || !isElided || format !== "onnxtxt") return encode({ text, lineBreak });
    const { lists } = await elide(decode((await this.filesOf(source))[MODEL]).text);
    return encode({ text: restore(text, lists), lineBreak });
  }

  /** Compiles the text of the document. If the text shows weights as checksums, they come from the source. */
  private async compiled(current: Current, to: Exclude<Format, "onnxtxt">): Promise<Uint8Array> {
    const { format, source, isElided, kind } = current;
    const text = await this.textOf(current);
    const hasWeights = source !== undefined && isElided && format !== "onnxtxt";
    const { [MODEL]: weights, ...beside } = hasWeights ? await this.filesOf(source) : {};
    const [files, args]: [Files, string[]] = hasWeights ? [{ ...beside, [WEIGHTS]: weights }, ["--weights", WEIGHTS]] : [{}, []];
    // The model is not checked here: the page shows the findings, and a model with findings may be saved.
    return outputOf(await this.use(files, (options) => compile(text, { ...options, kind, to, check: false, args })));
  }

  /** Returns the bytes to save. What was not changed keeps its bytes. If `isWhole` is true, a text contains all weights. */
  async save(current: Current, to: Format, isWhole: boolean): Promise<Uint8Array> {
    const { source, format, isUnchanged } = current;
    if (source && isUnchanged && to === format) return (await this.filesOf(source))[MODEL].slice(); // the worker keeps its own
    if (to !== "onnxtxt") return this.compiled(current, to);
    return isWhole ? new TextEncoder().encode(await this.whole(current)) : this.textOf(current);
  }

  private async whole(current: Current): Promise<string> {
    const files = await this.files(current);
    return outputOf(await this.use(files, (options) => print(files[MODEL], { ...options, kind: current.kind, weights: "inline" })));
  }

  /** Returns the current document, compiled, and the files beside it. */
  private async files(current: Current): Promise<Files> {
    const files = current.source ? await this.filesOf(current.source) : {};
    return current.source && current.isUnchanged ? files : { ...files, [MODEL]: await this.compiled(current, "onnx") };
  }

  async sizes(current: Current): Promise<Summary> {
    const files = await this.files(current);
    const { summary, findings } = await this.use(files, (options) => info(files[MODEL], { ...options, kind: current.kind, top: 100 }));
    return outputOf({ output: summary as Summary | null, findings });
  }

  /** Returns the differences between the document and another model, and the text of the other model. */
  async compare(current: Current, other: Source): Promise<{ differences: Difference[]; before: string }> {
    const { kind } = current;
    const files = await this.files(current);
    const old = await bytesOf(other.files[0]);
    const beside = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`b/${name}`, bytes])); // where diff() puts its second model
    const { differences, findings } = await this.use({ ...beside, old }, (options) => diff(old, files[MODEL], { ...options, kind, files: beside }));
    const found = outputOf({ output: differences as Difference[] | null, findings });
    return this.use({ old }, async (options) => {
      const elided = await print(old, { ...options, kind, weights: "elide" });
      // If the weights are in files that the page does not have, the text shows their locations.
      return { differences: found, before: elided.output ?? outputOf(await print(old, { ...options, kind })) };
    });
  }

  explain(kind: string): Promise<string> {
    return this.use({}, (options) => explain(kind, options));
  }

  /** Returns the inferred types of all values that nodes compute, in the order of the text. */
  async types(uri: string, document: string): Promise<Value[]> {
    return namesAt(document, await this.hints(uri, { start: { line: 0, character: 0 }, end: { line: 1 << 30, character: 0 } }));
  }

  private async hints(uri: string, range: Range): Promise<Hint[]> {
    const hints = await this.request<Hint[]>("textDocument/inlayHint", { textDocument: { uri }, range });
    return (hints ?? []).filter(({ kind }) => kind === 1);
  }

  /** Draws the graph or function at a place, with the inferred types of its values. */
  async draw(uri: string, document: string, position: Range["start"], before?: string): Promise<Drawing | null> {
    const place = { uri, position, before };
    const graph = await this.request<Picture>("workspace/executeCommand", { command: "onnxc.showGraph", arguments: [place] });
    if (graph === null) return null;
    const types = new Map(namesAt(document, await this.hints(uri, graph.range)).map(({ name, type }) => [name, type]));
    return parseDot(graph.dot, { places: graph.nodes, words: graph.words, changed: graph.changed ?? {}, types });
  }
}

interface Hint {
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

/** The output of `onnxc info --json`. */
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

/**
 * Returns the bytes of a file. If the file is too large for browsers, the error says so, because the error of the
 * browser would speak of "permission problems".
 */
async function bytesOf(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    throw file.size < MOST ? error : new Error(`it has ${sizeOf(file.size)}, and a browser reads only files of less than 2 GB`);
  }
}

/** Returns a text that the command has printed, which contains no carriage returns. */
const printed = (text: string): Exact => ({ text, lineBreak: "\n" });

async function openText(bytes: Uint8Array): Promise<Opened> {
  const exact = decode(bytes);
  const opened: Opened = { ...exact, format: "onnxtxt", isElided: false, kind: "model" };
  if (bytes.length <= LARGEST_TEXT) return opened;
  const { text, lists } = await elide(exact.text);
  return lists.size === 0 ? opened : { ...opened, text, isElided: true, notice: ELIDED };
}
