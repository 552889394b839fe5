// The page's side of a worker: calls its tasks, and starts it again after it was stopped or has failed.
import { messageOf } from "./dom";
import type { FromWorker, ToWorker } from "./protocol";
import type { Tasks } from "./tasks";

type Result<K extends keyof Tasks> = Tasks[K] extends (...args: never[]) => Promise<infer R> ? R : never;
type Args<K extends keyof Tasks> = Tasks[K] extends (...args: infer A) => unknown ? A : never;

/** The reader has stopped the work, or something else took its place. */
export class Stopped extends Error {}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class Worked {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private calls = 0;
  onLsp: (message: string) => void = () => undefined;
  /** The language server has ended, by this message. */
  onEnd: (message: string) => void = () => undefined;

  constructor(
    private readonly module: Promise<WebAssembly.Module>,
    private readonly name: string,
  ) {}

  private async post(message: ToWorker): Promise<void> {
    if (this.worker === undefined) {
      const worker = (this.worker = new Worker("worker.js", { type: "module", name: this.name }));
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.hear(data);
      worker.onerror = (event) => {
        event.preventDefault();
        this.fail(worker, new Error(event.message || "The worker has ended."));
      };
      this.ready = this.module.then((load) => worker.postMessage({ load } satisfies ToWorker));
    }
    const { worker } = this;
    await this.ready;
    if (worker === this.worker) worker.postMessage(message);
  }
  private ready: Promise<void> = Promise.resolve();

  private hear(message: FromWorker): void {
    if ("lsp" in message) return this.onLsp(message.lsp);
    if ("ended" in message) return this.onEnd(message.ended);
    const waiting = this.waiting.get(message.answer);
    this.waiting.delete(message.answer);
    if (message.error === undefined) waiting?.resolve(message.value);
    else waiting?.reject(new Error(message.error));
  }

  /** Ends the worker and all that waits for it; the next call starts another one. */
  private fail(worker: Worker | undefined, error: Error): void {
    worker?.terminate();
    if (worker !== this.worker) return;
    this.worker = undefined;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of waiting) reject(error);
    this.onEnd(error.message);
  }

  stop(): void {
    this.fail(this.worker, new Stopped("it was stopped."));
  }

  call<K extends keyof Tasks>(task: K, ...args: Args<K>): Promise<Result<K>> {
    const call = ++this.calls;
    return new Promise((resolve, reject) => {
      this.waiting.set(call, { resolve: resolve as (value: unknown) => void, reject });
      this.post({ call, task, args }).catch((error: unknown) => {
        this.waiting.delete(call);
        reject(new Error(messageOf(error)));
      });
    });
  }

  lsp(message: string): void {
    this.post({ lsp: message }).catch((error: unknown) => this.onEnd(messageOf(error)));
  }

  restart(): void {
    void this.post({ restart: true }).catch(() => undefined);
  }
}
