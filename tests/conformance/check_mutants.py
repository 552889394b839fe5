#!/usr/bin/env python3
"""Compares the checker with onnx.checker.check_model on models that were changed at random.

Usage: check_mutants.py PROBE [--count N] [--seed S] [--keep FOLDER] PATH...

PROBE is the test tool check_probe. A PATH is a model, or a folder that is searched for *.onnx. Each mutant is one of these
models after one to three random changes: something was dropped, swapped, renamed, retyped, reordered, resized or doubled.
With the same seed, the mutants are the same in every run. Differences are printed. They are also kept in FOLDER unless the
full check confirms them. check_reference.py says what explains a difference. The run fails if a difference is not explained,
or if the checker crashes.
"""

import argparse
import collections
import pathlib
import random
import subprocess
import sys

import onnx
from check_reference import Tally, probe_bytes
from google.protobuf.descriptor import FieldDescriptor

LARGEST = 100_000  # bytes of a model that is damaged
BATCH = 500


def is_list(field):
    return field.is_repeated if hasattr(field, "is_repeated") else field.label == FieldDescriptor.LABEL_REPEATED


def messages(message, found):
    """Returns all messages that the message contains, by type."""
    found[message.DESCRIPTOR.name].append(message)
    for field, value in message.ListFields():
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for child in value if is_list(field) else [value]:
                messages(child, found)
    return found


def fields_of(rng, found, wanted):
    """Returns a random message and one of its set fields that is `wanted`. The type is chosen first, so that rare types have a
    chance."""
    for name in rng.sample(sorted(found), len(found)):
        message = rng.choice(found[name])
        fields = [f for f, v in message.ListFields() if wanted(f, v)]
        if fields:
            return message, rng.choice(fields)
    return None, None


def drop(rng, found):
    message, field = fields_of(rng, found, lambda f, v: True)
    if message is None:
        return
    if is_list(field) and rng.random() < 0.8:
        values = getattr(message, field.name)
        del values[rng.randrange(len(values))]
    else:
        message.ClearField(field.name)


def put(message, field, values):
    message.ClearField(field.name)
    getattr(message, field.name).extend(values)


def swap(rng, found):
    message, field = fields_of(rng, found, lambda f, v: is_list(f) and len(v) > 1)
    if message is None:
        return
    values = list(getattr(message, field.name))
    i, j = rng.sample(range(len(values)), 2)
    values[i], values[j] = values[j], values[i]
    copies = [type(v).FromString(v.SerializeToString()) if hasattr(v, "SerializeToString") else v for v in values]
    put(message, field, copies)


def reorder(rng, found):
    message, field = fields_of(rng, found, lambda f, v: is_list(f) and len(v) > 1)
    if message is None:
        return
    values = list(getattr(message, field.name))
    rng.shuffle(values)
    copies = [type(v).FromString(v.SerializeToString()) if hasattr(v, "SerializeToString") else v for v in values]
    put(message, field, copies)


def double(rng, found):
    message, field = fields_of(rng, found, lambda f, v: is_list(f))
    if message is None:
        return
    values = getattr(message, field.name)
    value = rng.choice(list(values))
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        value = type(value).FromString(value.SerializeToString())
    values.extend([value])


def rename(rng, found):
    def is_name(field, value):
        return field.type == FieldDescriptor.TYPE_STRING and field.name not in ("doc_string", "producer_name")

    message, field = fields_of(rng, found, is_name)
    if message is None:
        return
    other, other_field = fields_of(rng, found, is_name)
    new = getattr(other, other_field.name)
    new = rng.choice(list(new)) if is_list(other_field) else new
    new = rng.choice([new, new, new + "x", "", "ai.onnx", "no_such_name"])
    if is_list(field):
        values = list(getattr(message, field.name))
        values[rng.randrange(len(values))] = new
        put(message, field, values)
    else:
        setattr(message, field.name, new)


def retype(rng, found):
    def is_type(field, value):
        return field.name in ("elem_type", "data_type", "type", "key_type") and not field.message_type

    message, field = fields_of(rng, found, is_type)
    if message is None:
        return
    if field.enum_type:
        setattr(message, field.name, rng.choice([v.number for v in field.enum_type.values]))
    else:
        setattr(message, field.name, rng.choice([0, *range(1, 29), 1, 7, 8, 99, -1]))


def resize(rng, found):
    def is_size(field, value):
        return field.name in ("dims", "dim_value", "raw_data", "version", "ir_version", "ints") or (
            field.name.endswith("_data") and is_list(field) and not field.message_type
        )

    message, field = fields_of(rng, found, is_size)
    if message is None:
        return
    value = getattr(message, field.name)
    if field.name == "raw_data":
        setattr(message, field.name, rng.choice([value[:-1], value + b"\0", value * 2, b"", value[: len(value) // 2]]))
    elif field.name == "dims":
        values = list(value)
        i = rng.randrange(len(values))
        values[i] = rng.choice([values[i] + 1, values[i] - 1, 0, -1, 1 << 62, 1])
        put(message, field, values)
    elif is_list(field):
        values = list(value)
        put(message, field, rng.choice([values[:-1], values + values[:1], values[: len(values) // 2]]))
    else:
        setattr(message, field.name, rng.choice([value + 1, value - 1, 0, 1, 2, 3, 7, 21, 99]))


ACCIDENTS = [drop, drop, swap, reorder, double, rename, rename, retype, resize]


def mutant(models, seed, index):
    rng = random.Random(f"{seed}:{index}")
    path, data = rng.choice(models)
    model = onnx.ModelProto.FromString(data)
    names = []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        accident = rng.choice(ACCIDENTS)
        names.append(accident.__name__)
        accident(rng, messages(model, collections.defaultdict(list)))
    return f"{seed}:{index} {path.parent.name}/{path.name} {'+'.join(names)}", model.SerializeToString()


def find_models(paths):
    files = []
    for path in map(pathlib.Path, paths):
        files.extend(sorted(path.rglob("*.onnx")) if path.is_dir() else [path])
    return [(f, f.read_bytes()) for f in files if f.stat().st_size <= LARGEST]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("probe")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()

    models = find_models(options.paths)
    tally = Tally()
    for start in range(0, options.count, BATCH):
        batch = [mutant(models, options.seed, i) for i in range(start, min(start + BATCH, options.count))]
        try:
            verdicts = probe_bytes(options.probe, [data for _, data in batch])
        except subprocess.CalledProcessError as error:
            sys.exit(f"the checker crashed on mutants {start} and following: {error}")
        for (name, data), ours in zip(batch, verdicts):
            kind = tally.add(name, ours, data)
            if options.keep and kind in ("named", "unexplained"):
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{kind}-{name.split()[0].replace(':', '-')}.onnx").write_bytes(data)
    print(tally.summary())
    sys.exit(1 if tally.counts["unexplained"] else 0)


if __name__ == "__main__":
    main()
