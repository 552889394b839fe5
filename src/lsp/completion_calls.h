// Completion of the operators and functions that nodes call, and of their attributes.
#pragma once

#include "lsp/completion_list.h"
#include "tables/attribute_types.h"

namespace onnxc::lsp {

/// Adds functions and operators. Those that accept the operands of the node come first.
void AddCalls(CompletionList* list);
/// Adds the overloads of the function before the cursor.
void AddOverloads(CompletionList* list);
/// Adds the names of attributes, each with a value unless the text already has one.
void AddAttributes(CompletionList* list);
/// Returns the type that the called operator or function declares for the attribute at the cursor; 0 if it is unknown.
[[nodiscard]] int TypeOfAttribute(const CompletionList& list);
/// Returns whether an attribute of this type may have the type or the value after the cursor.
[[nodiscard]] bool MayHave(const AttributeType& type, const CompletionList& list);
/// Adds the words that are valid as the value of the attribute at the cursor, or the attribute's default value.
void AddAttributeValues(CompletionList* list);

}  // namespace onnxc::lsp
