(item name: (_) @name) @definition.function
(operator name: (_) @name) @reference.call
