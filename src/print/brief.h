// Parts of models in a few words.
#pragma once

#include <onnxc/proto.h>

#include <string>
#include <string_view>

namespace onnxc {

/// A text in one line of bounded length. Characters stay as they are.
[[nodiscard]] std::string OneLine(std::string_view text);

/// The word of an element type; `type 99` where there is no such type.
[[nodiscard]] std::string ElementWord(int code);

/// `y = Conv (x, w)`
[[nodiscard]] std::string Brief(const onnx::NodeProto& node);
/// `float[N, 3]`
[[nodiscard]] std::string Brief(const onnx::TypeProto& type);
/// `float[3, 4]`
[[nodiscard]] std::string Brief(const onnx::TensorProto& tensor);
/// The same with the elements of a small one: `float[2] {1, 2}`
[[nodiscard]] std::string BriefWithValue(const onnx::TensorProto& tensor);
/// The value: `[1, 1]`
[[nodiscard]] std::string Brief(const onnx::AttributeProto& attribute);
/// Any message.
[[nodiscard]] std::string Brief(const google::protobuf::Message& message);
/// A field that is no message; all elements of a list.
[[nodiscard]] std::string Brief(const google::protobuf::Message& message,
                                const google::protobuf::FieldDescriptor& field);

}  // namespace onnxc
