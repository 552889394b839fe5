#!/usr/bin/env python3
"""Prints and compiles the models of Debian's libonnx-testdata, and compares with the reference: roundtrip_models.py ONNXC

For each model:
  onnxc print --dialect reference --allow-loss MODEL | onnxc compile --no-check
has to give the model back, compared at L2: equal but for has-bits of default values and for the way tensors store their
elements. A print that warns of a loss may give back less. Where the reference reads its own print back with the same meaning,
onnxc's print has to be the same bytes. Prints counts, and the cause of each model that is not simply equal.
Needs the `onnx` package (PyPI, 1.23). Exit status 1 if a model fails, or if there are no models.
"""
import collections, concurrent.futures, os, subprocess, sys

import onnx
import onnx.numpy_helper
import onnx.onnx_cpp2py_export as reference

from conform import normalise


def models():
    listed = subprocess.run(["dpkg", "-L", "libonnx-testdata"], capture_output=True, text=True)
    return sorted(path for path in listed.stdout.splitlines() if path.endswith(".onnx"))


def decode(message):
    """Gives the elements of all tensors one form of storage, in place."""
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        for item in value if hasattr(value, "extend") else [value]:
            if isinstance(item, onnx.TensorProto):
                decode_tensor(item)
            else:
                decode(item)
    return message


def decode_tensor(tensor):
    if tensor.data_location == onnx.TensorProto.EXTERNAL or tensor.data_type == onnx.TensorProto.STRING:
        return
    try:
        elements = onnx.numpy_helper.to_array(tensor).tobytes()
    except (TypeError, ValueError):
        return  # data that do not fit the dimensions stay as they are
    for field in ("raw_data", "float_data", "int32_data", "int64_data", "double_data", "uint64_data"):
        tensor.ClearField(field)
    tensor.raw_data = elements


def read(data):
    model = onnx.ModelProto()
    model.ParseFromString(data)
    return decode(normalise(model)).SerializeToString(deterministic=True)


def reference_print(data, wanted):
    """The reference's print, if it reads that back with the same meaning; else None and the cause."""
    try:
        text = reference.printer.model_to_text(data)
        ok, message, again = reference.parser.parse_model(text)
    except Exception as error:
        return None, f"it throws: {error}"
    if not ok:
        return None, f"it cannot be read: {' '.join(message.split())}"
    return (text, "") if read(again) == wanted else (None, "read back it is another model")


def first_difference(ours, theirs):
    for line, (a, b) in enumerate(zip(ours.splitlines(), theirs.splitlines()), 1):
        if a != b:
            at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            return f"line {line}: ours {a[max(0, at - 30):at + 50]!r}, the reference's {b[max(0, at - 30):at + 50]!r}"
    return f"{len(ours)} and {len(theirs)} bytes"


def run(onnxc, path):
    """(verdict, verdict on the print, details)"""
    with open(path, "rb") as file:
        data = file.read()
    wanted = read(data)
    printed = subprocess.run([onnxc, "print", "--dialect", "reference", "--allow-loss", path], capture_output=True, timeout=300)
    warnings = printed.stderr.decode("utf-8", "replace").strip()
    if printed.returncode != 0:
        return "not printed", "not compared", f"exit status {printed.returncode}: {warnings[:300]}"
    compiled = subprocess.run([onnxc, "compile", "--no-check", "-", "-o", "-"], input=printed.stdout, capture_output=True, timeout=300)
    if compiled.returncode != 0:
        return "not compiled", "not compared", compiled.stderr.decode("utf-8", "replace")[:300]

    verdict, details = "equal", []
    if read(compiled.stdout) != wanted:
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
    paths = models()
    if not paths:
        print("no models: the Debian package libonnx-testdata is not installed")
        return 1
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
