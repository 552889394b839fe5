#!/usr/bin/env python3
"""Runs an onnxc binary over cases.jsonl and says where it differs from the reference implementation (onnx 1.23).

    conform.py ONNXC [CASES] [--exempt FILE] [--verbose]

A line of CASES contains a text (`text`; or `text_b64` if the text is not UTF-8; or `gen`, an expression that makes the text),
its `kind`, and the result of the reference: `ok` and `pb_b64`, or the `error`. Each case is run as
`onnxc compile --kind KIND --no-check - -o -` with the text on standard input. Needs the `onnx` package (PyPI, 1.23) for
the messages. Results are compared at L1: equal except for has-bits of fields with default values.
FILE lists the ids of deliberate deviations, one on each line; `#` starts a comment.
Exit status 1 if a case crashes, if its result differs, if onnxc rejects it but the reference accepts it, or if FILE lists it
without need. A text that onnxc accepts and the reference rejects is no failure, because the reason is an extension.
"""
import argparse, base64, concurrent.futures, json, os, subprocess, sys
import onnx

KINDS = {"model": onnx.ModelProto, "graph": onnx.GraphProto, "function": onnx.FunctionProto, "node": onnx.NodeProto,
         "attr": onnx.AttributeProto, "type": onnx.TypeProto, "tensor": onnx.TensorProto, "shape": onnx.TensorShapeProto}

BAD = ("crash", "differs", "refused", "no longer exempt")


def normalise(message):
    """Clears scalar fields that are present with their default values, at every depth (L1)."""
    for field, value in list(message.ListFields()):
        repeated = field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED
        if field.message_type is not None:
            for item in value if repeated else [value]:
                normalise(item)
        elif not repeated and field.containing_oneof is None and value == field.default_value:
            message.ClearField(field.name)
    return message


def case_text(case):
    if case.get("text_b64") is not None:
        return base64.b64decode(case["text_b64"])
    if case.get("text") is not None:
        return case["text"].encode("utf-8", "surrogatepass")
    return str(eval(case["gen"], {"__builtins__": {"str": str, "range": range, "chr": chr}})).encode()


def run(onnxc, case):
    try:
        done = subprocess.run([onnxc, "compile", "--kind", case["kind"], "--no-check", "-", "-o", "-"], input=case_text(case),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    except subprocess.TimeoutExpired:
        return "crash", "no answer in 60 s"
    if done.returncode not in (0, 1):
        return "crash", f"exit status {done.returncode}: {done.stderr[-200:]!r}"
    if done.returncode == 1:
        if not done.stderr.strip():
            return "crash", "refused without a message"
        return ("refused" if case.get("ok") else "same"), done.stderr.decode("utf-8", "replace").splitlines()[0][:200]
    if not case.get("ok"):
        return "extension", "accepted; the reference: " + (case.get("error") or case.get("result") or "throws")[:80].replace("\n", " ")
    ours, theirs = KINDS[case["kind"]](), KINDS[case["kind"]]()
    try:
        ours.ParseFromString(done.stdout)
    except Exception as error:  # the bytes are no such message
        return "differs", f"unreadable output: {error}"
    if "pb_b64" not in case:  # a huge result, which is not recorded: it has to be one that can be read
        return "same", ""
    theirs.ParseFromString(base64.b64decode(case["pb_b64"]))
    a = normalise(ours).SerializeToString(deterministic=True)
    b = normalise(theirs).SerializeToString(deterministic=True)
    return ("same", "") if a == b else ("differs", f"ours: {str(ours)[:160]!r} reference: {str(theirs)[:160]!r}")


def read_exempt(path):
    """Returns the ids in a file of deliberate deviations."""
    with open(path, encoding="utf-8") as lines:
        return {line.split("#")[0].strip() for line in lines} - {""}


def arguments(description, cases):
    """Returns the arguments of a run over recorded cases, and the cases, which are in the file `cases` if none is given."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("onnxc")
    parser.add_argument("cases", nargs="?", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), cases))
    parser.add_argument("--exempt", type=read_exempt, default=set())
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    with open(args.cases, encoding="utf-8") as lines:
        return args, [json.loads(line) for line in lines]


def main():
    args, cases = arguments(__doc__, "cases.jsonl")
    count = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, (verdict, detail) in zip(cases, pool.map(lambda c: run(args.onnxc, c), cases)):
            if case["id"] in args.exempt:
                verdict = "exempt" if verdict in ("differs", "refused") else "no longer exempt"
            count[verdict] = count.get(verdict, 0) + 1
            if verdict in BAD or (args.verbose and verdict != "same"):
                print(f"{verdict}: {case['id']} ({case['kind']}, {case['group']}): {str(case.get('text') or case.get('gen'))[:100]!r}\n    {detail}")
    bad = sum(count.get(v, 0) for v in BAD)
    print(", ".join(f"{k}: {v}" for k, v in sorted(count.items())))
    print(f"{len(cases) - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
