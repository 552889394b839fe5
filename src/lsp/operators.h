// Describes operators for the user.
#pragma once

#include <string>
#include <string_view>

#include "lsp/snapshot.h"
#include "source/report.h"
#include "tables/signatures.h"

namespace onnxc::lsp {

/// Returns the version of a domain that the scope's header imports. If the header does not import the domain, returns
/// the newest known version, or 0 if the domain is not known.
[[nodiscard]] int ImportedVersion(const Snapshot& text, SymbolId scope, std::string_view domain);

/// Returns the definition of the node's operator in the imported version. Returns null if the node calls a function or
/// the operator is not known.
[[nodiscard]] const Operator* OperatorOf(const Snapshot& text, const TextNode& node);

/// Returns the definition of an operator in the version that the scope imports, or null if it is not known.
[[nodiscard]] const Operator* OperatorIn(const Snapshot& text, SymbolId scope, const Symbol& op);
[[nodiscard]] const Operator* OperatorIn(const Snapshot& text, SymbolId scope, std::string_view domain,
                                         std::string_view name);

/// Returns the scope of the function with this symbol, or kNoSymbol if the text does not define it.
[[nodiscard]] SymbolId FunctionScope(const SymbolIndex& symbols, SymbolId function);

/// Returns the scope of the function with this name, or kNoSymbol if the text does not define it.
[[nodiscard]] SymbolId FindFunction(const SymbolIndex& symbols, std::string_view domain, std::string_view name,
                                    std::string_view overload);

/// Returns the name of an operator's parameter, marked as optional or variadic: `B?`, `inputs...`.
[[nodiscard]] std::string Shown(const Parameter& parameter);

/// Returns, for example, `Y = Conv <auto_pad: string, ...> (X, W, B?)`.
[[nodiscard]] std::string SignatureOf(const Operator& op);

/// Describes the type of an attribute, its choices and its default: `int, default 1`, `string, "DCR" or "CRD", default
/// "DCR"`.
[[nodiscard]] std::string KindOf(const Operator& op, std::size_t attribute);

/// Returns the first sentence of a text if it is short, otherwise "".
[[nodiscard]] std::string_view FirstSentence(std::string_view text);

/// Returns the types that a parameter accepts: `tensor(float), tensor(double)`.
[[nodiscard]] std::string TypesOf(const Parameter& parameter);

/// Returns the parameter at this index. The last parameter, if variadic, covers all further indices. Returns null for
/// an index after the end.
[[nodiscard]] const Parameter* ParameterAt(std::span<const Parameter> parameters, std::size_t index);

}  // namespace onnxc::lsp
