// What comes before an element: fields by name, and pragmas.
#pragma once

#include <onnxc/proto.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lower/lowering.h"

namespace onnxc::lower {

/// What a pragma at the head of a text may say that the text is.
enum class Content { kModel, kFunctions };

/// The annotations of one element. As long as this object lives, the element's pragmas apply to all that is lowered.
/// Most elements have no annotations; that case is handled inline.
class Annotations {
 public:
  /// An item has annotations before its header and behind it.
  enum class Part { kAll, kBeforeHeader, kBehindHeader };

  /// Those at the head of an element's context.
  Annotations(const Context* element, Lowering& lowering, Part part = Part::kAll) : lowering_(lowering) {
    if (BeginsWith(element, {Grammar::AT, Grammar::PRAGMA, Grammar::LESS})) Read(element, part);
  }
  Annotations(const Annotations&) = delete;
  Annotations& operator=(const Annotations&) = delete;
  ~Annotations() {
    if (found_ != nullptr) Leave();
  }

  /// There are none.
  [[nodiscard]] bool empty() const { return found_ == nullptr; }

  /// To be called when the element's message is built: sets the fields, then has-bits.
  void Finish(google::protobuf::Message* message) {
    found_ == nullptr ? lowering_.Finish(message) : FinishAnnotated(message);
  }

  /// The same for an element written as a record: has-bits are those of the record, and only its own pragmas count.
  void FinishRecord(google::protobuf::Message* message);

  /// Forgets what is for the element alone, fields and has-bits; what is for all inside of it stays.
  void DropOwn();

  /// The content that a pragma declares for the text, if any. Such a pragma is an error where this is not called.
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
    std::vector<OwnClause> own;  // of the element alone; its message is not known before Finish()
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
  std::unique_ptr<Found> found_;  // null: none can stand there
};

}  // namespace onnxc::lower
