// What the page says about itself: messages, and the progress of long work with a button that stops it.
import { element } from "./dom";

const SOON = 250; // shorter work is not told

let clearing: ReturnType<typeof setTimeout> | undefined;

/** A message that goes by itself. Screen readers read it, too. */
export function say(message: string): void {
  element("status").textContent = message;
  clearTimeout(clearing);
  clearing = setTimeout(() => (element("status").textContent = ""), 8000);
}

/** A message that stays until it is closed. */
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

/** Shows that work goes on, until it ends. */
export async function during<T>(what: string, work: Promise<T>, stop?: () => void): Promise<T> {
  const timer = setTimeout(() => {
    element("progress-text").textContent = `${what}…`;
    const button = element<HTMLButtonElement>("progress-stop");
    button.hidden = stop === undefined;
    button.onclick = () => stop?.();
    element("progress").hidden = false;
  }, SOON);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    element("progress").hidden = true;
  }
}
