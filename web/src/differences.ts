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

  /** Shows the differences from the model `other`. If `other` is undefined, nothing is compared. */
  show(other: string | undefined, differences: Difference[], error?: string): void {
    const summary = error ?? (other === undefined ? "Compare this model with another one: drop its file here, or choose it."
      : differences.length === 0 ? `No difference from ${other}.` : `${plural(differences.length, "difference")} from ${other}`);
    element("differences-summary").textContent = summary;
    element("differences-end").hidden = other === undefined;
    element("differences-choose").hidden = other !== undefined; // the button "Compare" is hidden during a comparison
    element("differences-count").textContent = other === undefined || error ? "" : String(differences.length);
    this.rows.show(differences);
  }
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/**
 * Returns the place of a difference in the text: that of the first output of its node or, if it is not about a node,
 * that of the last name in its path.
 */
export function placeOf({ path, subject, after, before }: Difference, text: string): { from: number; to: number } | undefined {
  const given = /^("(?:[^"\\]|\\.)*"|[^\s=,(]+)(?:,[^=]*)? = /.exec(subject ?? after ?? before ?? "")?.[1];
  const named = [...path.matchAll(/"(?:[^"\\]|\\.)*"/g)].at(-1)?.[0];
  const word = given ?? named;
  if (word === undefined) return undefined;
  // A name may be written with or without quotes in the text.
  const bare = `(?<![\\w"])${escaped(word.replace(/^"|"$/g, ""))}(?![\\w"])`;
  const name = word.startsWith('"') ? `(?:${escaped(word)}|${bare})` : bare;
  const found = (given && new RegExp(`${name}(?=\\s*[=,])`).exec(text)) || new RegExp(name).exec(text);
  return found ? { from: found.index, to: found.index + found[0].length } : undefined;
}
