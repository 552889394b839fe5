// Handles textDocument/signatureHelp: the parameters of the operator or function that the enclosing node calls.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lsp/calls.h"
#include "lsp/context.h"
#include "lsp/methods.h"
#include "lsp/operators.h"
#include "tables/operator_docs.h"

namespace onnxc::lsp {
namespace {

struct Signature {
  std::vector<std::string> parameters;
  std::vector<std::string> docs;  ///< documentation of the parameters
};

Signature OfOperator(const Operator& op) {
  Signature signature;
  for (std::size_t i = 0; i < op.inputs; ++i) {
    const std::string_view sentence = FirstSentence(DocOfInput(op, i));
    signature.parameters.push_back(Shown(Inputs(op)[i]));
    signature.docs.push_back(TypesOf(Inputs(op)[i]).append(sentence.empty() ? "" : ". ").append(sentence));
  }
  return signature;
}

Signature OfFunction(const SymbolIndex& symbols, const TextScope& function) {
  Signature signature;
  for (const SymbolId input : function.inputs) {
    signature.parameters.emplace_back(symbols.symbols()[symbols.occurrences()[input].symbol].name);
    signature.docs.emplace_back();
  }
  return signature;
}

Json Shown(const CursorContext& context, const Signature& signature) {
  Json parameters = Json::array();
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    parameters.push_back({{"label", signature.parameters[i]}});
    if (!signature.docs[i].empty()) parameters.back()["documentation"] = signature.docs[i];
  }
  // The last parameter may be variadic. All further operands then belong to this parameter.
  const std::size_t last = parameters.empty() ? 0 : parameters.size() - 1;
  return {{"signatures",
           {{{"label", fmt::format("{} ({})", context.op, fmt::join(signature.parameters, ", "))},
             {"parameters", parameters}}}},
          {"activeSignature", 0},
          {"activeParameter", std::min(context.index, last)}};
}

}  // namespace

Json SignatureHelp(Workspace& workspace, const Json& params) {
  const View view = ViewOf(workspace, params);
  const CursorContext context = ContextAt(view, view.current().OffsetOf(Member(params, "position")));
  if (context.bracket != Bracket::kOperands) return nullptr;
  const SymbolIndex& symbols = view.symbols();
  const SymbolId function = FindFunction(symbols, context.domain, context.op, context.overload);
  if (function != kNoSymbol) return Shown(context, OfFunction(symbols, symbols.scopes()[function]));
  const DefinedFunction other = FindInLibraries(workspace, view.known(), context.domain, context.op, context.overload);
  if (other.IsKnown()) {
    const SymbolIndex& library = other.text->symbols();
    return Shown(context, OfFunction(library, library.scopes()[other.scope]));
  }
  const Operator* const op = OperatorIn(view.known(), context.scope, context.domain, context.op);
  if (op == nullptr) return nullptr;
  return Shown(context, OfOperator(*op));
}

}  // namespace onnxc::lsp
