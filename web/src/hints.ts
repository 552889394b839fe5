// Shows inferred types, and the names of inputs, between the words of the visible text.
import type { LSPClient } from "@codemirror/lsp-client";
import { LSPPlugin } from "@codemirror/lsp-client";
import { StateEffect, StateField } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, WidgetType } from "@codemirror/view";
import type { DecorationSet } from "@codemirror/view";
import { later } from "./dom";
import type { Place } from "./protocol";
import { URI } from "./server";

interface InlayHint {
  label: string;
  position: Place;
  paddingLeft?: boolean;
  paddingRight?: boolean;
}

class Hint extends WidgetType {
  constructor(private readonly label: string) {
    super();
  }
  eq(other: Hint): boolean {
    return other.label === this.label;
  }
  toDOM(): HTMLElement {
    const made = document.createElement("span");
    made.className = "cm-hint";
    made.textContent = this.label;
    return made;
  }
}

const setHints = StateEffect.define<DecorationSet>();
const hints = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    for (const effect of transaction.effects) if (effect.is(setHints)) return effect.value;
    return shown.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

async function ask(client: LSPClient, view: EditorView): Promise<void> {
  const plugin = LSPPlugin.get(view);
  if (plugin === null || !client.connected) return;
  client.sync();
  const { doc } = view.state;
  const { from, to } = view.viewport;
  const range = { start: plugin.toPosition(from), end: plugin.toPosition(to) };
  const found = await client.request<object, InlayHint[] | null>("textDocument/inlayHint", { textDocument: { uri: URI }, range });
  if (view.state.doc !== doc || found === null) return; // the text has changed, so another request follows
  const widgets = found.map(({ label, position, paddingLeft, paddingRight }) => {
    const text = `${paddingLeft === true ? " " : ""}${label}${paddingRight === true ? " " : ""}`;
    return Decoration.widget({ widget: new Hint(text), side: 1 }).range(plugin.fromPosition(position));
  });
  view.dispatch({ effects: setHints.of(Decoration.set(widgets, true)) });
}

export function inlayHints(client: LSPClient): Extension {
  const asks = ViewPlugin.define((view) => {
    const soon = later(300, () => void ask(client, view).catch(() => undefined));
    soon();
    return { update: ({ docChanged, viewportChanged }) => void ((docChanged || viewportChanged) && soon()) };
  });
  return [hints, asks];
}
