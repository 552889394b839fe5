// What stands before an element: fields by name, and pragmas.
#pragma once

#include <onnxc/proto.h>

#include <vector>

#include "build/lowering.h"

namespace onnxc {

/// The annotations of one element. While it lives, the element's pragmas hold for all that is built.
class Annotations {
 public:
  /// Those among the children of an element's context, from child `first` to the first that is none.
  Annotations(const Context* element, Lowering& lowering, std::size_t first = 0);
  Annotations(const Annotations&) = delete;
  Annotations& operator=(const Annotations&) = delete;
  ~Annotations();

  /// To be called when the element's message is built: sets the fields, then has-bits.
  void Finish(google::protobuf::Message* message);

  /// The same for an element written as a record: has-bits are those of the record, and only its own pragmas count.
  void FinishRecord(google::protobuf::Message* message);

  /// The has-bits that pragmas set for the element alone are another element's.
  void MoveTo(Annotations* other);

  /// A pragma says that the text is functions alone.
  [[nodiscard]] bool says_functions() const { return says_functions_; }

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
  bool says_functions_ = false;
};

}  // namespace onnxc
