// Colours the text with the TextMate grammar of the VS Code extension, so that there is only one grammar.
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { Tag, tags } from "@lezer/highlight";
import { INITIAL, Registry } from "vscode-textmate";
import type { IGrammar, IOnigLib, IRawGrammar, OnigScanner, OnigString, StateStack } from "vscode-textmate";
import rawGrammar from "../../editors/vscode/syntaxes/onnxtxt.tmLanguage.json";

/** Longer lines are not coloured, because they contain data. */
const LONGEST_LINE = 4000;

/** Maps the beginning of a scope's name to a token and a tag. The first row that matches is used. */
const SCOPES: [string, string, Tag][] = [
  ["comment", "comment", tags.comment],
  ["keyword.control.directive", "directive", tags.meta],
  ["string", "string", tags.string],
  ["constant.character.escape", "escape", tags.escape],
  ["constant.numeric", "number", tags.number],
  ["constant", "constant", tags.atom],
  ["storage.type", "type", tags.typeName],
  ["entity.name.function.call", "call", tags.function(tags.variableName)],
  ["entity.name.function", "definition", tags.function(tags.definition(tags.variableName))],
  ["entity.name.namespace", "namespace", tags.namespace],
  ["entity.name.label", "label", tags.labelName],
  ["entity.name.decorator", "annotation", tags.annotation],
  ["entity.other.attribute-name", "attribute", tags.attributeName],
  ["support.type.property-name", "property", tags.propertyName],
  ["variable.parameter", "parameter", tags.special(tags.variableName)],
  ["variable", "variable", tags.variableName],
  ["keyword.operator", "operator", tags.operator],
];

/** Replaces the library Oniguruma. All regular expressions of the grammar are also valid in JavaScript. */
class Scanner implements OnigScanner {
  private readonly expressions: RegExp[];
  constructor(sources: string[]) {
    this.expressions = sources.map((source) => new RegExp(source, "dgm"));
  }
  findNextMatchSync(string: string | OnigString, start: number): ReturnType<OnigScanner["findNextMatchSync"]> {
    const content = typeof string === "string" ? string : string.content;
    let best: { index: number; match: RegExpExecArray } | undefined;
    for (const [index, expression] of this.expressions.entries()) {
      expression.lastIndex = start;
      const match = expression.exec(content);
      if (match !== null && (best === undefined || match.index < best.match.index)) best = { index, match };
      if (match?.index === start) break;
    }
    if (best === undefined) return null;
    const indices = best.match.indices!;
    // A group that did not match has no position; like Oniguruma, this function returns a position after the end for
    // it.
    const captureIndices = indices.map((pair) => {
      const [begin, end] = pair ?? [4294967295, 4294967295];
      return { start: begin, end, length: end - begin };
    });
    return { index: best.index, captureIndices };
  }
  dispose(): void {}
}

async function loadGrammar(): Promise<IGrammar> {
  const onigLib: IOnigLib = { createOnigScanner: (sources) => new Scanner(sources), createOnigString: (content) => ({ content, dispose: () => undefined }) as OnigString };
  const registry = new Registry({
    onigLib: Promise.resolve(onigLib),
    loadGrammar: (scope) => Promise.resolve(scope === rawGrammar.scopeName ? (rawGrammar as unknown as IRawGrammar) : null),
  });
  const grammar = await registry.loadGrammar(rawGrammar.scopeName);
  if (grammar === null) throw new Error("The grammar is missing");
  return grammar;
}

function tokenOf(scopes: string[]): string | null {
  for (let i = scopes.length - 1; i > 0; --i) {
    const found = SCOPES.find(([scope]) => scopes[i].startsWith(scope));
    if (found !== undefined) return found[1];
  }
  return null;
}

interface State {
  /** The grammar's state after the current line, from which the next line begins. */
  stack: StateStack;
  tokens: { end: number; token: string | null }[];
}

export async function textLanguage(): Promise<Extension> {
  const grammar = await loadGrammar();
  const language = StreamLanguage.define<State>({
    name: "onnxtxt",
    startState: () => ({ stack: INITIAL, tokens: [] }),
    copyState: ({ stack, tokens }) => ({ stack, tokens: [...tokens] }),
    token(stream, state) {
      if (stream.sol()) {
        if (stream.string.length > LONGEST_LINE) {
          stream.skipToEnd();
          return null;
        }
        const { tokens, ruleStack } = grammar.tokenizeLine(stream.string, state.stack, 200);
        state.stack = ruleStack;
        state.tokens = tokens.map(({ endIndex, scopes }) => ({ end: endIndex, token: tokenOf(scopes) }));
      }
      while (state.tokens.length > 0 && state.tokens[0].end <= stream.pos) state.tokens.shift();
      const next = state.tokens[0];
      if (next === undefined) {
        stream.skipToEnd();
        return null;
      }
      stream.pos = Math.min(next.end, stream.string.length);
      return next.token;
    },
    blankLine: () => undefined,
    languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
    tokenTable: Object.fromEntries(SCOPES.map(([, token, tag]) => [token, tag])),
  });
  return [language, syntaxHighlighting(STYLE)];
}

/** The colours are custom properties of style.css, for both themes. */
const STYLE = HighlightStyle.define(
  SCOPES.flatMap(([, token, tag]) => (token === "variable" ? [] : [{ tag, color: `var(--text-${token})` }])),
);
