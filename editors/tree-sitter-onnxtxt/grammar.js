/**
 * The ONNX text syntax, for editors. It follows grammar/OnnxText.g4 rule by rule: a text has no ERROR here exactly where
 * that grammar reads it, and both trees have the same ranges (editors/test/agreement.py).
 *
 * No word is reserved. The words of types and special numbers are tokens of their own, which still serve as names.
 */
/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const ELEMENT_TYPES = [
  'float', 'uint8', 'int8', 'uint16', 'int16', 'int32', 'int64', 'string', 'bool', 'float16', 'double', 'uint32', 'uint64',
  'complex64', 'complex128', 'bfloat16', 'float8e4m3fn', 'float8e4m3fnuz', 'float8e5m2', 'float8e5m2fnuz', 'uint4', 'int4',
  'float4e2m1', 'float8e8m0', 'uint2', 'int2', 'float6e2m3', 'float6e3m2',
];

const SPECIAL = '([nN][aA][nN]|[iI][nN][fF]([iI][nN][iI][tT][yY])?)';
const EXPONENT = '[eE][+-]?[0-9]*';

/** One or more of `rule`, with commas between. */
function list(rule) {
  return seq(rule, repeat(seq(',', rule)));
}

/** A whole element, with what may stand before it: all its fields as a record, or its own form. */
function annotated($, ...forms) {
  return seq(repeat($._annotation), choice($.in_place, ...forms));
}

module.exports = grammar({
  name: 'onnxtxt',

  word: $ => $.identifier,
  externals: $ => [$.comment, $.pragma, $._content, $._error_sentinel],  // src/scanner.c
  extras: $ => [/[ \t\n\v\f\r]/, $.comment],
  supertypes: $ => [$.type],
  inline: $ => [$._word, $._graph_name, $._annotation],

  // A text alone may be of any kind: `N` begins a graph, a node, an attribute and a shape.
  conflicts: $ => [
    [$._outputs, $.attribute],
    [$.item, $.node, $.attribute, $.dimension],
    [$._dim_name, $._name],
    [$.tensor_type, $._keyword],
    [$.opaque_type, $._other_keyword],
    [$.sparse_tensor_type, $._other_keyword],
    [$.map_type, $._other_keyword],
    [$.container_type, $._other_keyword],
  ],

  rules: {
    // ---- one rule for each kind of file: a model or functions; or a node, an attribute, a type or tensor, a shape alone.
    // A record alone may be any of them: it is read as a model's; and a word like `float` is rather a type than a shape.

    source_file: $ => choice(
      $.model,
      $.node,
      $.attribute,
      seq(repeat($._annotation), $._tensor),
      optional($.dimensions),
      $.record,
    ),

    model: $ => repeat1($.item),

    // ---- models, graphs, functions

    item: $ => annotated($, seq(
      optional(seq($.header, repeat($._annotation))),
      field('name', $._name), field('formals', optional($.formals)), $._behind_name,
    )),

    _behind_name: $ => seq(
      field('inputs', optional($.inputs)), '=>', field('outputs', $.outputs),
      field('values', optional($.values)), field('body', $.body),
    ),

    header: $ => seq('<', list($.entry), '>'),
    entry: $ => seq(field('key', $._name), ':', field('value', $._field_value)),

    formals: $ => seq('<', list($.formal), '>'),
    formal: $ => annotated($, seq(
      field('name', $._name), optional(seq(':', field('kind', $._name))), optional(seq('=', field('value', $._attribute_value))),
    )),

    inputs: $ => seq('(', optional(list($.value)), ')'),
    outputs: $ => seq('(', optional(list(alias($.value_info, $.value))), ')'),
    values: $ => seq('<', optional(list($.value)), '>'),
    value: $ => seq($._value_info, optional(choice(seq('=', field('data', optional($._data))), seq('=>', $._never)))),
    value_info: $ => $._value_info,
    _value_info: $ => annotated($,
      seq(field('type', $.type), field('name', $._name)),
      field('name', choice($.identifier, $.string, alias($.special, $.identifier))),
    ),
    body: $ => seq('{', repeat($.node), '}'),

    // ---- nodes and attributes

    node: $ => annotated($, seq(
      optional($.label), optional($._outputs), '=', optional($.operator), optional(seq(':', field('overload', $._name))),
      choice(
        seq(field('attributes', $.attributes), $.arguments),
        seq($.arguments, field('attributes', optional($.attributes))),
      ),
    )),
    label: $ => seq('[', optional($._name), ']'),
    _outputs: $ => choice(
      field('output', $._name),
      seq(optional(field('output', $._name)), repeat1(seq(',', optional(field('output', $._name))))),
    ),
    arguments: $ => seq('(', optional($._inputs), ')'),
    _inputs: $ => choice(
      field('input', $._name),
      seq(optional(field('input', $._name)), repeat1(seq(',', optional(field('input', $._name))))),
    ),
    operator: $ => seq(optional('.'), repeat(seq(field('domain', $._name), '.')), field('name', $._name)),

    attributes: $ => seq('<', list($.attribute), '>'),
    attribute: $ => annotated($, seq(
      field('name', $._name), optional(seq(':', field('kind', $._name))), '=', field('value', $._attribute_value),
    )),
    _attribute_value: $ => choice(alias($.attribute_list, $.list), $._attribute_item),
    attribute_list: $ => seq('[', optional(list($._attribute_item)), ']'),
    _attribute_item: $ => choice(
      $.integer, $.float, $.special, $.string, $.identifier, $.graph, $.in_place, $._tensor, $.reference,
      seq($.annotation, repeat($._annotation), choice($._tensor, $.graph)),
    ),
    reference: $ => seq('@', $._path),
    graph: $ => seq(field('name', $._graph_name), $._behind_name),
    _graph_name: $ => choice($.identifier, $.string),

    // ---- types and tensors

    type: $ => choice($.tensor_type, $.container_type, $.map_type, $.sparse_tensor_type, $.opaque_type),
    tensor_type: $ => prec.dynamic(1, seq($.element_type, optional($.shape))),
    container_type: $ => seq(choice('seq', 'optional'), '(', $._inner_type, ')'),
    map_type: $ => seq('map', '(', field('key', $._type_name), ',', $._inner_type, ')'),
    sparse_tensor_type: $ => seq('sparse_tensor', '(', field('element', $._type_name), optional($.shape), ')'),
    opaque_type: $ => seq('opaque', '(', optional(seq(
      $._name, repeat(seq('.', $._name)), optional(seq(',', $._name)),
    )), ')'),
    _inner_type: $ => annotated($, $.type),
    _type_name: $ => choice($.identifier, $.string, $.element_type, alias($._other_keyword, $.identifier)),
    shape: $ => seq('[', optional($.dimensions), ']'),
    dimensions: $ => list($.dimension),
    dimension: $ => annotated($, '?', $.integer, $._dim_name),
    _dim_name: $ => choice($.identifier, $.string, alias($._keyword, $.identifier)),

    // What follows the type tells whether it is alone.
    _tensor: $ => choice($.type, $.tensor),
    tensor: $ => seq(field('type', $.type), choice(
      seq(field('name', $._name), optional('='), field('data', optional($._data))),
      seq('=', field('data', optional($._data))),
      field('data', $.dense),
      seq(field('name', optional($._name)), '=>', $._never),
    )),
    _data: $ => choice($.dense, $.external),
    external: $ => seq('[', list($.pair), ']'),
    pair: $ => seq(field('key', $.string), ':', field('value', choice($.string, $.integer))),
    dense: $ => seq('{', optional(choice($.dense, list($.element))), '}'),
    element: $ => choice(
      seq($._scalar, optional(seq(':', $._scalar))),
      seq(field('index', seq('[', list($.integer), ']')), ':', $._scalar),
    ),
    _scalar: $ => choice($.integer, $.float, $.special, $.string, $.identifier, seq($._word, $._never)),

    // ---- any field of any message

    _annotation: $ => choice($.annotation, $.pragma),
    annotation: $ => seq('@', $._path, field('value', $._field_value)),
    _path: $ => seq(field('field', $._name), repeat(seq('.', field('field', $._name)))),
    _field_value: $ => choice(
      $.integer, $.float, $.special, $.identifier, $.string, $.record, alias($.field_list, $.list), $.native,
      seq($._word, $._never),
    ),
    field_list: $ => seq('[', optional(list($.member)), ']'),
    member: $ => seq($._field_value, optional(seq(':', $._field_value))),
    record: $ => seq('{', optional($._fields), '}'),
    in_place: $ => seq('@{', optional($._fields), '}'),
    _fields: $ => list($.field),
    field: $ => seq(field('key', $._name), ':', field('value', $._field_value)),
    native: $ => seq('(', repeat($._annotation), choice(
      $._tensor,
      seq(
        optional($.header), field('name', $._graph_name), field('formals', optional($.formals)), $._behind_name,
      ),
    ), ')'),

    // ---- names and tokens

    _name: $ => choice($.identifier, $.string, alias($._keyword, $.identifier)),
    _keyword: $ => choice($.element_type, $._other_keyword),
    _other_keyword: $ => choice('seq', 'optional', 'map', 'sparse_tensor', 'opaque', $.special),
    _word: $ => choice($.element_type, 'seq', 'optional', 'map', 'sparse_tensor', 'opaque'),

    element_type: _ => token(choice(...ELEMENT_TYPES)),
    special: _ => token(new RegExp(SPECIAL)),
    identifier: _ => /[A-Za-z_][A-Za-z_0-9]*/,
    integer: _ => /-?[0-9]+/,
    float: _ => token(choice(
      new RegExp(`-?[0-9]+(\\.[0-9]*(${EXPONENT})?|${EXPONENT})`),
      new RegExp(`-${SPECIAL}`),
    )),

    string: $ => seq(choice('"', 'b"'), repeat(choice($._content, $.escape_sequence)), token.immediate('"')),
    escape_sequence: _ => token.immediate(/\\(.|\n|\r)/),

    // No text holds this. It follows a token that must not be read as two here (`=>`), or as a name (`float`).
    _never: _ => '\u{10FFFE}',
  },
});
