#!/usr/bin/env python3
"""Writes the tables of all operators that the `onnx` package registers, and of those that ONNX Runtime adds to them.

Usage: gen_operators.py > src/tables/operators.inc            their signatures
       gen_operators.py docs > src/tables/operator_docs.inc   what the package says about them, row by row in that order
       gen_operators.py versions > src/tables/ir_versions.inc  the IR versions that the operator sets require

The `onnx` package does not say which numbers of inputs and outputs an operator takes when they are not a range, nor
whether it takes attributes that it does not declare; both are found by asking its checker about nodes made up for it.
The operators of ONNX Runtime take any number between their limits, and only the attributes that they declare.
"""

import inspect
import re
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import checker, defs, helper
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema

RUNTIME_DOMAIN = "com.microsoft"
DOMAINS = ["", "ai.onnx.ml", "ai.onnx.preview", "ai.onnx.preview.training", RUNTIME_DOMAIN]
ORIGIN = f"onnx {onnx.__version__} and onnxruntime {onnxruntime.__version__}"
MANY = 2147483647
FORMAL = {"FormalParameterOption.Single": 0, "FormalParameterOption.Optional": 1, "FormalParameterOption.Variadic": 2}


def type_name(text):
    """Returns the type in one spelling: some signatures write map(int64, float) for map(int64,tensor(float))."""
    return re.sub(r"map\((\w+), *(\w+)\)", r"map(\1,tensor(\2))", text)


class Formal:
    """An input or output of a schema, of either package."""

    def __init__(self, formal):
        self.name, self.description, self.types = formal.name, formal.description, formal.types
        self.option = FORMAL[str(formal.option)]
        self.is_homogeneous = formal.is_homogeneous if hasattr(formal, "is_homogeneous") else formal.isHomogeneous
        self.type_str = formal.type_str if hasattr(formal, "type_str") else formal.typeStr


def inputs_of(schema):
    return [Formal(formal) for formal in schema.inputs]


def outputs_of(schema):
    return [Formal(formal) for formal in schema.outputs]


def context(schema):
    ctx = checker.C.CheckerContext()
    ctx.ir_version = onnx.IR_VERSION
    ctx.opset_imports = {schema.domain: schema.since_version}
    return ctx


def refusal(schema, inputs, outputs, extra=()):
    """Returns why the package refuses a node of these sizes, or ''."""
    node = onnx.NodeProto(op_type=schema.name, domain=schema.domain)
    node.input.extend(f"x{i}" for i in range(inputs))
    node.output.extend(f"y{i}" for i in range(outputs))
    node.attribute.extend(extra)
    try:
        checker.check_node(node, context(schema))
    except checker.ValidationError as error:
        return str(error)
    return ""


def holes(schema, low, high, node_of):
    """Returns the numbers in [low, high] that the operator refuses, as a bit mask."""
    if schema.deprecated or high - low > 30 or schema.domain == RUNTIME_DOMAIN:
        return 0
    return sum(1 << n for n in range(low, high + 1) if "not in allowed" in node_of(n))


def takes_any_attribute(schema):
    if schema.deprecated or schema.domain == RUNTIME_DOMAIN:
        return False
    known = [
        onnx.AttributeProto(name=a.name, type=a.type.value, t=onnx.TensorProto(), g=onnx.GraphProto())
        for a in schema.attributes.values()
        if a.required
    ]
    for attribute in known:  # a value of the right kind, as far as the signature asks for one
        if attribute.type != onnx.AttributeProto.TENSOR:
            attribute.ClearField("t")
        else:
            attribute.t.CopyFrom(helper.make_tensor("t", 1, [1], [0]))
        if attribute.type != onnx.AttributeProto.GRAPH:
            attribute.ClearField("g")
        else:
            attribute.g.name = "g"
    stray = helper.make_attribute("no_such_attribute", 1)
    why = refusal(schema, schema.min_input, schema.min_output, known + [stray])
    return "Unrecognized attribute" not in why and "zero input and zero output" not in why


class Pool:
    """Rows that are written once, however often they are used."""

    def __init__(self):
        self.rows = []
        self.index = {}

    def add(self, rows):
        """Returns the position of the run `rows`."""
        rows = tuple(rows)
        if not rows:
            return 0
        if rows not in self.index:
            self.index[rows] = len(self.rows)
            self.rows.extend(rows)
        return self.index[rows]


def table(kind, name, rows, per_line=1):
    print(f"\ninline constexpr {kind} {name}[] = {{")
    for start in range(0, len(rows), per_line):
        print("    " + " ".join(f"{row}," for row in rows[start : start + per_line]))
    print("};")


def quote(text):
    return '"' + text + '"'


def all_schemas():
    added = [schema for schema in get_all_operator_schema() if schema.domain == RUNTIME_DOMAIN]
    schemas = [*defs.get_all_schemas_with_history(), *added]
    return sorted(schemas, key=lambda s: (DOMAINS.index(s.domain), s.name, s.since_version))


def attributes_of(schema):
    return sorted(schema.attributes.values(), key=lambda a: a.name)


def default_of(attribute):
    """Returns the default value as the text syntax writes it, or "" if there is none."""

    def written(value):
        if isinstance(value, list):
            return "[" + ", ".join(written(element) for element in value) + "]"
        if isinstance(value, bytes):
            return quote(value.decode().replace("foward", "forward"))  # with the spelling of later versions of the operator
        return str(np.float32(value)) if isinstance(value, float) else str(value)

    if hasattr(attribute, "default_value"):
        value = attribute.default_value
    else:
        value = onnx.AttributeProto.FromString(attribute._default_value)
    return written(helper.get_attribute_value(value)) if value.type else ""


def write_versions():
    """Writes what onnx.helper.find_min_ir_version_for knows: a row for each version that requires a newer IR."""
    least = {("" if domain == "ai.onnx" else domain, version): ir
             for (domain, version), ir in helper.OP_SET_ID_VERSION_MAP.items()}
    print(f"// Generated by scripts/gen_operators.py from onnx {onnx.__version__}. Do not edit.")
    print("// {domain, the newest version of its operator set that the IR version supports, the IR version}")
    rows = {(domain, ir): version for (domain, version), ir in sorted(least.items())}
    for (domain, ir), version in sorted(rows.items()):
        print(f'{{"{domain}", {version}, {ir}}},')


def write_docs():
    texts, ids, rows = Pool(), [], []
    texts.add([""])

    def text(doc):
        return texts.add([inspect.cleandoc(doc or "").strip().replace('\\"', '"')])

    for schema in all_schemas():
        rows.append("{%d, %d}" % (text(schema.doc), len(ids)))
        for attribute in attributes_of(schema):
            ids += [text(default_of(attribute)), text(attribute.description)]
        ids += [text(formal.description) for formal in (*inputs_of(schema), *outputs_of(schema))]
    print(f"// Generated by scripts/gen_operators.py from {ORIGIN}. Do not edit. The texts are those of")
    print("// the ONNX project's contributors, under the Apache License 2.0, and of Microsoft, under the MIT License.")
    table("const char*", "kTexts", [f'R"~~({row})~~"' for row in texts.rows])
    table("OperatorDoc", "kOperatorDocs", rows, 8)
    table("std::uint16_t", "kTextIds", ids, 16)


def main():
    if sys.argv[1:] == ["docs"]:
        return write_docs()
    if sys.argv[1:] == ["versions"]:
        return write_versions()
    schemas = all_schemas()
    names, types, sets, parameters, attributes = Pool(), {}, {}, Pool(), Pool()

    for schema in schemas:
        for constraint in schema.type_constraints:
            for text in constraint.allowed_type_strs:
                types.setdefault(type_name(text), 0)
        for parameter in (*inputs_of(schema), *outputs_of(schema)):
            for text in parameter.types:
                types.setdefault(type_name(text), 0)
    types = {text: i for i, text in enumerate(sorted(types))}

    def type_set(texts):
        mask = sum(1 << bit for bit in {types[type_name(text)] for text in texts})
        return sets.setdefault(mask, len(sets))

    def name(text):
        return names.add([text])

    def run(formals, variables):
        rows = []
        for formal in formals:
            variable = variables.setdefault(formal.type_str, len(variables))
            rows.append(
                "{%d, %d, %s, %d, %d}"
                % (
                    name(formal.name),
                    formal.option,
                    "true" if formal.is_homogeneous else "false",
                    variable,
                    type_set(formal.types),
                )
            )
        return parameters.add(rows), len(rows)

    operators = []
    most_variables = 0
    for schema in schemas:
        variables = {}
        first_input, inputs = run(inputs_of(schema), variables)
        first_output, outputs = run(outputs_of(schema), variables)
        most_variables = max(most_variables, len(variables))
        rows = [
            "{%d, %d, %s}" % (name(a.name), int(a.type.value), "true" if a.required else "false")
            for a in attributes_of(schema)
        ]
        input_holes = holes(
            schema, schema.min_input, schema.max_input, lambda n: refusal(schema, n, max(1, schema.min_output))
        )
        output_holes = holes(
            schema, schema.min_output, schema.max_output, lambda n: refusal(schema, schema.min_input, n)
        )
        operators.append(
            "{%d, %d, %d, %s, %s, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d}"
            % (
                name(schema.name),
                DOMAINS.index(schema.domain),
                schema.since_version,
                "true" if schema.deprecated else "false",
                "true" if takes_any_attribute(schema) else "false",
                schema.min_input,
                schema.max_input if schema.max_input < MANY else 255,
                schema.min_output,
                schema.max_output if schema.max_output < MANY else 255,
                input_holes,
                output_holes,
                first_input,
                inputs,
                first_output,
                outputs,
                attributes.add(rows),
                len(rows),
            )
        )

    print(f"// Generated by scripts/gen_operators.py from {ORIGIN}. Do not edit.")
    print(f"\ninline constexpr int kMostVariables = {most_variables};")
    print(f"inline constexpr int kMostAttributes = {max(len(s.attributes) for s in schemas)};")
    table("std::string_view", "kOperatorDomains", [quote(d) for d in DOMAINS], 4)
    table("int", "kOperatorSetVersions", [max(s.since_version for s in schemas if s.domain == d) for d in DOMAINS], 4)
    table("std::string_view", "kOperatorWords", [quote(n) for n in names.rows], 6)
    table("std::string_view", "kTypeNames", [quote(t) for t in types], 4)
    table("TypeSet", "kTypeSets", ["{{0x%xu, 0x%xu}}" % (m & (2**64 - 1), m >> 64) for m in sets], 3)
    table("Parameter", "kParameters", parameters.rows, 6)
    table("OperatorAttribute", "kOperatorAttributes", attributes.rows, 8)
    table("Operator", "kOperators", operators, 2)


if __name__ == "__main__":
    main()
