"""Functions for tests, in ``unittest`` or any other framework, that compare models with each other or with golden files.

    class TestExport(unittest.TestCase):
        def test_relu(self):
            golden.assert_golden(exported(), "golden/relu.onnxtxt")

If the environment variable ``ONNXC_UPDATE_GOLDENS=1`` is set, the golden files that differ are written instead; a file that
matches keeps its comments and its layout. For pytest, ``onnxc.pytest_plugin`` has fixtures.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from onnxc._api import diff, save
from onnxc.findings import OnnxcError
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


def _matches(model: Any, file: Path, options: dict[str, Any]) -> bool:
    try:
        assert_same_model(model, file, **options)
    except (AssertionError, OnnxcError):  # an error: the file is not a model
        return False
    return True


def assert_golden(
    model: Any,
    path: str | os.PathLike[str],
    *,
    elide_weights_of: int | None = None,
    update: bool | None = None,
    hint: str = _HINT,
    **options: Any,
) -> None:
    """Raises an AssertionError if the model differs from the model in the file. The suffix of the file names its format.

    Args:
        elide_weights_of: the file contains only checksums of tensors of at least this many bytes. By default, it contains all
            data.
        update: write the file unless it matches (default: if the environment variable is set).
        hint: the end of the error message if the file does not exist. It should say how to write the file.
    """
    __tracebackhide__ = True
    file = Path(path)
    if elide_weights_of is not None:
        model = skeleton(model, checksums=True, size_threshold=elide_weights_of)
    if os.environ.get(VARIABLE, "0") not in ("", "0") if update is None else update:
        if not file.exists() or not _matches(model, file, options):
            file.parent.mkdir(parents=True, exist_ok=True)
            save(model, file)
    elif not file.exists():
        raise AssertionError(f"there is no {os.path.relpath(file)}; {hint}")
    else:
        assert_same_model(model, file, **options)
