// The data of a tensor inside of the message: which fields hold them, and their conversion to the format of raw_data.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tables/element_types.h"

namespace onnxc {

/// Returns the number of entries in the field for `storage`.
[[nodiscard]] int CountEntries(const onnx::TensorProto& tensor, Storage storage);

/// Returns how many fields hold data, including raw_data.
[[nodiscard]] int CountDataFields(const onnx::TensorProto& tensor);

/// Returns the size of the tensor's data in raw_data, computed from type and dimensions. Returns nothing for strings,
/// and if the size cannot be computed.
[[nodiscard]] std::optional<std::uint64_t> DataSize(const onnx::TensorProto& tensor);

/// Returns whether the data are complete: they are in one field, have the size that type and dimensions require, and
/// are valid elements of the type. Returns false for strings.
[[nodiscard]] bool HasWholeData(const onnx::TensorProto& tensor);

/// Returns the bytes of the data in the format of raw_data, or nothing if HasWholeData() is false. The bytes are in the
/// tensor, or are written to `scratch`.
[[nodiscard]] std::optional<std::string_view> RawBytes(const onnx::TensorProto& tensor, std::string* scratch);

/// Appends the typed data of a tensor in the format of raw_data: little-endian, with elements of less than a byte
/// packed into shared bytes. Returns false and appends nothing if an entry is not a valid element of the type, and for
/// strings, which have no raw format.
[[nodiscard]] bool AppendRaw(const onnx::TensorProto& tensor, const ElementType& type, std::string* raw);

}  // namespace onnxc
