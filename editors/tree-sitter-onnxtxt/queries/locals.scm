; A graph or function is a scope; a subgraph sees the names around it.
(item) @local.scope
(graph) @local.scope
(native) @local.scope

(item name: (_) @local.definition.function (#set! definition.function.scope "parent"))
(value name: (_) @local.definition.var)
(node output: (_) @local.definition.var)
(formal name: (_) @local.definition.parameter)

(arguments input: (_) @local.reference)
(operator name: (_) @local.reference)
(reference field: (_) @local.reference)
