#!/usr/bin/env python3
"""Compares our ONNX schema with that of the `onnx` package.

    protoc -I proto --descriptor_set_out=FILE.desc proto/onnx.proto
    python schema_test.py FILE.desc

The descriptors of proto/onnx.proto must be equal to those of onnx_ml_pb2 and onnx_data_pb2 together: messages, enums, fields,
numbers, labels, types, defaults, oneofs, options, reserved ranges and names, and their order. Nothing may be missing or added.
The package, the syntax and the file options are also compared. Three things are not compared, because they cannot be the same:
the name of the file, its imports, and the JSON names that protoc adds.

Prints each difference. Exit status 0 if there is none, 1 if there is one, 77 if `onnx` cannot be imported.
"""

import sys

try:
    from google.protobuf import descriptor_pb2
    from onnx import onnx_data_pb2, onnx_ml_pb2
except ImportError:
    print("SKIPPED: the onnx package is not here")
    sys.exit(77)


def items(message):
    """Pairs (field name, value) of the fields that are set."""
    return [(field.name, value) for field, value in message.ListFields()]


def is_list(value):
    return hasattr(value, "extend")


def is_message(value):
    return hasattr(value, "ListFields")


def normalize(message):
    """Removes, in place, what depends on the tool that made a descriptor."""
    if isinstance(message, descriptor_pb2.FieldDescriptorProto):
        message.ClearField("json_name")
    for _, value in items(message):
        for part in value if is_list(value) else [value]:
            if is_message(part):
                normalize(part)


def expected_file():
    """Returns the package's two files as one FileDescriptorProto, and whether their options agree."""
    model, data = (descriptor_pb2.FileDescriptorProto() for _ in range(2))
    onnx_ml_pb2.DESCRIPTOR.CopyToProto(model)
    onnx_data_pb2.DESCRIPTOR.CopyToProto(data)
    for file in (model, data):
        file.ClearField("name")
        file.ClearField("dependency")
    options_agree = model.options == data.options
    model.MergeFrom(data)  # Lists are concatenated: the data messages follow the model's.
    return model, options_agree


def our_file(path):
    """Returns the one file of a descriptor set."""
    with open(path, "rb") as stream:
        files = descriptor_pb2.FileDescriptorSet.FromString(stream.read()).file
    if len(files) != 1:
        sys.exit(f"{path}: {len(files)} files in the descriptor set, one expected")
    file = files[0]
    file.ClearField("name")
    file.ClearField("source_code_info")
    return file


def compare(where, ours, theirs):
    """Yields a line for each difference of two values of the same kind."""
    if is_list(ours) and is_list(theirs):
        yield from compare_lists(where, ours, theirs)
    elif is_message(ours) and is_message(theirs):
        our_fields, their_fields = dict(items(ours)), dict(items(theirs))
        for name in sorted(our_fields.keys() | their_fields.keys()):
            mine, other = our_fields.get(name), their_fields.get(name)
            if is_list(mine) or is_list(other):
                mine, other = getattr(ours, name), getattr(theirs, name)
            yield from compare(f"{where}.{name}", mine, other)
    elif ours != theirs:
        yield f"{where}: ours {text(ours)}, theirs {text(theirs)}"


def compare_lists(where, ours, theirs):
    """Compares elements by name if they have names, otherwise by position."""
    if not all(is_message(x) and "name" in x.DESCRIPTOR.fields_by_name for x in [*ours, *theirs]):
        if len(ours) != len(theirs):
            yield f"{where}: ours {text(ours)}, theirs {text(theirs)}"
        for i, (mine, other) in enumerate(zip(ours, theirs)):
            yield from compare(f"{where}[{i}]", mine, other)
        return
    our_names, their_names = [x.name for x in ours], [x.name for x in theirs]
    by_name = {x.name: x for x in theirs}
    yield from (f"{where}: ours lacks {n}" for n in their_names if n not in our_names)
    yield from (f"{where}: only ours has {n}" for n in our_names if n not in by_name)
    if our_names != their_names and sorted(our_names) == sorted(their_names):
        yield f"{where}: ours in the order {our_names}, theirs {their_names}"
    for mine in ours:
        if mine.name in by_name:
            yield from compare(f"{where}[{mine.name}]", mine, by_name[mine.name])


def text(value):
    """Returns a value on one line."""
    if is_list(value):
        return "[" + ", ".join(map(text, value)) + "]"
    return " ".join(str(value).split()) if is_message(value) else repr(value)


def count(file):
    """Returns the numbers of messages, enums and fields, nested ones included."""
    messages, enums = list(file.message_type), list(file.enum_type)
    for message in messages:  # Grows as it is walked.
        messages.extend(message.nested_type)
        enums.extend(message.enum_type)
    return len(messages), len(enums), sum(len(message.field) for message in messages)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: schema_test.py FILE.desc")
    theirs, options_agree = expected_file()
    ours = our_file(sys.argv[1])
    for file in (ours, theirs):
        normalize(file)
        file.syntax = file.syntax or "proto2"
    differences = list(compare("onnx", ours, theirs))
    if not options_agree:
        differences.append("the file options of onnx_ml_pb2 and onnx_data_pb2 differ")
    if not differences and ours != theirs:  # A net under compare(): unknown fields, say.
        differences.append("the descriptors differ where compare() does not look")
    for line in differences:
        print(line)
    if differences:
        print(f"differences: {len(differences)}")
        return 1
    print("{} messages, {} enums, {} fields: all equal".format(*count(ours)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
