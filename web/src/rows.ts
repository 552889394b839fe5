// A list of any length. Only its visible rows are elements of the page. The arrow keys move between rows, and Enter
// chooses one.
import { make } from "./dom";

const HEIGHT = 28;
const MORE = 10; // additional rows above and below the visible ones

export class Rows<T> {
  private items: T[] = [];
  private at = -1; // the row with the keyboard focus
  private readonly space = make("div", { class: "space" });
  private readonly shown = new Map<number, HTMLElement>();

  constructor(
    private readonly host: HTMLElement,
    private readonly name: string,
    private readonly draw: (item: T) => HTMLElement,
    private readonly choose: (item: T) => void,
  ) {
    host.classList.add("rows");
    host.append(this.space);
    host.addEventListener("scroll", () => this.update());
    new ResizeObserver(() => this.update()).observe(host);
    this.space.addEventListener("keydown", (event) => this.onKey(event));
    this.space.addEventListener("click", (event) => {
      const row = (event.target as HTMLElement).closest<HTMLElement>("[data-row]");
      if (row !== null) this.go(Number(row.dataset.row), true);
    });
  }

  show(items: T[]): void {
    this.items = items;
    this.at = Math.min(this.at, items.length - 1);
    this.space.style.height = `${items.length * HEIGHT}px`;
    // An empty list does not get the role of a list, because screen readers would announce missing rows.
    if (items.length > 0) {
      this.space.setAttribute("role", "listbox");
      this.space.setAttribute("aria-label", this.name);
      this.space.tabIndex = 0;
    } else {
      for (const attribute of ["role", "aria-label", "tabindex", "aria-activedescendant"]) this.space.removeAttribute(attribute);
    }
    this.space.replaceChildren();
    this.shown.clear();
    this.update();
  }

  private update(): void {
    const first = Math.max(0, Math.floor(this.host.scrollTop / HEIGHT) - MORE);
    const last = Math.min(this.items.length, Math.ceil((this.host.scrollTop + this.host.clientHeight) / HEIGHT) + MORE);
    for (const [i, row] of this.shown) {
      if (i >= first && i < last) continue;
      row.remove();
      this.shown.delete(i);
    }
    for (let i = first; i < last; ++i) {
      if (this.shown.has(i)) continue;
      const row = this.draw(this.items[i]);
      row.classList.add("row");
      row.id = `${this.host.id}-${i}`;
      row.dataset.row = String(i);
      row.setAttribute("role", "option");
      row.setAttribute("aria-setsize", String(this.items.length));
      row.setAttribute("aria-posinset", String(i + 1));
      row.setAttribute("aria-selected", String(i === this.at));
      row.style.top = `${i * HEIGHT}px`;
      this.shown.set(i, row);
      this.space.append(row);
    }
  }

  private go(row: number, chooses: boolean): void {
    if (row < 0 || row >= this.items.length) return;
    this.shown.get(this.at)?.setAttribute("aria-selected", "false");
    this.at = row;
    const top = row * HEIGHT;
    if (top < this.host.scrollTop) this.host.scrollTop = top;
    else if (top + HEIGHT > this.host.scrollTop + this.host.clientHeight) this.host.scrollTop = top + HEIGHT - this.host.clientHeight;
    this.update();
    this.shown.get(row)?.setAttribute("aria-selected", "true");
    this.space.setAttribute("aria-activedescendant", `${this.host.id}-${row}`);
    if (chooses) this.choose(this.items[row]);
  }

  private onKey(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.host.clientHeight / HEIGHT) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.items.length, End: this.items.length };
    if (event.key in steps) this.go(Math.max(0, Math.min(this.items.length - 1, this.at + steps[event.key])), false);
    else if (event.key === "Enter" || event.key === " ") this.go(this.at, true);
    else return;
    event.preventDefault();
  }
}
