// Converts the initializers of PyTorch's fork: tensors in chunks, and aliases.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "old/torch_tensor.h"
#include "source/names.h"
#include "source/report.h"
#include "tables/element_count.h"
#include "tables/raw_data.h"

namespace onnxc::old {
namespace {

namespace pb = google::protobuf;
using OldGraph = torch_2018::GraphProto;
using OldTensor = torch_2018::TensorProto;

constexpr int kField = OldGraph::kInitializerFieldNumber;

/// Appends the data of the next chunk.
void AppendData(const onnx::TensorProto& chunk, onnx::TensorProto* whole) {
  if (chunk.has_raw_data()) whole->mutable_raw_data()->append(chunk.raw_data());
  whole->mutable_float_data()->MergeFrom(chunk.float_data());
  whole->mutable_int32_data()->MergeFrom(chunk.int32_data());
  whole->mutable_string_data()->MergeFrom(chunk.string_data());
  whole->mutable_int64_data()->MergeFrom(chunk.int64_data());
  whole->mutable_double_data()->MergeFrom(chunk.double_data());
  whole->mutable_uint64_data()->MergeFrom(chunk.uint64_data());
}

/// Adds all other fields of the chunk to the metadata of the whole tensor.
void AppendDetails(const onnx::TensorProto& chunk, std::int64_t id, onnx::TensorProto* whole) {
  const auto add = [&](std::string_view key, const std::string& value) {
    onnx::StringStringEntryProto* const entry = whole->add_metadata_props();
    entry->set_key(fmt::format("torch.chunk[{}].{}", id, key));
    entry->set_value(value);
  };
  if (chunk.has_doc_string()) add("doc_string", chunk.doc_string());
  for (const onnx::StringStringEntryProto& entry : chunk.metadata_props()) {
    std::string_view key = entry.key();
    if (key.starts_with("torch.")) key.remove_prefix(6);
    if (!key.starts_with("segment.")) add(key, entry.value());
  }
}

/// Changes the shape of the chunk from that of the whole tensor to a list of the elements of its segment. Returns
/// whether the data of the chunk are exactly these elements.
bool HoldsSegment(onnx::TensorProto* chunk) {
  const std::int64_t count = chunk->segment().end() - chunk->segment().begin();
  chunk->clear_dims();
  chunk->add_dims(count);
  if (chunk->data_type() != onnx::TensorProto::STRING) return HasWholeData(*chunk);
  return chunk->string_data_size() == count && CountDataFields(*chunk) <= 1;
}

class Initializers {
 public:
  Initializers(Conversion& conversion, const Place& graph, onnx::GraphProto* to)
      : conversion_(conversion), place_(graph), graph_(static_cast<const OldGraph&>(graph.message)), to_(to) {}

  void Map() {
    for (int i = 0; i < graph_.initializer_size(); ++i) {
      if (IsChunk(graph_.initializer(i))) chunks_[graph_.initializer(i).name()].push_back(i);
    }
    for (int i = 0; i < graph_.initializer_size(); ++i) {
      if (!IsChunk(graph_.initializer(i))) {
        Add(i);
      } else if (std::vector<int>& parts = chunks_[graph_.initializer(i).name()]; !parts.empty()) {
        AddWhole(parts);
        parts.clear();  // the other chunks are already handled
      }
    }
    PlaceAliases();
  }

 private:
  void Add(int i) {
    const OldTensor& tensor = graph_.initializer(i);
    const Place place = place_.Child(tensor, kField, i);
    const OldTensor* const aliased = tensor.has_alias() ? FindAliased(conversion_, place) : nullptr;
    if (aliased == nullptr || !IsSameTensor(tensor, *aliased)) return conversion_.Copy(place, to_->add_initializer());
    onnx::TensorProto copy;
    conversion_.Copy(place, &copy);
    onnx::NodeProto* const node = to_->add_node();
    node->add_input(tensor.alias());
    node->add_output(tensor.name());
    node->set_op_type("Identity");
    if (copy.has_doc_string()) node->set_doc_string(copy.doc_string());
    node->mutable_metadata_props()->Swap(copy.mutable_metadata_props());
    aliases_.insert(tensor.name());
    ++nodes_added_;
  }

  /// Combines the chunks of one tensor. `parts` has the indices of the chunks.
  void AddWhole(std::vector<int>& parts) {
    const auto id = [&](int i) { return graph_.initializer(i).segment().chuck_id(); };
    std::ranges::stable_sort(parts, {}, id);
    const OldTensor& first = graph_.initializer(parts.front());
    const std::int64_t count = first.segment().chuck_num();
    if (!AreWhole(parts, count)) return;
    if (first.data_type() == OldTensor::SPECIAL) {
      return conversion_.Lose({place_, kField, parts.front()}, first.name(), "chunks of SPECIAL data have no elements");
    }
    onnx::TensorProto whole;
    for (const int part : parts) {
      onnx::TensorProto chunk;
      conversion_.Copy(place_.Child(graph_.initializer(part), kField, part), &chunk);
      const bool is_first = part == parts.front();
      const bool is_same_field = is_first || chunk.has_raw_data() == whole.has_raw_data();
      if (!HoldsSegment(&chunk) || !is_same_field) {
        return conversion_.Refuse({place_, kField, part},
                                  is_same_field ? "the data of the chunk are not the elements of its segment"
                                                : "the chunks of one tensor have their data in different fields");
      }
      if (is_first) {
        whole.Swap(&chunk);
      } else {
        AppendData(chunk, &whole);
        AppendDetails(chunk, id(part), &whole);
      }
    }
    whole.clear_segment();
    *whole.mutable_dims() = first.dims();
    to_->add_initializer()->Swap(&whole);
  }

  /// Returns whether all chunks exist exactly once, have the same type and shape, and have consecutive segments.
  /// Reports an error if not.
  [[nodiscard]] bool AreWhole(const std::vector<int>& parts, std::int64_t count) {
    const OldTensor& first = graph_.initializer(parts.front());
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const OldTensor& part = graph_.initializer(parts[k]);
      const bool is_alike = part.data_type() == first.data_type() && part.segment().chuck_num() == count &&
                            std::ranges::equal(part.dims(), first.dims());
      if (part.has_external_data()) {
        conversion_.Lose({place_, kField, parts[k]}, first.name(),
                         "its chunks are in files, and a tensor of ONNX is in one piece");
        return false;
      }
      if (is_alike && part.segment().chuck_id() == static_cast<std::int64_t>(k)) continue;
      conversion_.Refuse({place_, kField, parts[k]},
                         is_alike ? fmt::format("chunk {} of {} is missing", k, count)
                                  : std::string("the chunks of one tensor differ in type, shape or number"));
      return false;
    }
    if (static_cast<std::int64_t>(parts.size()) != count) {
      conversion_.Refuse({place_, kField, parts.back()}, fmt::format("chunk {} of {} is missing", parts.size(), count));
      return false;
    }
    return AreInOrder(parts);
  }

  /// Returns whether each segment begins at the end of the one before it, and all segments together are the tensor.
  /// Reports an error if not.
  [[nodiscard]] bool AreInOrder(const std::vector<int>& parts) {
    std::int64_t end = 0;
    for (const int i : parts) {
      const OldTensor::Segment& segment = graph_.initializer(i).segment();
      if (segment.begin() != end || segment.end() < end) {
        conversion_.Refuse({place_, kField, i}, fmt::format("the segment must begin at {}, {}", end,
                                                            segment.begin() != end ? "where the one before ends"
                                                                                   : "and must not end before that"));
        return false;
      }
      end = segment.end();
    }
    const std::optional<std::int64_t> elements = Product(graph_.initializer(parts.front()).dims());
    if (elements == end) return true;
    conversion_.Refuse({place_, kField, parts.back()},
                       elements
                           ? fmt::format("the segments end at {}, but the dimensions make {} elements", end, *elements)
                           : std::string("the number of elements does not fit 64 bits"));
    return false;
  }

  /// Moves the nodes of the aliases to the beginning, and removes the aliases from the inputs.
  void PlaceAliases() {
    if (nodes_added_ == 0) return;
    auto* const nodes = to_->mutable_node();
    std::rotate(nodes->pointer_begin(), nodes->pointer_end() - nodes_added_, nodes->pointer_end());
    const auto first =
        std::stable_partition(to_->mutable_input()->pointer_begin(), to_->mutable_input()->pointer_end(),
                              [&](const onnx::ValueInfoProto* input) { return !aliases_.contains(input->name()); });
    const int kept = static_cast<int>(first - to_->mutable_input()->pointer_begin());
    for (int i = kept; i < to_->input_size(); ++i) to_->add_value_info()->Swap(to_->mutable_input(i));
    to_->mutable_input()->DeleteSubrange(kept, to_->input_size() - kept);
  }

  Conversion& conversion_;
  const Place& place_;
  const OldGraph& graph_;
  onnx::GraphProto* to_;
  std::unordered_map<std::string_view, std::vector<int>, NameHash> chunks_;
  NameSet aliases_;
  int nodes_added_ = 0;
};

}  // namespace

void MapInitializers(Conversion& conversion, const Place& from, pb::Message* to) {
  Initializers(conversion, from, static_cast<onnx::GraphProto*>(to)).Map();
}

}  // namespace onnxc::old
