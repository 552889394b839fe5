// Menus below buttons. The browser opens and closes them (popover); the arrow keys move between their items.
import { element, make } from "./dom";

interface Entry {
  name: string;
  /** A text next to the name: a key, or a remark. */
  more?: string;
  run(): void;
}

/** Fills the menu with this id. `entries` is called each time the menu opens. */
export function menu(id: string, entries: () => Entry[]): void {
  const list = element(id);
  const button = document.querySelector<HTMLElement>(`[popovertarget="${id}"]`)!;
  list.setAttribute("role", "menu");
  button.setAttribute("aria-haspopup", "menu");
  list.addEventListener("beforetoggle", (event) => {
    if ((event as ToggleEvent).newState !== "open") return;
    const items = entries().map(({ name, more, run }) =>
      make("button", { role: "menuitem", tabindex: "-1", click: () => { list.hidePopover(); run(); } }, make("span", {}, name), make("small", {}, more ?? "")));
    list.replaceChildren(...items);
    const { left, bottom } = button.getBoundingClientRect();
    list.style.left = `${Math.max(4, Math.min(left, innerWidth - 300))}px`;
    list.style.top = `${bottom + 4}px`;
  });
  list.addEventListener("toggle", (event) => {
    button.setAttribute("aria-expanded", String((event as ToggleEvent).newState === "open"));
    if ((event as ToggleEvent).newState === "open") (list.firstElementChild as HTMLElement | null)?.focus();
  });
  list.addEventListener("keydown", (event) => {
    const items = [...list.querySelectorAll<HTMLElement>("[role=menuitem]")];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    items[(to + items.length) % items.length]?.focus();
  });
  button.setAttribute("aria-expanded", "false");
}
