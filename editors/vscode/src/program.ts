// The program `onnxc`: where it is, and running it.
import { spawn } from "node:child_process";
import * as vscode from "vscode";

export interface Program {
  command: string;
  /** What comes before the subcommand. */
  args: string[];
}

export interface Outcome {
  status: number;
  output: Buffer;
  errors: string;
}

/** Runs it to its end. A program that cannot be started has the status -1. */
export function run(program: Program, args: string[], options: { cwd?: string; input?: Uint8Array } = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(program.command, [...program.args, ...args], { cwd: options.cwd, windowsHide: true });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on("data", (data: Buffer) => output.push(data));
    child.stderr.on("data", (data: Buffer) => errors.push(data));
    child.on("error", (error) => resolve({ status: -1, output: Buffer.alloc(0), errors: error.message }));
    child.on("close", (status) =>
      resolve({ status: status ?? -1, output: Buffer.concat(output), errors: Buffer.concat(errors).toString() }),
    );
    child.stdin.on("error", () => undefined); // it may end before it has read all
    child.stdin.end(options.input ?? Buffer.alloc(0));
  });
}

/** The places to look at, the first one first. A setting leaves no choice. */
function candidates(): Program[] {
  const settings = vscode.workspace.getConfiguration("onnxc.server");
  const path = settings.get<string>("path", "").trim();
  if (path !== "") return [{ command: path, args: [] }];
  const python = settings.get<string>("python", "").trim();
  const pythons = python !== "" ? [python] : process.platform === "win32" ? ["python", "py"] : ["python3", "python"];
  const onPath = { command: "onnxc", args: [] };
  const inPython = pythons.map((command) => ({ command, args: ["-m", "onnxc"] }));
  return python !== "" ? [...inPython, onPath] : [onPath, ...inPython];
}

/** The first that runs and has a language server; undefined, with what was tried, where there is none. */
export async function findProgram(): Promise<{ program?: Program; tried: string[] }> {
  const tried: string[] = [];
  for (const program of candidates()) {
    const { status, errors } = await run(program, ["lsp", "--help"]);
    if (status === 0) return { program, tried };
    tried.push(`${[program.command, ...program.args].join(" ")}: ${errors.trim().split("\n")[0] || `status ${status}`}`);
  }
  return { tried };
}
