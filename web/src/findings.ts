// Shows the findings in the text and in a tab. In the tab, a click on a finding shows its place in the text, "Correct"
// applies its correction, and "Explain" shows the page about its kind.
import { setDiagnostics } from "@codemirror/lint";
import type { Diagnostic } from "@codemirror/lint";
import type { LSPClient } from "@codemirror/lsp-client";
import { LSPPlugin } from "@codemirror/lsp-client";
import { element, make, plural } from "./dom";
import type { Editor } from "./editor";
import type { Range } from "./protocol";
import { applyEdit, codeActions } from "./server";
import type { CodeAction, LspDiagnostic } from "./server";

const SEVERITIES = ["error", "error", "warning", "info", "hint"] as const;
const EVERYTHING = { start: { line: 0, character: 0 }, end: { line: 1 << 30, character: 0 } };
const ALL = "source.fixAll.onnxc";

const keyOf = ({ range, code, message }: LspDiagnostic): string => JSON.stringify([range, code, message]);

export class Findings {
  private found: LspDiagnostic[] = [];
  private corrections = new Map<string, CodeAction[]>();
  private all: CodeAction | undefined;
  private turn = 0;
  private expected: (() => void)[] = [];

  constructor(
    private readonly editor: Editor,
    private readonly client: () => LSPClient,
    private readonly reveal: (range: Range) => void,
    private readonly explain: (kind: string) => void,
  ) {
    element("correct-all").addEventListener("click", () => {
      if (this.all?.edit) applyEdit(this.editor.view, this.all.edit);
    });
  }

  /** Resolves when the server has sent the findings of the current text. */
  next(): Promise<void> {
    return new Promise((resolve) => this.expected.push(resolve));
  }

  /** Shows a summary instead of findings, because the text is not checked yet or not checked at all. */
  clear(summary: string): void {
    void this.show([]);
    element("findings-summary").textContent = summary;
  }

  /** Shows the findings of the server. Their corrections are requested and shown afterwards. */
  async show(found: LspDiagnostic[]): Promise<void> {
    const turn = ++this.turn;
    for (const resolve of this.expected.splice(0)) resolve();
    this.found = found.toSorted((a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character);
    this.corrections = new Map();
    this.all = undefined;
    this.draw();
    if (found.length === 0) return;
    const actions = await codeActions(this.client(), EVERYTHING, found, ["quickfix", ALL]);
    if (turn !== this.turn) return;
    for (const action of actions) {
      if (action.kind === ALL) this.all = action;
      for (const diagnostic of action.diagnostics ?? []) {
        const known = this.corrections.get(keyOf(diagnostic));
        if (known) known.push(action);
        else this.corrections.set(keyOf(diagnostic), [action]);
      }
    }
    this.draw();
  }

  private draw(): void {
    const errors = this.found.filter(({ severity }) => severity === 1).length;
    const others = this.found.length - errors;
    const counts = [errors > 0 ? plural(errors, "error") : "", others > 0 ? plural(others, "warning") : ""].filter((count) => count !== "");
    element("findings-count").textContent = this.found.length === 0 ? "" : String(this.found.length);
    element("findings-count").className = errors > 0 ? "count error" : "count warning";
    element("findings-summary").textContent = counts.join(", ") || "Nothing is wrong with this text.";
    element("correct-all").hidden = this.all === undefined;
    element("findings-list").replaceChildren(...this.found.map((finding) => this.row(finding)));
    this.underline();
  }

  private row(finding: LspDiagnostic): HTMLElement {
    const { message, code, range, severity } = finding;
    const level = SEVERITIES[severity];
    const place = make("button", { class: "place", click: () => this.reveal(range) },
      make("span", { class: `level ${level}` }, level), make("span", { class: "line" }, `Line ${range.start.line + 1}`), make("span", { class: "message" }, message));
    const buttons = make("span", { class: "buttons" });
    for (const action of this.corrections.get(keyOf(finding)) ?? []) {
      buttons.append(make("button", { class: "correct", click: () => void (action.edit && applyEdit(this.editor.view, action.edit)) }, action.title));
    }
    if (code) buttons.append(make("button", { class: "quiet", "aria-label": `Explain ${code}`, click: () => this.explain(code) }, "Explain"));
    return make("li", {}, place, buttons);
  }

  private underline(): void {
    const { view } = this.editor;
    const plugin = LSPPlugin.get(view);
    if (plugin === null) return;
    const at = (place: LspDiagnostic["range"]["start"]): number => plugin.unsyncedChanges.mapPos(plugin.fromPosition(place, plugin.syncedDoc));
    const marks = this.found.map((finding): Diagnostic => {
      const [from, to] = [at(finding.range.start), at(finding.range.end)];
      const actions = (this.corrections.get(keyOf(finding)) ?? []).map((action) => ({
        name: action.title,
        apply: () => void (action.edit && applyEdit(view, action.edit)),
      }));
      return { from, to: Math.max(from, to), severity: SEVERITIES[finding.severity], message: finding.message, source: finding.code, actions };
    });
    view.dispatch(setDiagnostics(view.state, marks));
  }
}
