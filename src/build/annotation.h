// What stands before an element: fields by name, and pragmas.
#pragma once

#include <onnxc/proto.h>

#include <optional>
#include <utility>
#include <vector>

#include "build/lowering.h"

namespace onnxc {

/// The annotations of one element. While it lives, the element's pragmas hold for all that is built.
class Annotations {
 public:
  /// An item has annotations before its header and behind it.
  enum class Part { kAll, kBeforeHeader, kBehindHeader };

  /// Those at the head of an element's context.
  Annotations(const Context* element, Lowering& lowering, Part part = Part::kAll);
  Annotations(const Annotations&) = delete;
  Annotations& operator=(const Annotations&) = delete;
  ~Annotations();

  /// To be called when the element's message is built: sets the fields, then has-bits.
  void Finish(google::protobuf::Message* message);

  /// The same for an element written as a record: has-bits are those of the record, and only its own pragmas count.
  void FinishRecord(google::protobuf::Message* message);

  /// Forgets what is for the element alone, fields and has-bits; what is for all inside of it stays.
  void DropOwn();

  /// A pragma says that the text is functions alone. It may do so only where this is asked.
  bool TakeFunctions() { return std::exchange(functions_, std::nullopt).has_value(); }

 private:
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

  Lowering& lowering_;
  std::vector<Field> fields_;
  std::vector<OwnClause> own_;  // of the element alone; its message is not known before Finish()
  std::size_t outer_clauses_;
  bool outer_is_raw_;
  std::optional<SourceRange> functions_;
};

}  // namespace onnxc
