#!/usr/bin/env python3
"""How much memory does each subcommand take for a byte of its input, at worst?

memory.py COMMAND DOCUMENT [--kilobytes N] [--only WORD] [--all]

Each shape of growth.py is made as large as N kilobytes (300) and given to each subcommand that can read it. What a run takes
beyond that of an empty input, for each byte of its files, may not be more than the table in DOCUMENT says. --all: every
shape, not one in three.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import growth

BASE = 'compile --no-check {} -o {out}.onnx --threads 1'


def peak(command, line):
    """(KiB of memory at most, exit status) of a run."""
    with open(os.devnull, 'r+') as nowhere:
        process = subprocess.Popen([command, *line.split(' ')], stdin=nowhere, stdout=nowhere, stderr=nowhere)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
    return usage.ru_maxrss, os.waitstatus_to_exitcode(status)


def limits_in(document):
    """{subcommand: bytes for each byte}"""
    table = re.search(r'<!-- memory -->(.*?)<!-- end -->', open(document).read(), re.S)[1]
    return {name: int(factor) for name, factor in re.findall(r'^\| `(\w+)` \| (\d+) \|', table, re.M)}


def size_for(shape, size):
    """The least n, doubled, for files of `size` bytes."""
    n = 64
    while len(shape.make(n)['in']) < size:
        n *= 2
    return n


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('command')
    parser.add_argument('document')
    parser.add_argument('--kilobytes', type=int, default=300)
    parser.add_argument('--only', default='')
    parser.add_argument('--all', action='store_true')
    options = parser.parse_args()
    limits = limits_in(options.document)
    worst = {}
    failed = False
    chosen = [shape for shape in growth.all_shapes(False) if options.only in shape.name]
    with tempfile.TemporaryDirectory() as work:
        empty = pathlib.Path(work) / 'empty.onnxtxt'
        empty.write_text('g () => () {}')
        base, _ = peak(options.command, BASE.format(empty, out=work + '/out'))
        for i, shape in enumerate(chosen):
            if not options.all and i % 3 != 0 and not shape.name.startswith('found text'):
                continue
            where = pathlib.Path(work) / str(i)
            lines = growth.lines_of(shape, size_for(shape, options.kilobytes << 10), where)
            size = sum(path.stat().st_size for path in where.iterdir())
            for line, pattern in zip(lines, shape.commands):
                subcommand = line.split(' ')[0]
                kib, status = peak(options.command, line)
                factor = ((kib - base) << 10) / size
                if status not in (0, 1):
                    print('%s, onnxc %s: exit status %d' % (shape.name, pattern, status))
                    failed = True
                if factor > limits.get(subcommand, 0):
                    print('%s, onnxc %s: %.0f bytes for a byte of %d' % (shape.name, pattern, factor, size))
                    failed = True
                worst[subcommand] = max(worst.get(subcommand, (0, '')), (factor, shape.name))
            subprocess.run(['rm', '-rf', where], check=True)
    for subcommand, (factor, name) in sorted(worst.items()):
        print('%-10s %4.0f of %4d bytes for a byte: %s' % (subcommand, factor, limits.get(subcommand, 0), name))
    sys.exit(1 if failed else 0)


main()
