// The graphs and functions of the text.
import type { LSPClient } from "@codemirror/lsp-client";
import type { Scope } from "./picture";
import type { Range } from "./protocol";
import { URI } from "./server";

const FUNCTION = 12; // SymbolKind.Function

interface DocumentSymbol {
  name: string;
  kind: number;
  selectionRange: Range;
}

export async function scopesOf(client: LSPClient): Promise<Scope[]> {
  client.sync();
  const symbols = await client.request<object, DocumentSymbol[] | null>("textDocument/documentSymbol", { textDocument: { uri: URI } });
  return (symbols ?? []).map(({ name, kind, selectionRange }) => ({ name, isFunction: kind === FUNCTION, place: selectionRange.start }));
}
