// Shows checksums instead of the long lists of numbers in a large text, and puts the lists back. All other parts of the
// text stay as they are.

/** Shorter lists are shown, like the weights of binary models that have fewer bytes. */
const LONG = 1024;
/**
 * Comments, strings, and the innermost braces with only words and numbers. Braces in comments and strings are no data. Braces
 * with half of a surrogate pair (exact.ts) are left as they are, because all such halves have the same checksum.
 */
const TOKENS = /#[^\n]*|"[^"\\]*(?:\\[^][^"\\]*)*(?:"|$)|\{[^{}"#=:()<>[\]\ud800-\udfff]*\}/g;
const CHECKSUM = /(=\s*)?\[\s*"elided"\s*:\s*"(sha256:[0-9a-f]{64})"\s*\]/g;

/** The lists by their checksums. `prefix` is what the elided text has in front of the list. */
type Lists = Map<string, { list: string; prefix: string }>;

async function checksumOf(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

export async function elide(text: string): Promise<{ text: string; lists: Lists }> {
  const lists: Lists = new Map();
  const parts: string[] = [];
  let end = 0;
  for (const { 0: list, index } of text.matchAll(TOKENS)) {
    if (list.length < LONG || list[0] !== "{") continue;
    const before = text.slice(Math.max(0, index - 100), index).trimEnd();
    if (!/[\w\]"=]$/.test(before)) continue; // not the data of a tensor
    if (/#[^\n]*$/.test(before)) continue; // behind a comment, it is uncertain whether a '=' is missing
    const prefix = before.endsWith("=") ? "" : "= "; // `float[2] {1, 2}` needs a '=' if the data are not in braces
    const checksum = await checksumOf(prefix + list);
    lists.set(checksum, { list, prefix });
    parts.push(text.slice(end, index), `${prefix}["elided": "${checksum}"]`);
    end = index + list.length;
  }
  return { text: parts.join("") + text.slice(end), lists };
}

export function restore(text: string, lists: Lists): string {
  return text.replace(CHECKSUM, (all, equals: string | undefined, checksum: string) => {
    const found = lists.get(checksum);
    return found === undefined ? all : (found.prefix === "" ? (equals ?? "") : "") + found.list;
  });
}
