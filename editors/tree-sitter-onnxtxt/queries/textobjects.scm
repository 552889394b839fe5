(item body: (body) @function.inner) @function.outer
(graph body: (body) @function.inner) @function.outer
(node) @statement.outer
(attribute value: (_) @assignment.rhs) @assignment.outer
(comment) @comment.outer
