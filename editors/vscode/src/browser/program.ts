// Runs the command in a worker, as WebAssembly. Its input files are read before the run, and its output files are written after
// it.
import * as vscode from "vscode";
import { Argument, Outcome, Program, RunOptions } from "../host";
import { pathFor } from "./files";
import { Files, Request, Result } from "./protocol";

export class ModuleProgram implements Program {
  readonly name = "onnxc (WebAssembly)";
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, (result: Result) => void>();
  private last = 0;

  constructor(
    readonly version: string,
    readonly module: WebAssembly.Module,
    readonly startWorker: () => Worker,
  ) {}

  async run(args: Argument[], { input }: RunOptions = {}): Promise<Outcome> {
    const files: Files = {};
    const uris = new Map<string, vscode.Uri>();
    const words: string[] = [];
    for (const arg of args) {
      if (typeof arg === "string") {
        words.push(arg);
      } else if (arg instanceof vscode.Uri) {
        const path = pathFor(arg).slice(1); // in the folder where the command runs
        const bytes = await vscode.workspace.fs.readFile(arg).then((read) => read, () => undefined);
        if (bytes !== undefined) files[path] = bytes;
        uris.set(path, arg);
        words.push(path);
      } else {
        files[arg.name] = arg.bytes;
        words.push(arg.name);
      }
    }
    const { status, output, errors, files: written } = await this.ask({ args: words, files, input });
    for (const [path, bytes] of written) {
      const uri = uris.get(path);
      if (uri !== undefined) await vscode.workspace.fs.writeFile(uri, bytes);
    }
    return { status, output, errors };
  }

  private ask(request: Omit<Request, "number">): Promise<Result> {
    const worker = (this.worker ??= this.start());
    const number = ++this.last;
    return new Promise((resolve) => {
      this.waiting.set(number, resolve);
      worker.postMessage({ ...request, number });
    });
  }

  private start(): Worker {
    const worker = this.startWorker();
    worker.onmessage = ({ data }: MessageEvent<Result>) => {
      this.waiting.get(data.number)?.(data);
      this.waiting.delete(data.number);
    };
    worker.onerror = ({ message }) => {
      for (const [number, resolve] of this.waiting) resolve({ number, status: -1, output: new Uint8Array(), errors: message, files: new Map() });
      this.waiting.clear();
      this.worker = undefined;
    };
    worker.postMessage({ module: this.module });
    return worker;
  }

  dispose(): void {
    this.worker?.terminate();
    this.worker = undefined;
  }
}
