// The elements of a graph's long lists: messages in memory, or bytes from which one element at a time is parsed.
#pragma once

#include <onnxc/proto.h>

#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>

#include "print/common/tensor_bytes.h"
#include "tables/limits.h"
#include "wire/message.h"

namespace onnxc::print {

/// The list or the bytes must outlive this object.
template <typename Proto>
class Elements {
 public:
  using List = google::protobuf::RepeatedPtrField<Proto>;

  explicit Elements(const List& list) : list_(&list) {}
  explicit Elements(std::span<const std::string_view> bytes) : bytes_(bytes) {}

  [[nodiscard]] std::size_t size() const {
    return list_ == nullptr ? bytes_.size() : static_cast<std::size_t>(list_->size());
  }

  /// Returns the size of the element in bytes, or 0 if the element is in memory.
  [[nodiscard]] std::size_t SizeOf(std::size_t i) const { return list_ == nullptr ? bytes_[i].size() : 0; }

  /// Calls visit(element) for the elements from `begin` to `end`. Returns false if the bytes of an element are
  /// malformed or nested too deeply for an element of a model's graph.
  template <std::invocable<const Proto&> Visit>
  [[nodiscard]] bool ForEach(std::size_t begin, std::size_t end, Visit visit) const {
    return Each(begin, end, visit, [](std::string_view bytes, Proto* element) { return Read(bytes, element); });
  }

  /// Like ForEach() above, but calls visit(element, data), where `data` is the result of ReadTensor().
  template <std::invocable<const Proto&, std::string_view> Visit>
  [[nodiscard]] bool ForEach(std::size_t begin, std::size_t end, Visit visit) const {
    std::string_view data;
    return Each(
        begin, end, [&](const Proto& element) { visit(element, data); },
        [&](std::string_view bytes, Proto* element) {
          if constexpr (std::same_as<Proto, onnx::TensorProto>) return ReadTensor(bytes, element, &data);
          return Read(bytes, element);
        });
  }

 private:
  template <typename Visit, typename ReadOne>
  [[nodiscard]] bool Each(std::size_t begin, std::size_t end, const Visit& visit, const ReadOne& read) const {
    if (list_ != nullptr) {
      for (std::size_t i = begin; i < end; ++i) visit((*list_)[static_cast<int>(i)]);
      return true;
    }
    Proto element;  // one message for all elements, because its memory is in the cache
    for (std::size_t i = begin; i < end; ++i) {
      if (!read(bytes_[i], &element)) return false;
      visit(element);
    }
    return true;
  }

  static bool Read(std::string_view bytes, Proto* element) {
    constexpr int kDeepest = kMaxDepth - 2;  // the element is inside of a model and a graph
    constexpr std::size_t kShallow = 2 * kDeepest;
    // A message of few bytes cannot be nested too deeply, because each level needs at least two bytes. Then
    // ReadFields(), which checks the nesting but is slower, is not needed.
    if (bytes.size() < kShallow) return element->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
    return wire::ReadFields(bytes, element, kDeepest);
  }

  const List* list_ = nullptr;
  std::span<const std::string_view> bytes_;
};

/// The long lists of a graph.
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
