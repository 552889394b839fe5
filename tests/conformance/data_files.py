#!/usr/bin/env python3
"""Prints the data files of tests, and compiles the texts: data_files.py ONNXC

The inputs and outputs of the backend tests (test_data_set_*/*.pb) of Debian's libonnx-testdata and of the `onnx` wheel contain
tensors, sequences and optionals; the model in the same folder says which. Each file must be the same after printing and
compiling, byte for byte, and must not break a rule of the checker. Needs the `onnx` package (PyPI, 1.23); without it, the exit
status is 77. Exit status 1 if a file fails.
"""
import collections, functools, os, subprocess, sys, tempfile
from pathlib import Path

try:
    import onnx
except ImportError:
    print("skipped: the `onnx` package (PyPI, 1.23) is not installed")
    sys.exit(77)

KINDS = {"tensor_type": "tensor", "sequence_type": "sequence", "optional_type": "optional", "map_type": "map"}


@functools.lru_cache(maxsize=8)
def kinds_of(model):
    """Returns the kinds of a model's inputs and outputs, with the keys "input" and "output"."""
    graph = onnx.load(model, load_external_data=False).graph
    return {side: [KINDS[value.type.WhichOneof("value")] for value in getattr(graph, side)] for side in ("input", "output")}


def kind_of(path):
    """input_0.pb holds a value of the first input."""
    side, number = path.stem.rsplit("_", 1)
    return kinds_of(path.parent.parent / "model.onnx")[side][int(number)]


def run(onnxc, command, kind, paths, folder):
    done = subprocess.run([onnxc, *command, "--kind", kind, *paths, "-o", f"{folder}/"], capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stderr[:2000])
    return sorted(Path(folder).glob("*"))


def check(onnxc, source, paths):
    by_kind = collections.defaultdict(list)
    for path in paths:
        by_kind[kind_of(path)].append(path)
    failures = 0
    for kind, files in sorted(by_kind.items()):
        with tempfile.TemporaryDirectory() as work:
            folders = [Path(work, name) for name in ("bytes", "texts", "back")]
            for folder in folders:
                folder.mkdir()
            copies = [folders[0] / f"{number}.pb" for number in range(len(files))]
            for copy, file in zip(copies, files):
                copy.write_bytes(file.read_bytes())
            texts = run(onnxc, ["print", "-q"], kind, copies, folders[1])
            run(onnxc, ["compile", "-q"], kind, texts, folders[2])
            wrong = [str(file) for copy, file in zip(copies, files)
                     if not (back := folders[2] / copy.name).exists() or back.read_bytes() != copy.read_bytes()]  # fmt: skip
        print(f"{source}: {len(files) - len(wrong)} of {len(files)} files of the kind {kind} come back byte for byte")
        print("".join(f"    {name}\n" for name in wrong[:20]), end="")
        failures += len(wrong)
    return failures


def main():
    listed = subprocess.run(["dpkg", "-L", "libonnx-testdata"], capture_output=True, text=True).stdout.splitlines()
    wheel = Path(os.path.dirname(onnx.__file__), "backend", "test", "data")
    sources = {
        "libonnx-testdata": [Path(name) for name in listed if name.endswith(".pb")],
        "onnx.backend.test": sorted(wheel.glob("**/test_data_set_*/*.pb")),
    }
    return int(sum(check(sys.argv[1], source, paths) for source, paths in sources.items()) > 0)


if __name__ == "__main__":
    sys.exit(main())
