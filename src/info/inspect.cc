#include <fmt/format.h>
#include <onnxc/info.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "check/tensor_size.h"
#include "info/tensor_bytes.h"
#include "print/brief.h"
#include "source/message_path.h"
#include "source/names.h"
#include "tables/limits.h"
#include "wire/nesting.h"

namespace onnxc {
namespace {

/// Counts the contents of graphs and functions at every depth.
class Inspector {
 public:
  explicit Inspector(ModelInfo* info) : info_(*info) {}

  void Graph(const onnx::GraphProto& graph) {
    for (const onnx::TensorProto& tensor : graph.initializer()) Tensor(tensor, &initializers_);
    for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer()) Tensor(tensor.values(), &initializers_);
    Nodes(graph.node());
  }

  void Nodes(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes) {
    for (const onnx::NodeProto& node : nodes) Node(node);
  }

  void Node(const onnx::NodeProto& node) {
    ++info_.nodes;
    ++operators_[{node.domain(), node.op_type()}];
    for (const onnx::AttributeProto& attribute : node.attribute()) Attribute(attribute);
  }

  void Function(const onnx::FunctionProto& function) {
    const std::int64_t before = info_.nodes;
    Nodes(function.node());
    for (const onnx::AttributeProto& attribute : function.attribute_proto()) Attribute(attribute);
    info_.functions.push_back({function.domain(), function.name(), function.overload(), info_.nodes - before});
  }

  /// Counts all tensors in a message that consists of data, such as a sequence.
  void Data(const Place& place, int depth = 0) {
    const google::protobuf::Message& message = place.message;
    if (const auto* tensor = dynamic_cast<const onnx::TensorProto*>(&message)) {
      constexpr std::size_t kMostRows = 1000;  // because each path may be as long as the data are deep
      if (info_.values.size() < kMostRows) {
        info_.values.push_back({place.parent == nullptr ? tensor->name() : PathOf(place), Brief(*tensor)});
      }
      return Tensor(*tensor, &data_);
    }
    const google::protobuf::Reflection& reflection = *message.GetReflection();
    std::vector<const google::protobuf::FieldDescriptor*> fields;
    reflection.ListFields(message, &fields);
    for (const auto* const field : fields) {
      if (field->message_type() == nullptr || depth == kMaxDepth) continue;
      const int size = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
      for (int i = 0; i < size; ++i) {
        const auto& inside = field->is_repeated() ? reflection.GetRepeatedMessage(message, field, i)
                                                  : reflection.GetMessage(message, field);
        Data(place.Child(inside, field->number(), i), depth + 1);
      }
    }
  }

  void Attribute(const onnx::AttributeProto& attribute) {
    if (attribute.has_t()) Tensor(attribute.t(), &constants_);
    for (const onnx::TensorProto& tensor : attribute.tensors()) Tensor(tensor, &constants_);
    if (attribute.has_sparse_tensor()) Tensor(attribute.sparse_tensor().values(), &constants_);
    for (const auto& tensor : attribute.sparse_tensors()) Tensor(tensor.values(), &constants_);
    if (attribute.has_g()) Subgraph(attribute.g());
    for (const onnx::GraphProto& graph : attribute.graphs()) Subgraph(graph);
  }

  /// Moves the sorted totals to the result.
  void Finish() {
    for (auto& [key, nodes] : operators_) info_.operators.push_back({key.first, key.second, nodes});
    std::ranges::stable_sort(info_.operators, std::ranges::greater(), &OperatorTotal::nodes);
    info_.initializers = Sorted(initializers_);
    info_.constants = Sorted(constants_);
    info_.data = Sorted(data_);
  }

 private:
  using Totals = std::map<int, TensorTotal>;  // the key is an element type

  void Subgraph(const onnx::GraphProto& graph) {
    ++info_.subgraphs;
    info_.subgraph_depth = std::max(info_.subgraph_depth, ++depth_);
    if (depth_ <= kMaxDepth) Graph(graph);
    --depth_;
  }

  static void Tensor(const onnx::TensorProto& tensor, Totals* totals) {
    TensorTotal& total = (*totals)[tensor.data_type()];
    ++total.tensors;
    const TensorSize size = SizeOf(tensor);
    AddUpTo(size.elements, &total.elements);
    AddUpTo(size.bytes, &total.bytes);
    if (tensor.data_location() == onnx::TensorProto::EXTERNAL) AddUpTo(size.bytes, &total.external_bytes);
  }

  /// Adds a value. If the sum overflows, it becomes the largest number.
  static void AddUpTo(std::int64_t value, std::int64_t* sum) {
    if (__builtin_add_overflow(*sum, value, sum)) *sum = std::numeric_limits<std::int64_t>::max();
  }

  static std::vector<TensorTotal> Sorted(const Totals& totals) {
    std::vector<TensorTotal> sorted;
    for (const auto& [code, total] : totals) {
      sorted.push_back(total);
      sorted.back().element_type = ElementWord(code);
    }
    std::ranges::stable_sort(sorted, std::ranges::greater(), &TensorTotal::bytes);
    return sorted;
  }

  ModelInfo& info_;
  std::map<std::pair<std::string, std::string>, std::int64_t> operators_;
  Totals initializers_;
  Totals constants_;
  Totals data_;
  std::int64_t depth_ = 0;
};

std::vector<ValueSummary> Summaries(const google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& values,
                                    const NameSet& except) {
  std::vector<ValueSummary> summaries;
  for (const onnx::ValueInfoProto& value : values) {
    if (!except.contains(value.name()))
      summaries.push_back({value.name(), value.has_type() ? Brief(value.type()) : ""});
  }
  return summaries;
}

/// Sets the name and the interface of the main graph.
void SummarizeGraph(const onnx::GraphProto& graph, ModelInfo* info) {
  info->graph_name = graph.name();
  NameSet initializers;
  for (const onnx::TensorProto& tensor : graph.initializer()) initializers.insert(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) initializers.insert(tensor.values().name());
  info->inputs = Summaries(graph.input(), initializers);
  info->outputs = Summaries(graph.output(), {});
}

}  // namespace

TensorSize SizeOf(const onnx::TensorProto& tensor) {
  std::optional<std::int64_t> elements = 1;
  for (const std::int64_t dim : tensor.dims()) {
    elements = dim < 0 || !elements ? std::nullopt : Multiply(*elements, dim);
  }
  const ElementType* const type = FindElementType(tensor.data_type());
  std::int64_t bytes = 0;
  if (elements && type != nullptr) bytes = ByteSize(*type, *elements).value_or(0);
  for (const std::string& text : tensor.string_data()) bytes += static_cast<std::int64_t>(text.size());
  return {elements.value_or(0), bytes};
}

ModelInfo Inspect(const onnx::ModelProto& model) {
  ModelInfo info{.ir_version = model.ir_version(),
                 .producer_name = model.producer_name(),
                 .producer_version = model.producer_version(),
                 .domain = model.domain(),
                 .model_version = model.model_version(),
                 .bytes = static_cast<std::int64_t>(model.ByteSizeLong())};
  for (const onnx::OperatorSetIdProto& import : model.opset_import()) {
    info.opset_imports.push_back({import.domain(), import.version()});
  }
  SummarizeGraph(model.graph(), &info);
  Inspector inspector(&info);
  inspector.Graph(model.graph());
  for (const onnx::TrainingInfoProto& training : model.training_info()) {
    inspector.Graph(training.initialization());
    inspector.Graph(training.algorithm());
  }
  for (const onnx::FunctionProto& function : model.functions()) {
    inspector.Function(function);
  }
  inspector.Finish();
  return info;
}

ModelInfo Inspect(const google::protobuf::Message& message) {
  if (const auto* model = dynamic_cast<const onnx::ModelProto*>(&message)) return Inspect(*model);
  ModelInfo info{.bytes = static_cast<std::int64_t>(message.ByteSizeLong())};
  Inspector inspector(&info);
  if (const auto* graph = dynamic_cast<const onnx::GraphProto*>(&message)) {
    SummarizeGraph(*graph, &info);
    inspector.Graph(*graph);
  } else if (const auto* function = dynamic_cast<const onnx::FunctionProto*>(&message)) {
    inspector.Function(*function);
  } else if (const auto* node = dynamic_cast<const onnx::NodeProto*>(&message)) {
    inspector.Node(*node);
  } else if (const auto* attribute = dynamic_cast<const onnx::AttributeProto*>(&message)) {
    inspector.Attribute(*attribute);
  } else if (const auto* type = dynamic_cast<const onnx::TypeProto*>(&message)) {
    info.values.push_back({"", Brief(*type)});
  } else if (const auto* shape = dynamic_cast<const onnx::TensorShapeProto*>(&message)) {
    info.values.push_back({"", Brief(*shape)});
  } else {
    inspector.Data({message});
  }
  inspector.Finish();
  return info;
}

}  // namespace onnxc
