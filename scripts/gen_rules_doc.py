#!/usr/bin/env python3
"""Writes the rules at the end of docs/checker.md: a table for each part of src/tables/rules.def, from what `onnxc check
--list-rules` shows. Each rule links to its page.

Usage: gen_rules_doc.py path/to/onnxc
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[1]
PAGE = ROOT / "docs" / "checker.md"
TITLE = "## The rules\n"
INTRODUCTION = """
This list is made from `src/tables/rules.def` by `scripts/gen_rules_doc.py`. `onnxc check --list-rules` shows it, too.
"""
HEAD = "| rule | severity | source | requirement |\n|---|---|---|---|\n"


def parts():
    """Returns the titles of the table's parts, each with the names of its rules."""
    found = []
    for line in (ROOT / "src" / "tables" / "rules.def").read_text().splitlines():
        if title := re.fullmatch(r"// ---- (.*)", line):
            found.append((title[1], []))
        elif row := re.match(r'ONNXC_RULE\(k\w+, "([\w-]+)"', line):
            found[-1][1].append(row[1])
    return found


def main():
    shown = subprocess.run([sys.argv[1], "check", "--list-rules"], capture_output=True, text=True, check=True).stdout
    rows = {name: rest for name, *rest in (re.split(r" {2,}", line, maxsplit=3) for line in shown.splitlines())}
    text = TITLE + INTRODUCTION
    for title, names in parts():
        table = "".join(f"| [`{name}`](explain/{name}.md) | {' | '.join(rows[name])} |\n" for name in names)
        text += f"\n### {title[0].upper()}{title[1:]}\n\n{HEAD}{table}"
    page = PAGE.read_text()
    PAGE.write_text(page[: page.index(TITLE)] + text)


if __name__ == "__main__":
    main()
