"""Writes files of operators from the schemas that other packages register.

``onnxc check --operators FILE`` reads such a file.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["from_onnx_registry", "from_onnxruntime"]

# The schemas of these domains are built into onnxc.
_BUILT_IN = frozenset(
    {"", "ai.onnx", "ai.onnx.ml", "ai.onnx.preview", "ai.onnx.preview.training", "ai.onnx.training", "com.microsoft"}
)
_MOST_VARIABLES = 6
_TENSOR = re.compile(r"(?<!sparse_)tensor\((\w+)\)")


def from_onnx_registry(domains: Iterable[str] | None = None) -> str:
    """Returns a file of operators for the schemas that are registered in ``onnx.defs``.

    If a declaration cannot express a property of an attribute, a comment before the declaration describes it.

    Args:
        domains: the domains whose operators are written (default: all domains that onnxc does not know).
    """
    import onnx.defs

    return _to_text(onnx.defs.get_all_schemas_with_history(), domains)


def from_onnxruntime(domains: Iterable[str] | None = None) -> str:
    """Returns a file of operators for the schemas that ONNX Runtime knows.

    If a declaration cannot express a property of an attribute, a comment before the declaration describes it.

    Args:
        domains: the domains whose operators are written (default: all domains that onnxc does not know).
    """
    state = importlib.import_module("onnxruntime.capi.onnxruntime_pybind11_state")
    return _to_text(state.get_all_operator_schema(), domains)


def _to_text(schemas: Iterable[Any], domains: Iterable[str] | None) -> str:
    wanted = None if domains is None else frozenset(domains)
    chosen = {
        (schema.domain, schema.name, schema.since_version): _declaration(schema)
        for schema in schemas
        if not schema.deprecated and (schema.domain not in _BUILT_IN if wanted is None else schema.domain in wanted)
    }
    return "\n".join(chosen[key] for key in sorted(chosen))


def _type_text(type: str) -> str:
    """Returns the type in the text syntax: ``seq(float[])`` for ``seq(tensor(float))``."""
    return _TENSOR.sub(r"\1[]", type)


def _of(value: Any, *names: str) -> Any:
    """Returns the first of these members that the object has: the names differ between schemas of ``onnx`` and
    ``onnxruntime``."""
    for name in names:
        if hasattr(value, name):
            return getattr(value, name)
    raise AttributeError(names[0])


def _quoted(text: str) -> str:
    """Returns a string of the text syntax, in which a backslash only escapes itself and quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _name(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) else _quoted(name)


def _enum_name(value: Any) -> str:
    return str(value).rsplit(".", 1)[-1].upper()


def _default(attribute: Any) -> str | None:
    """Returns the default value as text, or None if there is no default, or if text cannot represent it."""
    value = attribute.default_value if hasattr(attribute, "default_value") else attribute._default_value
    if isinstance(value, bytes):
        import onnx

        value = onnx.AttributeProto.FromString(value)
    if not value.name:
        return None
    kind = _enum_name(attribute.type)
    if kind == "INT":
        return str(value.i)
    if kind == "FLOAT":
        return repr(float(value.f))
    if kind == "STRING":
        return _quoted(value.s.decode("utf-8", "replace"))
    lists: dict[str, tuple[Iterable[Any], Callable[[Any], str]]] = {
        "INTS": (value.ints, str),
        "FLOATS": (value.floats, lambda number: repr(float(number))),
        "STRINGS": (value.strings, lambda text: _quoted(text.decode("utf-8", "replace"))),
    }
    if kind not in lists:
        return None
    members, show = lists[kind]
    return "[" + ", ".join(map(show, members)) + "]"


def _declaration(schema: Any) -> str:
    # Nodes refer to attributes by name, so attributes keep their names. The names of inputs, outputs and type variables
    # are only documentation.
    attributes = sorted(schema.attributes.items())
    taken = {name for name, _ in attributes}

    def fresh(name: str) -> str:
        """Returns a name that is unique in the declaration, because it becomes a key of the metadata."""
        name = re.sub(r"[./:]", "_", name)
        while name in taken:
            name += "_"
        taken.add(name)
        return name

    metadata: list[tuple[str, str]] = []
    formals: list[list[str]] = []
    allowed = {
        _of(constraint, "type_param_str"): _of(constraint, "allowed_type_strs") for constraint in schema.type_constraints
    }
    constraints = {name: fresh(name) for name in list(allowed)[:_MOST_VARIABLES]}
    for given in (schema.inputs, schema.outputs):
        names = []
        for formal in given:
            name = fresh(formal.name or "value")
            type = _of(formal, "type_str", "typeStr")
            shown = constraints.get(type, "any" if type in allowed or not type else _type_text(type))
            if not _of(formal, "is_homogeneous", "isHomogeneous"):
                shown = "any"
            option = _enum_name(formal.option)
            least = _of(formal, "min_arity") if hasattr(formal, "min_arity") else 0
            mark = {"OPTIONAL": "?", "VARIADIC": "..." if least > 0 else "...?"}.get(option, "")
            metadata.append((name, shown + mark))
            names.append(_name(name))
        formals.append(names)
    used = {shown.rstrip("?.") for _, shown in metadata}
    metadata += [
        (shown, " | ".join(map(_type_text, allowed[name]))) for name, shown in constraints.items() if shown in used
    ]
    parameters = []
    comments = []
    for name, attribute in attributes:
        kind = _enum_name(attribute.type).lower()
        default = None if attribute.required else _default(attribute)
        if default is not None:
            parameters.append(f"{_name(name)}: {kind} = {default}")
            continue
        parameters.append(_name(name))
        entry = kind if attribute.required else kind + "?"
        if re.search(r"[./:]", name):
            comments.append(
                f"# The attribute {name!r} of {schema.name!r} has no entry '{entry}': keys of the metadata with '.', '/' "
                "or ':' belong to other tools.\n"
            )
        else:
            metadata.append((name, entry))
    entries = ", ".join(f"{_quoted(key)}: {_quoted(value)}" for key, value in metadata)
    header = [f"domain: {_quoted(schema.domain)}", f"opset_import: [{_quoted(schema.domain)}: {schema.since_version}]"]
    if schema.doc:
        header.append(f"doc_string: {_quoted(schema.doc.strip())}")
    if entries:
        header.append(f"metadata_props: [{entries}]")
    list_ = f" <{', '.join(parameters)}>" if parameters else ""
    inputs, outputs = (", ".join(names) for names in formals)
    return f"{''.join(comments)}<{', '.join(header)}>\n{_name(schema.name)}{list_} ({inputs}) => ({outputs}) {{}}\n"
