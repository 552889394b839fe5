// Finds names in a text, at the places that the language server returns.
import type { Place, Range, Value } from "./protocol";

const NAME_BEFORE = /(?:b?"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z_0-9]*)$/;
const OPERATOR = /=\s*([A-Za-z_0-9.]+)/;
/** The number of characters of a line in which a name is searched for. */
const LONGEST = 4096;

function unquoted(name: string): string {
  if (!name.endsWith('"')) return name;
  return name.slice(name.indexOf('"') + 1, -1).replace(/\\(.)/g, "$1");
}

/** Returns the values to which the hints belong. A hint is directly after the name of its value. */
export function namesAt(document: string, hints: { label: string; position: Place }[]): Value[] {
  const lines = document.split("\n");
  return hints.flatMap(({ label, position: { line, character } }) => {
    const before = (lines[line] ?? "").slice(Math.max(0, character - LONGEST), character);
    const name = NAME_BEFORE.exec(before)?.[0];
    if (name === undefined) return [];
    const from = OPERATOR.exec(lines[line].slice(character, character + LONGEST))?.[1] ?? "";
    return [{ name: unquoted(name), type: label.replace(/^:\s*/, ""), place: { line, character: character - name.length }, from }];
  });
}

/** Returns whether a place is in a range. */
export function holds(range: Range, { line, character }: Place): boolean {
  const { start, end } = range;
  return (line > start.line || (line === start.line && character >= start.character)) && (line < end.line || (line === end.line && character <= end.character));
}
