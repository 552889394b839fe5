#!/usr/bin/env python3
"""Prints real models in the default dialect, and compiles the text: lossless_models.py ONNXC [MODEL...]

For each model of Debian's libonnx-testdata and of the wheel's onnx.backend.test (its files, and the models that its code
makes), the output of
  onnxc print MODEL | onnxc compile --no-check
must be the same as the model, byte for byte (L0). Then the reference parser reads the text. The models that it reads with the
same meaning (L2) are counted. The others are listed by the extension that the text needs, or by the message of the reference.
Needs the `onnx` package (PyPI, 1.23); without it, the exit status is 77. Exit status 1 if the bytes of a model differ.
"""
import collections, os, re, subprocess, sys

from models import check_all, exactly, meaning, reference_parse

# Strings and comments are skipped; the first pattern that matches names the extension.
SKIPPED = re.compile(r'b"(?:\\.|[^"\\])*"|"(?:\\.|[^"\\])*"|#[^\n]*', re.S)
EXTENSIONS = (("record", re.compile(r"@\{")), ("annotation", re.compile(r"@(\w+)[ .][^,>)]")), ("packed elements", re.compile(r"\{\{")),
              ("NaN with payload", re.compile(r"nan0x")), ("sparse tensor", re.compile(r"sparse_tensor\([^)]*\)[^=,)]*=? *\{")))


def extension_of(text):
    """Returns the name of the first extension in a text, or None."""
    if any(match.startswith('b"') for match in SKIPPED.findall(text)):
        return "byte string"
    bare = SKIPPED.sub('""', text)
    for name, pattern in EXTENSIONS:
        if match := pattern.search(bare):
            return f"{name} {match[1]}" if match.groups() else name
    return None


def run(onnxc, path):
    """Returns (whether the model is the same after printing and parsing, the reference's result for the text, details)."""
    with open(path, "rb") as file:
        data = file.read()
    printed = subprocess.run([onnxc, "print", path], capture_output=True, timeout=300)
    if printed.returncode != 0:
        return False, "not printed", printed.stderr.decode("utf-8", "replace")[:300]
    compiled = subprocess.run([onnxc, "compile", "--no-check", "-", "-o", "-"], input=printed.stdout, capture_output=True, timeout=300)
    if compiled.returncode != 0:
        return False, "not compiled", compiled.stderr.decode("utf-8", "replace")[:300]
    same = exactly(compiled.stdout) == exactly(data)
    try:
        text = printed.stdout.decode()
    except UnicodeDecodeError:
        return same, "not read: no UTF-8", ""
    read, error = reference_parse(text)
    if read is None:
        return same, f"not read: {extension_of(text) or re.sub(r'[0-9]+', 'N', error)[:100]}", error[:200]
    return same, "read with the same meaning" if read == meaning(data) else "read with another meaning", ""


def report(source, paths, verdicts):
    readings, failures, came_back = collections.defaultdict(list), [], 0
    for path, (same, reading, details) in zip(paths, verdicts):
        came_back += same
        readings[reading].append((path, details))
        if not same:
            failures.append((path, f"{reading} {details}"))
    print(f"{source}: {came_back} of {len(paths)} models come back byte for byte")
    for path, details in failures[:20]:
        print(f"    {path}: {details}")
    for reading, where in sorted(readings.items(), key=lambda item: -len(item[1])):
        path, details = where[0]
        print(f"  the reference: {len(where)} {reading}" + (f"; {os.path.relpath(path)}: {details}" if details else ""))
    return not failures


if __name__ == "__main__":
    sys.exit(check_all(run, report))
