#!/usr/bin/env python3
"""Says where the time of a build went: build_times.py BUILD

By target: how many files were made for it, and the seconds that their steps took, in sum. The figures are ninja's, of the last
time that each file was made. A step waits while others run, and what a compiler cache knows takes no time.
"""
import collections, os, re, sys


def main():
    steps = {}
    with open(os.path.join(sys.argv[1], ".ninja_log")) as log:
        for line in log:
            if not line.startswith("#"):
                start, end, _, output, _ = line.split("\t")
                steps[output] = int(end) - int(start)
    files, seconds = collections.Counter(), collections.Counter()
    for output, milliseconds in steps.items():
        target = re.search(r"CMakeFiles/([^/]+)\.dir/", output)
        name = target[1] if target else "generated, linked"
        files[name] += 1
        seconds[name] += milliseconds / 1000
    for name, time in [*seconds.most_common(), ("in sum", sum(seconds.values()))]:
        print(f"{time:8.1f} s  {files[name] or sum(files.values()):4} files  {name}")


if __name__ == "__main__":
    main()
