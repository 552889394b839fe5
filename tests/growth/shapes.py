"""Shapes made from the schema and from the grammar: messages with many elements in one repeated field, for each repeated field;
and texts with many elements in one list, for each list.
"""
import functools
import re
import subprocess

from found import iv, ld, vi

# ---- the schema

STRING, MESSAGE, BYTES = 9, 11, 12
FIXED = {1: 8, 2: 4, 6: 8, 7: 4, 15: 4, 16: 8}  # bytes of types with a fixed size


def fields_of(data):
    """Returns (number, value) of each field of a message's bytes; a value is a number or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
            continue
        size = {1: 8, 5: 4}.get(tag & 7) or varint()
        yield tag >> 3, data[at:at + size]
        at += size


class Field:
    def __init__(self, data):
        found = dict(fields_of(data))
        self.name, self.number, self.type = found[1].decode(), found[3], found[5]
        self.repeated = found[4] == 3
        self.message = found.get(6, b'').decode().rpartition('.')[2]
        self.packed = dict(fields_of(found.get(8, b''))).get(2, 0) == 1


def read_schema(proto):
    """Returns {name of a message: its fields}, from the descriptor that protoc makes."""
    folder, _, name = proto.rpartition('/')
    data = subprocess.run(['protoc', '-I', folder, name, '--descriptor_set_out=/dev/stdout'], check=True,
                          capture_output=True).stdout
    messages = {}

    def add(message):
        parts = list(fields_of(message))
        name = next(value for number, value in parts if number == 1).decode()
        messages[name] = [Field(value) for number, value in parts if number == 2]
        for number, value in parts:
            if number == 3:
                add(value)
    for _, file in fields_of(data):
        for number, value in fields_of(file):
            if number == 4:
                add(value)
    return messages


class Messages:
    """Values of fields. A variant says how the many differ: 'same' not at all, 'distinct' in all their names, 'named' in
    what they are called and what they define, but not in what they refer to."""

    def __init__(self, schema):
        self.schema = schema

    def is_distinct(self, field, variant):
        return variant == 'distinct' or (variant == 'named' and field.name in ('name', 'key', 'output', 'tensor_name'))

    def scalar(self, field, i):
        if field.type in (STRING, BYTES):
            return ld(field.number, 's%d' % i if i is not None else 's')
        if field.type in FIXED:
            return vi(field.number << 3 | (1 if FIXED[field.type] == 8 else 5)) + b'\0' * FIXED[field.type]
        return iv(field.number, 1 if i is None or field.name in ('type', 'data_type', 'elem_type') else i)

    def value(self, field, i, variant, depth):
        """Returns element i of a field, with its tag."""
        if field.type == MESSAGE:
            return ld(field.number, self.message(field.message, i, variant, depth - 1))
        return self.scalar(field, i if self.is_distinct(field, variant) else None)

    def message(self, name, i, variant, depth):
        """Returns a message with one of each field, nested as deeply as possible. For an attribute or a type, only the first
        field is set.
        """
        fields = [f for f in self.schema[name] if f.type != MESSAGE or depth > 0]
        if name == 'AttributeProto':
            fields = [f for f in fields if f.name in ('name', 'type', 'f')]
        if name == 'TypeProto':
            fields = [f for f in fields if f.name == 'tensor_type']
        fields = [f for f in fields if f.name not in ('doc_string', 'ref_attr_name', 'segment', 'data_location')]
        return b''.join(self.value(f, i, variant, depth) for f in fields if not (f.repeated and f.type == MESSAGE))

    def many(self, field, n, variant):
        elements = range(n)
        if field.packed:
            one = {8: b'\0' * 8, 4: b'\0' * 4}.get(FIXED.get(field.type))
            return ld(field.number, b''.join(one or vi(i if variant == 'distinct' else 1) for i in elements))
        if variant == 'empty':
            return ld(field.number, b'') * n
        if field.type != MESSAGE and variant == 'named':
            variant = 'distinct'
        return b''.join(self.value(field, i, variant, 2) for i in elements)

    @functools.cached_property
    def paths(self):
        """Returns {name of a message: the fields that lead to it from a model}."""
        paths = {'ModelProto': []}
        queue = ['ModelProto']
        while queue:
            name = queue.pop(0)
            for field in self.schema[name]:
                if field.type == MESSAGE and field.message not in paths:
                    paths[field.message] = paths[name] + [(name, field)]
                    queue.append(field.message)
        return paths

    def model_with(self, message, content):
        """Returns a model that holds `content` in a message of the kind."""
        types = {'f': 1, 'i': 2, 's': 3, 't': 4, 'g': 5, 'tp': 13, 'sparse_tensor': 11}
        for name, field in reversed(self.paths[message]):
            around = b''.join(self.scalar(f, None) for f in self.schema[name]
                              if f.name in ('name', 'op_type', 'domain', 'output', 'input', 'data_type'))
            if name == 'AttributeProto':
                around += iv(20, types.get(field.name, 5))
            if name == 'ModelProto':
                around = iv(1, 10) + ld(8, ld(1, '') + iv(2, 21)) + ld(8, ld(1, 's') + iv(2, 1))
            content = around + ld(field.number, content)
        return content if message != 'ModelProto' else iv(1, 10) + ld(8, ld(1, '') + iv(2, 21)) + ld(7, ld(2, 'g')) + content

    def shapes(self):
        """Returns {name: function of n}."""
        made = {}
        for name in self.paths:
            base = b''.join(self.scalar(f, None) for f in self.schema[name] if f.name in ('name', 'op_type', 'data_type'))
            for field in self.schema[name]:
                if not field.repeated:
                    continue
                of_messages = ('same', 'distinct', 'named', 'empty')
                for variant in of_messages if field.type == MESSAGE else of_messages[:2]:
                    made['%s.%s %s' % (name, field.name, variant)] = functools.partial(
                        lambda name, base, field, variant, n: self.model_with(name, base + self.many(field, n, variant)),
                        name, base, field, variant)
        return made

    def pairs(self):
        """Returns two lists in one message, or one in a message and one in the first element of the other."""
        made = {}
        for name in self.paths:
            base = b''.join(self.scalar(f, None) for f in self.schema[name] if f.name in ('name', 'op_type', 'data_type'))
            lists = [f for f in self.schema[name] if f.repeated]
            for a in lists:
                for b in lists:
                    if a.number < b.number:
                        made['%s.%s and %s' % (name, a.name, b.name)] = functools.partial(
                            lambda name, base, a, b, n: self.model_with(
                                name, base + self.many(a, n, 'named') + self.many(b, n, 'named')), name, base, a, b)
                    if b.type != MESSAGE:
                        continue
                    for inner in self.schema[b.message]:
                        if inner.repeated:
                            made['%s.%s and %s.%s' % (name, a.name, b.name, inner.name)] = functools.partial(
                                lambda name, base, a, b, inner, n: self.model_with(
                                    name, base + ld(b.number, self.message(b.message, None, 'same', 1) +
                                                    self.many(inner, n, 'distinct')) + self.many(a, n, 'named')),
                                name, base, a, b, inner)
        return made


# ---- the grammar

SPELLINGS = {'ELEMENT': 'float', 'SEQ': 'seq', 'OPTIONAL': 'optional', 'MAP': 'map', 'SPARSE_TENSOR': 'sparse_tensor',
             'OPAQUE': 'opaque', 'SPECIAL': 'nan', 'ID': 'x', 'INT': '1', 'FLOAT': '1.5', 'STRING': '"s"',
             'NUMBERS': '[1, 2]', 'DATA': '{1}', 'STRINGS': '["a"]', 'STRING_DATA': '{"a"}', 'PRAGMA': '# onnxc: set name\n',
             'EOF': ''}


def cost(words):
    """Returns the cost of the words around a list. Fields of any name are in the grammar, but not in the schema."""
    return len(words) + 10 * sum(word.startswith('@') for word in words)


class Grammar:
    """Rules as trees: ('seq', parts), ('alt', choices), ('opt' | 'loop', part), ('text', spelling), ('rule', name)."""

    def __init__(self, path):
        text = re.sub(r'//[^\n]*|@parser::\w+ \{[^}]*\}', '', open(path).read())
        text = text[text.index('itemsFile'):text.index('LPAREN')]
        text = re.sub(r'\{ Completed\([^)]*\); \}', '', text)
        self.rules = {}
        for name, definition in re.findall(r'(\w+)\s*:((?:\'[^\']*\'|[^;\'])*);', text):
            tokens = re.findall(r"'[^']*'|\w+=|\w+|[()|?*+]", definition)
            self.rules[name] = self.alternatives([t for t in tokens if not t.endswith('=') or t.startswith("'")])
        self.shortest = {}
        for _ in self.rules:
            for name, tree in self.rules.items():
                self.shortest[name] = self.short(tree)

    def alternatives(self, tokens):
        choices, parts = [], []
        while tokens and tokens[0] != ')':
            token = tokens.pop(0)
            if token == '|':
                choices.append(('seq', parts))
                parts = []
                continue
            if token == '(':
                part = self.alternatives(tokens)
                tokens.pop(0)
            elif token.startswith("'"):
                part = ('text', token[1:-1])
            else:
                part = ('text', SPELLINGS[token]) if token in SPELLINGS else ('rule', token)
            if tokens and tokens[0] in '?*+':
                repeat = tokens.pop(0)
                part = {'?': ('opt', part), '*': ('loop', part), '+': ('seq', [part, ('loop', part)])}[repeat]
            parts.append(part)
        return ('alt', choices + [('seq', parts)]) if choices else ('seq', parts)

    def short(self, tree):
        """Returns the words of the shortest text of a tree, or None where none is known yet."""
        kind, inside = tree
        if kind == 'text':
            return [inside]
        if kind == 'rule':
            return self.shortest.get(inside)
        if kind in ('opt', 'loop'):
            return []
        texts = [self.short(part) for part in inside]
        if kind == 'alt':
            return min((t for t in texts if t is not None), key=len, default=None)
        return None if None in texts else sum(texts, [])

    def places(self, tree):
        """Returns (the rule or loop, the words before it, the words after it) for each rule and each loop in a tree, not below
        it.
        """
        kind, inside = tree
        if kind in ('rule', 'loop'):
            yield tree, [], []
        if kind in ('opt', 'loop'):
            yield from self.places(inside)
        for i, part in enumerate(inside if kind in ('alt', 'seq') else ()):
            before = sum((self.short(p) for p in inside[:i]), []) if kind == 'seq' else []
            behind = sum((self.short(p) for p in inside[i + 1:]), []) if kind == 'seq' else []
            for found, b, e in self.places(part):
                yield found, before + b, e + behind

    def around(self):
        """Returns {rule: the fewest words before and after it in a text of a model}."""
        around = {'itemsFile': ([], [])}
        for _ in self.rules:
            for name, (before, behind) in list(around.items()):
                for (kind, inside), b, e in self.places(self.rules[name]):
                    old = around.get(inside) if kind == 'rule' else ([], [])
                    if old is None or cost(before + b + e + behind) < cost(old[0] + old[1]):
                        around[inside] = (before + b, e + behind)
        return around

    def members(self, tree, depth=3):
        """Returns short texts of a tree: one for each choice that is first in it. Names of all kinds are one choice."""
        kind, inside = tree
        if kind == 'rule' and depth > 0 and inside not in ('name', 'keyword'):
            return self.members(self.rules[inside], depth - 1)
        if kind == 'alt' and ('rule', 'keyword') not in inside and ('seq', [('rule', 'keyword')]) not in inside:
            return sum((self.members(choice, depth) for choice in inside), [])
        if kind == 'seq':
            for i, part in enumerate(inside):
                texts = self.members(part, depth)
                if len(texts) > 1:
                    around = [sum((self.short(p) for p in side), []) for side in (inside[:i], inside[i + 1:])]
                    return [around[0] + text + around[1] for text in texts]
        return [self.short(tree)]

    def shapes(self):
        """Returns {name: function of n}: each list, long; and with errors: at its end, in each member, or with no end."""
        made = {}

        def write(words, i=0):
            return ' '.join('x%d' % i if w == 'x' else w for w in words)
        lists = [(rule, before + b, member, e + behind) for rule, (before, behind) in self.around().items()
                 for (kind, part), b, e in self.places(self.rules[rule]) if kind == 'loop'
                 for member in self.members(part)]
        for name, before, member, behind in lists:
            head, tail = write(before), write(behind)
            label = ('%s: %s' % (name, ' '.join(member))).replace('\n', '')
            while label in made:
                label += "'"
            variants = {
                '': lambda n, h=head, m=member, t=tail: [h] + [write(m, i) for i in range(n)] + [t],
                ' then an error': lambda n, h=head, m=member, t=tail: [h] + [write(m, i) for i in range(n)] + ['!', t],
                ' with errors': lambda n, h=head, m=member, t=tail: [h] + [write(m, i) + ' !' for i in range(n)] + [t],
                ' without end': lambda n, h=head, m=member, t=tail: [h] + [write(m, i) for i in range(n)],
                ' on lines, with errors':
                    lambda n, h=head, m=member, t=tail: [h] + [write(m, i) + ' =\n' for i in range(n)] + [t],
            }
            for what, words in variants.items():
                made[label + what] = functools.partial(lambda words, n: ' '.join(words(n)), words)
        return made
