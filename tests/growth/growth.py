#!/usr/bin/env python3
"""Checks that the command takes time linear in its input, by counting instructions, which are the same on each machine.

growth.py COMMAND PRELOADED [--long] [--only WORD] [--list] [--size N] [--jobs N]

A shape is a kind of input of any size. Shapes come from shapes.py (made from the schema and from the grammar), from found.py
(found by hand) and from calls.py (for inference). Each shape is given to the subcommands that can read it, at two sizes, one
four times the other. The instructions for an empty input are subtracted, and the exponent of the growth is computed: it is 1 for
linear growth and 2 for quadratic growth. If the exponent is above the limit, it is measured once more at ten times the size,
where steps of buffers and tables no longer matter. In the short form, the subcommands take turns: each shape gets some of them.
With --long, each shape gets each subcommand, the sizes are larger, and pairs of lists are also tested.
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
import zlib

import calls
import found
import shapes

ROOT = pathlib.Path(__file__).resolve().parents[2]
FACTOR = 4
LARGEST_EXPONENT = 1.15
# For `check --fix`: there are 20 rounds, and in each round testing corrections may read 1 MiB, however small
# the text is.
LARGEST_FIX = 4_000_000_000  # instructions: above this limit the growth must be linear
FEW = 200_000  # instructions: a smaller difference does not count as growth
# The budgets of inference allow this for each model, however small it is; above it, the growth must be
# linear.
LARGEST_CALLS = 250_000_000  # instructions

# The commands for texts and for models. {} is the input, {other} a different input of the same shape, and {out} a new
# file. Commands that change the input come last.
TEXT_COMMANDS = ['compile --no-check {} -o {out}.onnx --threads 1', 'fmt {}', 'check {}', 'infer {} -o {out}.onnx',
                 'check --fix {}']
MODEL_COMMANDS = ['check {}', 'print {} --threads 1', 'infer {} -o {out}.onnx', 'graph {} -o {out}.dot', 'diff {} {other}',
                  'convert {} -o {out}.json', 'weights extract {} weights.safetensors -o {out}.onnx --size-threshold 1',
                  'print --weights elide --size-threshold 1 {}', 'info {}', 'convert {} -o {out}.pbtxt',
                  'weights extract {} weights.data -o {out}.onnx --size-threshold 1', 'compile {} --link {lib} -o {out}.onnx',
                  'print --dialect reference --allow-loss {}', 'weights inline {} -o {out}.onnx', 'print --types {}']
EMPTY_TEXT = 'g () => () {}'
EMPTY = {'.onnxtxt': EMPTY_TEXT.encode(), '.onnx': found.model(found.ld(2, 'g'))}


def kinds(function):
    return re.findall(r"kind ?== ?'(\w+)'", inspect.getsource(function))


class Shape:
    """`make(n)` returns {'in': bytes, ...}: files by their names in the commands. `scale`: how many times the size it takes
    until what is the same for all sizes no longer counts; `floor`: that, in instructions."""

    def __init__(self, name, make, commands, suffix, scale=1, floor=0, worst_status=1):
        self.name, self.make, self.commands, self.suffix = name, make, commands, suffix
        self.scale, self.floor, self.worst_status = scale, floor, worst_status


def model_pair(make, n):
    """Returns a model, one that differs in the middle, and itself as a library."""
    model = make(n)
    return {'in': model, 'other': make(n - 1), 'lib': model}


def in_turns(commands, turn, count):
    """Returns `count` of the commands, different ones in each turn."""
    first = turn * count % len(commands)
    chosen = (commands + commands)[first:first + count]
    return [command for command in commands if command in chosen]


def found_shapes():
    text = lambda make: lambda n: {'in': make(n).encode('utf-8', 'surrogateescape')}
    for name, make in found.TEXTS.items():
        # Deep nesting ends at the parser's limit of 1000 rules, with an exception on each level. Both sizes must reach
        # the limit; otherwise the larger one would seem to grow too fast.
        is_tower = name.endswith(('tower', 'tower2'))
        yield Shape('found text ' + name, text(lambda n, m=make, t=is_tower: m(1000 + n if t else n)), TEXT_COMMANDS, '.onnxtxt')
    for kind in kinds(found.for_check):
        yield Shape('found check ' + kind, lambda n, k=kind: {'in': found.for_check(k, n)},
                    ['check {}', 'infer {} -o {out}.onnx'], '.onnx')
    for kind in kinds(found.for_diff):
        yield Shape('found diff ' + kind, lambda n, k=kind: {
            'in': found.for_diff(k, n, 'a', 1), 'other': found.for_diff(k, n, 'b', 6)}, ['diff {} {other}'], '.onnx')
    for kind in kinds(found.for_print):
        yield Shape('found print ' + kind, lambda n, k=kind: {
            'in': found.for_print(k, n), 'other': found.for_print(k, n, 'b')},
            [command for command in MODEL_COMMANDS if '{lib}' not in command], '.onnx')
    for kind in kinds(found.for_link):
        yield Shape('found link ' + kind, lambda n, k=kind: dict(zip(('in', 'lib'), found.for_link(k, n))),
                    ['compile {} --link {lib} -o {out}.onnx'], '.onnx')
    yield Shape('found linked findings', lambda n: {
        key: text.encode() for key, text in zip(('in', 'lib'), found.linked_findings(n))},
                ['compile {} --link {lib} -o {out}.onnx'], '.onnxtxt')
    yield Shape('found packed run', lambda n: {'in': found.packed_run(n)}, ['print {} --threads 1'], '.onnx')
    yield Shape('found small tensors', lambda n: {'in': found.small_tensors(n)},
                [command for command in MODEL_COMMANDS if command.startswith('weights')], '.onnx')
    yield Shape('found equal hashes', lambda n: {
        'in': found.equal_hashes(n), 'other': found.equal_hashes(n, True)}, ['check {}', 'graph {} -o {out}.dot', 'diff {} {other}'],
        '.onnx')


def call_shapes():
    """These inputs are texts, which all subcommands read."""
    for name, make in calls.CALLS.items():
        yield Shape('calls ' + name, lambda n, m=make: {key: text.encode() for key, text in model_pair(m, n).items()},
                    TEXT_COMMANDS + MODEL_COMMANDS, '.onnxtxt', 20, LARGEST_CALLS)


def setting_shapes():
    """Returns files of settings for a small model. An error in such a file gives the exit status 2."""
    text = EMPTY_TEXT.encode()
    for name, make in found.SETTINGS.items():
        yield Shape('settings ' + name, lambda n, m=make: {'in': text, 'other': text, '.onnxc.toml': m(n).encode()},
                    ['check {}', 'fmt {}', 'infer {} -o {out}.onnx', 'info {}', 'diff {} {other}'], '.onnxtxt', worst_status=2)


def made_shapes(is_long):
    grammar = shapes.Grammar(ROOT / 'grammar/OnnxText.g4')
    for i, (name, make) in enumerate(grammar.shapes().items()):
        # The five kinds of a list; in the short test, each list is tested once, with one kind in turn.
        if is_long or i % 5 == i // 5 % 5:
            yield Shape('list ' + name, lambda n, m=make: {'in': m(n).encode()}, TEXT_COMMANDS, '.onnxtxt')
    messages = shapes.Messages(shapes.read_schema(str(ROOT / 'proto/onnx.proto')))
    for name, make in messages.shapes().items():
        yield Shape('field ' + name, lambda n, m=make: model_pair(m, n), MODEL_COMMANDS, '.onnx')
    if is_long:
        for name, make in messages.pairs().items():
            yield Shape('pair ' + name, lambda n, m=make: model_pair(m, n), MODEL_COMMANDS[:5], '.onnx')


def all_shapes(is_long):
    for shape in [*found_shapes(), *call_shapes(), *setting_shapes(), *made_shapes(is_long)]:
        if not is_long:
            turn = zlib.crc32(shape.name.encode())  # of the name, so that a new shape does not change the others' turns
            count = 1 if shape.name.startswith('list') else 2 if shape.suffix == '.onnxtxt' else 3
            always = ['infer {} -o {out}.onnx'] if shape.scale > 1 else []
            chosen = in_turns(shape.commands, turn, min(count, len(shape.commands)))
            shape.commands = always + [command for command in chosen if command not in always]
        yield shape


class Runs:
    """Counts the instructions of runs of the command."""

    def __init__(self, command, preloaded, work):
        self.command, self.preloaded, self.work = command, preloaded, work

    def count(self, name, lines):
        """Returns [(instructions, exit status)] of the command with each line's arguments."""
        folder = self.work / name
        folder.mkdir()
        first = {line.split(' ')[0]: '+' + line for line in reversed(lines)}  # runs of each subcommand, to warm up
        (folder / 'runs').write_text(''.join(
            '\t'.join(line.split(' ')) + '\n' for line in [*first.values(), *lines]))
        done = subprocess.run(
            ['valgrind', '--tool=callgrind', '--callgrind-out-file=%s/%%p' % folder, '--log-file=/dev/null', self.command,
             'growth-runs', folder / 'runs'], cwd=folder, capture_output=True, text=True,
            env=dict(os.environ, LD_PRELOAD=self.preloaded))
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
    """Returns the calls for one size, with their files written."""
    where.mkdir()
    paths = {}
    for what, data in shape.make(n).items():
        path = where / (what if what.startswith('.') else what + shape.suffix)
        path.write_bytes(data)
        paths[what] = path
    return [command.format(paths['in'], out=where / ('out%d' % i), **{k: v for k, v in paths.items() if k != 'in'})
            for i, command in enumerate(shape.commands)]


def empty_runs(runs):
    """Returns {(suffix, command): instructions} of an empty input."""
    commands = {'.onnxtxt': list(dict.fromkeys(TEXT_COMMANDS + MODEL_COMMANDS)), '.onnx': MODEL_COMMANDS}
    lines = []
    for suffix, data in EMPTY.items():
        shape = Shape('empty', lambda n, d=data: dict.fromkeys(('in', 'other', 'lib'), d), commands[suffix], suffix)
        lines += lines_of(shape, 0, runs.work / ('empty' + suffix))
    counts = [instructions for instructions, _ in runs.count('empty', lines)]
    return dict(zip([(suffix, command) for suffix in EMPTY for command in commands[suffix]], counts))


def measure(runs, name, batch, size, empty):
    """Returns [(exponent, shape, command, instructions of both sizes, the smaller size)] of some shapes."""
    lines = []
    for i, shape in enumerate(batch):
        for n in (shape.scale * size, FACTOR * shape.scale * size):
            lines += lines_of(shape, n, runs.work / ('%s-%d-%d' % (name, i, n)))
    results = iter(runs.count(name, lines))
    rows = []
    for shape in batch:
        smalls, larges = ([next(results) for _ in shape.commands] for _ in range(2))
        for command, (small, status), (large, large_status) in zip(shape.commands, smalls, larges):
            if max(status, large_status) > shape.worst_status:
                raise SystemExit('growth: %s, %s: exit status %d' % (shape.name, command, max(status, large_status)))
            grown = [count - empty[shape.suffix, command] for count in (small, large)]
            exponent = 0.0 if grown[1] < FEW else math.log(grown[1] / max(grown[0], FEW / FACTOR), FACTOR)
            rows.append((exponent, shape.name, command, small, large, size))
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
    size = options.size or (1000 if options.long else 100)
    chosen = [shape for shape in all_shapes(options.long) if options.only in shape.name]
    if options.list:
        return print('\n'.join(shape.name for shape in chosen))
    rows = []
    with tempfile.TemporaryDirectory() as work:
        runs = Runs(os.path.abspath(options.command), os.path.abspath(options.preloaded), pathlib.Path(work))
        empty = empty_runs(runs)
        batches = [chosen[i:i + 20] for i in range(0, len(chosen), 20)]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for i, found_rows in enumerate(pool.map(lambda b: measure(runs, 'b%d' % b[0], b[1], size, empty), enumerate(batches))):
                rows += found_rows
        runs_done = len(rows)
        by_name = {shape.name: shape for shape in chosen}
        floor = lambda row: LARGEST_FIX if '--fix' in row[2] else by_name[row[1]].floor
        rows = sorted((row for row in rows if row[4] > floor(row)), reverse=True)
        again = [row for row in rows if row[0] > LARGEST_EXPONENT and by_name[row[1]].scale == 1 and not options.long]
        if again:
            doubtful = [Shape(row[1], by_name[row[1]].make, [row[2]], by_name[row[1]].suffix,
                              worst_status=by_name[row[1]].worst_status) for row in again]
            again_rows = [row for row in measure(runs, 'again', doubtful, 10 * size, empty) if row[4] > floor(row)]
            rows = sorted([row for row in rows if row not in again] + again_rows, reverse=True)
    wrong = [row for row in rows if row[0] > LARGEST_EXPONENT]
    for exponent, shape, command, small, large, n in wrong or rows[:5]:
        print('%.2f  %s, onnxc %s: %d instructions at %d, %d at %d' % (exponent, shape, command, small, n, large, FACTOR * n))
    print('%d shapes, %d runs of %d subcommands at each size, worst exponent %.2f' %
          (len(chosen), runs_done, len({row[2].split()[0] for row in rows}), rows[0][0] if rows else 0))
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
