"""Weights of models as functions, and functions of other models."""

import os
import struct

import onnxc
import pytest
from onnxc import weights

NET = """<ir_version: 10, opset_import: ["" : 21]>
net (float[N, 4] x) => (float[N, 4] y) <float[4] w = {1, 2, 3, 4}, int64[2] shape = {-1, 4}> {
   h = Reshape (x, shape)
   [add] y = Add (h, w)
}
"""


@pytest.fixture
def net(tmp_path):
    onnxc.save(NET, tmp_path / "net.onnx")
    return tmp_path / "net.onnx"


def text(model):
    return onnxc.to_text(model)


def differences(model, other):
    return onnxc.diff(model, other, ignore=["storage"])  # data that come from a file are raw


def test_a_skeleton_has_no_weights_but_shapes(net):
    skeleton = weights.skeleton(net)
    assert 'float[4] w = ["elided": ""]' in text(skeleton)
    assert "int64[2] shape = {-1, 4}" in text(skeleton)
    assert "sha256:" in text(weights.skeleton(net, checksums=True, size_threshold=0))
    assert text(weights.skeleton(net, checksums=True)) == text(onnxc.load(net)), "both are smaller than the threshold"
    assert "external-elided" in [finding.kind for finding in onnxc.check(skeleton)]


@pytest.mark.parametrize("checksums", [False, True])
def test_weights_come_back_after_an_edit(net, checksums):
    skeleton = text(weights.skeleton(net, checksums=checksums, size_threshold=1)).replace("[add] y", "[sum] y")
    model = weights.attach(skeleton, net)
    assert onnxc.diff(model, NET.replace("[add]", "[sum]")) == ()
    assert differences(weights.attach(weights.skeleton(NET), str(net)), NET) == ()


def test_other_weights_are_refused(net, tmp_path):
    skeleton = weights.skeleton(net, checksums=True, size_threshold=1)
    onnxc.save(NET.replace("{1, 2, 3, 4}", "{1, 2, 3, 5}"), tmp_path / "other.onnx")
    with pytest.raises(onnxc.OnnxcError) as caught:
        weights.attach(skeleton, tmp_path / "other.onnx")
    assert caught.value.findings.errors
    with pytest.raises(onnxc.OnnxcError):
        weights.attach(skeleton, tmp_path / "missing.onnx")


@pytest.mark.parametrize("name", [None, "weights.data", "w.safetensors"])
def test_extract_and_inline(net, tmp_path, name):
    target = tmp_path / "small" / "net.onnxtxt"
    target.parent.mkdir()
    weights.extract(net, target, name, size_threshold=16)
    side = name or "net.onnxtxt.data"
    assert sorted(os.listdir(target.parent)) == sorted(["net.onnxtxt", side])
    assert f'"location": "{side}"' in target.read_text()
    assert struct.pack("<4f", 1, 2, 3, 4) in (target.parent / side).read_bytes()
    assert differences(weights.inline(target), NET) == ()
    assert differences(weights.inline(target.read_text(), directory=target.parent), NET) == ()
    assert onnxc.check(target).ok


def test_extract_in_place(net):
    weights.extract(net, net, "w.data", size_threshold=0)
    assert sorted(os.listdir(net.parent)) == ["net.onnx", "w.data"]
    weights.extract(str(net), os.fsencode(net), "v.data", size_threshold=0)
    assert differences(weights.inline(net), NET) == ()


def test_extract_replaces_only_what_is_named(net, tmp_path):
    (tmp_path / "out.onnx.data").write_bytes(b"mine")
    with pytest.raises(onnxc.OnnxcError, match="out.onnx.data"):
        weights.extract(net, tmp_path / "out.onnx", size_threshold=0)
    assert (tmp_path / "out.onnx.data").read_bytes() == b"mine" and not (tmp_path / "out.onnx").exists()
    weights.extract(net, tmp_path / "out.onnx", "out.onnx.data", size_threshold=0)
    assert (tmp_path / "out.onnx.data").read_bytes() != b"mine"


def test_extract_never_replaces_its_own_weights(net, tmp_path):
    weights.extract(net, tmp_path / "a.onnx", "a.data", size_threshold=0)
    before = (tmp_path / "a.data").read_bytes()
    model = (tmp_path / "a.onnx").read_bytes()
    for path, name in (("b.onnx", "a.data"), ("b.onnx", "b.onnx"), ("a.onnx", "a.onnx"), ("b.onnx", "a.onnx")):
        with pytest.raises(onnxc.OnnxcError, match="is also the name of the (output|input)|the weights of the model are in"):
            weights.extract(tmp_path / "a.onnx", tmp_path / path, name, size_threshold=0)
    assert (tmp_path / "a.data").read_bytes() == before and (tmp_path / "a.onnx").read_bytes() == model
    weights.extract(tmp_path / "a.onnx", tmp_path / "a.onnx", "a.data", size_threshold=16)  # its own
    assert differences(weights.inline(tmp_path / "a.onnx"), NET) == ()


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/tmp/x"])
def test_names_of_side_files(net, tmp_path, name):
    with pytest.raises(ValueError, match="beside the model"):
        weights.extract(net, tmp_path / "out.onnx", name)


def test_wrong_arguments(net, tmp_path):
    for size in (-1, 1 << 63):
        with pytest.raises(ValueError, match="size_threshold"):
            weights.skeleton(net, size_threshold=size)
        with pytest.raises(ValueError, match="size_threshold"):
            weights.extract(net, tmp_path / "out.onnx", size_threshold=size)
    with pytest.raises(OSError):
        weights.extract(net, tmp_path / "no" / "out.onnx")
    with pytest.raises(ValueError, match="no format has the suffix"):
        weights.extract(net, tmp_path / "out.foo")
    for function in (weights.skeleton, weights.inline):
        with pytest.raises(onnxc.OnnxcError):
            function(b"\xff\xff")
        with pytest.raises(FileNotFoundError):
            function(tmp_path / "missing.onnx")


def test_names_that_are_no_utf8(net, tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff=[1].onnx"
    try:
        onnxc.save(NET, path)
    except OSError:
        pytest.skip("the file system takes no such name")
    target = os.fsdecode(os.fsencode(tmp_path) + b"/\xfe.onnx")
    weights.extract(os.fsdecode(path), target, "w.data", size_threshold=0)
    assert differences(weights.inline(target), NET) == ()
    assert differences(weights.attach(weights.skeleton(NET), os.fsdecode(path)), NET) == ()


LIBRARY = """<domain: "l", opset_import: ["" : 21]> f (a) => (b) { b = l.g (a) }
<domain: "l", opset_import: ["" : 21, "l" : 1]> g (a) => (b) { b = Relu (a) }
<domain: "l", opset_import: ["" : 21]> h (a) => (b) { b = Tanh (a) }
"""
CALLER = '<ir_version: 10, opset_import: ["" : 21, "l" : 1]> m (float[N] x) => (float[N] y) { y = l.f (x) }'


def names(model):
    return [line.split()[0] for line in text(model).splitlines() if "(a) => (b)" in line]


def test_link_takes_what_is_called(tmp_path):
    library = LIBRARY.replace('["" : 21]> f', '["" : 21, "l" : 1]> f')
    (tmp_path / "l.onnxtxt").write_text(library)
    for given in (library, library.encode(), tmp_path / "l.onnxtxt", str(tmp_path / "l.onnxtxt")):
        linked = onnxc.link(CALLER, given)
        assert names(linked) == ["f", "g"]
        assert onnxc.check(linked).ok
    parts = library.replace("<domain", "\0<domain").split("\0")[1:]
    assert names(onnxc.link(CALLER, *parts)) == ["f", "g"], "texts without names are several libraries"
    assert names(onnxc.link(CALLER)) == []


def test_link_says_where(tmp_path):
    with pytest.raises(onnxc.OnnxcError) as caught:
        onnxc.link(CALLER, LIBRARY, '<domain: "l", opset_import: ["" : 21]> f (a) => (b) { b = Abs (a) }')
    finding = caught.value.findings[0]
    assert finding.kind == "duplicate-definition" and finding.range and "<library" in finding.file
    for wrong in ("{", '<ir_version: 10, opset_import: ["" : 21]> g () => () {}'):
        with pytest.raises(onnxc.OnnxcError) as caught:
            onnxc.link(CALLER, LIBRARY, wrong, "h {")
        assert {finding.file for finding in caught.value.findings} == {"<library 2>", "<library 3>"}
    many = [f"wrong {i} {{" for i in range(300)]
    with pytest.raises(onnxc.OnnxcError) as caught:
        onnxc.link(CALLER, *many)
    assert len(caught.value.findings) == 300 and len({finding.file for finding in caught.value.findings}) == 300
    with pytest.raises(FileNotFoundError):
        onnxc.link(CALLER, tmp_path / "missing.onnxtxt")
    with pytest.raises(TypeError):
        onnxc.link(CALLER, 5)
