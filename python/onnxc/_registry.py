"""Operators that only the registry of the ``onnx`` package knows: ``onnx.defs.register_schema`` has put them there."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

Operator = tuple[str, str]  # the domain and the name


def foreign_operators(document: str | None) -> list[Operator]:
    """What the extension module tells of operators that neither onnxc nor the model defines."""
    return [(domain, name) for domain, name in json.loads(document)] if document else []


def registered(operators: Iterable[Operator]) -> set[Operator]:
    """Those that the registry knows; none where nobody has imported ``onnx``, and so registered nothing."""
    defs = sys.modules.get("onnx.defs")
    return {(domain, name) for domain, name in operators if defs is not None and defs.has(name, domain=domain)}
