#include "testing/recorded_rows.h"

#include <fmt/format.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/util/delimited_message_util.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>

#include "testing/paths.h"

namespace onnxc::testing {
namespace {

std::string Unzipped(const std::string& path) {
  const gzFile file = gzopen(path.c_str(), "rb");
  std::string bytes;
  for (int count = 1; file != nullptr && count > 0;) {
    char part[1 << 16];
    count = gzread(file, part, sizeof(part));
    if (count > 0) bytes.append(part, static_cast<std::size_t>(count));
  }
  EXPECT_EQ(gzclose(file), Z_OK) << path;
  return bytes;
}

const onnx::NodeProto& NodeOfTitle(const onnx::ModelProto& model) {
  const onnx::NodeProto* found = &model.graph().node(0);
  for (const onnx::NodeProto& node : model.graph().node()) {
    if (std::ranges::any_of(node.attribute(), [](const auto& attribute) { return attribute.has_g(); })) found = &node;
  }
  return *found;
}

// ---- breaking a model

using Change = std::function<void()>;

template <typename Items>
auto Chosen(const Items& items, std::mt19937& random) {
  return items[random() % std::size(items)];
}

std::int64_t NumberAtRandom(std::mt19937& random) {
  constexpr std::int64_t kNumbers[] = {-1, 0, 1, 2, 3, 5, 7, -2, -3, 1000, INT64_MAX, INT64_MIN};
  return random() % 3 == 0 ? Chosen(kNumbers, random) : static_cast<std::int64_t>(random() % 12) - 3;
}

template <typename List>
void AddChangesOfList(List* list, std::mt19937& random, std::vector<Change>* changes) {
  changes->push_back([=] { list->Add(list->empty() ? 1 : list->Get(0)); });
  if (list->empty()) return;
  const int at = static_cast<int>(random() % static_cast<unsigned>(list->size()));
  changes->push_back(
      [=, &random] { list->Set(at, static_cast<std::decay_t<decltype(list->Get(0))>>(NumberAtRandom(random))); });
  changes->push_back([=] { list->RemoveLast(); });
}

void AddChangesOfType(onnx::TypeProto* type, std::mt19937& random, std::vector<Change>* changes) {
  constexpr int kElements[] = {onnx::TensorProto::FLOAT,  onnx::TensorProto::INT64, onnx::TensorProto::INT32,
                               onnx::TensorProto::STRING, onnx::TensorProto::BOOL,  onnx::TensorProto::FLOAT16};
  if (!type->has_tensor_type()) return;
  auto* const shape = type->mutable_tensor_type()->mutable_shape();
  for (auto& dim : *shape->mutable_dim()) {
    changes->push_back([&dim, &random] { dim.set_dim_value(static_cast<std::int64_t>(random() % 8)); });
  }
  changes->push_back([shape] { shape->add_dim()->set_dim_value(2); });
  if (shape->dim_size() > 0) changes->push_back([shape] { shape->mutable_dim()->RemoveLast(); });
  changes->push_back([=, &random] { type->mutable_tensor_type()->set_elem_type(Chosen(kElements, random)); });
  changes->push_back([type] {
    onnx::TypeProto element = *type;
    *type->mutable_sequence_type()->mutable_elem_type() = element;
  });
}

void AddChangesOfTensor(onnx::TensorProto* tensor, std::mt19937& random, std::vector<Change>* changes) {
  if (tensor->data_type() != onnx::TensorProto::INT64) return;
  if (!tensor->raw_data().empty()) {
    const std::string raw = tensor->raw_data();
    for (std::size_t at = 0; at + 8 <= raw.size(); at += 8) {
      std::int64_t number = 0;
      std::memcpy(&number, raw.data() + at, 8);
      tensor->add_int64_data(number);
    }
    tensor->clear_raw_data();
  }
  auto* const numbers = tensor->mutable_int64_data();
  for (int i = 0; i < std::min(numbers->size(), 4); ++i) {
    changes->push_back([=, &random] { numbers->Set(i, NumberAtRandom(random)); });
  }
  if (tensor->dims_size() != 1) return;
  changes->push_back([=, &random] {
    numbers->Add(NumberAtRandom(random));
    tensor->set_dims(0, numbers->size());
  });
  changes->push_back([=] {
    if (!numbers->empty()) numbers->RemoveLast();
    tensor->set_dims(0, numbers->size());
  });
}

void AddChangesOfGraph(onnx::GraphProto* graph, std::mt19937& random, std::vector<Change>* changes) {
  changes->push_back([graph] { graph->add_input()->set_name("one_more"); });
  if (graph->input_size() > 0) changes->push_back([graph] { graph->mutable_input()->RemoveLast(); });
  changes->push_back(
      [graph] { *graph->add_output() = graph->output_size() > 1 ? graph->output(0) : onnx::ValueInfoProto(); });
  if (graph->output_size() > 0) changes->push_back([graph] { graph->mutable_output()->RemoveLast(); });
  for (onnx::ValueInfoProto& input : *graph->mutable_input()) AddChangesOfType(input.mutable_type(), random, changes);
}

void ChangeText(std::string* text, std::mt19937& random) {
  constexpr std::string_view kSigns = "->.,abi";
  const std::size_t at = random() % (text->size() + 1);
  const std::size_t count = random() % 2;
  const char sign = Chosen(kSigns, random);
  const std::size_t signs = random() % 3;
  text->replace(at, std::min(count, text->size() - at), std::string(signs, sign));
}

/// Gives the node an attribute of another node of the same operator.
void AddChangesLike(const onnx::NodeProto& other, onnx::NodeProto* node, std::vector<Change>* changes) {
  if (other.op_type() != node->op_type() || other.domain() != node->domain()) return;
  for (const onnx::AttributeProto& attribute : other.attribute()) {
    const onnx::AttributeProto* const given = &attribute;
    changes->push_back([=] {
      for (onnx::AttributeProto& present : *node->mutable_attribute()) {
        if (present.name() == given->name()) {
          present = *given;
          return;
        }
      }
      *node->add_attribute() = *given;
    });
  }
}

void AddChangesOfNode(onnx::NodeProto* node, std::mt19937& random, std::vector<Change>* changes) {
  for (onnx::AttributeProto& attribute : *node->mutable_attribute()) {
    onnx::AttributeProto* const changed = &attribute;
    switch (attribute.type()) {
      case onnx::AttributeProto::INT:
        for (int i = 0; i < 3; ++i) changes->push_back([=, &random] { changed->set_i(NumberAtRandom(random)); });
        break;
      case onnx::AttributeProto::STRING:
        changes->push_back([=] { changed->set_s("nothing"); });
        for (int i = 0; i < 3; ++i) changes->push_back([=, &random] { ChangeText(changed->mutable_s(), random); });
        break;
      case onnx::AttributeProto::INTS: AddChangesOfList(changed->mutable_ints(), random, changes); break;
      case onnx::AttributeProto::FLOATS: AddChangesOfList(changed->mutable_floats(), random, changes); break;
      case onnx::AttributeProto::GRAPH: AddChangesOfGraph(changed->mutable_g(), random, changes); break;
      default: break;
    }
  }
  if (node->attribute_size() > 0) changes->push_back([node] { node->mutable_attribute()->RemoveLast(); });
  if (node->input_size() > 1) {
    changes->push_back([node] { node->mutable_input()->SwapElements(0, 1); });
    changes->push_back([node] { node->mutable_input()->RemoveLast(); });
    changes->push_back([node] { node->set_input(1, node->input(0)); });
  }
  if (node->input_size() > 0) changes->push_back([node] { node->add_input(node->input(0)); });
  for (int i = 0; i < node->input_size(); ++i) {
    if (node->input(i).empty()) changes->push_back([=] { node->set_input(i, node->input(0)); });
  }
  changes->push_back([node] { node->add_output("one_more"); });
  changes->push_back([node] {
    if (node->output_size() > 1) node->mutable_output()->RemoveLast();
  });
}

}  // namespace

void BreakAtRandom(const onnx::ModelProto& other, onnx::ModelProto* model, std::mt19937* random) {
  std::vector<Change> changes;
  onnx::GraphProto* const graph = model->mutable_graph();
  for (auto& input : *graph->mutable_input()) AddChangesOfType(input.mutable_type(), *random, &changes);
  for (int i = 0; i < std::min(graph->input_size(), other.graph().input_size()); ++i) {
    changes.push_back([&other, graph, i] { *graph->mutable_input(i)->mutable_type() = other.graph().input(i).type(); });
  }
  for (auto& tensor : *graph->mutable_initializer()) AddChangesOfTensor(&tensor, *random, &changes);
  for (auto& node : *graph->mutable_node()) {
    AddChangesOfNode(&node, *random, &changes);
    AddChangesLike(other.graph().node(0), &node, &changes);
  }
  Chosen(changes, *random)();
}

void ForEachBrokenRow(std::span<const RecordedRow> rows,
                      const std::function<void(const RecordedRow&, const onnx::ModelProto&)>& broken) {
  constexpr std::size_t kNear = 60;  // rows of one operator follow each other
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::mt19937 random(static_cast<unsigned>(i)); random() % 4 != 0;) {
      onnx::ModelProto model = rows[i].model;
      BreakAtRandom(rows[(i + random() % kNear) % rows.size()].model, &model, &random);
      broken(rows[i], model);
    }
  }
}

std::filesystem::path RecordedFolder() { return std::filesystem::path(kTestdata) / "inference"; }

std::vector<RecordedRow> ReadRecordedRows() {
  const std::string bytes = Unzipped((RecordedFolder() / "rows.gz").string());
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  std::vector<RecordedRow> rows;
  bool end = false;
  for (RecordedRow row;;) {
    if (!google::protobuf::util::ParseDelimitedFromZeroCopyStream(&row.model, &stream, &end)) break;
    if (!google::protobuf::util::ParseDelimitedFromZeroCopyStream(&row.computed, &stream, nullptr)) break;
    rows.push_back(row);
    row = {};
  }
  EXPECT_TRUE(end) << "rows.gz ends in the midst of a row";
  EXPECT_GT(rows.size(), 10'000U);
  return rows;
}

std::string RecordedOperator(const onnx::ModelProto& model) {
  const onnx::NodeProto& node = NodeOfTitle(model);
  return node.domain().empty() ? node.op_type() : node.domain() + "." + node.op_type();
}

std::string RecordedTitle(const onnx::ModelProto& model) {
  const std::string& domain = NodeOfTitle(model).domain();
  std::int64_t version = 0;
  for (const auto& opset : model.opset_import()) {
    if (opset.domain() == domain || (domain.empty() && opset.domain() == "ai.onnx")) version = opset.version();
  }
  return fmt::format("{} in version {}", RecordedOperator(model), version);
}

void ReplaceSizesBySymbols(onnx::GraphProto* graph) {
  for (onnx::ValueInfoProto& input : *graph->mutable_input()) {
    for (auto& dim : *input.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) {
      if (dim.has_dim_value()) dim.set_dim_param(fmt::format("d{}", dim.dim_value()));
    }
  }
}

}  // namespace onnxc::testing
