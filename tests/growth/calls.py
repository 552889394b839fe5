"""Texts that are short but require much work from inference: calls of functions, shapes of high rank, and expressions of symbols.

Each function makes a model whose size grows with n. Inference has a budget for such models (docs/inference.md).
"""

HEAD = '<ir_version: 10, opset_import: ["" : 21, "d" : 1]>\n'
FUNCTION = '<domain: "d", opset_import: ["" : 21, "d" : 1]> '


def each(n, form, sep='\n'):
    """Returns the form for each number: {i} is the number, {next} the next number."""
    return sep.join(form.format(i=i, next=i + 1) for i in range(n))


def graph(body, inputs='float[N] x', values=''):
    return HEAD + 'g (%s) => (float[] y) %s{\ny = Relu(x)\n%s\n}\n' % (inputs, '<%s> ' % values if values else '', body)


def called(n, signature, body, call='c{i} = d.f <a = {i}> (x)', **kinds):
    """Returns a function with n calls, each with another attribute."""
    return graph(each(n, call), **kinds) + FUNCTION + 'f <a: int = 0> %s { y = Relu(x) %s }' % (signature, body)


def referring(n, value, node):
    """Returns a function whose nodes all refer to one long attribute."""
    return graph('c = d.f <a = %s> (x)' % value) + FUNCTION + 'f <a> (x) => (y) { y = Relu(x)\n%s }' % each(n, node)


def permutations(levels, inputs):
    """Functions that only call the next one, with their inputs in two other orders."""
    names = ['x%d' % i for i in range(inputs)]
    text = HEAD + 'g (%s) => (float[] y) { y = d.f0(%s) }\n' % (
        ', '.join('float[%d] x%d' % (i + 1, i) for i in range(inputs)), ', '.join(names))
    for level in range(levels):
        text += FUNCTION + 'f%d (%s) => (y) { a = d.f%d(%s) y = d.f%d(%s) }\n' % (
            level, ', '.join(names), level + 1, ', '.join(names[1:] + names[:1]), level + 1,
            ', '.join([names[1], names[0]] + names[2:]))
    return text + FUNCTION + 'f%d (%s) => (y) { y = Relu(x0) }' % (levels, ', '.join(names))


RANK = ', '.join(['N'] * 256)
NAMES = ', '.join('N%d' % i for i in range(256))

CALLS = {
    'permutations': lambda n: permutations(n // 10 + 1, 9),
    'valueinfo': lambda n: called(n, '(x) => (y) <%s>' % each(n, 'float[N] v{i}', ', '), ''),
    'outputs': lambda n: called(n, '(x) => (%s)' % ', '.join(['y'] * n), ''),
    'inputs': lambda n: called(n, '(x, %s) => (y)' % each(n, 'x{i}', ', '), ''),
    'unknown': lambda n: called(n, '(x) => (y)', each(n, 'z{i} = zz.N(x)')),
    'wide': lambda n: called(n, '(x) => (y)', 'z = Concat <axis = 0> (%s)' % ', '.join(['x'] * n)),
    'longname': lambda n: called(n, '(x) => (y)', 'z%s = Relu(x)' % ('z' * 4 * n)),
    'branches': lambda n: called(n, '(x) => (y)', 'b = Constant <value = bool {{1}}> () z = If(b) <then_branch = t () => (q) {{ q = Relu(x) {0} }}, '
                                 'else_branch = e () => (q) {{ q = Relu(x) }}>'.format(each(n, 't{i} = Relu(x)'))),
    'inloops': lambda n: called(n, '(x) => (y)', each(n, 'z{i} = Relu(x)'), call='c{i} = Loop <body = b (int64 i, bool c, v) '
                                '=> (c, w) {{ w = d.f <a = {i}> (v) }}> (, , x)'),
    'bigtensor': lambda n: called(n, '(x) => (y)', 'z = Add(x, x)', call='c{i} = d.f <a = {i}> (w)',
                                  values='int8[1] w = {%s}' % ', '.join(['1'] * n)),
    'constants': lambda n: graph('k = Constant <value_ints = [%s]> ()\nc = d.f (%s)' % (
        ', '.join(['1'] * 256), ', '.join(['k'] * n))) + FUNCTION + 'f (%s) => (y) { y = Relu(x0) }' % each(n, 'x{i}', ', '),
    'mistakes': lambda n: called(n, '(x) => (y)', each(n, 'z{i} = Concat <axis = 7> (x, x)')),
    'references': lambda n: referring(n, '[%s]' % ', '.join(['0'] * n), 'z{i} = Transpose <perm: ints = @a> (x)'),
    'equations': lambda n: referring(n, '"%si->i"' % (' ' * n), 'z{i} = Einsum <equation: string = @a> (x)'),
    'passedon': lambda n: referring(n, '[%s]' % ', '.join(['1'] * n), 'z{i} = d.h <a: ints = @a> (x)') + FUNCTION +
    'h <a> (x) => (y) { y = Relu(x) }',
    'imports': lambda n: HEAD + 'g (x) => (y) { y = d.f (x) }\n<domain: "d", opset_import: [%s, "" : 21]> f <%s> (x) => (y) { y = '
    'Relu(x)\n%s }' % (each(n, '"e{i}" : 1', ', '), each(n, 'a{i}', ', '), each(n, 'z{i} = Cast <to: int = @a{i}> (x)')),
    'uncalled': lambda n: graph('') + each(n, FUNCTION + 'f{i} (x) => (y) {{ y = d.f{next} (x) }}'),
    'missing': lambda n: graph(each(n, 'c{i} = d.functoin{i} (x)')) + each(n, FUNCTION + 'function{i} (x) => (y) {{ y = Relu(x) }}'),
    'rank': lambda n: graph(each(n, 'c{i} = Relu(x)'), inputs='float[%s] x' % RANK),
    'rankturned': lambda n: graph(each(n, 'c{i} = Transpose(x)'), inputs='float[%s] x' % NAMES),
    'rankstacked': lambda n: graph('%s = Loop <body = a (i, c) => (c, %s) { }> (k, b)' % (
        each(n, 'q{i}', ', '), ', '.join(['x'] * n)), inputs='float[%s] x, int64 k, bool b' % RANK[3:]),
    'rankparts': lambda n: graph('%s = Split <axis = 0, num_outputs = %d> (x)' % (each(n, 'q{i}', ', '), n),
                                 inputs='float[%s] x' % RANK),
    'rankelements': lambda n: graph('k = Reshape(w, s)\n' + each(n, 'c{i} = Add(k, k)'), values='int64[256] w = {%s}, int64[256] s = {%s}' % (
        ', '.join(['1'] * 256), ', '.join(['1'] * 255 + ['256']))),
    'ranknames': lambda n: graph(each(n, 'c{i} = Relu(x)'), inputs='float[%s] x' % ('N' * 4000)),
    'ranksequences': lambda n: graph('a0 = SequenceConstruct(x)\n' + each(n, 'a{next} = SequenceConstruct(a{i})')),
    'symbolsums': lambda n: HEAD + 'g (%s) => (float[] y) {\ny = Relu(x0) k = Constant <value_int = 256> () o = Constant <value_int = 1> ()\n%s }' % (
        each(n, 'float[N{i}] x{i}', ', '), each(n, 's{i} = Shape(x{i}) e{i} = Add(s{i}, k) r{i} = Range(s{i}, e{i}, o)')),
    'symbolquotients': lambda n: graph('n = Shape(x) k = Constant <value_int = 2> () a0 = Add(n, n)\n' + each(
        n, 'p{i} = Mul(a{i}, n) s{i} = Add(a{i}, p{i}) a{next} = Div(s{i}, k) r{i} = ConstantOfShape(a{next})')),
    'symbolsfresh': lambda n: graph(each(n, 'a{i} = NonZero(x) b{i} = Concat <axis = 1> (a{i}, a{i})')),
}
