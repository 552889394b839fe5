"""Operators that ``onnx.defs.register_schema`` has added to the registry of the ``onnx`` package."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

Operator = tuple[str, str]  # the domain and the name


def foreign_operators(document: str | None) -> list[Operator]:
    """Reads the operators that neither onnxc nor the model defines. ``document`` is the JSON of the extension module."""
    return [(domain, name) for domain, name in json.loads(document)] if document else []


def registered(operators: Iterable[Operator]) -> set[Operator]:
    """Returns those of the operators that are in the registry. If ``onnx`` was not imported, nothing was registered, so the
    result is empty."""
    defs = sys.modules.get("onnx.defs")
    return {(domain, name) for domain, name in operators if defs is not None and defs.has(name, domain=domain)}
