#!/usr/bin/env python3
"""Parses many texts with onnxc and with the `onnx` package, and explains each difference by a named deviation.

    differential.py TEXT_PROBE SEEDS [--count N] [--seed S] [--examples] [--package]

TEXT_PROBE is the program of fuzz/text_probe.cc. It makes the texts from the files in the folder SEEDS. For models, graphs,
functions and nodes, two things are compared: whether the text is accepted, and whether the message is the same at L1. With
--package, the module onnxc.parser of the Python package is compared instead of the program.

A difference counts as explained if it is proven to be a deviation that docs/syntax.md lists: a rule undoes the deviation in
the text (removes the quotes of a name, removes the text that the reference ignores, ...), and for the remaining text both
results are equal, or the remaining difference is explained in the same way. Each text is counted under all rules that were
applied to it. Differences that are not explained are printed. Exit status 1 if there are any.
"""
import argparse, collections, os, re, subprocess, sys, threading
import struct

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
KINDS = "model", "graph", "function", "node"


# -- the two parsers, each in a process that answers inputs


def serve():
    """Runs the reference on standard input and output, in a separate process, because some texts crash it."""
    import onnx.onnx_cpp2py_export as export
    parsers = [getattr(export.parser, "parse_" + kind) for kind in KINDS]
    read, write = sys.stdin.buffer, sys.stdout.buffer
    while head := read.read(8):
        data = read.read(struct.unpack("<Q", head)[0])
        text = data[1:].decode()
        try:
            ok, message, proto = parsers[data[0] & 7](text)
            answer = b"y" + proto if ok else b"n" + message
        except Exception as error:
            answer = b"n" + str(error).encode()
        write.write(struct.pack("<Q", len(answer)) + answer)
        write.flush()


def serve_package():
    """Runs the module onnxc.parser of the Python package in the same way."""
    import onnxc.parser
    parsers = [getattr(onnxc.parser, "parse_" + kind) for kind in KINDS]
    read, write = sys.stdin.buffer, sys.stdout.buffer
    while head := read.read(8):
        data = read.read(struct.unpack("<Q", head)[0])
        try:
            answer = b"y" + parsers[data[0] & 7](data[1:].decode()).SerializeToString()
        except onnxc.parser.ParseError as error:
            errors = [(e.kind, e.range.begin.offset, e.range.end.offset) for e in error.findings.errors]
            answer = b"n" + "".join(f"{kind} {begin} {end}\n" for kind, begin, end in errors).encode()
        write.write(struct.pack("<Q", len(answer)) + answer)
        write.flush()


class Parser:
    def __init__(self, command):
        self.command, self.process, self.crashes, self.known = command, None, 0, {}

    def ask(self, inputs):
        """Returns the answers to a list of inputs; b"c" for an input that crashes the process."""
        answers = []
        while len(answers) < len(inputs):
            if self.process is None:
                self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            writer = threading.Thread(target=self.send, args=(self.process, inputs[len(answers):]))
            writer.start()
            while len(answers) < len(inputs) and (head := self.process.stdout.read(8)):
                answers.append(self.process.stdout.read(struct.unpack("<Q", head)[0]))
            writer.join()
            if len(answers) < len(inputs):
                answers.append(b"c")
                self.process.wait()
                self.process = None
                self.crashes += 1
        return answers

    @staticmethod
    def send(process, inputs):
        try:
            for data in inputs:
                process.stdin.write(struct.pack("<Q", len(data)) + data)
            process.stdin.flush()
        except BrokenPipeError:
            pass  # the process died; ask() sees it

    def one(self, data):
        return self.ask([data])[0]


# -- texts as tokens

TOKEN = re.compile(rb'\s+|#[^\n]*|b?"(?:[^"\\]|\\.)*"?|-?\d+(?:\.\d*)?(?:[eE][+-]?\d*)?\w*|-?\w+|=>|@\{|.', re.S)
OPENING, CLOSING = (b"(", b"[", b"{", b"<", b"@{"), (b")", b"]", b"}", b">")


class Text:
    def __init__(self, data):
        """Returns the tokens of an input without its prefix, without spaces and comments."""
        self.data = data
        self.spans = [m.span() for m in TOKEN.finditer(data) if not m[0][:1].isspace() and m[0][:1] != b"#"]

    def __getitem__(self, index):
        if not 0 <= index < len(self.spans):
            return b""
        begin, end = self.spans[index]
        return self.data[begin:end]

    def at(self, offset):
        """Returns the first token that ends after the offset."""
        low, high = 0, len(self.spans)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.spans[middle][1] > offset else (middle + 1, high)
        return low

    def end_of_value(self, index):
        """Returns the token after the one at `index`, or after the group that this token opens."""
        depth = 0
        for at in range(index, len(self.spans)):
            depth += (self[at] in OPENING) - (self[at] in CLOSING)
            if depth <= 0:
                return at + 1
        return len(self.spans)

    def end_of_member(self, index):
        """Returns the `,` or `]` after the list member that begins at `index`; None if it is not in a list."""
        depth = 0
        for at in range(index, len(self.spans)):
            if depth == 0 and self[at] in (b",", b"]"):
                return at
            depth += (self[at] in OPENING) - (self[at] in CLOSING)
            if depth < 0:
                return None
        return None

    def edit(self, begin, end, text=b""):
        """Returns the text with the tokens [begin, end) replaced."""
        if begin >= len(self.spans) or end <= begin:
            return None
        return self.data[:self.spans[begin][0]] + b" " + text + b" " + self.data[self.spans[end - 1][1]:]


# -- what the two make of a text


def first_error(answer):
    """Returns the kind, begin and end of the first error that onnxc reports."""
    name, begin, end = answer[1:].split(b"\n")[0].split()
    return name.decode(), int(begin), int(end)


def error_offset(data, message):
    """Returns the place at which the reference reports that it stopped."""
    place = re.search(rb"line: (\d+) column: (\d+)", message)
    if not place:
        return None
    line, column = int(place[1]), int(place[2])
    start = 0
    for _ in range(line - 1):
        start = data.find(b"\n", start) + 1
    return start + column - 1


class Comparison:
    def __init__(self, ours, theirs):
        import onnx
        from google.protobuf.message import DecodeError
        from conform import normalise
        self.ours, self.theirs, self.normalise, self.DecodeError = ours, theirs, normalise, DecodeError
        self.types = onnx.ModelProto, onnx.GraphProto, onnx.FunctionProto, onnx.NodeProto

    def read(self, prefix, answer):
        """Returns the message of an answer, at L1; None if protobuf cannot read it."""
        message = self.types[prefix & 7]()
        try:
            message.ParseFromString(answer[1:])
        except self.DecodeError:
            return None
        return self.normalise(message)

    def same(self, prefix, ours, theirs):
        """Returns whether both reject the text, or both accept it and give the same message at L1."""
        if ours[:1] != b"y" or theirs[:1] != b"y":
            return ours[:1] == b"n" and theirs[:1] in b"nc"
        if ours == theirs:
            return True
        a, b = self.read(prefix, ours), self.read(prefix, theirs)
        return a is not None and b is not None and a.SerializeToString(deterministic=True) == b.SerializeToString(deterministic=True)

    def explain(self, data, ours=None, theirs=None, depth=0):
        """Returns the rules that explain the difference; an empty set if there is no difference, None if no rule explains
        it."""
        ours = ours or self.ours.one(data)
        theirs = theirs or self.theirs.one(data)
        if self.same(data[0], ours, theirs):
            return set()
        if depth > 60:
            return None
        if ours[:1] == b"y" and theirs[:1] != b"y":
            rules = EXTENSIONS
        else:
            rules = DEVIATIONS if theirs[:1] == b"y" else ()
        for name, rule in rules:
            explained = rule(self, data, ours, theirs, depth)
            if explained is not None:
                return explained | {name}
        return None

    def undone(self, data, edited, depth):
        """Returns the rules that explain the edited text, if both finally accept it."""
        if edited is None or edited == data[1:]:
            return None
        return self.explain(data[:1] + edited, depth=depth + 1)


# -- deviations: the reference accepts, and we refuse or read something else


def pragma(compare, data, ours, theirs, depth):
    """`# onnxc:` is a comment for the reference."""
    edited = TOKEN.sub(lambda m: re.sub(rb"^#[ \t]*onnxc:", b"# comment:", m[0]), data[1:])
    if edited == data[1:] or compare.theirs.one(data[:1] + edited) != theirs:
        return None
    return compare.undone(data, edited, depth)


def text_after_end(compare, data, ours, theirs, depth):
    """Deviation 3: the reference gives the same message for the beginning alone."""
    if data[0] & 7 == KINDS.index("model"):
        return None
    text = Text(data[1:])
    ends = [end for _, end in text.spans[:-1]]
    answers = compare.theirs.ask([data[:1] + data[1:1 + end] for end in ends])
    for end, answer in zip(ends, answers):
        if answer == theirs:
            return compare.undone(data, data[1:1 + end], depth)
    return None


def list_members(compare, data, ours, theirs, depth):
    """Deviation 1, a list that onnxc rejects: the reference gives the same message without the member."""
    if ours[:1] != b"n":
        return None
    text = Text(data[1:])
    _, begin, end = first_error(ours)
    for first in range(text.at(begin), max(-1, text.at(begin) - 400), -1):
        if text[first - 1] not in (b"[", b","):
            continue
        last = text.end_of_member(first)
        if last is None or last == first:
            continue
        is_first, is_last = text[first - 1] == b"[", text[last] == b"]"
        if is_first and is_last:  # a list of types, or of nothing, is the same to the reference
            edits = text.edit(first, last, b"float"), text.edit(first - 1, last + 1, b"[]")
        else:
            edits = [text.edit(first - (not is_first), last + is_first)]
        for edited in edits:
            if compare.theirs.one(data[:1] + edited) == theirs and (explained := compare.undone(data, edited, depth)) is not None:
                return explained
    return None


def lists_kept(compare, data, ours, theirs, depth):
    """Deviation 1, a list that onnxc accepts: the messages are the same without the members of such lists."""
    if ours[:1] != b"y":
        return None
    mine, other = compare.read(data[0], ours), compare.read(data[0], theirs)
    if mine is None or other is None or not drop_lists(mine, other):
        return None
    return set() if mine.SerializeToString(deterministic=True) == other.SerializeToString(deterministic=True) else None


LISTS = "tensors", "graphs", "type_protos", "sparse_tensors"


def drop_lists(mine, other):
    """Gives attributes of `mine` that hold such lists the value (none) and the type of those of `other`; were there any?"""
    dropped = False
    if mine.DESCRIPTOR.name == "AttributeProto" and any(len(getattr(mine, field)) for field in LISTS):
        if mine.name == other.name and all(f.name in ("name", "type") for f, _ in other.ListFields()):
            mine.CopyFrom(other)
            return True
    for field, value in mine.ListFields():
        if field.message_type is None:
            continue
        twin = getattr(other, field.name)
        repeated = field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED
        for a, b in zip(value, twin) if repeated else [(value, twin)]:
            dropped |= drop_lists(a, b)
    return dropped


def function_default(compare, data, ours, theirs, depth):
    """Deviation 2: without the list of a function's attributes both agree, and the reference only lost those attributes."""
    if ours[:1] != b"n":
        return None
    text = Text(data[1:])
    ends = [at + 1 for at in range(len(text.spans)) if text[at] in (b">", b"=>") and text[at + 1] == b"("]
    for begin, end in ((at, end) for at in range(1, len(text.spans)) if text[at] == b"<" for end in ends if end > at):
        edited = text.edit(begin, end)
        without = compare.theirs.one(data[:1] + edited)
        if without[:1] != b"y" or without_attributes(compare, data[0], without) != without_attributes(compare, data[0], theirs):
            continue
        if (explained := compare.undone(data, edited, depth)) is not None:
            return explained
    return None


def without_attributes(compare, prefix, answer):
    message = compare.read(prefix, answer)
    for function in [message] if prefix & 7 == KINDS.index("function") else getattr(message, "functions", ()):
        del function.attribute[:], function.attribute_proto[:]
    return message


def too_deep(compare, data, ours, theirs, depth):
    """Deviation 4: protobuf cannot read the message of the reference."""
    return set() if ours[:1] == b"n" and b"nesting-too-deep" in ours and compare.read(data[0], theirs) is None else None


def negative_unsigned(compare, data, ours, theirs, depth):
    """Deviation 4: a negative element of an unsigned 64-bit field wraps in the reference."""
    if ours[:1] != b"n":
        return None
    _, begin, end = first_error(ours)
    text = Text(data[1:])
    index = text.at(begin)
    if not re.fullmatch(rb"-\d+", text[index]):
        return None
    edited = text.edit(index, index + 1, b"%d" % (int(text[index]) % 2**64))
    return compare.undone(data, edited, depth) if compare.theirs.one(data[:1] + edited) == theirs else None


def split_arrow(compare, data, ours, theirs, depth):
    """Deviation 6, `=>` is one mark: if a list ends with `=`, a space must follow before the `>`."""
    if ours[:1] != b"n":
        return None
    text = Text(data[1:])
    index = text.at(first_error(ours)[1])
    for place in (index, index - 1, index + 1):
        if 0 <= place and text[place] == b"=>":
            edited = text.edit(place, place + 1, b"= >")
            if compare.theirs.one(data[:1] + edited) == theirs:
                return compare.undone(data, edited, depth)
    return None


DEVIATIONS = (
    ("6 => is one mark", split_arrow),
    ("pragma", pragma),
    ("1 lists keep their members", lists_kept),
    ("3 text after the end", text_after_end),
    ("4 nesting too deep", too_deep),
    ("4 negative elements of unsigned types", negative_unsigned),
    ("1 members of lists are not dropped", list_members),
    ("2 errors in a function's default attribute", function_default),
)


# -- extensions: we accept, and the reference stops at a token that belongs to one


def at_error(edits):
    """Returns a rule that tries edits of the tokens near the place where the reference stopped. onnxc must accept an edit, and
    the reference must then read further, or to the end."""

    def rule(compare, data, ours, theirs, depth):
        offset = error_offset(data[1:], theirs)
        if offset is None:
            return None
        text = Text(data[1:])
        index = text.at(offset)
        left = len(data) - 1 - offset
        for place in (index, index - 1, index - 2, index + 1):
            if place < 0:
                continue
            for edited in edits(text, place):
                if edited is None or compare.ours.one(data[:1] + edited)[:1] != b"y":
                    continue
                answer = compare.theirs.one(data[:1] + edited)
                if answer[:1] != b"y":
                    further = error_offset(edited, answer)
                    if further is None or len(edited) - further >= left:
                        continue
                if (explained := compare.undone(data, edited, depth)) is not None:
                    return explained
        return None

    return rule


def byte_order_mark(text, at):
    if text.data.startswith(b"\xef\xbb\xbf"):
        yield text.data[3:]


def quotes(text, at):
    if text[at].startswith(b'"'):
        if re.fullmatch(rb"[A-Za-z_]\w*", text[at][1:-1]):
            yield text.edit(at, at + 1, text[at][1:-1])
        yield text.edit(at, at + 1, b"quoted")


def bytes_(text, at):
    if text[at].startswith(b'b"'):
        yield text.edit(at, at + 1, b'"bytes"')
        yield text.edit(at, at + 1, b"bytes")


def small_values(text, at):
    if re.fullmatch(rb"-?(\d[\d.eE+-]*|(?i:inf|infinity|nan))", text[at]):
        yield text.edit(at, at + 1, b"1")
        # Bit patterns among values may be an error, so all numbers of the list are changed at once.
        begin, end = at, at
        while begin > 0 and text[begin - 1] != b"{":
            begin -= 1
        while end < len(text.spans) and text[end] != b"}":
            end += 1
        yield text.edit(begin, end, b", ".join([b"1"] * (1 + sum(text[i] == b"," for i in range(begin, end)))))


def nan_bits(text, at):
    if re.fullmatch(rb"-?(?i:nan0x[0-9a-f]+)", text[at]):
        yield text.edit(at, at + 1, b"nan")
        yield text.edit(at, at + 1, b"1")


def braces(text, at):
    if text[at] == b"{" and text[at - 1] == b"{":
        end = text.end_of_value(at)
        inner = text.data[text.spans[at][1]:text.spans[end - 1][0]]
        yield text.edit(at, end, inner)


def six_bits(text, at):
    if text[at] in (b"float6e2m3", b"float6e3m2"):
        yield text.edit(at, at + 1, b"float16")


def sparse_values(text, at):
    while at > 0 and text[at] not in (b"{", b"=", b"<"):
        at -= 1
    if text[at] != b"{":
        return
    if text[at - 1] == b"=":
        yield text.edit(at - 1, text.end_of_value(at))  # an initializer becomes the information about a value
    for first in range(at - 1, max(-1, at - 60), -1):
        if text[first] == b"sparse_tensor":
            yield text.edit(first, text.end_of_value(at), b"1")
            return


def header_fields(text, at):
    for key in range(at, max(0, at - 30), -1):
        if text[key + 1] != b":" or text[key - 1] not in (b"<", b","):
            continue
        end = text.end_of_value(key + 2)
        if text[end] == b",":
            yield text.edit(key, end + 1)
        elif text[key - 1] == b",":
            yield text.edit(key - 1, end)
        else:
            yield text.edit(key - 1, end + 1)


def special_names(text, at):
    if re.fullmatch(rb"(?i:inf|infinity|nan)_\w*", text[at]):
        yield text.edit(at, at + 1, b"special_name")


def annotations(text, at):
    if text[at] == b"@":
        end = at + 2
        while text[end] == b".":
            end += 2
        yield text.edit(at, text.end_of_value(end))


def records(text, at):
    if text[at] == b"@{":
        for native in (b"", b"q = q()", b"q = 1", b"q", b"float", b"1", b"float q", b"g () => () {}", b"?"):
            yield text.edit(at, text.end_of_value(at), native)
        # An attribute whose declared type nothing else fits, which may be a list of several records.
        equals = next((i for i in range(at, 2, -1) if text[i] == b"="), 0)
        if text[equals - 2] == b":":
            yield text.edit(equals - 2, text.end_of_value(equals + 1), b" = 1")


def functions_without_inputs(text, at):
    if text[at] == b"=>":
        yield text.edit(at, at + 1, b"() =>")


def functions_alone(compare, data, ours, theirs, depth):
    """Compares a file that contains only functions: both read it after a graph."""
    if data[0] & 7 != KINDS.index("model") or compare.read(data[0], ours).HasField("graph"):
        return None
    return compare.undone(data, b"g () => () {}\n" + data[1:], depth)


EXTENSIONS = (
    ("functions alone", functions_alone),
    ("functions without a list of inputs", at_error(functions_without_inputs)),
    ("a byte order mark at the beginning", at_error(byte_order_mark)),
    ("names in quotes", at_error(quotes)),
    ("byte strings", at_error(bytes_)),
    ("values of small floating-point types", at_error(small_values)),
    ("bits of NaNs", at_error(nan_bits)),
    ("elements in double braces", at_error(braces)),
    ("types of 6 bits", at_error(six_bits)),
    ("values of sparse tensors", at_error(sparse_values)),
    ("fields in headers", at_error(header_fields)),
    ("3 names that begin like special numbers", at_error(special_names)),
    ("annotations", at_error(annotations)),
    ("records", at_error(records)),
)


# -- the run


def read_inputs(stream, count):
    inputs = []
    while len(inputs) < count and (head := stream.read(8)):
        text = stream.read(struct.unpack("<Q", head)[0])
        # The Python binding of the reference accepts only valid UTF-8, and ends a text at a NUL.
        inputs.append(text.decode("utf-8", "replace").replace("\0", " ").encode())
    return inputs


def main():
    if sys.argv[1:] == ["--serve"]:
        return serve()
    if sys.argv[1:] == ["--serve-package"]:
        return serve_package()
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("probe")
    arguments.add_argument("seeds")
    arguments.add_argument("--count", type=int, default=20000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--examples", action="store_true", help="show the first text of each rule")
    arguments.add_argument("--package", action="store_true", help="compare the Python package, which has to be installed")
    arguments.add_argument("--unexplained", type=int, default=10, help="how many to show before giving up")
    args = arguments.parse_args()
    script = [sys.executable, os.path.abspath(__file__)]
    compare = Comparison(Parser([*script, "--serve-package"] if args.package else [args.probe]), Parser([*script, "--serve"]))
    source = subprocess.Popen([args.probe, str(args.count), str(args.seed), args.seeds], stdout=subprocess.PIPE)
    rules, verdicts, unexplained = collections.Counter(), collections.Counter(), 0
    while unexplained < args.unexplained and (inputs := read_inputs(source.stdout, 500)):
        for data, ours, theirs in zip(inputs, compare.ours.ask(inputs), compare.theirs.ask(inputs)):
            explained = compare.explain(data, ours, theirs)
            if explained is None:
                unexplained += 1
                print(f"unexplained ({KINDS[data[0] & 7]}): {data[1:]!r}\n    onnxc:     {ours[:200]!r}\n    reference: {theirs[:300]!r}", flush=True)
            elif explained:
                if args.examples and not all(rules[rule] for rule in explained):
                    print(f"{sorted(explained)}: {data[1:400]!r}")
                rules.update(explained)
                verdicts["explained"] += 1
            else:
                verdicts["both accept" if ours[:1] == b"y" else "both refuse"] += 1
    source.kill()
    for rule, count in sorted(rules.items()):
        print(f"{count:8} {rule}")
    print(f"seed {args.seed}: {verdicts.total() + unexplained} texts; " + ", ".join(f"{k}: {v}" for k, v in sorted(verdicts.items())) +
          f"; the reference died {compare.theirs.crashes} times; unexplained: {unexplained}")
    return 1 if unexplained or compare.ours.crashes else 0


if __name__ == "__main__":
    sys.exit(main())
