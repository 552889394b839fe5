// Shows messages of the page, and the progress of long work, with a button that stops the work.
import { element, messageOf } from "./dom";

const SOON = 250; // milliseconds; shorter work is not shown

interface Work {
  what: string;
  stop?: () => void;
}
/** The running work that is shown. Only the last element is visible. */
const running: Work[] = [];

let clearing: ReturnType<typeof setTimeout> | undefined;

/** Shows a message that disappears after a few seconds. Screen readers also read it. */
export function say(message: string): void {
  element("status").textContent = message;
  clearTimeout(clearing);
  clearing = setTimeout(() => (element("status").textContent = ""), 5000);
}

/** If the work fails, shows its error with say(). */
export function tell(work: Promise<unknown>): void {
  work.catch((error: unknown) => say(messageOf(error)));
}

/** Shows a message that stays until it is closed. */
export function warn(message: string, action?: { name: string; run(): void }): void {
  element("banner-text").textContent = message;
  const button = element<HTMLButtonElement>("banner-action");
  button.hidden = action === undefined;
  button.textContent = action?.name ?? "";
  button.onclick = () => {
    element("banner").hidden = true;
    action?.run();
  };
  element("banner").hidden = false;
}

export function calm(): void {
  element("banner").hidden = true;
}

function showProgress(): void {
  const last = running.at(-1);
  element("progress").hidden = last === undefined;
  if (last === undefined) return;
  element("progress-text").textContent = `${last.what}…`;
  const button = element<HTMLButtonElement>("progress-stop");
  button.hidden = last.stop === undefined;
  button.onclick = () => last.stop?.();
}

/** Waits for the work. If it takes longer than `soon`, shows a message until it ends. */
export async function during<T>(what: string, work: Promise<T>, stop?: () => void, soon = SOON): Promise<T> {
  const told: Work = { what, stop };
  const timer = setTimeout(() => {
    running.push(told);
    showProgress();
  }, soon);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (running.includes(told)) running.splice(running.indexOf(told), 1);
    showProgress();
  }
}
