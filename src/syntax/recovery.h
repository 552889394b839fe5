// Parsing continues after an error, so that one run reports all errors.
#pragma once

#include <onnxc/diagnostic.h>

#include <optional>

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
  void SyncList(ParserBase& parser, Context* context, std::size_t closing);

  // Each report takes time linear in the text before it; this many keep the whole linear.
  static constexpr int kMaxReports = 1000;

  Diagnostics* diagnostics_;
  int reports_ = 0;
  std::optional<DiagnosticKind> last_;   // what the last call of Report() added
  const SyntaxToken* blamed_ = nullptr;  // the token of the last report: a second report about it would repeat it
};

}  // namespace onnxc
