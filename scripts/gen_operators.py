#!/usr/bin/env python3
"""Writes src/tables/operators.inc: the signatures of all operators that the `onnx` package registers.

Usage: gen_operators.py > src/tables/operators.inc

The package does not tell which numbers of inputs and outputs an operator takes when they are not a range, nor whether
it takes attributes that it does not declare; both are found by asking its checker about nodes made up for it.
"""

import re

import onnx
from onnx import checker, defs, helper

DOMAINS = ["", "ai.onnx.ml", "ai.onnx.preview", "ai.onnx.preview.training"]
MANY = 2147483647
FORMAL = {"FormalParameterOption.Single": 0, "FormalParameterOption.Optional": 1, "FormalParameterOption.Variadic": 2}


def type_name(text):
    """In one spelling: some signatures write map(int64, float) for map(int64,tensor(float))."""
    return re.sub(r"map\((\w+), *(\w+)\)", r"map(\1,tensor(\2))", text)


def context(schema):
    ctx = checker.C.CheckerContext()
    ctx.ir_version = onnx.IR_VERSION
    ctx.opset_imports = {schema.domain: schema.since_version}
    return ctx


def refusal(schema, inputs, outputs, extra=()):
    """Why the package refuses a node of these sizes, or ''."""
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
    """The numbers in [low, high] that the operator refuses all the same, as a bit mask."""
    if schema.deprecated or high - low > 30:
        return 0
    return sum(1 << n for n in range(low, high + 1) if "not in allowed" in node_of(n))


def takes_any_attribute(schema):
    if schema.deprecated:
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
        """The position of the run `rows`."""
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


def main():
    schemas = sorted(
        defs.get_all_schemas_with_history(), key=lambda s: (DOMAINS.index(s.domain), s.name, s.since_version)
    )
    names, types, sets, parameters, attributes = Pool(), {}, {}, Pool(), Pool()

    for schema in schemas:
        for constraint in schema.type_constraints:
            for text in constraint.allowed_type_strs:
                types.setdefault(type_name(text), 0)
        for parameter in (*schema.inputs, *schema.outputs):
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
                    FORMAL[str(formal.option)],
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
        first_input, inputs = run(schema.inputs, variables)
        first_output, outputs = run(schema.outputs, variables)
        most_variables = max(most_variables, len(variables))
        rows = [
            "{%d, %d, %s}" % (name(a.name), a.type.value, "true" if a.required else "false")
            for a in sorted(schema.attributes.values(), key=lambda a: a.name)
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

    print(f"// Generated by scripts/gen_operators.py from onnx {onnx.__version__}. Do not edit.")
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
