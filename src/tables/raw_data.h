// The data of a tensor that are in the message: which fields hold them, and the same elements as raw_data holds them.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tables/element_types.h"

namespace onnxc {

/// The entries of the field that `storage` names.
[[nodiscard]] int CountEntries(const onnx::TensorProto& tensor, Storage storage);

/// How many fields hold data, raw_data among them.
[[nodiscard]] int CountDataFields(const onnx::TensorProto& tensor);

/// The bytes that the tensor takes as raw_data, by its type and dimensions; nothing for strings, and where they make no
/// number.
[[nodiscard]] std::optional<std::uint64_t> DataSize(const onnx::TensorProto& tensor);

/// The data stand in one field, are as many as type and dimensions say, and are elements of the type; not for strings.
[[nodiscard]] bool HasWholeData(const onnx::TensorProto& tensor);

/// The bytes of whole data as raw_data holds them, nothing where they are not whole. They stand in the tensor, or are
/// made in `scratch`.
[[nodiscard]] std::optional<std::string_view> RawBytes(const onnx::TensorProto& tensor, std::string* scratch);

/// Appends the entries of the field that holds a tensor's typed data: little-endian, elements of less than a byte as
/// the bytes that they share or, of 6 bits, are entries of. False, and nothing is appended, where an entry does not fit
/// in an element of the type, and for strings, which have no raw form.
[[nodiscard]] bool AppendRaw(const onnx::TensorProto& tensor, const ElementType& type, std::string* raw);

}  // namespace onnxc
