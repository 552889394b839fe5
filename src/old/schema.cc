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

/// The fields of a GraphProto of onnx 0.1. Today's GraphProto has neither 3 and 4 nor 6 to 9.
enum GraphField { kNode = 1, kName = 2, kInput = 3, kOutput = 4, kInitializer = 5, kIrVersion = 6, kDomain = 9 };

/// Input, output, name, op_type, attribute and doc_string, and an operator among them.
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

/// A bare graph whose inputs or outputs are strings: nothing of today's is.
bool IsGraphOfOnnx01(std::string_view bytes) {
  bool has_node = false;
  bool has_names = false;
  while (!bytes.empty()) {
    const WireField field = TakeField(&bytes);
    if (field.number == 0 || field.number > kDomain) return false;
    const bool is_number = field.number == kIrVersion || field.number == kIrVersion + 1;
    if (field.is_delimited == is_number) return false;
    if (field.number == kNode && !IsNode(field.value)) return false;
    has_node = has_node || field.number == kNode;
    has_names = has_names || field.number == kInput || field.number == kOutput;
  }
  return has_node && has_names;
}

bool IsModelOfTorch(std::string_view bytes) {
  constexpr std::uint64_t kVersionTag = onnx::ModelProto::kIrVersionFieldNumber << 3;
  std::uint64_t version = 0;
  while (!bytes.empty()) {
    std::string_view whole = bytes;
    if (TakeField(&bytes).number == 0) return false;
    if (wire::TakeVarint(&whole) == kVersionTag) version = wire::TakeVarint(&whole).value_or(0);
  }
  return IsVersionOfTorch(static_cast<std::int64_t>(version));
}

}  // namespace

std::optional<Schema> FindSchema(std::string_view bytes) {
  if (IsGraphOfOnnx01(bytes)) return Schema::kOnnx01;
  if (IsModelOfTorch(bytes)) return Schema::kTorch;
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
