"""Tests that compare models, in ``unittest`` or any other framework: with each other, and with golden files.

    class TestExport(unittest.TestCase):
        def test_relu(self):
            golden.assert_golden(exported(), "golden/relu.onnxtxt")

With the environment variable ``ONNXC_UPDATE_GOLDENS=1`` the golden files are written instead. For pytest there are fixtures:
``onnxc.pytest_plugin``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from onnxc._api import diff, save
from onnxc.weights import skeleton

__all__ = ["assert_golden", "assert_same_model"]

VARIABLE = "ONNXC_UPDATE_GOLDENS"
_HINT = f"with {VARIABLE}=1 in the environment it is written"


def assert_same_model(actual: Any, expected: Any, **options: Any) -> None:
    """Raises an AssertionError with a line for each difference. The options are those of ``onnxc.diff``."""
    __tracebackhide__ = True
    differences = diff(expected, actual, **options)
    if differences:
        raise AssertionError(f"the models differ (- expected, + actual):\n{differences}")


def assert_golden(
    model: Any,
    path: str | os.PathLike[str],
    *,
    elide_weights_of: int | None = None,
    update: bool | None = None,
    hint: str = _HINT,
    **options: Any,
) -> None:
    """The model must be that of the file, whose suffix names its format.

    Args:
        elide_weights_of: the file has only checksums of tensors of at least this many bytes. Without it, it has all data.
        update: write the file; by default, where the environment says so.
        hint: how a file is written, for the error where there is none.
    """
    __tracebackhide__ = True
    file = Path(path)
    if elide_weights_of is not None:
        model = skeleton(model, checksums=True, size_threshold=elide_weights_of)
    if os.environ.get(VARIABLE, "0") not in ("", "0") if update is None else update:
        file.parent.mkdir(parents=True, exist_ok=True)
        save(model, file)
    elif not file.exists():
        raise AssertionError(f"there is no {os.path.relpath(file)}; {hint}")
    else:
        assert_same_model(model, file, **options)
