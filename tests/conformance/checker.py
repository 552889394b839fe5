#!/usr/bin/env python3
"""Runs `onnxc check` over checker_cases.jsonl and compares its verdicts with those of the reference's checker.

    checker.py ONNXC [CASES] [--exempt FILE] [--verbose]

A case contains the text of a model and two verdicts of the reference: that of the plain check, and that of the full check,
which also infers shapes. onnxc must reject what the plain check rejects, and must accept what the full check accepts. If only
the full check rejects a model, onnxc may accept or reject it. FILE lists the ids of deliberate deviations, one on each line;
`#` starts a comment.
Exit status 1 if there is a difference or a crash.
"""
import subprocess, sys

from conform import arguments


def verdict(onnxc, case):
    done = subprocess.run([onnxc, "check", "-"], input=case["text"].encode(), capture_output=True, timeout=60)
    said = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode not in (0, 1) or (done.returncode == 1 and not said):
        return "crash", f"exit status {done.returncode}: {said[-200:]!r}"
    accepted = done.returncode == 0
    if accepted and not (case["parse"] and case["check_ok"]):
        return "missed", (case["parse_error"] or case["check_error"]).replace("\n", " ")[:200]
    if not accepted and case["full_ok"]:
        return "too strict", said.splitlines()[0][:200]
    return ("same" if accepted == case["full_ok"] else "plain only"), case["full_error"].replace("\n", " ")[:200]


def main():
    args, cases = arguments(__doc__, "checker_cases.jsonl")
    count = {}
    for case in cases:
        found, detail = verdict(args.onnxc, case)
        if found in ("missed", "too strict") and case["id"] in args.exempt:
            found = "exempt"
        count[found] = count.get(found, 0) + 1
        if found in ("crash", "missed", "too strict") or (args.verbose and found != "same"):
            print(f"{found}: {case['id']} ({case['name']})\n    {detail}")
    bad = sum(count.get(v, 0) for v in ("crash", "missed", "too strict"))
    print(", ".join(f"{k}: {v}" for k, v in sorted(count.items())))
    print(f"{len(cases) - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
