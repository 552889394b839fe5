// Makes and reads links that contain a text: the compressed text comes after the '#', a part of the address that
// browsers do not send.
import { stemOf, suffixOf } from "./formats";

/** Some programs cut longer links. */
const LONGEST = 32_000;
/** The maximum size of the unpacked text. */
const LARGEST = 4 << 20;

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, most = Infinity): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) throw new Error("The text of this link is too large.");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

export interface Shared {
  name: string;
  text: string;
}

/** Returns the name with the suffix of a text, so that a link cannot choose the format in which the document is saved. */
function textName(name: string): string {
  return `${stemOf(name.slice(0, 200)).trim() || "shared"}${suffixOf("onnxtxt")}`;
}

/** Returns the address of the page with the text in it, or undefined if the address would be too long. */
export async function linkTo(name: string, text: string): Promise<string | undefined> {
  const packed = toBase64(await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw")));
  if (packed.length > LONGEST) return undefined;
  const fields = new URLSearchParams({ name: textName(name), text: packed });
  return `${location.href.split("#")[0]}#${fields.toString()}`;
}

/** Returns the text in the page's address, or undefined if there is none. */
export async function textOfLink(fragment: string): Promise<Shared | undefined> {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const packed = fields.get("text");
  if (packed === null) return undefined;
  const bytes = await through(fromBase64(packed), new DecompressionStream("deflate-raw"), LARGEST);
  return { name: textName(fields.get("name") ?? ""), text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
}
