"""The tree-sitter grammar agrees with grammar/OnnxText.g4: it accepts the same texts, and its nodes have the same ranges."""
import os
import subprocess

import pytest
import tree_sitter

import corpus
import texts
import tree_sitter_grammar
from grammar import Grammar
from texts import ROOT

MUTANTS = int(os.environ.get("MUTANTS", "1500"))
SEED = int(os.environ.get("SEED", "1"))


@pytest.fixture(scope="session")
def grammar(tmp_path_factory):
    return Grammar(tmp_path_factory.mktemp("grammar"))


def difference(grammar, parser, kind, data):
    """Returns the differences of the two trees of a text, or None. The tree-sitter library skips a byte order mark."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    expected = grammar.parse(kind, data)
    root = parser.parse(data).root_node
    accepted = not root.has_error and tree_sitter_grammar.is_of_kind(root, kind)
    if (expected is not None) != accepted:
        return f"the grammar {'reads' if expected is not None else 'refuses'} it, tree-sitter makes of it {root}"
    found = tree_sitter_grammar.ranges(root)
    if expected is None or (kind == "shape" and ("type", 0, len(data)) in found):
        return None
    if tree_sitter_grammar.is_record(root):  # of any kind
        expected, found = ([r for r in rows if r[0] not in ("item", "node", "attribute", "dimension")] for rows in (expected, found))
    if found != expected:
        return f"ranges: only in the grammar {sorted(set(expected) - set(found))}, only here {sorted(set(found) - set(expected))}"
    return None


def disagreements(grammar, language, rows):
    parser = tree_sitter.Parser(language)
    return [f"{name} ({kind}): {why}\n{data.decode(errors='replace')}"
            for name, kind, data in rows if (why := difference(grammar, parser, kind, data))]  # fmt: skip


def test_agrees_with_the_grammar_on_all_texts(grammar, language):
    rows = texts.all_texts()
    assert len(rows) > 600
    found = disagreements(grammar, language, rows)
    assert not found, f"{len(found)} of {len(rows)}\n" + "\n".join(found[:10])


def test_reads_all_that_onnxc_reads(onnxc, language, tmp_path):
    parser = tree_sitter.Parser(language)
    read = 0
    for name, kind, data in texts.all_texts():
        right = subprocess.run([onnxc, "fmt", "-q", "--kind", kind], input=data, capture_output=True).returncode == 0
        read += right
        assert not (right and parser.parse(data).root_node.has_error), name
    assert read > 300


def test_agrees_with_the_grammar_on_changed_texts(grammar, language):
    found = disagreements(grammar, language, texts.mutants(MUTANTS, SEED))
    assert not found, f"{len(found)} of {MUTANTS}\n" + "\n".join(found[:10])


def test_corpus_is_as_it_is_checked_in(language):
    parser = tree_sitter.Parser(language)
    count = 0
    for path in sorted(corpus.FOLDER.glob("*.txt")):
        for name, text, tree in corpus.read(path):
            root = parser.parse(text.encode()).root_node
            assert root.has_error if tree is None else str(root) == tree, f"{path.name}: {name}: {root}"
            count += 1
    assert count > 150


def test_corpus_holds_all_examples_of_the_document(language):
    for name, content in corpus.files(language).items():
        assert (corpus.FOLDER / name).read_text() == content, f"python {corpus.__file__} writes {name} anew"


@pytest.mark.parametrize("path", sorted((tree_sitter_grammar.SOURCE / "queries").glob("*.scm")), ids=lambda path: path.stem)
def test_queries_find_something(language, path):
    cursor = tree_sitter.QueryCursor(tree_sitter.Query(language, path.read_text()))
    source = (ROOT / "testdata/examples/function.onnxtxt").read_bytes()
    assert cursor.captures(tree_sitter.Parser(language).parse(source).root_node)


def test_parser_is_no_larger_than_it_needs_to_be():
    assert (tree_sitter_grammar.SOURCE / "src/parser.c").stat().st_size < 600_000
