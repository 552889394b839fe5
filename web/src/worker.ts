// The script of workers that run onnxc as WebAssembly. The page starts two of them, one for tasks and one for the
// language server, so that a long task does not delay the findings.
import { Onnxc } from "onnxc";
import type { LanguageServerCore } from "onnxc";
import { messageOf } from "./dom";
import type { FromWorker, ToWorker } from "./protocol";
import { Tasks } from "./tasks";

let loading: Promise<Onnxc> | undefined;
let server: Promise<LanguageServerCore> | undefined;
let turn: Promise<unknown> = Promise.resolve();
/** The functions that receive the answers to the worker's own requests, by id. */
const asked = new Map<string, (result: unknown) => void>();

const say = (message: FromWorker, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });

/** Returns an instance of the module. Loads a new one if the last one has failed. */
async function onnxc(): Promise<Onnxc> {
  const last = await loading?.catch(() => undefined);
  if (last !== undefined && !last.hasEnded) return last;
  loading = Onnxc.load();
  return loading;
}

/** Handles a message of the language server. Answers to the worker's own requests are not sent to the page. */
function hear(message: object): void {
  const { id, result } = message as { id?: unknown; result?: unknown };
  const take = typeof id === "string" && !("method" in message) ? asked.get(id) : undefined;
  if (take === undefined) return say({ lsp: JSON.stringify(message) });
  asked.delete(id as string);
  take(result);
}

async function tell(message: object): Promise<void> {
  server ??= onnxc().then((instance) => instance.languageServer(hear));
  (await server).receive(message);
}

/** Sends a request of the worker itself, and returns the answer. */
async function request<Result>(method: string, params: object): Promise<Result | null> {
  const id = `worker-${crypto.randomUUID()}`;
  let answer: unknown = null;
  asked.set(id, (result) => (answer = result));
  await tell({ jsonrpc: "2.0", id, method, params });
  asked.delete(id);
  return (answer ?? null) as Result | null;
}

const tasks = new Tasks(onnxc, request, () => (loading = undefined));

async function call({ call: answer, task, args }: Extract<ToWorker, { call: number }>): Promise<void> {
  try {
    const work = tasks[task] as (...args: unknown[]) => Promise<unknown>;
    const value = await work.apply(tasks, args);
    const bytes = value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [];
    say({ answer, value }, bytes);
  } catch (error) {
    say({ answer, error: messageOf(error) });
  }
}

async function speak(message: string): Promise<void> {
  try {
    // The server reads only valid Unicode: it sees a U+FFFD for each half of a surrogate pair (exact.ts).
    await tell(JSON.parse(message, (_, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value)) as object);
  } catch (error) {
    server = undefined;
    say({ ended: messageOf(error) });
  }
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  turn = turn.then(() => ("call" in data ? call(data) : speak(data.lsp)));
};
