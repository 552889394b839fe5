// A worker that runs onnxc as WebAssembly: the command, or a language server.
import { createLanguageServer, Onnxc } from "onnxc";
import { messageOf } from "../message";
import { Change, Request, Result, Start } from "./protocol";

declare const self: DedicatedWorkerGlobalScope;

/** After a run with files of more bytes, the next command gets a new instance, because an instance never releases memory. */
const MUCH = 16 << 20;

let module: WebAssembly.Module;
let loaded: Promise<Onnxc> | undefined;
let turn: Promise<void> = Promise.resolve();

/** Returns an instance of the module. Loads a new one if the last one has failed. */
async function onnxc(): Promise<Onnxc> {
  if ((await loaded?.catch(() => undefined))?.hasEnded !== false) loaded = Onnxc.load(module);
  return loaded as Promise<Onnxc>;
}

async function start({ module: compiled, serve, files }: Start): Promise<void> {
  module = compiled;
  if (serve !== undefined) await createLanguageServer(serve, { onnxc: await onnxc(), files });
}

async function run({ number, args, files, input }: Request): Promise<Result> {
  try {
    const { status, stdout, stderr, files: written } = (await onnxc()).run(args, { files, stdin: input });
    const bytes = Object.values(files).reduce((sum, { length }) => sum + length, input?.length ?? 0);
    if (bytes > MUCH) loaded = undefined;
    return { number, status, output: stdout, errors: new TextDecoder().decode(stderr), files: written };
  } catch (error) {
    return { number, status: -1, output: new Uint8Array(), errors: messageOf(error), files: new Map() };
  }
}

async function take(message: Start | Change | Request): Promise<void> {
  if ("module" in message) return start(message);
  if ("number" in message) return self.postMessage(await run(message));
  (await onnxc()).writeFiles({ [message.path]: message.bytes });
}

self.onmessage = ({ data }: MessageEvent<Start | Change | Request>) => {
  turn = turn.then(() => take(data)).catch((error: unknown) => console.error(error));
};
