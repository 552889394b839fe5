#!/usr/bin/env python3
"""Runs compiled example models in ONNX Runtime and prints what goes in and what comes out: run_examples.py MODEL.onnx ..."""
import os
import sys

import numpy
import onnxruntime

# The inputs, by their number of dimensions.
VALUES = {1: [-2, -1, 0.5], 2: [[0, 0], [0, 1], [1, 0], [1, 1]]}

for path in sys.argv[1:]:
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    inputs = {i.name: numpy.array(VALUES[len(i.shape)], numpy.float32) for i in session.get_inputs()}
    outputs = dict(zip([o.name for o in session.get_outputs()], session.run(None, inputs)))
    print(os.path.basename(path))
    for name, value in [*inputs.items(), *outputs.items()]:
        print(f"    {name} = {value.tolist()}")
