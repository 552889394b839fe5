// Parsing continues after an error, so that one run reports all errors.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <vector>

#include "syntax/brackets.h"
#include "syntax/parser_base.h"
#include "syntax/tree.h"

namespace onnxc {

/// Reports each error once. If a single missing or wrong token is the cause, the right token takes its place and
/// nothing is lost; otherwise the rest of the entry, attribute, value, node or function is skipped.
class Recovery final : public ErrorStrategy {
 public:
  explicit Recovery(Diagnostics* diagnostics) : diagnostics_(diagnostics) {}

  bool Report(ParserBase& parser, Context* context, std::size_t expected) override;
  void ReportDepth(ParserBase& parser) override;
  void Sync(ParserBase& parser, Context* context) override;
  bool Recover(ParserBase& parser, Context* context) override;

 private:
  const OpenBrackets& BracketsAt(TokenStream& tokens, const Context* context);
  bool SkipTo(TokenStream& tokens, const Context* context, std::initializer_list<std::size_t> stops);
  bool SkipToNode(TokenStream& tokens, const Context* context);
  void SyncList(ParserBase& parser, Context* context, std::size_t closing);

  static constexpr int kMaxReports = 1000;  // more than anybody reads; each may cost an exception

  Diagnostics* diagnostics_;
  OpenBrackets brackets_;
  NodeStarts nodes_;
  int reports_ = 0;
  std::optional<DiagnosticKind> last_;   // what the last call of Report() added
  const SyntaxToken* blamed_ = nullptr;  // the token of the last report: a second report about it would repeat it
};

}  // namespace onnxc
