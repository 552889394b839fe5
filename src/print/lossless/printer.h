// The printer of the onnxc dialect, which is lossless. It has a method for each construct of the language, in files
// that mirror src/lower. An element is printed in its native form if parsing that form, with the annotations before it,
// gives exactly the same element. Otherwise it is printed as a record.
//
//   # onnxc: set doc_string          clauses: details of the encoding without meaning (clauses.h)
//   @metadata_props ["k": "v"]       annotations: fields that the native form does not write (annotation.cc)
//   [conv1] y = Conv (x, w)          the native form
//   @{op_type: "Conv", ...}          a record: all fields that are present
#pragma once

#include <onnxc/printer.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "print/common/bare.h"
#include "print/common/elements.h"
#include "print/lossless/census.h"
#include "print/lossless/layout.h"
#include "source/report.h"
#include "syntax/spelling.h"
#include "tables/carried.h"
#include "tables/limits.h"

namespace onnxc::print {

class LosslessPrinter {
 public:
  /// Completed text is passed to the sink, if there is one.
  explicit LosslessPrinter(const PrintOptions& options, Sink* sink = nullptr)
      : options_(options), out_(Layout::kColumns, sink) {}
  /// Creates a printer for a part of the text of `other`. It uses only the current thread, and counts the elements of
  /// the model's graph in `census`.
  LosslessPrinter(const LosslessPrinter& other, Census* census);

  // Prints a text that consists only of the message.
  void Whole(const onnx::GraphProto& graph);          // graph.cc
  void Whole(const onnx::FunctionProto& function);    // function.cc
  void Whole(const onnx::NodeProto& node);            // node.cc
  void Whole(const onnx::AttributeProto& attribute);  // attribute.cc
  void Whole(const onnx::TypeProto& type);            // type.cc
  void Whole(const onnx::TensorProto& tensor);        // tensor.cc
  void Whole(const onnx::TensorShapeProto& shape);    // type.cc
  void Whole(const onnx::SequenceProto& sequence);    // run_value.cc
  void Whole(const onnx::MapProto& map);              // run_value.cc
  void Whole(const onnx::OptionalProto& optional);    // run_value.cc

  /// Prints a model under the clauses of `scope`. The nodes, initializers and value infos of its graph are those of
  /// `parts`, and `census` counts them. Returns false if an element of `parts` cannot be read as a message.
  [[nodiscard]] bool Whole(const onnx::ModelProto& model, const GraphParts& parts, const ClauseScope& scope,
                           Census* census);  // model.cc

  /// Returns the result: the whole text, or its end if there is a sink. The printer must not be used afterwards.
  [[nodiscard]] PrintResult Finish();

  /// Returns whether the output is invalid: bytes are not a message, or a message would be read differently from its
  /// bytes.
  [[nodiscard]] bool is_malformed() const { return is_malformed_; }

 private:
  using Message = google::protobuf::Message;
  using Field = google::protobuf::FieldDescriptor;
  template <typename Proto>
  using Repeated = google::protobuf::RepeatedPtrField<Proto>;

  // ---- annotations and pragmas before an element: annotation.cc

  /// A clause `set field` or `unset Message.field`.
  struct Clause {
    bool set;
    std::string_view message;  ///< empty: the clause applies to the current element
    std::string_view field;
  };

  /// Everything about a message that its native form does not express.
  struct Rest {
    std::vector<std::string_view> storage;  ///< other words of a pragma: `raw` or `typed`, and the content of the text
    std::vector<Clause> clauses;
    std::vector<const Field*> fields;
    bool has_unknown_fields = false;
    bool needs_pragma = false;  ///< a clause that cannot be replaced by an annotation is needed

    [[nodiscard]] bool HasClauses() const { return !storage.empty() || !clauses.empty(); }
    [[nodiscard]] bool IsEmpty() const { return !HasClauses() && fields.empty() && !has_unknown_fields; }
  };

  /// Returns the rest of a message, without the fields in `carried`. Fields that are present with their default value
  /// become clauses.
  [[nodiscard]] Rest ListRest(const Message& message, FieldSet carried);
  template <typename Proto, typename... Form>
  [[nodiscard]] Rest RestWithoutRows(const Proto& message, FieldSet carried, const Form&... form) {
    const bool is_bare = is_known_schema_ && (carried & kCarried<Proto>) == kCarried<Proto> && IsBare(message, form...);
    return is_bare ? Rest() : ListRest(message, carried);
  }
  /// Like ListRest(), but also adds or removes clauses for the fields that have a row (clauses.h).
  template <typename Proto, typename... Form>
  [[nodiscard]] Rest RestOf(const Proto& message, FieldSet carried, const Form&... form) {
    Rest rest = RestWithoutRows(message, carried, form...);
    VisitRows(message, form..., [&](Row row, bool written, bool present, bool is_default) {
      AddRow(row, written, present, is_default, &rest);
    });
    return rest;
  }
  void AddRow(Row row, bool written, bool present, bool is_default, Rest* rest) {
    if (rest->clauses.empty() && scope_.Expects(row, written, is_default) == present) return;
    AddClause(row, written, present, is_default, rest);
  }
  void AddClause(Row row, bool written, bool present, bool is_default, Rest* rest);
  /// Returns whether the message has no fields except those in `carried`.
  template <typename Proto>
  [[nodiscard]] bool IsWhole(const Proto& message, FieldSet carried) {
    return (is_known_schema_ && carried == kCarried<Proto> && IsBare(message)) || ListsWhole(message, carried);
  }
  [[nodiscard]] bool ListsWhole(const Message& message, FieldSet carried);
  /// Replaces `set` clauses by annotations, which write the default value, for places where pragmas are not allowed.
  /// `rest->needs_pragma` must be false.
  void ClausesToFields(const Message& message, Rest* rest);

  enum class Style { kLines, kInline };
  void Before(const Message& message, const Rest& rest, Style style, std::string_view path = {}) {
    if (!rest.IsEmpty()) PutRest(message, rest, style, path);
  }
  void PutRest(const Message& message, const Rest& rest, Style style, std::string_view path);
  void Pragma(const Rest& rest);
  /// Prints the pragma at the top of a text: the clauses of the scope, then those of the current element.
  void Top(const ClauseScope& scope, const Rest& rest, std::string_view content = {});
  template <typename Proto>
  void RunValue(const Proto& value);  // run_value.cc

  // ---- any field of any message: annotation.cc

  void Record(const Message& message);
  void RecordInPlace(const Message& message);
  void FieldValue(const Message& message, const Field& field);
  void SingleValue(const Message& message, const Field& field, int index);
  void MessageValue(const Message& message);
  bool KeyValue(const Message& message);
  void UnknownFields(const Message& message);

  // ---- constructs

  void Header(const Message& message, FieldSet native);  // model.cc

  void Graph(const onnx::GraphProto& graph);  // graph.cc
  void GraphItself(const onnx::GraphProto& graph) { GraphItself(graph, GraphParts(graph)); }
  void GraphItself(const onnx::GraphProto& graph, const GraphParts& parts);
  [[nodiscard]] Rest GraphRest(const onnx::GraphProto& graph);
  [[nodiscard]] bool HasSparseLiterals(const onnx::GraphProto& graph);
  void Signature(const Repeated<onnx::ValueInfoProto>& values);
  void Values(const onnx::GraphProto& graph, const GraphParts& parts);
  void Initializer(const onnx::TensorProto& tensor, std::string_view data);
  void ValueInfo(const onnx::ValueInfoProto& value);
  [[nodiscard]] Rest ValueRest(const onnx::ValueInfoProto& value);
  void ValueName(std::string_view name);
  /// Prints the nodes of a graph or function.
  void Body(const Message& owner, const Elements<onnx::NodeProto>& nodes);
  void Nodes(const Message& owner, const Elements<onnx::NodeProto>& nodes, std::size_t begin, std::size_t end);
  template <typename Proto, typename Write, typename... Place>
  void ForEach(const Elements<Proto>& elements, std::size_t begin, std::size_t end, Write write, Place... place);

  void Function(const onnx::FunctionProto& function, const Rest& rest);  // function.cc
  [[nodiscard]] Rest FunctionRest(const onnx::FunctionProto& function);
  void FormalAttributes(const onnx::FunctionProto& function);
  void Parameters(const Repeated<std::string>& names, const Repeated<onnx::ValueInfoProto>& values, int* next_value);

  void Node(const onnx::NodeProto& node);  // node.cc
  void Operator(const onnx::NodeProto& node);
  void AttributeList(const Repeated<onnx::AttributeProto>& attributes, bool holds_graph);

  void Attribute(const onnx::AttributeProto& attribute);  // attribute.cc
  void AddClausesInside(const onnx::AttributeProto& attribute, const AttributeType& type, Rest* rest);
  [[nodiscard]] bool SaysItsType(const onnx::AttributeProto& attribute, const AttributeType& type);
  void AttributeValue(const onnx::AttributeProto& attribute, const AttributeType& type);
  void Member(const onnx::TensorProto& tensor);
  void Member(const onnx::SparseTensorProto& tensor);
  void Member(const onnx::GraphProto& graph);
  void Member(const onnx::TypeProto& type);

  /// Returns whether a message has a native form in a place where pragmas are not allowed. The messages inside may be
  /// written as records.
  [[nodiscard]] bool IsNative(const onnx::GraphProto& graph);        // graph.cc
  [[nodiscard]] bool IsNative(const onnx::FunctionProto& function);  // function.cc
  [[nodiscard]] bool IsNative(const onnx::TypeProto& type);          // type.cc
  [[nodiscard]] bool IsNative(const onnx::TensorProto& tensor);      // tensor.cc
  [[nodiscard]] bool IsNative(const onnx::SparseTensorProto& tensor, TensorRole place);

  void Type(const onnx::TypeProto& type);  // type.cc
  void TypeItself(const onnx::TypeProto& type);
  template <typename Proto>
  [[nodiscard]] bool IsNativeTensorType(const Proto& type);
  template <typename Proto>
  void TensorType(const Proto& type);
  void OpaqueNames(const onnx::TypeProto::Opaque& opaque);
  void Dims(const onnx::TensorShapeProto& shape);
  void Dim(const onnx::TensorShapeProto::Dimension& dim);

  [[nodiscard]] Rest TensorRest(const onnx::TensorProto& tensor, const TensorForm& form,
                                TensorRole place);  // tensor.cc
  [[nodiscard]] Rest TensorRestWithoutPragma(const onnx::TensorProto& tensor, const TensorForm& form);
  void Tensor(const onnx::TensorProto& tensor);
  /// If `data` is not empty, it is the value of the field that holds the data, and the message contains only the
  /// beginning of the data.
  void TensorItself(const onnx::TensorProto& tensor, const TensorForm& form, TensorRole place,
                    std::string_view data = {});
  void SparseTensor(const onnx::SparseTensorProto& tensor, TensorRole place);
  void TypedData(const onnx::TensorProto& tensor, const ElementType& type);
  void PackedData(std::string_view data, const ElementType& type);
  void RawData(std::string_view raw, const ElementType& type);
  [[nodiscard]] bool SharedBytes(const onnx::TensorProto& tensor, const ElementType& type,
                                 std::string_view data);  // shared_bytes.cc
  template <typename Number>
  void FixedData(std::string_view data, const ElementType& type);
  template <typename Number, typename Print>
  void PrintElements(const ElementType& type, const Print& print) const;
  void ElementAt(const onnx::TensorProto& tensor, const ElementType& type, std::size_t index);

  void DottedName(std::string_view name);  // node.cc

  using ListStyle = Layout::ListStyle;
  /// Prints a list in brackets. `write(block)` writes its members, each on a separate line if `block` is true.
  template <typename Write>
  void Lines(char open, char close, ListStyle style, Write write);

  /// Raises the nesting depth of the printer by `levels` while the guard exists. If messages are then nested more
  /// deeply than protobuf can read, the guard converts to false and the printer reports an error.
  class DepthGuard {
   public:
    explicit DepthGuard(LosslessPrinter& printer, int levels = 1) : printer_(printer), levels_(levels) {
      printer_.depth_ += levels;
      if (printer_.depth_ > kMaxDepth) printer_.is_too_deep_ = true;
    }
    ~DepthGuard() { printer_.depth_ -= levels_; }
    DepthGuard(const DepthGuard&) = delete;
    DepthGuard& operator=(const DepthGuard&) = delete;
    explicit operator bool() const { return printer_.depth_ <= kMaxDepth; }

   private:
    LosslessPrinter& printer_;
    int levels_;
  };

  const PrintOptions options_;
  const bool is_known_schema_ = IsKnownSchema();
  Layout out_;
  ClauseScope scope_;
  Census* census_ = nullptr;  // counts the elements of the long lists of the model's graph; null if no model is printed
  bool is_too_deep_ = false;
  bool is_malformed_ = false;
  int depth_ = 0;
  std::vector<const Field*> listed_;  // a member only to reuse its memory
  std::string comment_;               // a member only to reuse its memory
};

template <typename Write>
void LosslessPrinter::Lines(char open, char close, ListStyle style, Write write) {
  out_.Put(open);
  out_.Brackets(style, [&](bool block) {
    write(block);
    if (block) out_.NewLine();
    out_.Put(close);
  });
}

/// Prints a model. The nodes, initializers and value infos of its graph are those of `parts`. If there is a sink, it
/// receives the text, and the result contains only the end of the text. Returns nothing if an element of `parts` cannot
/// be read as a message. In this case, or if there are diagnostics, the text in the sink is invalid.
[[nodiscard]] std::optional<PrintResult> PrintParts(const onnx::ModelProto& model, const GraphParts& parts,
                                                    const PrintOptions& options, Sink* sink);

/// Prints a model so that its elements have the same texts as in a file that begins with the clauses of `scope`.
[[nodiscard]] PrintResult PrintInScope(const onnx::ModelProto& model, const ClauseScope& scope);

}  // namespace onnxc::print
