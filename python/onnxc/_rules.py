"""Selects errors by the source of their rule: the reference, its full check, or the specification."""

from __future__ import annotations

import functools
import json

from onnxc import _core
from onnxc.findings import Finding, Findings


@functools.cache
def _authorities() -> dict[str, str]:
    return {rule["name"]: rule["source"] for rule in json.loads(_core.rules())}


def errors_by(authority: str, found: Findings) -> list[Finding]:
    """Returns the errors whose rules have the source ``authority``: "reference", "full check" or "specification"."""
    if not found.items:
        return []
    return [finding for finding in found.errors if _authorities().get(finding.kind) == authority]


def is_unreadable(found: Findings) -> bool:
    """Returns whether the input could not be read. In that case, there are errors that do not belong to a rule."""
    return any(finding.kind not in _authorities() for finding in found.errors)
