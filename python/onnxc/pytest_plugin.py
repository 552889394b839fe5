"""For tests that look at models: ``assert_same_model`` and golden files in the ONNX text syntax.

    def test_export(assert_same_model, golden_model):
        assert_same_model(exported(), 'g (float[N] x) => (float[N] y) { y = Relu(x) }')
        golden_model(exported(), "relu")      # golden/relu.onnxtxt beside the test

``pytest --update-goldens`` writes the golden files instead of comparing with them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from onnxc._api import diff, save


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("onnxc")
    group.addoption("--update-goldens", action="store_true", help="write the golden .onnxtxt files instead of comparing with them")


def check_same(actual: Any, expected: Any, **options: Any) -> None:
    """Fails with a line for each difference. The options are those of ``onnxc.diff``."""
    __tracebackhide__ = True
    differences = diff(expected, actual, **options)
    if differences:
        pytest.fail(f"the models differ (- expected, + actual):\n{differences}", pytrace=False)


@pytest.fixture
def assert_same_model() -> Callable[..., None]:
    """A function (actual, expected, **options of onnxc.diff) that fails with what differs in the models."""
    return check_same


@pytest.fixture
def golden_model(request: pytest.FixtureRequest) -> Callable[..., None]:
    """A function (model, name, **options of onnxc.diff): the model must be that in golden/NAME.onnxtxt beside the test."""

    def compare(model: Any, name: str, **options: Any) -> None:
        __tracebackhide__ = True
        path = Path(request.path).parent / "golden" / f"{name}.onnxtxt"
        if request.config.getoption("--update-goldens"):
            path.parent.mkdir(parents=True, exist_ok=True)
            save(model, path)
        elif not path.exists():
            pytest.fail(f"there is no {os.path.relpath(path)}; `pytest --update-goldens` writes it", pytrace=False)
        else:
            check_same(model, path, **options)

    return compare
