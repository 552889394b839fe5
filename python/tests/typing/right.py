"""A correct program that uses the package: mypy --strict and pyright report no errors."""

from __future__ import annotations

import io
import pathlib

import onnx
import onnxc
from onnxc import batch, checker, golden, parser, printer, shape_inference, weights

TEXT = '<ir_version: 10, opset_import: ["" : 21]> g (float[N] x) => (float[N] y) { y = Relu (x) }'

model: onnx.ModelProto = onnxc.parse_model(TEXT)
node: onnx.NodeProto = onnxc.parse_node(b"y = Relu (x)")
text: str = onnxc.to_text(model, "reference", allow_loss=True, small_floats="values")
data: bytes = onnxc.parse_bytes(pathlib.Path("net.onnxtxt"), "GraphProto")
graph: onnx.GraphProto = onnxc.load("graph.onnx", type="GraphProto")
loaded: onnx.ModelProto = onnxc.load(io.BytesIO(data))
typed: onnx.ModelProto = onnxc.infer(loaded, strict=True)

found: onnxc.Findings = onnxc.check(model, limit=10, opset_imports={"": 21})
first: onnxc.Finding = found[0]
some: onnxc.Findings = found[:3]
is_error: bool = first.severity == "error"
is_warning: bool = first.severity is onnxc.Severity.WARNING
line: int = first.range.begin.line if first.range else 0
corrected: str = found.fixed_text()
messages: list[str] = [finding.message for finding in found.errors]

differences: onnxc.Differences = onnxc.diff(model, TEXT, ignore=["names", "docs"], tolerance=1e-6)
paths: list[str] = [difference.path for difference in differences]
sentences: list[str] = [rule.sentence for rule in onnxc.rules()]
page: str = onnxc.explain("unknown-type")

skeleton: onnx.ModelProto = weights.skeleton(pathlib.Path("net.onnx"), checksums=True)
whole: onnx.ModelProto = weights.inline(weights.attach(onnxc.to_text(skeleton), "net.onnx"), directory=".")
weights.extract(whole, pathlib.Path("small.onnx"), "small.data", size_threshold=16)
linked: onnx.ModelProto = onnxc.link(TEXT, pathlib.Path("library.onnxtxt"), b"...")

part: object = onnxc.extract(TEXT, outputs=["y"])
onnxc.set_model(onnxc.rename(TEXT, {"y": "z"}, only=["values"]), dimensions={"N": 8, "M": "batch"}, opsets=18)
onnxc.set_model(TEXT, add_outputs=["h"], remove_outputs=("y",), all_outputs=True, ir_version=10)
onnxc.strip_weights(onnxc.inline_functions(onnxc.sort_nodes(model), functions=["f"], keep=["d.g"]))
onnxc.strip(onnxc.remove_nodes(model, ["a"], operators=["Dropout"], replacement="x"), "unused", "value_info", name="net")
row: batch.Row = batch.check_file("net.onnx")
errors: int = row["errors"]
written: int = batch.run(batch.check_file, ["a.onnx", "b.onnx"], "rows", part=10)

golden.assert_golden(model, "golden/net.onnxtxt")
checker.check_model(parser.parse_model(TEXT), full_check=True)
printed: str = printer.to_text(shape_inference.infer_shapes(model, data_prop=True))
try:
    onnxc.parse_model("g (")
except onnxc.OnnxcError as error:
    kinds: list[str] = [finding.kind for finding in error.findings]
