// The state that all lowering functions share: the destinations of diagnostics and source ranges, and the nesting depth
// of messages.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/parser.h>

#include <optional>
#include <string>
#include <vector>

#include "lower/tree.h"
#include "source/names.h"
#include "source/report.h"
#include "tables/limits.h"

namespace onnxc::lower {

class Lowering {
 public:
  /// Creates a lowering without diagnostics: an error only sets failed(). `map` may be null.
  Lowering(SourceMap* map, unsigned threads) : map_(map), threads_(threads) {}
  /// Findings are added to `*diagnostics`. Errors after the first `limit` are only counted there.
  Lowering(Diagnostics* diagnostics, std::size_t limit, SourceMap* map = nullptr)
      : diagnostics_(diagnostics), room_(limit), map_(map) {}

  template <typename... Args>
  void Report(const DiagnosticBase<Args...>& kind, SourceRange range, std::type_identity_t<Args>... args) {
    failed_ = true;
    if (HasRoom()) diagnostics_->Add(MakeDiagnostic(kind, range, args...));
  }
  /// Reports the diagnostic, with a suggestion if one of `words` is similar to the misspelt word.
  void ReportMisspelt(Diagnostic diagnostic, std::string_view word, const std::vector<std::string_view>& words);

  /// Reports a wrong member of a list. Members of one list that are wrong for the same reason share one finding, which
  /// has all their corrections. Outside of a list, this reports an ordinary finding.
  void ReportMember(Diagnostic diagnostic, std::string_view reason);

  [[nodiscard]] bool failed() const { return failed_; }
  /// Returns whether diagnostics are collected. If not, an error only sets failed().
  [[nodiscard]] bool is_reporting() const { return diagnostics_ != nullptr; }

  /// Returns the number of messages that enclose the current one.
  [[nodiscard]] int depth() const { return depth_; }

  /// Returns the number of threads that convert long lists of numbers; 0 means one for each core.
  [[nodiscard]] unsigned threads() const { return threads_; }

  /// Returns whether a tensor with external data was lowered.
  [[nodiscard]] bool has_external_data() const { return has_external_data_; }
  void NoteExternalData() { has_external_data_ = true; }

  /// Returns whether a pragma requires that data of tensors are stored in raw_data.
  [[nodiscard]] bool is_raw() const { return is_raw_; }

  /// Sets and clears has-bits of a complete message, as the enclosing pragmas require.
  void Finish(google::protobuf::Message* message) const {
    if (!clauses_.empty()) ApplyClauses(message, nullptr);
  }

  /// These functions store the attribute names of the function that is being read. The names are views into the text.
  void ForgetFormals() { formals_.clear(); }
  void NoteFormal(std::string_view name) {
    if (is_reporting()) formals_.insert(name);
  }
  [[nodiscard]] bool IsFormal(std::string_view name) const { return formals_.contains(name); }

  /// Returns whether source ranges are recorded.
  [[nodiscard]] bool HasMap() const { return map_ != nullptr; }
  void Map(const google::protobuf::Message& message, SourceRange range, int field = 0, int index = 0) {
    if (map_ != nullptr) map_->Set(message, range, field, index);
  }
  void MapRepeatedKey(const google::protobuf::Message& message, SourceRange range, int field) {
    if (map_ != nullptr) map_->SetRepeatedKey(message, range, field);
  }

 private:
  friend class DepthGuard;
  friend class ListScope;
  friend class Annotations;

  // The clause `set F` or `unset F` of a pragma. It applies to all messages inside of the element that have the field,
  // or only to the element itself.
  struct Clause {
    bool set;
    const google::protobuf::FieldDescriptor* field;
    const void* element;  // the Annotations of the element; null if the clause applies to all messages inside
  };
  void ApplyClauses(google::protobuf::Message* message, const void* element) const;
  [[nodiscard]] bool HasRoom();
  void FinishList();

  Diagnostics* diagnostics_ = nullptr;
  std::size_t room_ = 0;  // number of findings that may still be reported
  SourceMap* map_ = nullptr;
  unsigned threads_ = 1;
  bool failed_ = false;
  bool has_external_data_ = false;
  bool is_raw_ = false;
  std::vector<Clause> clauses_;       // clauses of inner elements follow those of outer ones
  int lists_ = 0;                     // number of lists that are being read
  std::optional<Diagnostic> member_;  // the finding about members of the current list
  std::string reason_;                // the common reason of this finding
  int depth_ = 0;                     // number of enclosing messages
  NameSet formals_;                   // used in messages about references without `@`
};

/// Marks that the members of a list are being read, during the lifetime of this object.
class ListScope {
 public:
  explicit ListScope(Lowering& lowering) : lowering_(lowering) { ++lowering.lists_; }
  ListScope(const ListScope&) = delete;
  ListScope& operator=(const ListScope&) = delete;
  ~ListScope() {
    if (--lowering_.lists_ == 0 && lowering_.member_) lowering_.FinishList();
  }

 private:
  Lowering& lowering_;
};

/// Increases the nesting depth by `levels` during its lifetime. If messages are then nested more deeply than protobuf
/// can read, reports an error and converts to false.
class DepthGuard {
 public:
  DepthGuard(Lowering& lowering, int levels, SourceRange blamed) : lowering_(lowering), levels_(levels) {
    const bool was_fine = lowering.depth_ <= kMaxDepth;
    lowering.depth_ += levels;
    if (was_fine && lowering.depth_ > kMaxDepth) lowering.Report(diag::kNestingTooDeep, blamed);
  }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;
  ~DepthGuard() { lowering_.depth_ -= levels_; }

  explicit operator bool() const { return lowering_.depth_ <= kMaxDepth; }

 private:
  Lowering& lowering_;
  int levels_;
};

}  // namespace onnxc::lower
