; Names by what they are; later patterns win.

(comment) @comment
(pragma) @keyword.directive
(string) @string
(escape_sequence) @string.escape
(integer) @number
(float) @number.float
(special) @constant.builtin
(element_type) @type.builtin
["seq" "optional" "map" "sparse_tensor" "opaque"] @type.builtin
(opaque_type (identifier) @type)
(dimension [(identifier) (string)] @constant)
(dimension "?" @character.special)

(item name: (_) @function)
(graph name: (_) @function)
(native name: (_) @function)
(value name: (_) @variable.parameter)
(values (value name: (_) @variable))
(tensor name: (_) @variable)
(node output: (_) @variable)
(arguments input: (_) @variable)
(label (_) @label)

(operator domain: (_) @module)
(operator name: (_) @function.call)
(node overload: (_) @label)

(attribute name: (_) @property)
(attribute kind: (_) @type.builtin)
(formal name: (_) @variable.parameter)
(formal kind: (_) @type.builtin)
(reference "@" @operator field: (_) @variable.parameter)
(annotation "@" @attribute field: (_) @attribute)
(entry key: (_) @property)
(field key: (_) @property)
(pair key: (string) @property)
(annotation value: (identifier) @constant)
(entry value: (identifier) @constant)
(field value: (identifier) @constant)

["(" ")" "[" "]" "{" "}" "@{"] @punctuation.bracket
(header ["<" ">"] @punctuation.bracket)
(formals ["<" ">"] @punctuation.bracket)
(values ["<" ">"] @punctuation.bracket)
(attributes ["<" ">"] @punctuation.bracket)
["," "." ":"] @punctuation.delimiter
["=" "=>"] @operator
