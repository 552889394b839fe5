import os

import pytest

pytest_plugins = ["pytester"]

MODEL = """<ir_version: 10, opset_import: ["" : 21]>
net (float[N, 4] x) => (float[N, 2] y)
<float[4, 2] w = {1, 2, 3, 4, 5, 6, 7, 8}>
{
   h = MatMul (x, w)
   y = Relu (h)
}
"""


@pytest.fixture
def model_text():
    return MODEL


def onnx_or_skip():
    """Returns the onnx package. It is optional, but a run without it must be requested explicitly."""
    if os.environ.get("ONNXC_WITHOUT_ONNX"):
        pytest.skip("this run is for the package alone, without onnx")
    import onnx

    return onnx


@pytest.fixture
def onnx():
    return onnx_or_skip()
