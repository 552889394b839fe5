#!/usr/bin/env python3
"""Prints and compiles real models in the reference dialect, and compares with the reference: roundtrip_models.py ONNXC

The models are those of Debian's libonnx-testdata and of the wheel's onnx.backend.test (its files, and the models that its code
makes).

For each model, the output of
  onnxc print --dialect reference --allow-loss MODEL | onnxc compile --no-check
must be the same as the model at L2: equal except for has-bits of default values and for the fields in which tensors store their
elements. If print warns of a loss, the output may contain less, and without --allow-loss each loss must be an error. If the
reference can print the model and read its own text with the same meaning, onnxc must print the same bytes. Prints counts, and
the cause for each model that is not simply equal. Needs the `onnx` package (PyPI, 1.23); without it, the exit status is 77. Exit
status 1 if a model fails.
"""
import collections, concurrent.futures, os, subprocess, sys

from models import SOURCES, meaning, models_of, reference, reference_parse


def reference_print(data, wanted):
    """Returns the text that the reference prints, if it can read it back with the same meaning; otherwise None and the
    cause."""
    try:
        text = reference.printer.model_to_text(data)
    except Exception as error:
        return None, f"it throws: {error}"
    again, cause = reference_parse(text)
    if again is None:
        return None, f"it cannot be read: {cause}"
    return (text, "") if again == wanted else (None, "read back it is another model")


def first_difference(ours, theirs):
    for line, (a, b) in enumerate(zip(ours.splitlines(), theirs.splitlines()), 1):
        if a != b:
            at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            return f"line {line}: ours {a[max(0, at - 30):at + 50]!r}, the reference's {b[max(0, at - 30):at + 50]!r}"
    return f"{len(ours)} and {len(theirs)} bytes"


def run(onnxc, path):
    """Returns (verdict, verdict on the print, details)."""
    with open(path, "rb") as file:
        data = file.read()
    wanted = meaning(data)
    printed = subprocess.run([onnxc, "print", "--dialect", "reference", "--allow-loss", path], capture_output=True, timeout=300)
    warnings = printed.stderr.decode("utf-8", "replace").strip()
    if printed.returncode != 0:
        return "not printed", "not compared", f"exit status {printed.returncode}: {warnings[:300]}"
    compiled = subprocess.run([onnxc, "compile", "--no-check", "-", "-o", "-"], input=printed.stdout, capture_output=True, timeout=300)
    if compiled.returncode != 0:
        return "not compiled", "not compared", compiled.stderr.decode("utf-8", "replace")[:300]

    if warnings:
        strict = subprocess.run([onnxc, "print", "--dialect", "reference", path], capture_output=True, timeout=300)
        if strict.returncode != 1 or strict.stderr.count(b": error: ") != printed.stderr.count(b": warning: "):
            return "loss without an error", "not compared", strict.stderr.decode("utf-8", "replace")[:300]

    verdict, details = "equal", []
    if meaning(compiled.stdout) != wanted:
        verdict = "lossy" if warnings else "differs"
        details.append(warnings.splitlines()[0][:200] if warnings else "the model that comes back is another, without a warning")
    text, cause = reference_print(data, wanted)
    if text is None:
        details.append(f"the reference's print: {cause[:160]}")
        return verdict, "print not compared", "; ".join(details)
    if text.encode() + b"\n" != printed.stdout:  # the command ends its output with a line break
        details.append(first_difference(printed.stdout.decode("utf-8", "replace"), text))
        return verdict, "print differs", "; ".join(details)
    return verdict, "print same", "; ".join(details)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: roundtrip_models.py ONNXC")
    paths = []
    for source in SOURCES:
        paths += (found := models_of(source))
        print(f"{source}: {len(found)} models" + ("" if found else ", skipped: not installed"))
    if not paths:
        return 77
    verdicts, causes, failed = collections.Counter(), collections.defaultdict(list), 0
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(run, [sys.argv[1]] * len(paths), paths, chunksize=8)
        for path, (verdict, print_verdict, details) in zip(paths, results):
            verdicts[verdict] += 1
            verdicts[print_verdict] += 1
            failed += verdict not in ("equal", "lossy") or print_verdict == "print differs"
            if details:
                causes[(verdict, print_verdict, details)].append(path)
    for (verdict, print_verdict, details), where in sorted(causes.items()):
        name = os.path.relpath(where[0], os.path.commonpath(paths))
        print(f"{verdict}, {print_verdict}: {name}{f' and {len(where) - 1} more' if len(where) > 1 else ''}\n    {details}")
    print(", ".join(f"{k}: {v}" for k, v in sorted(verdicts.items())))
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
