#include <algorithm>
#include <climits>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

#include "lower/speculative_body.h"
#include "source/portions.h"
#include "wire/wire.h"

namespace onnxc::lower {
namespace {

using google::protobuf::MessageLite;

// `size` is what the message's ByteSizeLong() gave just now.
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

}  // namespace

template <typename Element>
void ModelBytes::Drain(google::protobuf::RepeatedPtrField<Element>* list, int field, FieldChunks* lists) {
  if (list->empty()) return;
  constexpr std::size_t kBig = PortionSize(std::size_t{1} << 16);
  bool is_big = false;
  Chunks& chunks = (*lists)[field];
  for (const Element& element : *list) {
    const std::size_t size = element.ByteSizeLong();
    if (size > INT_MAX) return;  // no message can be that large: it stays, and Finish() finds the whole too large
    AppendField(field, element, size, &chunks);
    is_big |= size > kBig;
  }
  is_big ? google::protobuf::RepeatedPtrField<Element>().Swap(list) : list->Clear();
}

// The initializer that was just built, if any, by the bytes of its lists too.
void ModelBytes::DrainInitializer(google::protobuf::RepeatedPtrField<onnx::TensorProto>* list) {
  if (of_initializer_.empty()) return Drain(list, onnx::GraphProto::kInitializerFieldNumber, &of_graph_);
  if (list->rbegin()->ByteSizeLong() > INT_MAX) return;  // as in Drain()
  FieldChunks lists = std::exchange(of_initializer_, {});
  Chunks& chunks = of_graph_[onnx::GraphProto::kInitializerFieldNumber];
  AppendInterleaved(onnx::GraphProto::kInitializerFieldNumber, *list->rbegin(), &lists, &chunks);
  list->RemoveLast();
}

template void ModelBytes::Drain(google::protobuf::RepeatedPtrField<onnx::NodeProto>*, int, FieldChunks*);

ModelBytes::ModelBytes(std::string_view text, onnx::ModelProto* model, ModelBuilder* builder, Lowering* lowering)
    : text_(text), model_(model), builder_(builder), lowering_(lowering) {}

ModelBytes::~ModelBytes() = default;

std::size_t ModelBytes::ContinueAt(std::size_t next) {
  if (speculative_ == nullptr || next < speculative_->begin()) return next;
  const std::unique_ptr<SpeculativeBody> ahead = std::move(speculative_);
  return next == ahead->begin() ? ahead->Take(&of_graph_, lowering_).value_or(next) : next;
}

bool ModelBytes::PartCompleted(Context* part) {
  lowering_->WantListBytes(builder_->graph(), &of_initializer_);
  if (!builder_->PartCompleted(part)) return false;
  using Graph = onnx::GraphProto;
  if (onnx::GraphProto* graph = builder_->graph(); graph != nullptr && part->getRuleIndex() == Grammar::RuleNode) {
    Drain(graph->mutable_node(), Graph::kNodeFieldNumber, &of_graph_);
    if (!std::exchange(has_speculated_, true))
      speculative_ = SpeculativeBody::Begin(text_, First(part).begin, *lowering_);
  } else if (graph != nullptr) {
    DrainInitializer(graph->mutable_initializer());
    Drain(graph->mutable_value_info(), Graph::kValueInfoFieldNumber, &of_graph_);
    Drain(graph->mutable_sparse_initializer(), Graph::kSparseInitializerFieldNumber, &of_graph_);
  } else if (part->getRuleIndex() == Grammar::RuleItem) {
    speculative_.reset();  // the guess was behind the graph
    Drain(model_->mutable_functions(), onnx::ModelProto::kFunctionsFieldNumber, &of_model_);
  }
  return true;
}

// Fields are written in the order of their numbers: each list stands before the first other field whose number is not
// smaller. Unknown fields, whatever their numbers, stand behind all others.
void ModelBytes::Interleave(const google::protobuf::Message& others, FieldChunks* lists, Chunks* chunks) {
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

void ModelBytes::AppendInterleaved(int field, const google::protobuf::Message& others, FieldChunks* lists,
                                   Chunks* chunks) {
  RoomFor(wire::kLongestTag, chunks) += wire::Tag(field, others.ByteSizeLong() + SizeOf(*lists));
  Interleave(others, lists, chunks);
}

Diagnostics ModelBytes::Finish(Chunks* chunks) {
  const std::size_t size = model_->ByteSizeLong() + SizeOf(of_graph_) + SizeOf(of_model_);
  if (size > INT_MAX) {
    Diagnostics found;
    found.Add(wire::TooLargeToWrite(size));
    return found;
  }
  if (model_->has_graph()) {
    const std::unique_ptr<onnx::GraphProto> graph(model_->release_graph());
    constexpr int kField = onnx::ModelProto::kGraphFieldNumber;
    AppendInterleaved(kField, *graph, &of_graph_, &of_model_[kField]);
  }
  Interleave(*model_, &of_model_, chunks);
  return {};
}

}  // namespace onnxc::lower
