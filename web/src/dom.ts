// Creates elements of the page. Texts are set only as plain text, so no part of a model is ever interpreted as HTML.

type Child = Node | string;
type Attributes = Record<string, string | boolean | ((event: Event) => void)>;

/** Creates an element with attributes and children. An attribute that is a function becomes an event listener. */
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (typeof value === "boolean") made.toggleAttribute(name, value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** Returns the element of index.html with this id. */
export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`index.html has no element '${id}'`);
  return found as T;
}

/** Returns a function that calls `action` after `delay` milliseconds, unless it is called again before. */
export function later<Args extends unknown[]>(delay: number, action: (...args: Args) => void): (...args: Args) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), delay);
  };
}

/** Formats a size for people: 12 B, 3.4 KB, 102 MB. */
export function sizeOf(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1000 && unit < 4) [size, unit] = [size / 1000, unit + 1];
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${["B", "KB", "MB", "GB", "TB"][unit]}`;
}

export function plural(count: number, word: string): string {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error);
}
