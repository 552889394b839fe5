"""mypy --strict and pyright report an error in each line with a comment, and no other errors."""

from __future__ import annotations

import onnxc
from onnxc import batch, parser, weights

TEXT = "g () => () {}"

onnxc.parse_model(5)  # wrong: no text
onnxc.to_text(TEXT, "refrence")  # wrong: no dialect
onnxc.check(TEXT, limit="many")  # wrong: no number
onnxc.check(TEXT).erors  # wrong: no such attribute
onnxc.check(TEXT)[0].severty  # wrong: no such attribute of a finding
onnxc.diff(TEXT, TEXT, ignore=["nmaes"])  # wrong: no aspect
onnxc.diff(TEXT, TEXT)[0].knd  # wrong: no such attribute of a difference
onnxc.load("graph.onnx", type="GrafProto")  # wrong: no message of the schema
batch.check_file("net.onnx")["eror"]  # wrong: no column of a row
parser.parse_node(["y = Relu (x)"])  # wrong: no text
onnxc.infer(TEXT, strikt=True)  # wrong: no option
weights.skeleton(TEXT, checksum=True)  # wrong: no option
weights.extract(TEXT)  # wrong: no path
onnxc.link(TEXT, 5)  # wrong: no library
onnxc.rename(TEXT, {"y": "z"}, only=["weights"])  # wrong: no kind of names
onnxc.set_model(TEXT, dimension={"N": 8})  # wrong: no option
