// The elements of a graph's big lists: in memory, or bytes that become messages one at a time.
#pragma once

#include <onnxc/proto.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace onnxc {

/// What it refers to must outlive it.
template <typename Proto>
class Elements {
 public:
  using List = google::protobuf::RepeatedPtrField<Proto>;

  explicit Elements(const List& list) : list_(&list) {}
  explicit Elements(std::span<const std::string_view> bytes) : bytes_(bytes) {}

  [[nodiscard]] std::size_t size() const {
    return are_bytes() ? bytes_.size() : static_cast<std::size_t>(list_->size());
  }
  [[nodiscard]] bool are_bytes() const { return list_ == nullptr; }

  /// Calls visit(element) for those from `begin` to `end`. False where bytes are no such message.
  template <typename Visit>
  [[nodiscard]] bool ForEach(std::size_t begin, std::size_t end, Visit visit) const {
    if (!are_bytes()) {
      for (std::size_t i = begin; i < end; ++i) visit((*list_)[static_cast<int>(i)]);
      return true;
    }
    Proto element;  // one for all: its memory is hot
    for (std::size_t i = begin; i < end; ++i) {
      if (!element.ParseFromArray(bytes_[i].data(), static_cast<int>(bytes_[i].size()))) return false;
      visit(element);
    }
    return true;
  }

 private:
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

}  // namespace onnxc
