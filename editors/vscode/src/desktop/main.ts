// The extension in Node.js: on a desktop, or on the machine where a remote folder is.
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { start } from "../extension";
import { Found, Host, Program } from "../host";
import { SCHEMES } from "../models";
import { Runs } from "./evaluate";
import { findProgram, MachineProgram, runCommand } from "./program";
import { startThread } from "./thread";

export { deactivate } from "../extension";

export function activate({ extension, subscriptions }: vscode.ExtensionContext): Promise<void> {
  return start(extension, subscriptions, hostFor(extension.extensionUri));
}

function hostFor(extension: vscode.Uri): Host {
  const pathOf = (...path: string[]): string => vscode.Uri.joinPath(extension, ...path).fsPath;
  return {
    schemes: ["file", ...SCHEMES],
    find(): Promise<Found> {
      const name = process.platform === "win32" ? "onnxc.exe" : "onnxc";
      return findProgram({ native: pathOf("server", name), wasm: pathOf("server", "bin", "onnxc.mjs") });
    },
    client(program: Program, options) {
      const { command, args, env } = (program as MachineProgram).command;
      return new LanguageClient("onnxc", "ONNX text", { command, args: [...args, "lsp"], options: { env } }, options);
    },
    startLayout: (listener) => startThread(pathOf("dist", "layout.js"), listener),
    git(folder, ...words) {
      const paths = [vscode.workspace.getConfiguration("git").get<string | string[] | null>("path") ?? []].flat();
      const command = paths.find((path) => existsSync(path)) ?? paths[0] ?? "git"; // like git's own extension
      return runCommand({ command, args: [] }, ["-C", folder.fsPath, ...words]);
    },
    register(context) {
      void vscode.commands.executeCommand("setContext", "onnxc.canRun", true);
      return new Runs(context).register();
    },
  };
}
