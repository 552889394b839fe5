// The editor of the text: CodeMirror with the colours, findings and features of the language server.
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { HALVES } from "./exact";
import type { Place } from "./protocol";

const LOOK = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--paper)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--quiet)", backgroundColor: "var(--paper)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--line-at-cursor)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  ".cm-selectionMatch": { backgroundColor: "var(--same-word)" },
  ".cm-hint": { color: "var(--hint)", backgroundColor: "var(--hint-paper)", borderRadius: "3px", fontSize: "11px", padding: "0 2px", margin: "0 1px" },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--raised)", border: "1px solid var(--border)", borderRadius: "6px", boxShadow: "var(--shadow)" },
  ".cm-tooltip .cm-lsp-documentation": { padding: "6px 10px", maxWidth: "34em", fontFamily: "var(--sans)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { color: "var(--on-accent)", backgroundColor: "var(--accent)" },
  ".cm-diagnostic": { fontFamily: "var(--sans)", padding: "6px 10px" },
  ".cm-diagnosticAction": { color: "var(--on-accent)", backgroundColor: "var(--accent)", borderRadius: "4px", padding: "2px 8px", font: "inherit" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--raised)", borderColor: "var(--border)" },
  ".cm-panel input, .cm-panel button": { color: "var(--ink)", backgroundColor: "var(--paper)", backgroundImage: "none", border: "1px solid var(--border)", borderRadius: "4px", font: "inherit", padding: "2px 6px" },
  ".cm-panel.cm-search label": { fontSize: "13px" },
  ".cm-searchMatch": { backgroundColor: "var(--match)" },
  ".cm-foldPlaceholder": { color: "var(--quiet)", backgroundColor: "var(--hint-paper)", border: "none" },
});

interface EditorEvents {
  changed(): void;
  moved(place: Place): void;
}

export class Editor {
  readonly view: EditorView;

  /**
   * The editor is in a shadow root. In there, its style sheets need no inline styles, which the page's security policy
   * forbids.
   */
  constructor(
    host: HTMLElement,
    private readonly events: EditorEvents,
  ) {
    const root = host.attachShadow({ mode: "open" });
    this.view = new EditorView({ root, parent: root });
  }

  private basics(): Extension {
    return [
      lineNumbers(), foldGutter(), codeFolding(), lintGutter(), history(), drawSelection(), highlightSpecialChars({ addSpecialChars: HALVES }), bracketMatching(), closeBrackets(),
      highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches({ wholeWords: true }), indentUnit.of("   "), EditorState.tabSize.of(3),
      EditorView.contentAttributes.of({ "aria-label": "Text of the model", spellcheck: "false", tabindex: "0" }),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...defaultKeymap]),
      LOOK,
    ];
  }

  /** Shows another text. Earlier edits cannot be undone any more. */
  show(text: string, extensions: Extension): void {
    const watch = EditorView.updateListener.of(({ docChanged, selectionSet }) => {
      if (docChanged) this.events.changed();
      if (selectionSet) this.events.moved(this.cursor);
    });
    // In a text with two kinds of line breaks, the editor must not make them equal.
    const breaks = text.includes("\r") ? EditorState.lineSeparator.of("\n") : [];
    this.view.setState(EditorState.create({ doc: text, extensions: [extensions, this.basics(), watch, breaks] }));
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  get cursor(): Place {
    return this.placeOf(this.view.state.selection.main.head);
  }

  placeOf(offset: number): Place {
    const line = this.view.state.doc.lineAt(offset);
    return { line: line.number - 1, character: offset - line.from };
  }

  offsetOf({ line, character }: Place): number {
    const { doc } = this.view.state;
    const at = doc.line(Math.min(doc.lines, line + 1));
    return Math.min(at.to, at.from + character);
  }

  /** Shows a place and puts the cursor there. */
  reveal(place: Place, end?: Place): void {
    const [anchor, head] = [this.offsetOf(place), this.offsetOf(end ?? place)];
    this.view.dispatch({ selection: { anchor: head, head: anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }
}
