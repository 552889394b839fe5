#include "lower/model_bytes.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

#include "source/portions.h"
#include "wire/wire.h"

namespace onnxc::lower {
namespace {

using google::protobuf::Message;
using google::protobuf::MessageLite;
using google::protobuf::RepeatedPtrField;

// Appends a message as a field. `size` must be the message's ByteSizeLong(), called just before.
void AppendField(int field, const MessageLite& message, std::size_t size, Chunks* chunks) {
  std::string& chunk = RoomFor(size + wire::kLongestTag, chunks);
  const std::size_t begin = chunk.size();
  chunk.resize(begin + size + wire::kLongestTag);
  auto* const first = reinterpret_cast<std::uint8_t*>(chunk.data());
  const std::uint8_t* end = message.SerializeWithCachedSizesToArray(wire::WriteTag(field, size, first + begin));
  chunk.resize(static_cast<std::size_t>(end - first));
}

std::size_t SizeOf(const FieldChunks& lists) {
  std::size_t size = 0;
  for (const auto& [field, chunks] : lists) size += lower::SizeOf(chunks);
  return size;
}

/// Serializes the elements of a message's list to the bytes of the list's field, and removes them from the message.
template <typename Element>
void Drain(RepeatedPtrField<Element>* list, int field, FieldChunks* lists) {
  if (list->empty()) return;
  constexpr std::size_t kBig = PortionSize(std::size_t{1} << 16);
  bool is_big = false;
  Chunks& chunks = (*lists)[field];
  for (const Element& element : *list) {
    const std::size_t size = element.ByteSizeLong();
    if (size > INT_MAX)
      return;  // too large for a message: it stays in the list, and Finish() reports that the model is too
               // large
    AppendField(field, element, size, &chunks);
    is_big |= size > kBig;
  }
  is_big ? RepeatedPtrField<Element>().Swap(list) : list->Clear();
}

// Writes the fields of `others` and the lists in the order of their numbers: each list comes before the first other
// field with the same or a larger number. Unknown fields come after all others, whatever their numbers are.
void Interleave(const Message& others, FieldChunks* lists, Chunks* chunks) {
  const std::string bytes = others.SerializeAsString();
  std::string unknown;
  (void)others.GetReflection()->GetUnknownFields(others).SerializeToString(&unknown);
  std::string_view left = bytes;
  left.remove_suffix(unknown.size());
  for (auto& [field, list] : *lists) {
    const char* const begin = left.data();
    for (std::string_view at = left; !at.empty() && wire::TakeField(&at).number < field;) left = at;
    const std::string_view before(begin, left.data());
    RoomFor(before.size(), chunks) += before;
    Append(std::move(list), chunks);
  }
  RoomFor(left.size() + unknown.size(), chunks).append(left).append(unknown);
}

// Like Interleave(), but writes the result as a field of another message.
void AppendInterleaved(int field, const Message& others, FieldChunks* lists, Chunks* chunks) {
  RoomFor(wire::kLongestTag, chunks) += wire::Tag(field, others.ByteSizeLong() + SizeOf(*lists));
  Interleave(others, lists, chunks);
}

}  // namespace

void GraphBytes::EndNode() { Drain(graph()->mutable_node(), onnx::GraphProto::kNodeFieldNumber, &lists_); }

void GraphBytes::EndInitializer() {
  constexpr int kField = onnx::GraphProto::kInitializerFieldNumber;
  auto* const list = graph()->mutable_initializer();
  if (of_initializer_.empty()) return Drain(list, kField, &lists_);
  if (list->rbegin()->ByteSizeLong() > INT_MAX) return;  // see Drain()
  FieldChunks lists = std::exchange(of_initializer_, {});
  AppendInterleaved(kField, *list->rbegin(), &lists, &lists_[kField]);
  list->RemoveLast();
}

void GraphBytes::EndSparseInitializer() {
  Drain(graph()->mutable_sparse_initializer(), onnx::GraphProto::kSparseInitializerFieldNumber, &lists_);
}

void GraphBytes::EndValueInfo() {
  Drain(graph()->mutable_value_info(), onnx::GraphProto::kValueInfoFieldNumber, &lists_);
}

void GraphBytes::Append(GraphBytes&& other) {
  for (auto& [field, chunks] : other.lists_) std::ranges::move(chunks, std::back_inserter(lists_[field]));
}

void ModelBytes::EndFunction() {
  Drain(model()->mutable_functions(), onnx::ModelProto::kFunctionsFieldNumber, &lists_);
}

Diagnostics ModelBytes::Finish(Chunks* chunks) {
  FieldChunks of_graph;
  if (graph_) of_graph = std::move(graph_->lists());
  const std::size_t size = model()->ByteSizeLong() + SizeOf(of_graph) + SizeOf(lists_);
  if (size > INT_MAX) {
    Diagnostics found;
    found.Add(wire::TooLargeToWrite(size));
    return found;
  }
  if (model()->has_graph()) {
    constexpr int kField = onnx::ModelProto::kGraphFieldNumber;
    onnx::GraphProto* const graph = model()->unsafe_arena_release_graph();
    const std::unique_ptr<onnx::GraphProto> owned(model()->GetArena() == nullptr ? graph : nullptr);
    AppendInterleaved(kField, *graph, &of_graph, &lists_[kField]);
  }
  Interleave(*model(), &lists_, chunks);
  return {};
}

}  // namespace onnxc::lower
