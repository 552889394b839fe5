#!/usr/bin/env python3
"""Writes the table of rules at the end of docs/checker.md, from what `onnxc check --list-rules` shows.

Usage: gen_rules_doc.py path/to/onnxc
"""

import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).parents[1] / "docs" / "checker.md"
HEAD = "| rule | severity | source | what holds |\n|---|---|---|---|\n"


def main():
    shown = subprocess.run([sys.argv[1], "check", "--list-rules"], capture_output=True, text=True, check=True).stdout
    rows = [re.split(r" {2,}", line, maxsplit=3) for line in shown.splitlines()]
    table = HEAD + "".join(f"| `{name}` | {' | '.join(rest)} |\n" for name, *rest in rows)
    page = PAGE.read_text()
    start = page.find(HEAD)
    PAGE.write_text((page if start < 0 else page[:start]) + table)


if __name__ == "__main__":
    main()
