#!/usr/bin/env python3
"""Formats the texts of real models: format_models.py ONNXC

For each model of Debian's libonnx-testdata and of the wheel's onnx.backend.test (its files, and the models that its code
makes), these statements must be true:
  - onnxc print MODEL | onnxc fmt        changes nothing;
  - onnxc print --dialect reference --allow-loss MODEL | onnxc fmt
                                         compiles to the same bytes as without fmt, and a second fmt changes nothing;
  - the same for that text with a comment at the end of each line, and all comments are kept.
Needs the `onnx` package (PyPI, 1.23); without it, the exit status is 77. Exit status 1 if a statement is false for a model.
"""
import subprocess, sys

from models import check_all


def run(*command, given=b""):
    done = subprocess.run(command, input=given, capture_output=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command[1:3])}: {done.stderr.decode('utf-8', 'replace')[:300]}")
    return done.stdout


def with_comments(text):
    """Returns the text with a comment after each line that ends outside of a string, and the number of these comments."""
    lines, in_string, count = [], False, 0
    for line in text.splitlines():
        at = 0
        while at < len(line):
            if line[at : at + 1] == b"\\":
                at += 1
            elif line[at : at + 1] == b'"':
                in_string = not in_string
            at += 1
        if not in_string:
            line += b" # comment %d" % count
            count += 1
        lines.append(line)
    return b"\n".join(lines), count


def fault(onnxc, path):
    """Returns the property that a model violates, or None."""
    try:
        printed = run(onnxc, "print", path)
        if run(onnxc, "fmt", given=printed) != printed:
            return "the printed text changes"
        plain = run(onnxc, "print", "--dialect", "reference", "--allow-loss", "-q", path)
        message = run(onnxc, "compile", "--no-check", given=plain)
        commented, count = with_comments(plain)
        for text, comments in ((plain, 0), (commented, count)):
            formatted = run(onnxc, "fmt", given=text)
            if run(onnxc, "compile", "--no-check", given=formatted) != message:
                return "formatted, the text compiles to another message"
            if run(onnxc, "fmt", given=formatted) != formatted:
                return "formatted again, the text changes"
            found = [line.rpartition(b"# comment ")[2] for line in formatted.splitlines() if b"# comment " in line]
            if comments and found != [b"%d" % i for i in range(comments)]:
                return "comments are lost"
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return str(error)
    return None


def report(source, paths, faults):
    print(f"{source}: {faults.count(None)} of {len(paths)} texts are formatted, and mean the same")
    for path, what in [(path, what) for path, what in zip(paths, faults) if what][:20]:
        print(f"    {path}: {what}")
    return not any(faults)


if __name__ == "__main__":
    sys.exit(check_all(fault, report))
