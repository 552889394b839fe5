// The versions of the IR that operator sets require.
#pragma once

#include <google/protobuf/descriptor.h>

#include <cstdint>
#include <string_view>

namespace onnxc {

/// The version of the standard operators that corrections and completion write, and its IR version. Released runtimes
/// accept both; they refuse the newest IR version for some time after its release.
inline constexpr int kUsualOpset = 21;
inline constexpr int kUsualIrVersion = 10;

/// Returns the oldest IR version for a model that imports this version of a domain, like find_min_ir_version_for() of
/// the onnx package. The result is the newest IR version if the version of the domain is not known yet, and 3 for an
/// unknown domain.
[[nodiscard]] std::int64_t LeastIrVersion(std::string_view domain, std::int64_t version);

/// A field that not all IR versions with imports have. The versions of element types are in element_types.h.
struct NewField {
  std::string_view message;
  std::string_view name;
  int since;                      ///< the IR version that introduced it
  std::string_view shown = name;  ///< what findings call it
};

inline constexpr NewField kNewFields[] = {
    {"GraphProto", "quantization_annotation", 5},
    {"GraphProto", "sparse_initializer", 6},
    {"AttributeProto", "sparse_tensor", 6},
    {"AttributeProto", "sparse_tensors", 6},
    {"ModelProto", "training_info", 7},
    {"ModelProto", "functions", 8},
    {"TypeProto", "optional_type", 8, "the optional type"},
    {"TypeProto", "sparse_tensor_type", 8, "the sparse tensor type"},
    {"FunctionProto", "attribute_proto", 9},
    {"FunctionProto", "overload", 10},
    {"FunctionProto", "metadata_props", 10},
    {"NodeProto", "overload", 10},
    {"NodeProto", "metadata_props", 10},
    {"GraphProto", "metadata_props", 10},
    {"ValueInfoProto", "metadata_props", 10},
    {"TensorProto", "metadata_props", 10},
    {"ModelProto", "configuration", 11},
    {"NodeProto", "device_configurations", 11},
};

/// Returns the row of the field, or null.
[[nodiscard]] const NewField* FindNewField(const google::protobuf::FieldDescriptor& field);

}  // namespace onnxc
