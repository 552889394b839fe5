// The annotations before an element: fields by name, and pragmas.
#pragma once

#include <onnxc/proto.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lower/lowering.h"

namespace onnxc::lower {

/// What a text contains. A pragma at the beginning of the text can declare this.
enum class Content { kModel, kFunctions };

/// The annotations of one element. During the lifetime of this object, the element's pragmas apply to everything that
/// is lowered. Most elements have no annotations, so that case is handled inline.
class Annotations {
 public:
  /// A top-level definition has annotations before its header and after it.
  enum class Part { kAll, kBeforeHeader, kBehindHeader };

  /// Reads the annotations at the beginning of an element's context.
  Annotations(const Context* element, Lowering& lowering, Part part = Part::kAll) : lowering_(lowering) {
    if (BeginsWith(element, {Grammar::AT, Grammar::PRAGMA, Grammar::LESS})) Read(element, part);
  }
  Annotations(const Annotations&) = delete;
  Annotations& operator=(const Annotations&) = delete;
  ~Annotations() {
    if (found_ != nullptr) Leave();
  }

  /// Returns whether there are no annotations.
  [[nodiscard]] bool empty() const { return found_ == nullptr; }

  /// Must be called when the element's message is complete. Sets the annotated fields; then sets or clears fields with
  /// default values, as the pragmas say.
  void Finish(google::protobuf::Message* message) {
    found_ == nullptr ? lowering_.Finish(message) : FinishAnnotated(message);
  }

  /// Like Finish(), for an element written as a record. The record determines which fields are present, and only the
  /// element's own pragmas apply.
  void FinishRecord(google::protobuf::Message* message);

  /// Discards the annotated fields, and the clauses for the element itself. Clauses for the messages inside of the
  /// element stay in force.
  void DropOwn();

  /// Returns the contents that a pragma declares for the text, if any. If this function is not called, such a pragma is
  /// an error.
  std::optional<Content> TakeContent() {
    if (found_ == nullptr || !found_->content) return std::nullopt;
    return std::exchange(found_->content, std::nullopt)->content;
  }

 private:
  void Read(const Context* element, Part part);
  void Leave();
  void FinishAnnotated(google::protobuf::Message* message);
  void SetFields(google::protobuf::Message* message);
  void EnterPragma(const SyntaxToken& pragma);
  void EnterClause(std::string_view clause, SourceRange range);

  struct Field {
    const Grammar::PathContext* path;
    const Grammar::FieldValueContext* value;
  };
  struct OwnClause {
    bool set;
    std::string_view field;
    SourceRange range;
  };

  struct Found {
    std::vector<Field> fields;
    std::vector<OwnClause> own;  // clauses for the element itself, whose message is not known before Finish()
    std::size_t outer_clauses;
    bool outer_is_raw;
    struct ContentClause {
      Content content;
      std::string_view word;
      SourceRange range;
    };
    std::optional<ContentClause> content;
  };

  Lowering& lowering_;
  std::unique_ptr<Found> found_;  // null if the element has no annotations
};

}  // namespace onnxc::lower
