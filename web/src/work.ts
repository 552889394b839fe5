// The page's side of a worker: calls its tasks, and starts it again after it was stopped or has failed.
import type { FromWorker, ToWorker } from "./protocol";
import type { Tasks } from "./tasks";

type Result<K extends keyof Tasks> = Tasks[K] extends (...args: never[]) => Promise<infer R> ? R : never;
type Args<K extends keyof Tasks> = Tasks[K] extends (...args: infer A) => unknown ? A : never;

/** Thrown if the user has stopped the work, or if the worker was restarted. */
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
  /** Called with the reason if the worker or its language server has failed. */
  onEnd: (reason: string) => void = () => undefined;

  constructor(private readonly name: string) {}

  private start(): Worker {
    const worker = new Worker("worker.js", { type: "module", name: this.name });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.worker) this.fail(new Error(event.message || "its worker has ended"));
    };
    return worker;
  }

  private post(message: ToWorker): void {
    this.worker ??= this.start();
    this.worker.postMessage(message);
  }

  private hear(message: FromWorker): void {
    if ("lsp" in message) return this.onLsp(message.lsp);
    if ("ended" in message) return this.onEnd(message.ended);
    const waiting = this.waiting.get(message.answer);
    this.waiting.delete(message.answer);
    if (message.error === undefined) waiting?.resolve(message.value);
    else waiting?.reject(new Error(message.error));
  }

  /** Ends the worker and all waiting calls. The next call starts another worker. */
  private end(error: Error): void {
    this.worker?.terminate();
    this.worker = undefined;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of waiting) reject(error);
  }

  private fail(error: Error): void {
    this.end(error);
    this.onEnd(error.message);
  }

  stop(): void {
    this.fail(new Stopped("you have stopped it"));
  }

  restart(): void {
    this.end(new Stopped("it was started again"));
  }

  call<K extends keyof Tasks>(task: K, ...args: Args<K>): Promise<Result<K>> {
    const call = ++this.calls;
    return new Promise((resolve, reject) => {
      this.waiting.set(call, { resolve: resolve as (value: unknown) => void, reject });
      this.post({ call, task, args });
    });
  }

  lsp(message: string): void {
    this.post({ lsp: message });
  }
}
