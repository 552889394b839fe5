// The table of the fields of TensorProto that hold typed data.
#pragma once

#include <onnxc/proto.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "tables/element_types.h"

namespace onnxc {

struct DataField {
  Storage storage;
  int number;
  std::string_view name;
};

inline constexpr std::array<DataField, 6> kDataFields = {{
    {Storage::kFloat, onnx::TensorProto::kFloatDataFieldNumber, "float_data"},
    {Storage::kInt32, onnx::TensorProto::kInt32DataFieldNumber, "int32_data"},
    {Storage::kString, onnx::TensorProto::kStringDataFieldNumber, "string_data"},
    {Storage::kInt64, onnx::TensorProto::kInt64DataFieldNumber, "int64_data"},
    {Storage::kDouble, onnx::TensorProto::kDoubleDataFieldNumber, "double_data"},
    {Storage::kUint64, onnx::TensorProto::kUint64DataFieldNumber, "uint64_data"},
}};

/// Returns the field number; 0 for Storage::kNone.
[[nodiscard]] constexpr int FieldOf(Storage storage) {
  const auto row = std::ranges::find(kDataFields, storage, &DataField::storage);
  return row == kDataFields.end() ? 0 : row->number;
}

/// Returns the kind of data that the field holds, or Storage::kNone for any other field.
[[nodiscard]] constexpr Storage StorageIn(int field) {
  const auto row = std::ranges::find(kDataFields, field, &DataField::number);
  return row == kDataFields.end() ? Storage::kNone : row->storage;
}

}  // namespace onnxc
