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

/// Tells nodes by their first tokens. What was found of a run of names, or of brackets, is kept: to ask at each line of
/// a text takes time linear in the text.
class NodeStarts {
 public:
  /// `token` begins what looks like a node. Asked with tokens further and further on.
  [[nodiscard]] bool IsOneAt(TokenStream& tokens, SyntaxToken* token);

 private:
  [[nodiscard]] bool IsBehindNames(TokenStream& tokens, SyntaxToken* token);
  void FindGraphs(TokenStream& tokens, SyntaxToken* token);

  // The last run of names and commas that was looked at, in bytes, and what was found behind it.
  std::size_t names_begin_ = 1;
  std::size_t names_end_ = 0;
  bool is_behind_names_ = false;
  std::optional<std::vector<std::size_t>> graphs_;  // where the brackets begin that `=>` stands behind
};

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
