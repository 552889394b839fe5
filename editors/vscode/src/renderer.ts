// Pictures as SVG, made beside the editor's thread: a layout may take as long as it likes, and is ended where nobody waits for it.
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
    const worker = (this.worker ??= new Worker(this.script));
    return new Promise((resolve, reject) => {
      const finish = (action: () => void): void => {
        clearTimeout(timer);
        worker.off("message", take).off("error", fail);
        this.stopLast = undefined;
        action();
      };
      const take = ({ svg, error }: { svg?: string; error?: string }): void =>
        finish(() => (svg === undefined ? reject(new Error(error)) : resolve(svg)));
      const fail = (error: Error): void => {
        this.worker = undefined;
        finish(() => reject(error));
      };
      const stop = (isSlow: boolean): void => {
        this.worker = undefined;
        finish(() => reject(new Stopped(isSlow)));
        void worker.terminate();
      };
      const timer = setTimeout(() => stop(true), this.longest);
      this.stopLast = () => stop(false);
      worker.on("message", take).on("error", fail).postMessage(dot);
    });
  }

  dispose(): void {
    this.stopLast?.();
    void this.worker?.terminate();
    this.worker = undefined;
  }
}
