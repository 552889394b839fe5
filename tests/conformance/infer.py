#!/usr/bin/env python3
"""Compares the inferred types and shapes with those of the `onnx` package, and with the arrays that a model computes.

Usage: infer.py PROBE reference [MODEL...]   each value: equal, ours more precise, less precise, or contradictory
       infer.py PROBE truth [MODEL...]       each value against the array: recorded ones, and those of ONNX Runtime
       infer.py PROBE mutants [--count N] [--seed S] [--keep FOLDER]   the verdicts on damaged models

With --every N, only every N-th model is used.

PROBE is the test tool infer_probe. Without MODEL, the models are those of models.py: Debian's libonnx-testdata, and the
files and the code of onnx.backend.test. Recorded value_info is removed first, so that each type is inferred.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import sys

import models
import onnx
import onnx.shape_inference
from infer_mutants import compare_verdicts
from infer_truth import compare_with_arrays
from infer_types import batches, compare, errors, infer_all, operators, show, values


def reference(data):
    """Returns (the model with the reference's types, "") or (None, why not)."""
    try:
        model = onnx.ModelProto.FromString(data)
        return onnx.shape_inference.infer_shapes(model, strict_mode=True, check_type=True, data_prop=True), ""
    except Exception as error:  # it throws more than InferenceError
        return None, " ".join(str(error).split())[:300]


class Comparison:
    def __init__(self):
        self.counts = collections.Counter()
        self.by_operator = collections.defaultdict(collections.Counter)
        self.examples = collections.defaultdict(list)

    def add(self, path, ours, found, theirs, refusal):
        self.counts["models"] += 1
        if theirs is None:
            both = "both refuse" if errors(found) else "the reference alone refuses"
            self.counts[both] += 1
            if both != "both refuse":
                self.example(both, path, refusal)
            return
        if errors(found):
            self.counts["onnxc alone refuses"] += 1
            self.example("onnxc alone refuses", path, errors(found)[0]["message"])
        a, b = values(ours), values(theirs)
        made_by = operators(ours)
        for key in a.keys() | b.keys():
            result = compare(a.get(key), b.get(key))
            verdict = next((v for v in ("contradictory", "less", "more") if v in result), "equal")
            self.counts[verdict] += 1
            operator = made_by.get(key, "(declared)")
            self.by_operator[verdict][operator] += 1
            if verdict in ("contradictory", "less"):
                shown = f"{key[0]} {key[1]} = {operator}: {show(a.get(key))} here, {show(b.get(key))} there"
                self.example(verdict, path, shown, operator)

    def example(self, what, path, text, group=""):
        if len(self.examples[what, group]) < 5:
            self.examples[what, group].append(f"{os.path.basename(os.path.dirname(path))}/{os.path.basename(path)}: {text}")

    def summary(self):
        lines = [str(dict(self.counts))]
        for verdict in ("contradictory", "less"):
            lines.append(f"{verdict}: {dict(self.by_operator[verdict].most_common())}")
        for (what, _), examples in sorted(self.examples.items()):
            lines += [f"  {what}: {example}" for example in examples]
        return "\n".join(lines)


def compare_with_reference(probe, sources):
    total = Comparison()
    for source, paths in sources:
        comparison = Comparison()
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            for batch in batches(paths):
                theirs = pool.map(reference, [data for _, data in batch], chunksize=16)
                ours = infer_all(probe, [data for _, data in batch])
                for (path, _), (model, found), (other, refusal) in zip(batch, ours, theirs):
                    for c in (comparison, total):
                        c.add(path, model, found, other, refusal)
        print(f"{source}: {comparison.summary()}", flush=True)
    known = sum(total.counts[v] for v in ("equal", "more", "less", "contradictory"))
    print(f"all: {dict(total.counts)}")
    print(f"values: {known}, less precise: {total.counts['less'] / max(1, known):.3%}")
    return total.counts["contradictory"] == 0 and total.counts["less"] <= 0.001 * known


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("probe")
    parser.add_argument("mode", choices=["reference", "truth", "mutants"])
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    sources = [("given", options.paths)] if options.paths else [(s, models.models_of(s)) for s in models.SOURCES]
    sources = [(name, paths[:: options.every]) for name, paths in sources]
    if options.mode == "mutants":
        holds = compare_verdicts(options.probe, sources, options)
    else:
        holds = {"reference": compare_with_reference, "truth": compare_with_arrays}[options.mode](options.probe, sources)
    sys.exit(0 if holds else 1)


if __name__ == "__main__":
    main()
