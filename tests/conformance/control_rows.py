"""Random models with control flow, default values, sparse initializers, constant arithmetic and lists of sizes, for operator_rows.py."""

import hashlib
import random

import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper
import onnx.parser

WHOLE = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
REAL = ["float32", "float64", "float16"]
ELEMENTS = {"float32": "float", "float64": "double", "float16": "float16", "bool": "bool", **{name: name for name in WHOLE}}

# What a body does with a value of shape [n, 2] or similar: the statements; $ is the value, @ the result.
STEPS = [
    "@ = Relu ($)", "@ = Identity ($)", "@ = Concat <axis = 0> ($, $)", "@ = Concat <axis = 1> ($, $)",
    "@ = Transpose <perm = [1, 0]> ($)", "@r = ReduceSum <keepdims = 1> ($) @ = Add (@r, $)", "@ = Add ($, outer)",
    "@a = Constant <value = int64[1] {0}> () @b = Constant <value = int64[1] {1}> () @ = Slice ($, @a, @b)",
    "@a = Constant <value = int64[1] {0}> () @ = Unsqueeze ($, @a)", "@s = Shape ($) @ = Reshape ($, @s)",
    "@f = Constant <value = int64[1] {-1}> () @ = Reshape ($, @f)", "@ = ReduceMax <keepdims = 1> ($)",
    "@c = Cast <to = 11> ($) @ = Cast <to = 1> (@c)", "@a, @b = Split <axis = 0, num_outputs = 2> ($) @ = Identity (@a)",
]
LATER = ["Shape (#)", "Size (#)", "Neg (#)", "Concat <axis = 0> (#, #)", "Flatten (#)", "Transpose (#)"]


def header(newest, functions=""):
    return f'<ir_version: 10, opset_import: ["" : {newest}{functions}]>\n'


def step(rng, value, result):
    return rng.choice(STEPS).replace("$", value).replace("@", result)


def steps(rng, value, result):
    """Returns the statements of up to three steps that make the result of the value."""
    count, text = rng.choice([1, 1, 2, 3]), ""
    for k in range(count):
        made = result if k == count - 1 else f"{result}_{k}"
        text += step(rng, value, made) + " "
        value = made
    return text


def shape(rng):
    return [rng.choice([1, 2, 3]), rng.choice([1, 2, 2])]


def value(rng, name, dims, constants):
    """Declares a value as an input or as an initializer; returns the text of the declaration, and the input's array."""
    size = int(np.prod(dims))
    array = np.arange(1, size + 1, dtype=np.float32).reshape(dims)
    text = f"float{dims} {name}"
    if constants and rng.random() < 0.3:
        return "", f"{text} = {{{', '.join(str(float(x)) for x in array.ravel())}}}", {}
    return text, "", {name: array}


def of_loop(rng, newest):
    trips = rng.choice(["constant", "constant", "input", "none"])
    condition = rng.choice(["constant", "constant", "false", "input", "none"])
    stops = rng.choice(["goes on", "goes on", "counts", "condition", "constant false"])
    if trips == "none" and stops in ("goes on", "condition"):
        stops = "counts"
    limit, count = rng.choice([0, 1, 2, 3]), rng.choice([0, 1, 2, 3, 4])
    inputs, initializers, given = ["float[1, 1] outer"], [], {"outer": np.ones([1, 1], np.float32)}
    if trips == "constant":
        initializers.append(f"int64 m = {{{count}}}")
    elif trips == "input":
        inputs.append("int64 m")
        given["m"] = np.array(count, np.int64)
    if condition in ("constant", "false"):
        initializers.append(f"bool c = {{{int(condition == 'constant')}}}")
    elif condition == "input":
        inputs.append("bool c")
        given["c"] = np.array(rng.random() < 0.7)
    carried = rng.choice([1, 1, 2])
    scans = rng.choice([0, 1, 1, 2])
    body = {"goes on": "t = Constant <value = bool {1}> () k = Identity (t)", "condition": "k = Identity (p)",
            "counts": f"q = Constant <value = int64 {{{limit}}}> () k = Less (i, q)", "constant false": "k = Constant <value = bool {0}> ()"}[stops]
    outputs = []
    for v in range(carried):
        declared, initialized, array = value(rng, f"v{v}", shape(rng), True)
        inputs += [declared] if declared else []
        initializers += [initialized] if initialized else []
        given.update(array)
        body += " " + steps(rng, f"a{v}", f"b{v}")
    for s in range(scans):
        body += " " + rng.choice(["s{} = Identity (i)", "s{} = Shape (a0)", "s{} = Identity (b0)", "s{} = ReduceSum <keepdims = 0> (a0)"]).format(s)
    names = lambda prefix, n: [f"{prefix}{k}" for k in range(n)]
    outputs = names("y", carried) + names("z", scans)
    last = rng.choice(outputs)
    text = (
        f"{header(newest)}g ({', '.join(inputs)}) => ({', '.join(outputs + ['w'])}) <{', '.join(initializers)}> {{\n"
        f"{', '.join(outputs)} = Loop ({', '.join(['m' if trips != 'none' else '', 'c' if condition != 'none' else ''] + names('v', carried))}) <\n"
        f"body = body ({', '.join(['int64 i', 'bool p'] + [f'float[] a{k}' for k in range(carried)])}) => "
        f"({', '.join(['k'] + names('b', carried) + names('s', scans))}) {{ {body} }} >\n"
        f"w = {rng.choice(LATER).replace('#', last)}\n}}"
    )
    return text, given


def of_if(rng, newest):
    inputs, initializers, given = ["float[1, 1] outer"], [], {"outer": np.ones([1, 1], np.float32)}
    if rng.random() < 0.4:
        initializers.append(f"bool c = {{{rng.choice([0, 1])}}}")
    else:
        inputs.append("bool c")
        given["c"] = np.array(rng.random() < 0.5)
    declared, initialized, array = value(rng, "v", shape(rng), True)
    inputs += [declared] if declared else []
    initializers += [initialized] if initialized else []
    given.update(array)
    text = (
        f"{header(newest)}g ({', '.join(inputs)}) => (y, z, w) <{', '.join(initializers)}> {{\n"
        f"y, z = If (c) <then_branch = a () => (ay, az) {{ {steps(rng, 'v', 'ay')} az = Shape (ay) }},\n"
        f"else_branch = b () => (by, bz) {{ {steps(rng, 'v', 'by')} bz = Shape (by) }}>\n"
        f"w = {rng.choice(LATER).replace('#', rng.choice(['y', 'z']))}\n}}"
    )
    return text, given


def of_scan(rng, newest):
    states, scanned, made = rng.choice([0, 1, 1]), rng.choice([1, 1, 2]), rng.choice([1, 1, 2])
    count = rng.choice([0, 1, 2, 3])
    axis = [rng.choice([0, 0, 1, -1]) for _ in range(scanned)]
    inputs, given, body = ["float[1, 1] outer"], {"outer": np.ones([1, 1], np.float32)}, ""
    for k in range(states):
        declared, _, array = value(rng, f"v{k}", shape(rng), False)
        inputs.append(declared)
        given.update(array)
        body += " " + rng.choice(["b{0} = Relu (a{0})", "b{0} = Add (a{0}, outer)", "b{0} = Add (a{0}, a{0})"]).format(k)
    for k in range(scanned):
        dims = [count if d == axis[k] % 3 else rng.choice([1, 2, 3]) for d in range(3)]
        inputs.append(f"float{dims} x{k}")
        given[f"x{k}"] = np.zeros(dims, np.float32)
    for k in range(made):
        body += " " + rng.choice([f"s{k} = Relu (e0)", f"s{k} = Shape (e0)", f"s{k} = Flatten (e{scanned - 1})", f"s{k} = Transpose (e0)",
                                  f"s{k} = ReduceSum <keepdims = 0> (e0)"])
    attributes = [f"num_scan_inputs = {scanned}", f"scan_input_axes = {axis}"]
    if rng.random() < 0.5:
        attributes.append(f"scan_input_directions = {[rng.choice([0, 1]) for _ in range(scanned)]}")
    if rng.random() < 0.5:
        attributes.append(f"scan_output_axes = {[rng.choice([0, 0, 1, -1]) for _ in range(made)]}")
    names = lambda prefix, n: [f"{prefix}{k}" for k in range(n)]
    outputs = names("y", states) + names("z", made)
    text = (
        f"{header(newest)}g ({', '.join(inputs)}) => ({', '.join(outputs)}) {{\n"
        f"{', '.join(outputs)} = Scan ({', '.join(names('v', states) + names('x', scanned))}) <{', '.join(attributes)},\n"
        f"body = body ({', '.join([f'float[] a{k}' for k in range(states)] + [f'float[] e{k}' for k in range(scanned)])}) => "
        f"({', '.join(names('b', states) + names('s', made))}) {{ {body} }} >\n}}"
    )
    return text, given


def of_default(rng, newest):
    """An input with a default value, which a caller replaces, also by a value of another size."""
    default, actual = rng.choice([1, 2, 3]), rng.choice([1, 2, 3, 4])
    if rng.random() < 0.5:
        numbers = [rng.choice([1, 2, 3]) for _ in range(default)]
        given = {"d": np.array([rng.choice([1, 2, 3]) for _ in range(actual)], np.int64), "x": np.zeros([1, 1], np.float32)}
        use = rng.choice(["Expand (x, d)", "ConstantOfShape (d)", "Concat <axis = 0> (d, d)", "Reshape (e, d)", "Tile (x, f)"])
        body = f"e = ConstantOfShape (d) f = Concat <axis = 0> (d, d) g = Slice (f, one, two) y = {use}".replace("Tile (x, f)", "Tile (x, g)")
        text = (f"g (int64[n] d, float[1, 1] x) => (y) <int64[{default}] d = {{{', '.join(map(str, numbers))}}}, int64[1] one = {{0}}, "
                f"int64[1] two = {{2}}> {{ {body} }}")
    else:
        given = {"d": np.zeros([actual, 2], np.float32), "x": np.zeros([1, 1], np.float32)}
        use = rng.choice(["Add (d, x)", "Shape (d)", "Concat <axis = 0> (d, d)", "Transpose (d)", "Flatten <axis = 0> (d)"])
        text = (f"g (float[n, 2] d, float[1, 1] x) => (y) <float[{default}, 2] d = {{{', '.join(['0.0'] * 2 * default)}}}> "
                f"{{ y = {use} }}")
    return header(newest) + text, given


def of_sequence(rng, newest):
    """Tensors in sequences and optional values."""
    given = {f"x{k}": np.zeros([rng.choice([1, 2, 3]), 2], np.float32) for k in range(3)}
    if rng.random() < 0.5:
        given = {name: np.zeros([2, 2], np.float32) for name in given}
    made = rng.choice(["s = SequenceConstruct (x0, x1, x2)", "e = SequenceEmpty () f = SequenceInsert (e, x0) s = SequenceInsert (f, x1)",
                       "s = SplitToSequence <axis = 0> (x0)", "s = SplitToSequence <axis = 1, keepdims = 0> (x0)", "s = SequenceConstruct (x0)"])
    then = rng.choice(["t = Identity (s)", "t = SequenceInsert (s, x2)", "t = SequenceInsert (s, x2, at)", "t = SequenceErase (s, at)",
                       "t = SequenceErase (s)", "o = Optional (s) t = OptionalGetElement (o)"])
    used = rng.choice(["y = SequenceAt (t, at)", "y = SequenceLength (t)", "y = ConcatFromSequence <axis = 0> (t)",
                       "y = ConcatFromSequence <axis = 0, new_axis = 1> (t)", "y = ConcatFromSequence <axis = -1> (t)",
                       "y = ConcatFromSequence <axis = -1, new_axis = 1> (t)", "u = SequenceAt (t, at) p = Optional (u) y = OptionalHasElement (p)",
                       "y = SequenceMap (t) <body = b (float[] a) => (float[] c) { c = Transpose (a) }>"])
    inputs = ", ".join(f"float{list(array.shape)} {name}" for name, array in given.items())
    initializers = f"int64 at = {{{rng.choice([0, 0, -1, 1])}}}"
    return f"{header(newest)}g ({inputs}) => (s, y) <{initializers}> {{ {made} {then} {used} }}", given


def number(rng, dtype):
    if dtype == "bool":
        return rng.choice([0, 1])
    if dtype == "float16":  # the parser of `onnx` reads bits
        return int(np.float16(rng.choice([0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 7.0, 2048.0, 0.1, 100.0])).view(np.uint16))
    if dtype in REAL:
        return rng.choice([0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 7.0, 2.0**24, 16777217.0, 0.1, 100.0])
    info = np.iinfo(dtype)
    value = rng.choice([0, 1, 2, 3, 5, 7, -1, -2, -3, -7, 100, 127, 128, 255, 256, -128, info.max, info.min, info.max - 1, 1 << 31, 1 << 53])
    return min(max(value, info.min), info.max)


def of_arithmetic(rng, newest):
    """Constants of one type, and a few operations, whose results are recorded."""
    dtype = rng.choice(WHOLE + WHOLE + REAL + ["bool"])
    element = ELEMENTS[dtype]
    size = rng.choice([1, 2, 3])
    constants = [f"{element}[{rng.choice([size, size, 1])}] c{k}" for k in range(3)]
    constants = [f"{c} = {{{', '.join(str(number(rng, dtype)) for _ in range(int(c[c.index('[') + 1 : c.index(']')])))}}}" for c in constants]
    names, body, outputs = ["c0", "c1", "c2"], "", []
    is_half = dtype == "float16"  # ONNX Runtime does not round between two operations
    for k in range(1 if is_half else rng.choice([1, 2, 3])):
        a, b = rng.choice(names), rng.choice(names)
        choices = [f"Add ({a}, {b})", f"Sub ({a}, {b})", f"Mul ({a}, {b})", f"Min ({a}, {b})", f"Max ({a}, {b})", f"Neg ({a})", f"Abs ({a})",
                   f"Div ({a}, {b})", f"Mod ({a}, {b})", f"Mod <fmod = 1> ({a}, {b})", f"Identity ({a})", f"Concat <axis = 0> ({a}, {b})",
                   f"ReduceSum ({a})", f"ReduceProd ({a})", f"ReduceMax ({a})", f"ReduceMin ({a})", f"Floor ({a})", f"Ceil ({a})", f"Sqrt ({a})",
                   f"Round ({a})", f"Sign ({a})", f"CumSum ({a}, axis)"]
        if dtype in ("int64", "uint64"):  # ONNX Runtime 1.31 computes these by way of 32 bits or of a double
            inexact = ("Min", "Max", "Reduce", "Mod <fmod")
            choices = [choice for choice in choices if not choice.startswith(inexact)]
        if dtype == "bool":
            choices = [f"And ({a}, {b})", f"Or ({a}, {b})", f"Xor ({a}, {b})", f"Not ({a})", f"Equal ({a}, {b})"]
        name = f"r{k}"
        body += f"{name} = {rng.choice(choices)} "
        names.append(name)
        outputs.append(name)
    last = outputs[-1]
    more = "" if is_half else rng.choice(["", "cast", "compare", "where"])
    if more == "cast":
        to = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(rng.choice(WHOLE + REAL + ["bool"])))
        body += f"q = Cast <to = {int(to)}> ({last}) "
        outputs.append("q")
    elif more and dtype != "bool":
        operator = rng.choice(["Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual"])
        body += f"p = {operator} ({last}, c0) "
        outputs.append("p")
        if more == "where":
            body += f"q = Where (p, {last}, c1) "
            outputs.append("q")
    text = f"g () => ({', '.join(outputs)}) <{', '.join([*constants, 'int64 axis = {0}'])}> {{ {body} }}"
    return header(newest) + text, {}


def of_sizes(rng, newest):
    """Lists that are cut, joined and chosen from, as models compute shapes; the last list is a shape."""
    dims = [rng.choice([1, 2, 3, 4]) for _ in range(rng.choice([2, 3, 4, 5]))]
    lists, scalars, body, initializers = ["a", "c"], [], "a = Shape (x) ", []
    numbers = lambda count, choices: [rng.choice(choices) for _ in range(count)]

    def constant(elements, element="int64"):
        name = f"k{len(initializers)}"
        initializers.append(f"{element}[{len(elements)}] {name} = {{{', '.join(map(str, elements))}}}")
        return name

    def scalar(element):
        name = f"k{len(initializers)}"
        initializers.append(f"int64 {name} = {{{element}}}")
        return name

    initializers.append(f"int64[3] c = {{{', '.join(map(str, numbers(3, [0, 1, 2, 3, 4])))}}}")
    for k in range(rng.choice([1, 2, 3, 4])):
        a, b = rng.choice(lists), rng.choice(lists)
        at = numbers(2, [0, 1, 2, 3, -1, -2, -3, -7, 7, 100, -100])
        made = rng.choice([
            lambda: f"Slice ({a}, {constant(at[:1])}, {constant(at[1:])}, {constant([rng.choice([0, -1])])}, {constant(numbers(1, [1, 1, -1, 2, -2, 3]))})",
            lambda: f"Slice ({a}, {constant(at[:1])}, {constant(at[1:])})",
            lambda: f"Gather ({a}, {constant(numbers(rng.choice([1, 2, 3]), [0, 1, 2, -1, -2]))})",
            lambda: f"Concat <axis = 0> ({a}, {b})",
            lambda: f"Concat <axis = -1> ({a}, {constant(numbers(2, [0, 1, 2]))}, {b})",
            lambda: f"Where (p{k}, {a}, {b})",
            lambda: f"Where (p{k}, {a}, {scalar(rng.choice([1, 2]))})",
            lambda: f"Expand ({scalar(rng.choice([1, 2, 3]))}, {constant(numbers(1, [1, 2, 3]))})",
            lambda: f"Expand ({constant(numbers(1, [1, 2, 3]))}, {constant(numbers(1, [1, 2, 3]))})",
            lambda: f"Range ({', '.join(scalar(n) for n in [*numbers(2, [0, 1, 2, 5, -1]), rng.choice([1, 1, 2, -1, 3])])})",
            lambda: f"ConstantOfShape <value = int64[1] {{{rng.choice([1, 2, 3])}}}> ({constant(numbers(1, [1, 2, 3]))})",
            lambda: f"Add ({a}, {b})", lambda: f"Sub ({a}, {b})", lambda: f"Transpose ({a})", lambda: f"Tile ({a}, {constant([2])})",
            lambda: f"Unsqueeze (s{k}, {constant([0])})",
        ])()
        if f"p{k}" in made:
            body += f"p{k} = {rng.choice(['Equal', 'Less', 'GreaterOrEqual'])} ({a}, {rng.choice([b, scalar(2)])}) "
        if f"s{k}" in made:
            of_list = [f"Gather ({a}, {scalar(rng.choice([0, 1, -1, -2]))})", f"ReduceMax <keepdims = 0> ({a})", f"Squeeze ({constant([2])})", f"Size ({a})"]
            body += f"s{k} = {rng.choice(of_list)} "
            scalars.append(f"s{k}")
        if rng.random() < 0.15:
            body += f"r{k}, q{k} = Split <axis = 0, num_outputs = 2> ({a}) "
            lists.append(f"q{k}")
        else:
            body += f"r{k} = {made} "
        lists.append(f"r{k}")
    outputs = [*lists[2:], *scalars, "y"]
    given = {"x": np.zeros(dims, np.float32)}
    if rng.random() < 0.5:  # then everything is constant, and is recorded
        body, given = f"x = ConstantOfShape ({constant(dims)}) {body}", {}
    inputs = ", ".join(f"float{dims} {name}" for name in given)
    text = f"g ({inputs}) => ({', '.join(outputs)}) <{', '.join(initializers)}> {{ {body} y = ConstantOfShape ({lists[-1]}) }}"
    return header(newest) + text, given


def of_sparse(rng, newest):
    """A shape in a sparse initializer."""
    size = rng.choice([1, 2, 3])
    dense = [rng.choice([0, 1, 2, 3]) for _ in range(size)]
    text = f"g () => (y, z) <int64[{size}] s = {{{', '.join(map(str, dense))}}}> {{ y = ConstantOfShape (s) z = Identity (s) }}"
    return header(newest) + text, {}


def sparse(model):
    tensor = model.graph.initializer[0]
    dense = onnx.numpy_helper.to_array(tensor)
    indices = np.flatnonzero(dense).astype(np.int64)
    made = model.graph.sparse_initializer.add()
    made.values.CopyFrom(onnx.numpy_helper.from_array(dense[indices], tensor.name))
    made.indices.CopyFrom(onnx.numpy_helper.from_array(indices, f"{tensor.name}_indices"))
    made.dims.extend(dense.shape)
    del model.graph.initializer[:]


MAKERS = {"Loop": (of_loop, 500), "If": (of_if, 250), "Scan": (of_scan, 250), "default": (of_default, 120),
          "arithmetic": (of_arithmetic, 1500), "sparse": (of_sparse, 30), "sequence": (of_sequence, 200), "sizes": (of_sizes, 1000)}


def rows(runner, seed, newest):
    found = []
    for name, (make, wanted) in MAKERS.items():
        rng = random.Random(hashlib.sha256(f"{seed}:{name}".encode()).hexdigest())
        here = {}
        for _ in range(8):
            batch = []
            for _ in range(wanted):
                text, given = make(rng, newest)
                model = onnx.parser.parse_model(text)
                if make is of_sparse:
                    sparse(model)
                for output in model.graph.output:
                    output.ClearField("type")
                batch.append((model.SerializeToString(), given))
            here.update(runner.run(batch))
            if len(here) >= wanted:
                break
        print(f"{name}: {min(len(here), wanted)} rows")
        found += list(here.items())[:wanted]
    return found
