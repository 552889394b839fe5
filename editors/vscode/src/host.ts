// The interface between the extension and the place where it runs: Node.js, or a worker of a browser.
import * as vscode from "vscode";
import { BaseLanguageClient, LanguageClientOptions } from "vscode-languageclient";
import { StartThread } from "./renderer";

/** An argument of the command: a word, a file, or the contents of a temporary file. */
export type Argument = string | vscode.Uri | { name: string; bytes: Uint8Array };

export interface Outcome {
  status: number;
  output: Uint8Array;
  errors: string;
}

export interface RunOptions {
  /** The current folder of the command. */
  folder?: vscode.Uri;
  input?: Uint8Array;
}

/** The command `onnxc`. */
export interface Program {
  /** The name in messages: the command as a user would type it. */
  name: string;
  /** The version, such as 0.1.0. */
  version: string;
  /** Runs the command, and waits until it has ended. The status is -1 if it cannot be started or a signal ends it. */
  run(args: Argument[], options?: RunOptions): Promise<Outcome>;
}

export interface Found {
  program?: Program;
  /** The commands that were tried in vain, with the reasons. */
  tried: string[];
}

/** What the features of the extension share. */
export interface Context {
  extension: vscode.Uri;
  /** Returns the client while a server runs. */
  client(): BaseLanguageClient | undefined;
  /** Returns the program for work that the server does not do. Rejects if there is none, or if it must not be run. */
  program(): Promise<Program>;
}

export interface Host {
  /** The schemes of the documents that the server receives. */
  schemes: string[];
  find(): Promise<Found>;
  /** Returns a client. Starting the client also starts its server. */
  client(program: Program, options: LanguageClientOptions): BaseLanguageClient;
  /** Starts the thread that computes the layouts of pictures. */
  startLayout: StartThread;
  /** Runs git in a folder. Undefined if there is no git. */
  git?(folder: vscode.Uri, ...words: string[]): Promise<Outcome>;
  /** Registers the features that exist only on this host. */
  register(context: Context): vscode.Disposable[];
}

export const textOf = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export { messageOf } from "./message";
export const nameOf = (uri: vscode.Uri): string => uri.path.split("/").pop() ?? "";
export const folderOf = (uri: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(uri, "..");
