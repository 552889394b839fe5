// The tab with the inferred types of all values.
import { element, make, plural } from "./dom";
import { Rows } from "./rows";
import type { Value } from "./protocol";

export class Values {
  private all: Value[] = [];
  private readonly rows: Rows<Value>;
  private readonly filter = element<HTMLInputElement>("types-filter");

  constructor(reveal: (value: Value) => void) {
    const cell = (text: string, kind: string): HTMLElement => make("span", { class: kind, title: text }, text);
    const draw = ({ name, type, from }: Value): HTMLElement => make("div", {}, cell(name, "name"), cell(type, "type"), cell(from, "from"));
    this.rows = new Rows(element("types-list"), "Values and their types", draw, reveal);
    this.filter.addEventListener("input", () => this.draw());
  }

  show(values: Value[]): void {
    this.all = values;
    this.draw();
  }

  private draw(): void {
    const word = this.filter.value.toLowerCase();
    const shown = this.all.filter(({ name, type, from }) => `${name}\n${type}\n${from}`.toLowerCase().includes(word));
    const whole = plural(this.all.length, "value");
    element("types-summary").textContent = this.all.length === 0 ? "No types are known yet." : word === "" ? whole : `${shown.length} of ${whole}`;
    this.rows.show(shown);
  }
}
