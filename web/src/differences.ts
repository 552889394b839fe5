// The tab that compares the document with another model.
import { element, make, plural } from "./dom";
import { Rows } from "./rows";
import type { Difference } from "./protocol";

const SIGNS: Record<string, string> = { added: "+", removed: "−", changed: "~", renamed: ">" };

function valueOf({ before, after, detail, subject }: Difference): string {
  const change = before !== undefined && after !== undefined ? `${before} → ${after}` : (after ?? before ?? "");
  return [change, detail, subject].filter(Boolean).join("; ");
}

export class Differences {
  private readonly rows: Rows<Difference>;

  constructor(reveal: (difference: Difference) => void) {
    const draw = (difference: Difference): HTMLElement => {
      const value = valueOf(difference);
      return make("div", { class: difference.kind },
        make("span", { class: "sign", title: difference.kind, "aria-label": difference.kind }, SIGNS[difference.kind] ?? "?"),
        make("span", { class: "name", title: difference.path }, difference.path), make("span", { class: "type", title: value }, value));
    };
    this.rows = new Rows(element("differences-list"), "Differences", draw, reveal);
  }

  /** `undefined`: nothing is compared. */
  show(other: string | undefined, differences: Difference[], error?: string): void {
    const summary = error ?? (other === undefined ? "Compare this model with another one: drop its file here, or choose it."
      : differences.length === 0 ? `No difference from ${other}.` : `${plural(differences.length, "difference")} from ${other}`);
    element("differences-summary").textContent = summary;
    element("differences-end").hidden = other === undefined;
    element("differences-count").textContent = other === undefined || error ? "" : String(differences.length);
    this.rows.show(differences);
  }
}

/** The words by which the place of a difference is found: the name in its path, or what its node gives. */
export function wordOf({ path, subject, after, before }: Difference): string | undefined {
  const names = [...path.matchAll(/"((?:[^"\\]|\\.)*)"/g)];
  if (names.length > 0) return names[names.length - 1][1].replace(/\\(.)/g, "$1");
  const node = subject ?? after ?? before ?? "";
  return /^([^\s=,(]+)(?:,[^=]*)? = /.exec(node)?.[1];
}
