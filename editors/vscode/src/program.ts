// Finds the program `onnxc`, and runs it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as vscode from "vscode";

export interface Program {
  command: string;
  /** What comes before the subcommand. */
  args: string[];
  /** Variables that it needs in its environment. */
  env?: Record<string, string>;
}

export interface Outcome {
  status: number;
  output: Buffer;
  errors: string;
}

interface Options {
  cwd?: string;
  input?: Uint8Array;
  /** Ends it. */
  signal?: AbortSignal;
}

/** Runs it to its end. A program that cannot be started, or is ended by a signal, has the status -1. */
export function run(program: Program, args: string[], { input, ...options }: Options = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(program.command, [...program.args, ...args], { ...options, env: { ...process.env, ...program.env }, windowsHide: true });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on("data", (data: Buffer) => output.push(data));
    child.stderr.on("data", (data: Buffer) => errors.push(data));
    child.on("error", (error) => resolve({ status: -1, output: Buffer.alloc(0), errors: error.message }));
    child.on("close", (status) =>
      resolve({ status: status ?? -1, output: Buffer.concat(output), errors: Buffer.concat(errors).toString() }),
    );
    child.stdin.on("error", () => undefined); // the program may end before it has read all input
    child.stdin.end(input ?? Buffer.alloc(0));
  });
}

/** What a place to look at is called in messages: the command, as one would type it. */
export function nameOf(program: Program): string {
  return [program.command, ...program.args].join(" ");
}

/** The program in the extension: native, or as WebAssembly for the Node.js of the editor. */
export interface Bundled {
  native: string;
  wasm: string;
}

/** The places to look at, the first one first. The path of a setting leaves no choice. */
function candidates(bundled: Bundled): Program[] {
  const settings = vscode.workspace.getConfiguration("onnxc.server");
  const path = settings.get<string>("path", "").trim();
  if (path !== "") return [{ command: path, args: [] }];
  const python = settings.get<string>("python", "").trim();
  const pythons = python !== "" ? [python] : process.platform === "win32" ? ["python", "py"] : ["python3", "python"];
  const inPython = pythons.map((command) => ({ command, args: ["-m", "onnxc"] }));
  const onPath = { command: "onnxc", args: [] };
  if (python !== "") return [...inPython, onPath];
  const own = existsSync(bundled.native) ? [{ command: bundled.native, args: [] }] : [];
  const wasm = { command: process.execPath, args: [bundled.wasm], env: { ELECTRON_RUN_AS_NODE: "1" } };
  return [...own, onPath, ...inPython, ...(existsSync(bundled.wasm) ? [wasm] : [])];
}

export interface Found {
  program?: Program;
  /** Of the program, such as 0.1.0. */
  version: string;
  /** What was looked at and is no server, and why. */
  tried: string[];
}

/** The first that runs and tells its version. `bundled`: those in the extension, if they are there. */
export async function findProgram(bundled: Bundled): Promise<Found> {
  const tried: string[] = [];
  for (const program of candidates(bundled)) {
    const { status, output, errors } = await run(program, ["--version"]);
    const version = /^onnxc (\d+\.\d+\.\d+)/.exec(output.toString())?.[1];
    if (status === 0 && version !== undefined) return { program, version, tried };
    const firstLine = errors.trim().split("\n")[0];
    const why = status === 0 ? "it is another program" : firstLine || `status ${status}`;
    tried.push(`${nameOf(program)}: ${why}`);
  }
  return { version: "", tried };
}

/** Whether one version comes before another one. */
export function isOlder(version: string, other: string): boolean {
  return version.localeCompare(other, "en", { numeric: true }) < 0;
}
