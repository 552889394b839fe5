"""Operators that are only in the registry of the ``onnx`` package, where ``onnx.defs.register_schema`` has added them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

Operator = tuple[str, str]  # the domain and the name


def foreign_operators(document: str | None) -> list[Operator]:
    """Returns the operators that neither onnxc nor the model defines, as reported by the extension module."""
    return [(domain, name) for domain, name in json.loads(document)] if document else []


def registered(operators: Iterable[Operator]) -> set[Operator]:
    """Returns the operators that are in the registry; none if ``onnx`` was not imported, so that nothing was registered."""
    defs = sys.modules.get("onnx.defs")
    return {(domain, name) for domain, name in operators if defs is not None and defs.has(name, domain=domain)}
