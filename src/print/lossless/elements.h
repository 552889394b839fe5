// The elements of a graph's big lists: in memory, or bytes that become messages one at a time.
#pragma once

#include <onnxc/proto.h>

#include <cstddef>
#include <span>
#include <string_view>

#include "print/lossless/tensor_bytes.h"

namespace onnxc::print {

/// What it refers to must outlive it.
template <typename Proto>
class Elements {
 public:
  using List = google::protobuf::RepeatedPtrField<Proto>;

  explicit Elements(const List& list) : list_(&list) {}
  explicit Elements(std::span<const std::string_view> bytes) : bytes_(bytes) {}

  [[nodiscard]] std::size_t size() const {
    return list_ == nullptr ? bytes_.size() : static_cast<std::size_t>(list_->size());
  }

  /// The size of an element in bytes; nothing for one in memory.
  [[nodiscard]] std::size_t SizeOf(std::size_t i) const { return list_ == nullptr ? bytes_[i].size() : 0; }

  /// Calls visit(element, data) for those from `begin` to `end`; `data` is what ReadTensor() says. False where bytes
  /// are no such message.
  template <typename Visit>
  [[nodiscard]] bool ForEach(std::size_t begin, std::size_t end, Visit visit) const {
    if (list_ != nullptr) {
      for (std::size_t i = begin; i < end; ++i) visit((*list_)[static_cast<int>(i)], std::string_view());
      return true;
    }
    Proto element;  // one for all: its memory is hot
    for (std::size_t i = begin; i < end; ++i) {
      std::string_view data;
      if (!Read(bytes_[i], &element, &data)) return false;
      visit(element, data);
    }
    return true;
  }

 private:
  static bool Read(std::string_view bytes, onnx::TensorProto* tensor, std::string_view* data) {
    return ReadTensor(bytes, tensor, data);
  }
  template <typename Other>
  static bool Read(std::string_view bytes, Other* message, std::string_view*) {
    return message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
  }

  const List* list_ = nullptr;
  std::span<const std::string_view> bytes_;
};

/// The big lists of a graph.
struct GraphParts {
  Elements<onnx::NodeProto> nodes;
  Elements<onnx::TensorProto> initializers;
  Elements<onnx::ValueInfoProto> value_infos;

  explicit GraphParts(const onnx::GraphProto& graph)
      : nodes(graph.node()), initializers(graph.initializer()), value_infos(graph.value_info()) {}
  GraphParts(std::span<const std::string_view> node_bytes, std::span<const std::string_view> initializer_bytes,
             std::span<const std::string_view> value_info_bytes)
      : nodes(node_bytes), initializers(initializer_bytes), value_infos(value_info_bytes) {}
};

}  // namespace onnxc::print
