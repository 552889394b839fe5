// What the extension needs of the place where it runs: Node.js, or a worker of a browser.
import * as vscode from "vscode";
import { BaseLanguageClient, LanguageClientOptions } from "vscode-languageclient";
import { StartThread } from "./renderer";

/** A word, a file, or the contents of a file that exists only as long as the command runs. */
export type Argument = string | vscode.Uri | { name: string; bytes: Uint8Array };

export interface Outcome {
  status: number;
  output: Uint8Array;
  errors: string;
}

export interface RunOptions {
  /** Where it runs. */
  folder?: vscode.Uri;
  input?: Uint8Array;
}

/** The command `onnxc`. */
export interface Program {
  /** What it is called in messages: the command, as one would type it. */
  name: string;
  /** Such as 0.1.0. */
  version: string;
  /** Runs it to its end. If it cannot be started, or is ended by a signal, the status is -1. */
  run(args: Argument[], options?: RunOptions): Promise<Outcome>;
}

export interface Found {
  program?: Program;
  /** What was looked at and is no server, and why. */
  tried: string[];
}

/** What features need of the extension. */
export interface Context {
  extension: vscode.Uri;
  /** The client, while a server runs. */
  client(): BaseLanguageClient | undefined;
  /** The program for what is done without the server; rejects if there is none, or if it must not be run. */
  program(): Promise<Program>;
}

export interface Host {
  /** Of the documents that the server is told of. */
  schemes: string[];
  find(): Promise<Found>;
  /** A client of a server that starts with the client. */
  client(program: Program, options: LanguageClientOptions): BaseLanguageClient;
  /** Starts the thread that computes the layouts of pictures. */
  startLayout: StartThread;
  /** Runs git in a folder, if there is git. */
  git?(folder: vscode.Uri, ...words: string[]): Promise<Outcome>;
  /** The features of this place alone. */
  register(context: Context): vscode.Disposable[];
}

export const textOf = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export { messageOf } from "./message";
export const nameOf = (uri: vscode.Uri): string => uri.path.split("/").pop() ?? "";
export const folderOf = (uri: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(uri, "..");
