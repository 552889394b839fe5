#!/usr/bin/env python3
"""Sums up what llvm-cov exports by folder: coverage.py SUMMARY.json. Fails below LEAST."""

import collections
import json
import pathlib
import sys

LEAST = {"lines": 97.5, "branches": 94}  # percent


def percent(counts):
    covered, count = counts
    return 100 * covered / count if count else 100.0


def main():
    root = pathlib.Path(__file__).resolve().parents[1]
    folders = collections.defaultdict(lambda: {kind: [0, 0] for kind in LEAST})
    for file in json.load(open(sys.argv[1]))["data"][0]["files"]:
        folder = str(pathlib.Path(file["filename"]).resolve().relative_to(root).parent)
        for kind in LEAST:
            for name in (folder, "all"):
                folders[name][kind][0] += file["summary"][kind]["covered"]
                folders[name][kind][1] += file["summary"][kind]["count"]
    rows = sorted(folders.items(), key=lambda row: (row[0] == "all", row[0]))
    for name, kinds in rows:
        print(f"{name:24}" + "".join(f"{percent(kinds[kind]):8.1f} % of {kinds[kind][1]:6} {kind}" for kind in LEAST))
    below = [kind for kind, least in LEAST.items() if percent(folders["all"][kind]) < least]
    sys.exit(f"below {LEAST}: {', '.join(below)}" if below else 0)


if __name__ == "__main__":
    main()
