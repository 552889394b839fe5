// Completion of what nodes call, and of its attributes.
#pragma once

#include "lsp/completion_list.h"

namespace onnxc::lsp {

/// Functions and operators, those first that take the operands of the node.
void AddCalls(CompletionList* list);
/// The overloads of the function before the cursor.
void AddOverloads(CompletionList* list);
/// The names of attributes, with a value where the text has none.
void AddAttributes(CompletionList* list);
/// The words of a choice, or the default.
void AddAttributeValues(CompletionList* list);

}  // namespace onnxc::lsp
