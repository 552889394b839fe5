"""The texts for the tests of the editors: all of testdata, and the examples of the documents."""
import json
import random
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("model", "graph", "function", "node", "attr", "type", "tensor", "shape", "sequence", "map", "optional")
TOKEN = re.compile(rb'#[^\n]*|b?"(?:[^"\\]|\\.)*"|=>|@\{|-?[0-9][0-9.eE+-]*|[A-Za-z_][A-Za-z_0-9]*|\s+|.', re.DOTALL)


def kind_of(path):
    """Returns the kind in the name of a file of testdata, as in `lists.attr.onnxtxt`; a file without a kind is a model."""
    words = path.name.split(".")
    return words[-2] if len(words) > 2 and words[-2] in KINDS else "model"


def files():
    """Returns (name, kind, bytes) of each text of testdata."""
    for pattern in ("**/*.onnxtxt", "**/*.printed", "**/*.formatted"):
        for path in sorted((ROOT / "testdata").glob(pattern)):
            yield str(path.relative_to(ROOT)), kind_of(path), path.read_bytes()


def examples():
    """Returns (name, kind, bytes) of each block ```onnxtxt KIND of the documents."""
    for path in sorted([ROOT / "README.md", *(ROOT / "docs").glob("**/*.md")]):
        text = path.read_text()
        for block in re.finditer(r"^```onnxtxt[ ]?(\w*)[^\n]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, block.start()) + 1
            kind = block[1] if block[1] in KINDS else "model"
            yield f"{path.relative_to(ROOT)}:{line}", kind, block[2].encode()


def mistakes():
    """Returns (name, kind, bytes) of each recorded mistake."""
    for path in sorted((ROOT / "testdata/mistakes").glob("*.jsonl")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            row = json.loads(line)
            kind = row.get("kind", "model")
            yield f"{path.relative_to(ROOT)}:{number}", kind, row["text"].encode()


def all_texts():
    return [*files(), *examples(), *mistakes()]


def mutants(count, seed):
    """Texts in which a token was removed, doubled, moved or replaced by one of another text."""
    draw = random.Random(seed)
    texts = [text for text in all_texts() if len(text[2]) < 2000]
    pieces = [TOKEN.findall(text[2]) for text in texts]
    pool = sorted({token for tokens in pieces for token in tokens})
    for number in range(count):
        i = draw.randrange(len(texts))
        tokens = list(pieces[i])
        for _ in range(draw.randint(1, 2)):
            if not tokens:
                break
            at, other = draw.randrange(len(tokens)), draw.randrange(len(tokens))
            change = draw.randrange(4)
            if change == 0:
                del tokens[at]
            elif change == 1:
                tokens.insert(at, tokens[at])
            elif change == 2:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            else:
                tokens[at] = draw.choice(pool)
        yield f"{texts[i][0]} changed, {number} of seed {seed}", texts[i][1], b"".join(tokens)
