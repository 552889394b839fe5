#!/usr/bin/env python3
"""Measures how much memory each subcommand needs for a byte of its input in the worst case.

memory.py COMMAND DOCUMENT [--kilobytes N] [--only WORD] [--all] [--jobs N]

Each shape of growth.py is made N kilobytes large (default: 100), and given to subcommands that can read it. The memory of a run
minus that of an empty input, divided by the bytes of its files, must not be more than the table in DOCUMENT says. With --all,
every shape and subcommand is tested; without it, all shapes that were found by hand, and one in three of the others. Then the
worst shape of each subcommand, eight times as large, is run with an address space limited to the memory in the table. The run
must end with an exit status that the shape allows.
"""
import argparse
import concurrent.futures
import os
import pathlib
import queue
import re
import subprocess
import sys
import tempfile
import zlib

import growth

ADDRESSES = 256 << 20  # bytes that a run maps but does not use: libraries, stacks, reserved blocks
MOST = 4 << 30  # bytes of address space for each run, so that a fault of the command cannot take the memory of the machine
BUDGETS = 16 << 10  # KiB that inference may use for any model, however small it is
SETTINGS = '.onnxc.toml'
LARGEST_SETTINGS = 60 << 10  # bytes: larger files of settings are not read
BASE = 'compile --no-check {} -o {out}.onnx --threads 1'


# Starts commands, and reports their memory. This is a separate small process, because the memory of a child
# includes the memory of the process that forked it.
RUNNER = """
import os, resource, sys
nowhere = os.open('/dev/null', os.O_RDWR)
for line in sys.stdin:
    limit, *arguments = line.rstrip().split(chr(9))
    process = os.fork()
    if process == 0:
        resource.setrlimit(resource.RLIMIT_AS, (int(limit), int(limit)))
        for fd in range(3):
            os.dup2(nowhere, fd)
        os.execv(arguments[0], arguments)
    _, status, usage = os.wait4(process, 0)
    print(usage.ru_maxrss, os.waitstatus_to_exitcode(status), flush=True)
"""


class Runner:
    def __init__(self, command, work):
        self.command = command
        self.process = subprocess.Popen([sys.executable, '-S', '-c', RUNNER], cwd=work, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def peak(self, line, limit):
        """Returns (the peak memory in KiB, exit status) of a run, with at most `limit` bytes of address space."""
        self.process.stdin.write('\t'.join([str(limit), self.command, *line.split(' ')]) + '\n')
        self.process.stdin.flush()
        return [int(word) for word in self.process.stdout.readline().split()]


def limits_in(document):
    """Returns {subcommand, possibly with an option: bytes for each byte}."""
    table = re.search(r'<!-- memory -->(.*?)<!-- end -->', open(document).read(), re.S)[1]
    return {name: int(factor) for name, factor in re.findall(r'^\| `([\w -]+)` \| (\d+) \|', table, re.M)}


def size_for(shape, size):
    """Returns the approximate n with which the largest file of a shape has `size` bytes, or as many as settings may have."""
    if SETTINGS in shape.make(1):
        size = min(size, LARGEST_SETTINGS)
    largest = lambda n: max(map(len, shape.make(n).values()))
    n = 64
    while largest(n) < size // 2:
        n *= 2
        if n > 4 * size:
            sys.exit('memory: %s does not grow with n' % shape.name)
    return n * size // largest(n)


def input_size(command, where):
    """Returns the bytes of the files that a command reads. A file of settings is read without being named."""
    words = command.split(' ')
    return sum(path.stat().st_size for path in where.iterdir() if str(path) in words or path.name == SETTINGS)


class Runs:
    def __init__(self, command, limits, work, jobs):
        self.limits, self.work = limits, work
        self.runners = queue.SimpleQueue()
        for _ in range(jobs):
            self.runners.put(Runner(command, work))
        empty = work / 'empty.onnxtxt'
        empty.write_text('g () => () {}')
        self.base, _ = self.peak(BASE.format(empty, out=work / 'out'))
        self.failures = []

    def peak(self, line, limit=MOST):
        runner = self.runners.get()
        result = runner.peak(line, limit)
        self.runners.put(runner)
        return result

    def row_of(self, command):
        """Returns the row of the table for a command."""
        return max((name for name in self.limits if (command + ' ').startswith(name + ' ')), key=len, default=command)

    def measure(self, shape, n):
        """Returns [(bytes for a byte, subcommand, shape, n)] of a shape."""
        where = self.work / re.sub(r'\W', lambda m: '_%x' % ord(m[0]), shape.name)[:200]
        lines = growth.lines_of(shape, n, where)
        rows = []
        for line, pattern in zip(lines, shape.commands):
            size = input_size(line, where)
            subcommand = self.row_of(pattern)
            kib, status = self.peak(line)
            allowed = BUDGETS if shape.floor else 0
            factor = ((kib - self.base - allowed) << 10) / size
            if not 0 <= status <= shape.worst_status:
                self.failures.append('%s, onnxc %s: exit status %d' % (shape.name, pattern, status))
            if factor > self.limits.get(subcommand, 0):
                self.failures.append('%s, onnxc %s: %.0f bytes for a byte of %d' % (shape.name, pattern, factor, size))
            rows.append((factor, subcommand, shape, n))
        subprocess.run(['rm', '-rf', where], check=True)
        return rows

    def squeeze(self, shape, subcommand, n):
        """Runs a command with only as much memory as the document says."""
        where = self.work / 'squeezed'
        lines = growth.lines_of(shape, n, where)
        for line in lines:
            size = input_size(line, where)
            limit = ADDRESSES + self.limits.get(subcommand, 0) * size
            if self.row_of(line) == subcommand:
                _, status = self.peak(line, limit)
                if not 0 <= status <= shape.worst_status:
                    self.failures.append('%s, onnxc %s: exit status %d with %d MiB for %d bytes' %
                                         (shape.name, subcommand, status, limit >> 20, size))
        subprocess.run(['rm', '-rf', where], check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('command')
    parser.add_argument('document')
    parser.add_argument('--kilobytes', type=int, default=100)
    parser.add_argument('--only', default='')
    parser.add_argument('--all', action='store_true')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    options = parser.parse_args()
    limits = limits_in(options.document)
    # The choice depends on the name of a shape, so that a new shape does not change what is measured of the others.
    chosen = [shape for shape in growth.all_shapes(options.all)
              if options.only in shape.name and
              (options.all or shape.name.startswith('found') or zlib.crc32(shape.name.encode()) % 3 == 0)]
    worst = {}
    with tempfile.TemporaryDirectory() as work:
        runs = Runs(os.path.abspath(options.command), limits, pathlib.Path(work), options.jobs)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for rows in pool.map(lambda s: runs.measure(s, size_for(s, options.kilobytes << 10)), chosen):
                for row in rows:
                    worst[row[1]] = max(worst.get(row[1], (0, '', None, 0)), row, key=lambda r: r[0])
        for _, subcommand, shape, n in worst.values():
            if shape is not None:
                runs.squeeze(shape, subcommand, 8 * n)
    for subcommand, (factor, _, shape, _) in sorted(worst.items()):
        print('%-27s %4.0f of %4d bytes for a byte: %s' % (subcommand, factor, limits.get(subcommand, 0), shape.name))
    print('\n'.join(runs.failures))
    sys.exit(1 if runs.failures else 0)


if __name__ == '__main__':
    main()
