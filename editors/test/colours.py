"""The colours at each place of a text, by the tree-sitter queries, by the TextMate grammar, and by the server's tokens."""
import re

import tree_sitter

import tree_sitter_grammar

# The server's kinds of tokens, and the names that the others have for them. Quoted names are strings for the grammars, and
# only the server knows which name is what: of an attribute, of a value, of a dimension. A list of numbers is one of its tokens.
TREE = {
    "namespace": {"module", "string"},
    "type": {"property", "type", "type.builtin", "variable", "variable.parameter"},
    "typeParameter": {"character.special", "constant", "number", "string"},
    "parameter": {"string", "variable", "variable.parameter"},
    "variable": {"string", "variable", "variable.parameter"},
    "property": {"attribute", "constant", "function", "label", "property", "string", "type", "type.builtin", "variable.parameter"},
    "function": {"function", "function.call", "string"},
    "comment": {"comment"},
    "string": {"", "property", "string", "string.escape"},
    "number": {"constant", "constant.builtin", "number", "number.float", "punctuation.bracket"},
    "macro": {"keyword.directive"},
}
TEXTMATE = {
    "namespace": r"entity\.name\.namespace|string|punctuation\.definition\.string",
    "type": r"storage\.type|entity\.other\.attribute-name|variable|support\.type",
    "typeParameter": r"constant\.other\.dimension|constant\.language\.dimension|string|constant\.numeric",
    "parameter": r"variable|string",
    "variable": r"variable|string",
    "property": r"entity\.name\.function|support\.type\.property|entity\.other\.attribute|entity\.name\.(label|decorator)|variable|storage\.type\.kind|string",
    "function": r"entity\.name\.function|string",
    "comment": r"comment|punctuation\.definition\.comment",
    "string": r"string|punctuation\.definition\.string|constant\.character",
    "number": r"constant\.numeric|punctuation\.section\.(braces|brackets)",
    "macro": r"comment\.line\.number-sign\.pragma|keyword\.control|punctuation\.definition\.comment",
}


def of_tree(language, data):
    """Returns {(line, column): the captures of the first byte of a node}."""
    query = tree_sitter.Query(language, (tree_sitter_grammar.SOURCE / "queries/highlights.scm").read_text())
    root = tree_sitter.Parser(language).parse(data).root_node
    found = {}
    for name, nodes in tree_sitter.QueryCursor(query).captures(root).items():
        for node in nodes:
            found.setdefault(tuple(node.start_point), set()).add(name)
    return found


def of_snapshot(text):
    """Returns {(line, column): the innermost scope that begins there}."""
    found, line = {}, -1
    for row in text.splitlines():
        if row.startswith(">"):
            line += 1
        elif match := re.match(r"#(\s*)(\^+) (.*)", row):
            scope = match[3].split()
            start = len(match[1])
            for column in range(start, start + len(match[2])):
                found[line, column] = scope[-1] if not scope[-1].startswith("meta") else scope[0]
    return found


def of_server(data, legend):
    """Returns (line, column, length, kind) for the numbers that the server sends."""
    line = column = 0
    for i in range(0, len(data), 5):
        lines, columns, length, kind, _ = data[i : i + 5]
        line, column = line + lines, columns if lines else column + columns
        yield line, column, length, legend[kind]
