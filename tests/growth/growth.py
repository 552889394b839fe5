#!/usr/bin/env python3
"""Does the command take time linear in its input? Counts the instructions of its runs, which are the same on each machine.

growth.py COMMAND PRELOADED [--long] [--only WORD] [--list] [--size N] [--jobs N]

Each shape of shapes.py (made from the schema and from the grammar) and of found.py (found by hand) is worked on by each
subcommand that can read it, at two sizes, one four times the other. The exponent is that of the instructions beyond those
of an empty input; it is 1 for linear, 2 for quadratic. --long: also pairs of lists, in larger sizes.
"""
import argparse
import concurrent.futures
import inspect
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import found
import shapes

ROOT = pathlib.Path(__file__).resolve().parents[2]
FACTOR = 4
LARGEST_EXPONENT = 1.15
FEW = 400_000  # instructions: a difference below is no growth

# What is done with texts and with models; {} is the input, {other} one of the same shape that differs, {out} a new file.
TEXT_COMMANDS = ['compile --no-check {} -o {out}.onnx --threads 1', 'check {}', 'fmt {}']
MODEL_COMMANDS = ['check {}', 'print {} --threads 1', 'print --dialect reference --allow-loss {}',
                  'print --weights elide --size-threshold 1 {}', 'info {}', 'graph {} -o {out}.dot', 'convert {} -o {out}.json',
                  'convert {} -o {out}.pbtxt', 'diff {} {other}', 'weights extract {} weights.data -o {out}.onnx --size-threshold 1',
                  'weights extract {} weights.safetensors -o {out}.onnx --size-threshold 1', 'compile {} --link {lib} -o {out}.onnx']
SHORT_MODEL_COMMANDS = [0, 1, 5, 6, 8]  # in the short form, of shapes that are made


def kinds(function):
    return re.findall(r"kind ?== ?'(\w+)'", inspect.getsource(function))


class Shape:
    """`make(n)` returns {'in': bytes, ...}: files by their names in the commands."""

    def __init__(self, name, make, commands, suffix):
        self.name, self.make, self.commands, self.suffix = name, make, commands, suffix


def model_pair(make, n):
    """A model, one that differs in the middle, and itself as a library."""
    model = make(n)
    return {'in': model, 'other': make(n - 1), 'lib': model}


def all_shapes(is_long):
    text = lambda make: lambda n: {'in': make(n).encode('utf-8', 'surrogateescape')}
    for name, make in found.TEXTS.items():
        yield Shape('found text ' + name, text(make), TEXT_COMMANDS, '.onnxtxt')
    for kind in kinds(found.for_check):
        yield Shape('found check ' + kind, lambda n, k=kind: {'in': found.for_check(k, n)}, ['check {}', 'check -q {}'], '.onnx')
    for kind in kinds(found.for_diff):
        yield Shape('found diff ' + kind, lambda n, k=kind: {
            'in': found.for_diff(k, n, 'a', 1), 'other': found.for_diff(k, n, 'b', 6)}, ['diff {} {other}'], '.onnx')
    for kind in kinds(found.for_print):
        yield Shape('found print ' + kind, lambda n, k=kind: {
            'in': found.for_print(k, n), 'other': found.for_print(k, n, 'b')}, MODEL_COMMANDS[:-1], '.onnx')
    for kind in kinds(found.for_link):
        yield Shape('found link ' + kind, lambda n, k=kind: dict(zip(('in', 'lib'), found.for_link(k, n))),
                    MODEL_COMMANDS[-1:], '.onnx')
    yield Shape('found packed run', lambda n: {'in': found.packed_run(n)}, MODEL_COMMANDS[1:2], '.onnx')
    yield Shape('found small tensors', lambda n: {'in': found.small_tensors(n)}, MODEL_COMMANDS[9:11], '.onnx')
    yield Shape('found equal hashes', lambda n: {
        'in': found.equal_hashes(n), 'other': found.equal_hashes(n, True)}, ['check {}', 'graph {} -o {out}.dot', 'diff {} {other}'],
        '.onnx')
    grammar = shapes.Grammar(ROOT / 'grammar/OnnxText.g4')
    for i, (name, make) in enumerate(grammar.shapes().items()):
        # The five forms of a list: in the short test each list once, in forms that take turns.
        if is_long or i % 5 == i // 5 % 5:
            yield Shape('list ' + name, text(make), TEXT_COMMANDS if is_long else TEXT_COMMANDS[:1], '.onnxtxt')
    messages = shapes.Messages(shapes.read_schema(str(ROOT / 'proto/onnx.proto')))
    for name, make in messages.shapes().items():
        commands = MODEL_COMMANDS if is_long else [MODEL_COMMANDS[i] for i in SHORT_MODEL_COMMANDS]
        yield Shape('field ' + name, lambda n, m=make: model_pair(m, n), commands, '.onnx')
    if is_long:
        for name, make in messages.pairs().items():
            yield Shape('pair ' + name, lambda n, m=make: model_pair(m, n), [MODEL_COMMANDS[i] for i in SHORT_MODEL_COMMANDS],
                        '.onnx')


class Runs:
    """Counts the instructions of runs of the command."""

    def __init__(self, command, preloaded, work):
        self.command, self.preloaded, self.work = command, preloaded, work

    def count(self, name, lines):
        """[(instructions, exit status)] of the command with each line's arguments."""
        folder = self.work / name
        folder.mkdir()
        first = {line.split(' ')[0]: '+' + line for line in reversed(lines)}  # of each subcommand, to warm up
        (folder / 'runs').write_text(''.join(
            '\t'.join(line.split(' ')) + '\n' for line in [*first.values(), *lines]))
        done = subprocess.run(
            ['valgrind', '--tool=callgrind', '--callgrind-out-file=%s/%%p' % folder, '--log-file=/dev/null', self.command,
             'growth-runs', folder / 'runs'], env=dict(os.environ, LD_PRELOAD=self.preloaded), capture_output=True, text=True)
        results = []
        for line in done.stdout.splitlines():
            process, status = line.split()
            profile = (folder / process).read_bytes()
            results.append((int(re.search(rb'^totals: (\d+)', profile, re.M)[1]), int(status)))
            (folder / process).unlink()
        if len(results) != len(lines):
            sys.exit('growth: %d of %d runs\n%s' % (len(results), len(lines), done.stderr))
        return results


def lines_of(shape, n, where):
    """The calls for one size, with their files written."""
    where.mkdir()
    paths = {}
    for what, data in shape.make(n).items():
        path = where / (what + shape.suffix)
        path.write_bytes(data)
        paths[what] = path
    return [command.format(paths['in'], out=where / ('out%d' % i), **{k: v for k, v in paths.items() if k != 'in'})
            for i, command in enumerate(shape.commands)]


def measure(runs, name, batch, size):
    """[(exponent, shape, command, instructions of both sizes)] of some shapes."""
    lines = []
    for i, shape in enumerate(batch):
        for n in (2, size, FACTOR * size):
            lines += lines_of(shape, n, runs.work / ('%s-%d-%d' % (name, i, n)))
    results = iter(runs.count(name, lines))
    rows = []
    for shape in batch:
        base, small, large = ([next(results) for _ in shape.commands] for _ in range(3))
        for command, b, s, l in zip(shape.commands, base, small, large):
            if max(r[1] for r in (b, s, l)) > 1:
                raise SystemExit("growth: %s, %s: exit status %d" % (shape.name, command, max(r[1] for r in (b, s, l))))
            grown = l[0] - b[0], s[0] - b[0]
            exponent = 0.0 if grown[0] < FEW else math.log(grown[0] / max(grown[1], FEW / FACTOR), FACTOR)
            rows.append((exponent, shape.name, command, s[0], l[0]))
    subprocess.run(['rm', '-rf'] + [str(p) for p in runs.work.glob(name + '-*')], check=True)
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('command')
    parser.add_argument('preloaded')
    parser.add_argument('--long', action='store_true')
    parser.add_argument('--only', default='')
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--size', type=int)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    options = parser.parse_args()
    size = options.size or (1000 if options.long else 250)
    chosen = [shape for shape in all_shapes(options.long) if options.only in shape.name]
    if options.list:
        return print('\n'.join(shape.name for shape in chosen))
    rows = []
    with tempfile.TemporaryDirectory() as work:
        runs = Runs(os.path.abspath(options.command), os.path.abspath(options.preloaded), pathlib.Path(work))
        batches = [chosen[i:i + 20] for i in range(0, len(chosen), 20)]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for i, found_rows in enumerate(pool.map(lambda b: measure(runs, 'b%d' % b[0], b[1], size), enumerate(batches))):
                rows += found_rows
    rows.sort(reverse=True)
    wrong = [row for row in rows if row[0] > LARGEST_EXPONENT]
    for exponent, shape, command, small, large in wrong or rows[:5]:
        print('%.2f  %s, onnxc %s: %d instructions at %d, %d at %d' %
              (exponent, shape, command, small, size, large, FACTOR * size))
    print('%d shapes, %d runs of %d subcommands at each size, worst exponent %.2f' %
          (len(chosen), len(rows), len({row[2].split()[0] for row in rows}), rows[0][0]))
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
