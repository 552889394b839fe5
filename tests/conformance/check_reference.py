#!/usr/bin/env python3
"""Compares the checker's verdicts with those of onnx.checker.check_model on whole models.

Usage: check_reference.py PROBE PATH...

PROBE is the test tool check_probe. A PATH is a model, a folder that is searched for *.onnx, or a *.jsonl file with
lines {"name", "text"}. Prints each difference, and fails if a difference is not explained. A difference is explained if all
rules that are broken according to the checker are rules in which the checker is deliberately stricter (those with the source
"full check" or "specification" in `onnxc check --list-rules`). Such a difference is "confirmed" if
check_model(full_check=True) also rejects the model, otherwise "named".
"""

import collections
import json
import pathlib
import struct
import subprocess
import sys

import onnx

RULES = pathlib.Path(__file__).parents[2] / "src" / "tables" / "rules.def"


def stricter_rules():
    names = set()
    for line in RULES.read_text().splitlines():
        if line.startswith("ONNXC_RULE"):
            name, authority = line.split('"')[1], line.split('"')[2].split(",")[2].strip()
            if authority in ("kFullCheck", "kSpecification"):
                names.add(name)
    return names


def reference(model, full_check=False):
    """Returns the reason why the reference rejects the model (bytes, or the path of a file), or ''."""
    try:
        onnx.checker.check_model(model, full_check=full_check)
    except Exception as error:  # it throws more than ValidationError
        return str(error).splitlines()[0] if str(error) else type(error).__name__
    return ""


class Verdict:
    def __init__(self, line):
        self.is_readable = line != "unreadable"
        errors, _, warnings = line.partition("/")
        words = errors.split()
        self.is_ok = words[:1] == ["ok"]
        self.errors = set(words[1:])
        self.warnings = set(warnings.split())


def probe_files(probe, paths):
    text = "".join(f"{path}\n" for path in paths)
    lines = subprocess.run([probe], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(lines) == len(paths), "the probe did not answer for each model"
    return [Verdict(line) for line in lines]


def probe_bytes(probe, messages):
    data = b"".join(struct.pack("<Q", len(m)) + m for m in messages)
    lines = subprocess.run([probe, "--stream"], input=data, capture_output=True, check=True).stdout.decode().splitlines()
    assert len(lines) == len(messages), "the probe did not answer for each model"
    return [Verdict(line) for line in lines]


class Tally:
    def __init__(self):
        self.stricter = stricter_rules()
        self.refused = 0
        self.rules = collections.Counter()
        self.counts = {"same": 0, "confirmed": 0, "named": 0, "unexplained": 0, "unreadable": 0}

    def add(self, name, ours, model):
        refusal = reference(model)
        if not ours.is_readable:
            kind = "unreadable"
        elif ours.is_ok == (refusal == ""):
            kind = "same"
        elif not refusal and ours.errors <= self.stricter:
            kind = "confirmed" if reference(model, full_check=True) else "named"
        else:
            kind = "unexplained"
        self.counts[kind] += 1
        self.refused += refusal != ""
        if kind not in ("same", "unreadable"):
            self.rules.update([(kind, *sorted(ours.errors))])
            print(f"{kind}: {name}: ours {sorted(ours.errors)}, reference: {refusal or 'ok'}")
        return kind

    def summary(self):
        total = sum(self.counts.values())
        explained = total - self.counts["unexplained"]
        both = self.counts["same"] + self.counts["confirmed"]
        lines = [f"{total} models, {self.refused} refused by the reference: {self.counts}"]
        lines += [f"  {count} {' '.join(key)}" for key, count in sorted(self.rules.items())]
        lines += [f"the verdict of the plain check, or of the full check where a rule is one of that: {both / total:.3%}"]
        lines += [f"the same or explained by a stricter rule: {explained / total:.3%}"]
        return "\n".join(lines)


def cases(path):
    for line in path.read_text().splitlines():
        case = json.loads(line)
        try:
            yield case["name"], onnx.parser.parse_model(case["text"]).SerializeToString()
        except onnx.parser.ParseError:
            continue


def main():
    probe, *paths = sys.argv[1:]
    tally = Tally()
    for path in map(pathlib.Path, paths):
        if path.suffix == ".jsonl":
            names, messages = zip(*cases(path))
            for name, ours, message in zip(names, probe_bytes(probe, messages), messages):
                tally.add(name, ours, message)
        else:
            files = sorted(path.rglob("*.onnx")) if path.is_dir() else [path]
            for file, ours in zip(files, probe_files(probe, files)):
                tally.add(file, ours, str(file))
    print(tally.summary())
    sys.exit(1 if tally.counts["unexplained"] else 0)


if __name__ == "__main__":
    main()
