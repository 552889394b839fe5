// Finds the program `onnxc`, and runs it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { Argument, Found, Outcome, Program, RunOptions } from "../host";

export interface Command {
  command: string;
  /** The words that come before the arguments of a call. */
  args: string[];
  /** Variables that the command needs in its environment. */
  env?: Record<string, string>;
}

interface Options {
  cwd?: string;
  input?: Uint8Array;
  /** Ends the command. */
  signal?: AbortSignal;
}

/** Runs a program of the machine, and waits until it has ended. */
export function runCommand(command: Command, words: string[], { input, ...options }: Options = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command.command, [...command.args, ...words], { ...options, env: { ...process.env, ...command.env }, windowsHide: true });
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

export class MachineProgram implements Program {
  readonly name: string;

  constructor(
    readonly command: Command,
    readonly version: string,
  ) {
    this.name = nameOf(command);
  }

  async run(args: Argument[], { folder, input }: RunOptions = {}): Promise<Outcome> {
    let temporary: string | undefined;
    try {
      const words: string[] = [];
      for (const arg of args) {
        if (typeof arg === "string") words.push(arg);
        else if (arg instanceof vscode.Uri) words.push(arg.fsPath);
        else {
          temporary ??= await mkdtemp(join(tmpdir(), "onnxc-"));
          words.push(join(temporary, arg.name));
          await writeFile(join(temporary, arg.name), arg.bytes);
        }
      }
      return await runCommand(this.command, words, { cwd: folder?.fsPath, input });
    } finally {
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    }
  }
}

/** Returns the name of a command for messages: the command as a user would type it. */
function nameOf({ command, args }: Command): string {
  return [command, ...args].join(" ");
}

/** The program in the extension: a native one, or WebAssembly for the Node.js of the editor. */
export interface Bundled {
  native: string;
  wasm: string;
}

/** Returns the commands to try, in order. If the settings contain a path, it is the only one. */
function candidates(bundled: Bundled): Command[] {
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

/** Returns the first command that runs and prints its version. `bundled` are the programs in the extension. */
export async function findProgram(bundled: Bundled): Promise<Found> {
  const tried: string[] = [];
  for (const command of candidates(bundled)) {
    const { status, output, errors } = await runCommand(command, ["--version"]);
    const version = /^onnxc (\d+\.\d+\.\d+)/.exec(output.toString())?.[1];
    if (status === 0 && version !== undefined) return { program: new MachineProgram(command, version), tried };
    const firstLine = errors.trim().split("\n")[0];
    const why = status === 0 ? "it is another program" : firstLine || `status ${status}`;
    tried.push(`${nameOf(command)}: ${why}`);
  }
  return { tried };
}
