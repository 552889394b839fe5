// What the server says about operators.
#pragma once

#include <string>
#include <string_view>

#include "lsp/snapshot.h"
#include "source/report.h"
#include "tables/signatures.h"

namespace onnxc::lsp {

/// The version of a domain that the scope's header imports; the newest one where it imports none; 0: not known.
[[nodiscard]] int ImportedVersion(const Snapshot& text, SymbolId scope, std::string_view domain);

/// The definition of a node's operator that counts, or null: a function, or not known.
[[nodiscard]] const Operator* OperatorOf(const Snapshot& text, const TextNode& node);

/// The definition of an operator that counts in a scope, or null.
[[nodiscard]] const Operator* OperatorIn(const Snapshot& text, SymbolId scope, const Symbol& op);
[[nodiscard]] const Operator* OperatorIn(const Snapshot& text, SymbolId scope, std::string_view domain,
                                         std::string_view name);

/// The scope that a function's symbol names, or kNoSymbol.
[[nodiscard]] SymbolId FunctionScope(const SymbolIndex& symbols, SymbolId function);

/// The scope of the function of that name, or kNoSymbol.
[[nodiscard]] SymbolId FindFunction(const SymbolIndex& symbols, std::string_view domain, std::string_view name,
                                    std::string_view overload);

/// The name of a formal input or output, with what it may be: `B?`, `inputs...`.
[[nodiscard]] std::string Shown(const Parameter& parameter);

/// `Y = Conv <auto_pad: string, ...> (X, W, B?)`
[[nodiscard]] std::string SignatureOf(const Operator& op);

/// What an attribute holds, and where it may be left out: `int, default 1`, `string, "DCR" or "CRD", default "DCR"`.
[[nodiscard]] std::string KindOf(const Operator& op, std::size_t attribute);

/// The first sentence of a text, where that is short.
[[nodiscard]] std::string_view FirstSentence(std::string_view text);

/// The types that a formal input or output may have: `tensor(float), tensor(double)`.
[[nodiscard]] std::string TypesOf(const Parameter& parameter);

/// The formal input or output at that place, the last one for what follows a variadic one; null beyond.
[[nodiscard]] const Parameter* ParameterAt(std::span<const Parameter> parameters, std::size_t index);

}  // namespace onnxc::lsp
