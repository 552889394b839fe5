// The worker, which contains onnxc as WebAssembly: it does the tasks of the page, or runs the language server. The page
// starts two of them, one for tasks and one for the language server, so that a long task does not delay the findings.
import { Onnxc } from "onnxc";
import type { LanguageServerCore } from "onnxc";
import { messageOf } from "./dom";
import type { FromWorker, ToWorker } from "./protocol";
import { Tasks } from "./tasks";

let loading: Promise<Onnxc> | undefined;
let server: Promise<LanguageServerCore> | undefined;
let turn: Promise<unknown> = Promise.resolve();
/** The answers to requests of the worker itself, by their numbers. */
const asked = new Map<string, (result: unknown) => void>();

const say = (message: FromWorker, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });

/** An instance; a new one if the last one has failed. */
async function onnxc(): Promise<Onnxc> {
  const last = await loading?.catch(() => undefined);
  if (last !== undefined && !last.hasEnded) return last;
  loading = Onnxc.load();
  return loading;
}

/** What the language server says: answers to the worker's own requests stay here. */
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

/** A request of the worker itself. */
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
    await tell(JSON.parse(message) as object);
  } catch (error) {
    server = undefined;
    say({ ended: messageOf(error) });
  }
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  turn = turn.then(() => ("call" in data ? call(data) : speak(data.lsp)));
};
