#include "old/schema.h"

#include <onnxc/model_io.h>
#include <onnxc/proto.h>

#include <algorithm>
#include <cstdint>

#include "source/report.h"
#include "wire/wire.h"

namespace onnxc::old {
namespace {

using wire::TakeField;
using wire::WireField;

/// The field numbers of a GraphProto of onnx 0.1. The current GraphProto has none of the numbers 3, 4 and 6 to 9.
enum GraphField { kNode = 1, kName = 2, kInput = 3, kOutput = 4, kInitializer = 5, kIrVersion = 6, kDocString = 10 };

/// Returns whether the bytes have the fields of a node (input, output, name, op_type, attribute and doc_string),
/// including an operator.
bool IsNode(std::string_view bytes) {
  constexpr int kOpType = 4;
  constexpr int kLast = 6;
  bool has_operator = false;
  while (!bytes.empty()) {
    const WireField field = TakeField(&bytes);
    if (field.number == 0 || field.number > kLast || !field.is_delimited) return false;
    has_operator = has_operator || field.number == kOpType;
  }
  return has_operator;
}

/// Returns whether the bytes are a separate graph whose inputs or outputs are strings. In the current schema, they are
/// messages.
bool IsGraphOfOnnx01(std::string_view bytes) {
  bool has_node = false;
  bool has_names = false;
  while (!bytes.empty()) {
    const WireField field = TakeField(&bytes);
    if (field.number == 0 || field.number > kDocString) return false;
    const bool is_number = field.number == kIrVersion || field.number == kIrVersion + 1;
    if (field.is_delimited == is_number) return false;
    if (field.number == kNode && !IsNode(field.value)) return false;
    has_node = has_node || field.number == kNode;
    has_names = has_names || field.number == kInput || field.number == kOutput;
  }
  return has_node && has_names;
}

/// Returns the last ir_version of a model, or nothing if the bytes are not a model.
std::optional<std::int64_t> IrVersionOf(std::string_view bytes) {
  constexpr std::uint64_t kVersionTag = onnx::ModelProto::kIrVersionFieldNumber << 3;
  std::uint64_t version = 0;
  while (!bytes.empty()) {
    std::string_view whole = bytes;
    if (TakeField(&bytes).number == 0) return std::nullopt;
    if (wire::TakeVarint(&whole) == kVersionTag) version = wire::TakeVarint(&whole).value_or(0);
  }
  return static_cast<std::int64_t>(version);
}

/// Calls `visit` with each message in the field of this number. Returns true as soon as `visit` does, and false if it
/// never does or the bytes are not a message.
template <typename Visit>
bool VisitField(std::string_view bytes, int number, const Visit& visit) {
  while (!bytes.empty()) {
    const WireField field = TakeField(&bytes);
    if (field.number == 0) return false;
    if (field.number == number && field.is_delimited && visit(field.value)) return true;
  }
  return false;
}

/// Returns whether a value of the graph has a sparse type. In onnx 0.2, that is field 2 of TypeProto; the current
/// schema does not use this number.
bool HasSparseTypeOfOnnx02(std::string_view model) {
  constexpr int kSparseType = 2;
  const auto is_sparse = [](std::string_view value) {
    return VisitField(value, onnx::ValueInfoProto::kTypeFieldNumber, [](std::string_view type) {
      return VisitField(type, kSparseType, [](std::string_view) { return true; });
    });
  };
  return VisitField(model, onnx::ModelProto::kGraphFieldNumber, [&](std::string_view graph) {
    return VisitField(graph, onnx::GraphProto::kInputFieldNumber, is_sparse) ||
           VisitField(graph, onnx::GraphProto::kOutputFieldNumber, is_sparse) ||
           VisitField(graph, onnx::GraphProto::kValueInfoFieldNumber, is_sparse);
  });
}

}  // namespace

std::optional<Schema> FindSchema(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  if (!wire::IsWireFormat(bytes)) return FindSchemaOfText(bytes);
  if (IsGraphOfOnnx01(bytes)) return Schema::kOnnx01;
  const std::optional<std::int64_t> version = IrVersionOf(bytes);
  if (version && IsVersionOfTorch(*version)) return Schema::kTorch;
  if (version == 1 && HasSparseTypeOfOnnx02(bytes)) return Schema::kOnnx02;
  return std::nullopt;
}

}  // namespace onnxc::old

namespace onnxc {

Diagnostics RefuseOldSchema(std::string_view bytes, Kind kind) {
  if (kind != Kind::kModel && kind != Kind::kGraph) return {};
  const std::optional<old::Schema> schema = old::FindSchema(bytes);
  if (!schema || (kind == Kind::kGraph && schema != old::Schema::kOnnx01)) return {};
  const old::SchemaRow& row = *std::ranges::find(old::kSchemas, *schema, &old::SchemaRow::schema);
  return Only(MakeDiagnostic(diag::kOldSchema, kNowhere, row.what, row.word));
}

}  // namespace onnxc
