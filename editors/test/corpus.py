"""The corpus of the tree-sitter grammar: the examples of docs/syntax.md and the golden texts, each with its tree.

    python corpus.py      writes editors/tree-sitter-onnxtxt/test/corpus anew
"""
import re
import sys
import tempfile
from pathlib import Path

import tree_sitter

import texts
import tree_sitter_grammar

FOLDER = tree_sitter_grammar.SOURCE / "test/corpus"
CASE = re.compile(r"^=+\n(?P<name>[^\n]*)\n(?P<error>:error\n)?=+\n(?P<text>.*?)\n---\n\n(?P<tree>.*?)(?=^=+\n|\Z)",
                  re.MULTILINE | re.DOTALL)  # fmt: skip


def lines_of(tree):
    """Returns a tree with a node on each line, as tree-sitter writes it."""
    depth, lines = 0, []
    for token in re.findall(r"(?:\w+: )?\(\w+|\)", tree):
        if token == ")":
            depth -= 1
            lines[-1] += ")"
        else:
            lines.append("  " * depth + token)
            depth += 1
    return "\n".join(lines)


def write_case(name, data, parser):
    text = data.decode().rstrip("\n")
    root = parser.parse(text.encode()).root_node
    error = ":error\n" if root.has_error else ""
    tree = "" if root.has_error else lines_of(str(root)) + "\n\n"
    return f"{'=' * 80}\n{name}\n{error}{'=' * 80}\n{text}\n---\n\n{tree}"


def files(language):
    """Returns the expected contents of each file of the corpus."""
    parser = tree_sitter.Parser(language)
    documents = [(name.partition(":")[2], kind, data) for name, kind, data in texts.examples() if name.startswith("docs/syntax.md")]
    golden = [(Path(name).name, kind, data) for name, kind, data in texts.files()
              if name.startswith("testdata/golden") and name.endswith(".onnxtxt") and len(data) < 3000 and b"\r" not in data]  # fmt: skip
    cases = {"syntax.txt": "", "golden.txt": ""}
    for number, (_, kind, data) in enumerate(documents, 1):
        cases["syntax.txt"] += write_case(f"docs/syntax.md, example {number}: {kind}", data, parser)
    for name, _, data in golden:
        cases["golden.txt"] += write_case(f"testdata/golden/{name}", data, parser)
    return cases


def read(path):
    """Returns (name, text, tree) of each case of a file. The tree is None for an error."""
    for case in CASE.finditer(path.read_text()):
        yield case["name"], case["text"], None if case["error"] else " ".join(case["tree"].split())


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files(tree_sitter_grammar.load(tree_sitter_grammar.build(Path(folder)))).items():
            (FOLDER / name).write_text(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
