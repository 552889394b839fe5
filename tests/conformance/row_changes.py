"""Changes of a node and its arrays at random, for operator_rows.py.

Each change gets the schema of the node's version, or None for an operator of ONNX Runtime, and `words`: for each operator, the
attributes that its tests give it.
"""

import collections

import numpy as np
import onnx

MOST_ELEMENTS = 4096  # of an input, an output or an attribute


def resized(array, shape):
    if np.prod(shape, dtype=float) > MOST_ELEMENTS:
        return array
    if array.size:
        return np.resize(array, shape)
    return np.full(shape, "a" if array.dtype.kind in "OUS" else 0, array.dtype)


def change_size(rng, seed, *_):
    """Replaces a size by another one, wherever it occurs or in one place."""
    sizes = sorted({size for array in seed.arrays.values() for size in array.shape})
    if not sizes:
        return
    old, new, everywhere = rng.choice(sizes), rng.choice([0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16]), rng.random() < 0.7
    names = sorted(seed.arrays) if everywhere else [rng.choice(sorted(seed.arrays))]
    for name in names:
        shape = [new if size == old else size for size in seed.arrays[name].shape]
        seed.arrays[name] = resized(seed.arrays[name], shape)


def change_one_size(rng, seed, *_):
    name = rng.choice(sorted(seed.arrays))
    shape = list(seed.arrays[name].shape)
    if shape:
        shape[rng.randrange(len(shape))] = rng.choice([0, 1, 1, 2, 3, 4, 5, 7])
        seed.arrays[name] = resized(seed.arrays[name], shape)


def change_rank(rng, seed, *_):
    name = rng.choice(sorted(seed.arrays))
    shape = list(seed.arrays[name].shape)
    if shape and rng.random() < 0.5:
        shape.pop(rng.choice([0, -1]))
    else:
        shape.insert(rng.randrange(len(shape) + 1), rng.choice([1, 1, 2, 3]))
    seed.arrays[name] = resized(seed.arrays[name], shape)


def change_rank_of_all(rng, seed, *_):
    add = rng.random() < 0.6
    for name in sorted(seed.arrays):
        shape = list(seed.arrays[name].shape)
        if len(shape) > 1 or (add and shape):
            seed.arrays[name] = resized(seed.arrays[name], [rng.choice([1, 2]), *shape] if add else shape[1:])


def change_numbers(rng, seed, *_):
    """Changes elements of a short list of integers, such as axes or a shape."""
    names = [n for n, a in sorted(seed.arrays.items()) if a.dtype.kind in "iu" and 0 < a.size <= 16]
    if not names:
        return
    name = rng.choice(names)
    array = seed.arrays[name].copy()
    info = np.iinfo(array.dtype)
    choices = [0, 1, 2, 3, 4, 5, -1, -2, -3, -4, 7, -9, 100, -100, info.max, info.min]
    for _ in range(rng.choice([1, 1, 2, array.size])):
        number = rng.choice(choices)
        array.flat[rng.randrange(array.size)] = number if info.min <= number <= info.max else 1
    seed.arrays[name] = array


def lengthen(rng, seed, *_):
    """Makes a list of integers longer or shorter, as an input or as an attribute."""
    names = [n for n, a in sorted(seed.arrays.items()) if a.ndim == 1 and a.dtype.kind in "iu"]
    if names:
        name = rng.choice(names)
        array = seed.arrays[name]
        seed.arrays[name] = array[:-1] if array.size and rng.random() < 0.5 else np.append(array, [rng.choice([0, 1, 2])]).astype(array.dtype)


def change_constants(rng, seed, *_):
    for name in seed.arrays:
        if rng.random() < 0.5:
            seed.constant ^= {name}


def all_constant(rng, seed, *_):
    seed.constant = set(seed.arrays)


def change_element(rng, seed, schema, _):
    """Gives all inputs with the same type another element type that the version allows."""
    groups = collections.defaultdict(list)
    formals = list(schema.inputs) if schema else []
    for i, name in enumerate(seed.node.input):
        if name in seed.arrays and formals:
            groups[formals[min(i, len(formals) - 1)].type_str].append(name)
        elif name in seed.arrays:
            groups[str(seed.arrays[name].dtype)].append(name)
    if not groups:
        return
    group = rng.choice(sorted(groups))
    allowed = next((c.allowed_type_strs for c in schema.type_constraints if c.type_param_str == group), []) if schema else []
    dtypes = {"tensor(float)": "float32", "tensor(double)": "float64", "tensor(float16)": "float16", "tensor(bool)": "bool",
              **{f"tensor({k}{b})": f"{k}{b}" for k in ("int", "uint") for b in (8, 16, 32, 64)}}
    choices = sorted(dtypes[t] for t in allowed if t in dtypes) or ["float32", "int64", "int32"]
    dtype = rng.choice(choices)
    for name in groups[group]:
        if seed.arrays[name].dtype.kind in "biuf":
            with np.errstate(all="ignore"):
                seed.arrays[name] = seed.arrays[name].astype(dtype)


def change_attribute(rng, seed, *_):
    attributes = list(seed.node.attribute)
    if not attributes:
        return
    attribute = rng.choice(attributes)
    if attribute.type == onnx.AttributeProto.INT:
        attribute.i = rng.choice([attribute.i + 1, attribute.i - 1, -attribute.i, 0, 1, 2, 3, -1, 6, 7, 9, 10])
    elif attribute.type == onnx.AttributeProto.INTS:
        ints = list(attribute.ints)
        if ints and rng.random() < 0.7:
            ints[rng.randrange(len(ints))] = rng.choice([0, 1, 2, 3, -1, -2, 4, 5])
        elif rng.random() < 0.5:
            rng.shuffle(ints)
        else:
            ints = rng.choice([ints[:-1], [*ints, 1]])
        del attribute.ints[:]
        attribute.ints.extend(ints)
    elif attribute.type == onnx.AttributeProto.FLOAT:
        attribute.f = rng.choice([0.0, 1.0, 0.5, 2.0, -1.0])


def change_word(rng, seed, _, words):
    """Gives an attribute a value that another test of the same operator has, or adds or removes an attribute."""
    known = words[seed.node.domain, seed.node.op_type]
    if rng.random() < 0.3 and seed.node.attribute:
        del seed.node.attribute[rng.randrange(len(seed.node.attribute))]
    elif known:
        attribute = onnx.AttributeProto.FromString(rng.choice(known))
        kept = [a for a in seed.node.attribute if a.name != attribute.name]
        del seed.node.attribute[:]
        seed.node.attribute.extend([*kept, attribute])


def leave_out(rng, seed, *_):
    """Leaves an input or an output out, or the last ones."""
    names = seed.node.input if rng.random() < 0.6 else seed.node.output
    if len(names) > 1:
        if rng.random() < 0.5:
            names.pop()
        else:
            names[rng.randrange(1, len(names))] = ""


def more_inputs(rng, seed, *_):
    if not seed.node.input:
        return
    name = seed.node.input[-1]
    if name in seed.arrays:
        new = f"more{len(seed.node.input)}"
        seed.arrays[new] = seed.arrays[name]
        seed.node.input.append(new)


def more_outputs(rng, seed, *_):
    seed.node.output.append(f"out{len(seed.node.output)}")


CHANGES = [change_size] * 4 + [change_one_size] * 2 + [change_rank] * 2 + [change_rank_of_all, change_numbers, change_numbers, lengthen,
           change_constants, change_constants, all_constant, change_element, change_element] + [change_attribute] * 4 + [
           change_word] * 3 + [leave_out] * 2 + [more_inputs, more_outputs]


def changed(rng, seed, schema, words):
    seed = seed.copy()
    changes = CHANGES if seed.arrays else [change_attribute, change_word]
    for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4])):
        rng.choice(changes)(rng, seed, schema, words)
    # Axes, shapes and the like are constants in most models.
    if rng.random() < 0.5:
        seed.constant |= {n for n, a in seed.arrays.items() if a.dtype == np.int64 and a.ndim <= 1}
    return seed
