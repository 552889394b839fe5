// Converts pictures to SVG in a separate thread: a layout may take long, and is stopped if it is no longer needed.
import { Worker } from "node:worker_threads";

/** The layout takes too long, or another picture is wanted by now. */
export class Stopped extends Error {
  constructor(readonly isSlow: boolean) {
    super("The picture is too large to be laid out.");
  }
}

export class Renderer {
  private worker: Worker | undefined;
  private stopLast: (() => void) | undefined;

  /** `script`: layout.js. */
  constructor(
    private readonly script: string,
    private readonly longest = 15000,
  ) {}

  svgOf(dot: string): Promise<string> {
    this.stopLast?.();
    const worker = (this.worker ??= this.start());
    return new Promise((resolve, reject) => {
      const finish = (action: () => void): void => {
        clearTimeout(timer);
        worker.off("message", take).off("error", fail).off("exit", end);
        this.stopLast = undefined;
        action();
      };
      const take = ({ svg, error }: { svg?: string; error?: string }): void =>
        finish(() => (svg === undefined ? reject(new Error(error)) : resolve(svg)));
      const fail = (error: Error): void => finish(() => reject(error));
      const end = (): void => fail(new Error("The layout has ended."));
      const stop = (isSlow: boolean): void => {
        this.worker = undefined;
        finish(() => reject(new Stopped(isSlow)));
        void worker.terminate();
      };
      const timer = setTimeout(() => stop(true), this.longest);
      this.stopLast = () => stop(false);
      worker.on("message", take).on("error", fail).on("exit", end).postMessage(dot);
    });
  }

  /** One that ends, also while nothing is laid out, is not used any more. */
  private start(): Worker {
    const worker = new Worker(this.script);
    const forget = (): void => {
      if (this.worker === worker) this.worker = undefined;
    };
    return worker.on("error", forget).on("exit", forget);
  }

  dispose(): void {
    this.stopLast?.();
    void this.worker?.terminate();
    this.worker = undefined;
  }
}
