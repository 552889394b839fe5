"""The Python parser that ANTLR generates from grammar/OnnxText.g4: the texts that it accepts, and the ranges of its rules."""
import importlib
import re
import subprocess
import sys

from texts import ROOT

# Rules, and what the tree-sitter grammar calls them.
NAMES = {
    "item": "item", "header": "header", "entry": "entry", "formals": "formals", "formal": "formal", "inputs": "inputs",
    "outputs": "outputs", "values": "values", "value": "value", "body": "body", "node": "node", "op": "operator",
    "attrs": "attributes", "attr": "attribute", "typeRule": "type", "shape": "shape", "dim": "dimension", "pair": "pair",
    "dense": "dense", "element": "element", "annotation": "annotation", "listRule": "list", "member": "member",
    "record": "record", "recordField": "field", "inPlace": "in_place",
}  # fmt: skip
START = {
    "model": "itemsFile", "graph": "itemFile", "function": "itemFile", "node": "nodeFile", "attr": "attrFile",
    "type": "typeFile", "tensor": "tensorFile", "shape": "shapeFile",
    "sequence": "runValueFile", "map": "runValueFile", "optional": "runValueFile",
}  # fmt: skip


def generate(folder):
    """Generates the parser in `folder`, and returns its modules. The C++ code in the grammar is removed, because it only
    controls the C++ parser."""
    text = (ROOT / "grammar/OnnxText.g4").read_text()
    text = re.sub(r"\{ Completed\([^}]*\}", "", text)
    text = text.replace("options { superClass = ParserBase; }", "")
    text = re.sub(r"@parser::preinclude \{.*?\n\}", "", text, flags=re.DOTALL)
    # Labels are for C++, and Python has words of its own.
    text = re.sub(r"\b[a-z]+=(?=['A-Za-z(])", "", text)
    text = re.sub(r"(?<!['\w])(type|list)\b(?!')", r"\1Rule", text)
    (folder / "OnnxText.g4").write_text(text)
    subprocess.run(["antlr4", "-Dlanguage=Python3", "-no-listener", "-no-visitor", "OnnxText.g4"], cwd=folder, check=True)
    sys.path.insert(0, str(folder))
    return importlib.import_module("OnnxTextLexer").OnnxTextLexer, importlib.import_module("OnnxTextParser").OnnxTextParser


class Grammar:
    def __init__(self, folder):
        self.lexer, self.parser = generate(folder)

    def parse(self, kind, data):
        """Returns the sorted ranges (name, first byte, end); None if the grammar does not accept the text."""
        import antlr4

        stream = antlr4.CommonTokenStream(self.lexer(antlr4.InputStream(data.decode("latin-1"))))
        parser = self.parser(stream)
        parser.removeErrorListeners()
        parser._input.tokenSource.removeErrorListeners()
        tree = getattr(parser, START[kind])()
        if parser.getNumberOfSyntaxErrors() > 0:
            return None
        ranges = []
        self._collect(tree, ranges)
        return sorted(ranges)

    def _collect(self, tree, ranges):
        stack = [(tree, None)]
        while stack:
            node, parent = stack.pop()
            if not hasattr(node, "getRuleIndex"):
                continue
            rule = self.parser.ruleNames[node.getRuleIndex()]
            children = list(node.getChildren())
            rules = [self.parser.ruleNames[c.getRuleIndex()] if hasattr(c, "getRuleIndex") else None for c in children]
            first, last = node.start.start, node.stop.stop + 1 if node.stop else node.start.start
            if rule in NAMES and last > first:
                ranges.append((NAMES[rule], first, last))
            elif rule == "valueInfo" and parent == "outputs":
                ranges.append(("value", first, last))
            elif rule == "tensor" and "tensorRest" in rules:
                ranges.append(("tensor", first, last))
            elif rule == "attrValue" and children[0].getText() == "[":
                ranges.append(("list", first, last))
            elif rule == "attrItem" and "fieldValue" in rules:
                value = children[rules.index("fieldValue")]
                ranges.append(("annotation", first, value.stop.stop + 1))
            if "graphRest" in rules and rule != "native":
                name = children[rules.index("graphRest") - 1]
                ranges.append(("graph", name.symbol.start, last))
            stack.extend((child, rule) for child in children)
