// Describes parts of models by short texts of one line.
#pragma once

#include <onnxc/proto.h>

#include <string>
#include <string_view>

namespace onnxc {

/// Returns a text on one line of bounded length. Characters are not escaped.
[[nodiscard]] std::string OneLine(std::string_view text);

/// Returns the keyword of an element type, or `type 99` if there is no such type.
[[nodiscard]] std::string ElementWord(int code);

/// Returns a text such as `y = Conv (x, w)`.
[[nodiscard]] std::string Brief(const onnx::NodeProto& node);
/// Returns a text such as `float[N, 3]`.
[[nodiscard]] std::string Brief(const onnx::TypeProto& type);
/// Returns a text such as `float[3, 4]`.
[[nodiscard]] std::string Brief(const onnx::TensorProto& tensor);
/// Like Brief(), but adds the elements of a small tensor: `float[2] {1, 2}`.
[[nodiscard]] std::string BriefWithValue(const onnx::TensorProto& tensor);
/// Returns the value of the attribute, such as `[1, 1]`.
[[nodiscard]] std::string Brief(const onnx::AttributeProto& attribute);
/// Describes any message.
[[nodiscard]] std::string Brief(const google::protobuf::Message& message);
/// Describes a field that is not a message. All elements of a list are included.
[[nodiscard]] std::string Brief(const google::protobuf::Message& message,
                                const google::protobuf::FieldDescriptor& field);

}  // namespace onnxc
