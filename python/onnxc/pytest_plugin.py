"""A plugin for tests of models: ``assert_same_model``, golden files in the ONNX text syntax, and readable differences for
``==``.

    def test_export(assert_same_model, golden_model):
        assert_same_model(exported(), 'g (float[N] x) => (float[N] y) { y = Relu(x) }')
        golden_model(exported(), "relu")      # golden/relu.onnxtxt beside the test

``pytest --update-golden-models`` writes the golden files that differ; ``--update-goldens`` does the same if
another plugin, such as pytest-golden, has that option.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from onnxc._api import diff
from onnxc._inputs import message_type
from onnxc.findings import OnnxcError
from onnxc.golden import assert_golden, assert_same_model as _assert_same_model

_OPTION = "--update-golden-models"
_HINT = f"`pytest {_OPTION}` writes it"
_WRITERS = pytest.StashKey["dict[Path, str]"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("onnxc")
    group.addoption(_OPTION, action="store_true", help="write the golden .onnxtxt files instead of comparing with them")


def pytest_assertrepr_compare(op: str, left: Any, right: Any) -> list[str] | None:
    """Shows the differences of two messages, or of two sequences of messages, instead of their full texts."""
    if op != "==":
        return None
    try:
        if message_type(left) is not None and type(left) is type(right):
            lines = str(diff(left, right)).splitlines()
        else:
            lines = _differences_in_order(left, right)
    except (OnnxcError, TypeError, ValueError):
        return None
    return ["the messages differ (- left, + right):", *lines] if lines else None


def _differences_in_order(left: Any, right: Any) -> list[str]:
    """Compares two sequences of messages. Returns lines about their lengths, and about the first two messages at the same index
    that differ. Returns an empty list for other objects."""
    for items in (left, right):
        if not isinstance(items, Sequence) or not all(message_type(item) for item in items):
            return []
    lines = [f"{len(left)} messages and {len(right)}"] if len(left) != len(right) else []
    for index, (first, second) in enumerate(zip(left, right)):
        if first != second:
            return [*lines, f"the first pair that differs is [{index}]:", *str(diff(first, second)).splitlines()]
    return lines


@pytest.fixture
def assert_same_model() -> Callable[..., None]:
    """Returns a function (actual, expected, **options) that fails if the models differ, and shows the differences. The options
    are those of ``onnxc.diff``.
    """
    return _assert_same_model


@pytest.fixture
def golden_model(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Returns a function (model, name, **options) that fails if the model differs from golden/NAME.onnxtxt in the folder of the
    test.

    The options are those of ``onnxc.diff``, and the option ``elide_weights_of`` of ``onnxc.golden.assert_golden``.
    """
    updates = request.config.getoption(_OPTION) or request.config.getoption("--update-goldens", default=False)
    writers = request.config.stash.setdefault(_WRITERS, {})

    def compare(model: Any, name: str, **options: Any) -> None:
        __tracebackhide__ = True
        path = Path(request.path).parent / "golden" / f"{name}.onnxtxt"
        # A file that this run has already written is not overwritten: if two tests use the same file, they must have
        # the same model.
        writer = writers.get(path) if updates else None
        try:
            if writer is not None:
                _assert_same_model(model, path, **options)
            else:
                assert_golden(model, path, update=bool(updates), hint=_HINT, **options)
        except AssertionError as error:
            failure = str(error)
        else:
            writers.setdefault(path, request.node.nodeid)
            return
        # This is outside of the exception handler, so that the failure does not show the handled exception.
        if writer is not None:
            failure = f"{writer} has a golden model '{name}', too, and it is another one: {failure}"
        pytest.fail(failure, pytrace=False)

    return compare
