#!/usr/bin/env python3
"""Runs compiled example models in ONNX Runtime: run_examples.py MODEL.onnx ...

Prints the inputs and the outputs, and fails if an output is not the expected one.
"""
import os
import sys

import numpy
import onnxruntime

# The inputs, by their number of dimensions.
VALUES = {1: [-2, -1, 0.5], 2: [[0, 0], [0, 1], [1, 0], [1, 1]]}
EXPECTED = {"branch": 2.5, "function": [-7, -3.5, 1.75], "mlp": [[0], [1], [1], [0]]}

for path in sys.argv[1:]:
    name = os.path.splitext(os.path.basename(path))[0]
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    inputs = {i.name: numpy.array(VALUES[len(i.shape)], numpy.float32) for i in session.get_inputs()}
    outputs = dict(zip([o.name for o in session.get_outputs()], session.run(None, inputs)))
    print(name)
    for value_name, value in [*inputs.items(), *outputs.items()]:
        print(f"    {value_name} = {value.tolist()}")
    for value in outputs.values():
        if not numpy.allclose(value, EXPECTED[name]):
            sys.exit(f"FAILED: {name}: expected {EXPECTED[name]}")
