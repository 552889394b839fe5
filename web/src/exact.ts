// Converts between the bytes of a text file and the text in the editor without a loss, so that a text that is saved has
// the bytes of the opened file wherever it was not edited.
//
// The editor and the language server know only Unicode texts and line breaks. So each byte that is not part of valid
// UTF-8, and each carriage return that does not belong to a line break, is shown as a code unit that no valid text
// contains: half of a surrogate pair, U+DC00 plus the byte.
const HALF = 0xdc00;
const RETURN = 0x0d;
export const HALVES = /[\uDC0D\uDC80-\uDCFF]/u; // with `u`, this does not match the second unit of a surrogate pair

export interface Exact {
  text: string;
  /**
   * The line break of the file. If all line breaks are "\r\n", the text has "\n" instead, like the editor. If only some
   * are, the text has both.
   */
  lineBreak: "\n" | "\r\n";
}

/** Returns the length of the valid UTF-8 sequence at an offset, or 0 if there is none. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const [first, second] = [bytes[at], bytes[at + 1]];
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (let i = 1; i < length; ++i) if ((bytes[at + i] & 0xc0) !== 0x80) return 0;
  const isOverlong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
  const isNoCharacter = (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f); // a surrogate, or above U+10FFFF
  return isOverlong || isNoCharacter ? 0 : length;
}

function unicodeOf(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }); // a byte order mark stays in the text
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // the text is too long for a string
  }
  const parts: string[] = [];
  let begin = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at);
    at += length;
    if (length > 0) continue;
    parts.push(decoder.decode(bytes.subarray(begin, at)), String.fromCharCode(HALF + bytes[at]));
    begin = ++at;
  }
  parts.push(decoder.decode(bytes.subarray(begin)));
  return parts.join("");
}

export function decode(bytes: Uint8Array): Exact {
  const text = unicodeOf(bytes).replace(/\r(?!\n)/g, String.fromCharCode(HALF + RETURN));
  const lineBreak = text.includes("\r") && !/(?<!\r)\n/.test(text) ? "\r\n" : "\n";
  return { text: lineBreak === "\n" ? text : text.replaceAll("\r\n", "\n"), lineBreak };
}

export function encode({ text, lineBreak }: Exact): Uint8Array<ArrayBuffer> {
  const whole = lineBreak === "\n" ? text : text.replaceAll("\n", lineBreak);
  const encoder = new TextEncoder();
  if (whole.isWellFormed()) return encoder.encode(whole);
  const bytes = new Uint8Array(3 * whole.length); // no code unit takes more bytes
  let end = 0;
  for (const part of whole.split(new RegExp(`(${HALVES.source})`, "u"))) {
    if (HALVES.test(part)) bytes[end++] = part.charCodeAt(0) - HALF;
    else end += encoder.encodeInto(part, bytes.subarray(end)).written;
  }
  return bytes.slice(0, end);
}
