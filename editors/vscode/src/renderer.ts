// Converts pictures to SVG in a separate thread, because a layout may take long. A layout that is no longer needed is stopped.

/** Thrown if the layout takes too long, or if another picture was requested in the meantime. */
export class Stopped extends Error {
  constructor(readonly isSlow: boolean) {
    super("The picture is too large to be laid out.");
  }
}

export interface Answer {
  svg?: string;
  error?: string;
}

export interface Thread {
  post(dot: string): void;
  stop(): void;
}

export interface Listener {
  answer(answer: Answer): void;
  /** Called when the thread has ended. */
  end(error: Error): void;
}

export type StartThread = (listener: Listener) => Thread;

export class Renderer {
  private thread: Thread | undefined;
  private waiting: Listener | undefined;
  private stopLast: (() => void) | undefined;

  constructor(
    private readonly startThread: StartThread,
    private readonly longest = 15000,
  ) {}

  svgOf(dot: string): Promise<string> {
    this.stopLast?.();
    const thread = (this.thread ??= this.start());
    return new Promise((resolve, reject) => {
      const finish = (action: () => void): void => {
        clearTimeout(timer);
        this.waiting = undefined;
        this.stopLast = undefined;
        action();
      };
      const stop = (isSlow: boolean): void => {
        this.thread = undefined;
        finish(() => reject(new Stopped(isSlow)));
        thread.stop();
      };
      const timer = setTimeout(() => stop(true), this.longest);
      this.stopLast = () => stop(false);
      this.waiting = {
        answer: ({ svg, error }) => finish(() => (svg === undefined ? reject(new Error(error)) : resolve(svg))),
        end: (error) => finish(() => reject(error)),
      };
      thread.post(dot);
    });
  }

  /** Starts a thread. If the thread ends, even while it is idle, it is not used any more. */
  private start(): Thread {
    const thread = this.startThread({
      answer: (answer) => {
        if (this.thread === thread) this.waiting?.answer(answer);
      },
      end: (error) => {
        if (this.thread !== thread) return;
        this.thread = undefined;
        this.waiting?.end(error);
      },
    });
    return thread;
  }

  dispose(): void {
    this.stopLast?.();
    this.thread?.stop();
    this.thread = undefined;
  }
}
