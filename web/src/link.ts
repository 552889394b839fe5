// Makes and reads links that contain a text: the compressed text comes after the '#', a part of the address that
// browsers do not send.
import { stemOf, suffixOf } from "./formats";

/** Longer links are cut by some programs. */
const LONGEST = 32_000;
/** A link must not unpack to more. */
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

/** The name of a text: a link does not choose the kind of file that is saved. */
function textName(name: string): string {
  return `${stemOf(name.slice(0, 200)).trim() || "shared"}${suffixOf("onnxtxt")}`;
}

/** The address of the page with a text in it; undefined where it would be too long. */
export async function linkTo(name: string, text: string): Promise<string | undefined> {
  const packed = toBase64(await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw")));
  if (packed.length > LONGEST) return undefined;
  const fields = new URLSearchParams({ name: textName(name), text: packed });
  return `${location.href.split("#")[0]}#${fields.toString()}`;
}

/** The text of the page's address, if there is one. */
export async function textOfLink(fragment: string): Promise<Shared | undefined> {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const packed = fields.get("text");
  if (packed === null) return undefined;
  const bytes = await through(fromBase64(packed), new DecompressionStream("deflate-raw"), LARGEST);
  return { name: textName(fields.get("name") ?? ""), text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
}
