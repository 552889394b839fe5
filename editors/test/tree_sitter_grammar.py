"""The tree-sitter grammar of editors/, compiled: trees, and their ranges in the terms of grammar.py."""
import ctypes
import subprocess

import tree_sitter

from grammar import NAMES
from texts import ROOT

SOURCE = ROOT / "editors/tree-sitter-onnxtxt"
TYPES = {"tensor_type", "container_type", "map_type", "sparse_tensor_type", "opaque_type"}
NAMED = set(NAMES.values()) | {"tensor", "graph"}


def build(folder):
    """Compiles the library of the grammar from the committed C file."""
    library = folder / "onnxtxt.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", f"-I{SOURCE}/src", *SOURCE.glob("src/*.c"), "-o", library], check=True)
    return library


def load(library):
    function = ctypes.CDLL(str(library)).tree_sitter_onnxtxt
    function.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return tree_sitter.Language(capsule(function(), b"tree_sitter.Language", None))


def is_of_kind(root, kind):
    """Returns whether a text alone was read as one of that kind."""
    children = [child for child in root.named_children if child.type not in ("comment", "pragma", "annotation")]
    if kind == "shape" and not children:
        return True
    if len(children) != 1:
        return False
    child = children[0]
    items = [item for item in child.named_children if item.type == "item"]
    if kind in ("graph", "function"):
        return child.type == "model" and len(items) == 1
    if is_record(root) or (kind == "shape" and child.type == "tensor_type"):
        return True  # such a text may be of any kind
    wanted = {
        "model": {"model"}, "node": {"node"}, "attr": {"attribute"}, "type": TYPES, "tensor": {*TYPES, "tensor"},
        "shape": {"dimensions", "record"},
    }  # fmt: skip
    return child.type in wanted.get(kind, set())


def is_record(root):
    """Returns whether the whole text is a record that replaces one element."""
    items = [item for model in root.named_children if model.type == "model" for item in model.named_children]
    return len(items) == 1 and items[0].child_count > 0 and items[0].children[-1].type == "in_place"


def ranges(root):
    found, stack = [], [root]
    while stack:
        node = stack.pop()
        name = {"pragma": "annotation"}.get(node.type, "type" if node.type in TYPES else node.type)
        if node.is_named and name in NAMED:
            found.append((name, node.start_byte, node.end_byte))
        stack.extend(node.children)
    return sorted(found)
