// Adds inferred types to a model.
#include "infer/annotate.h"

#include <fmt/format.h>

#include "infer/shapes.h"
#include "source/plain_node.h"
#include "source/report.h"

namespace onnxc {
namespace {

using onnx::GraphProto;

/// The types that are written, the options for writing them, and the remaining budget.
struct Writing {
  const Inference& inference;
  bool overwrite;
  infer::Budget budget;
  std::size_t left_out = 0;

  /// Returns whether the type should be written. It must be known (for a tensor, at least the element type), and the
  /// budget must suffice.
  [[nodiscard]] bool Takes(const ValueType& type) {
    if (type.kind == ValueType::Kind::kUnknown || (type.IsTensor() && type.element_type == 0)) return false;
    const bool has_room = budget.Charge(infer::SizeOfProto(type));
    left_out += has_room ? 0 : 1;
    return has_room;
  }
};

/// Receives the value_info entries that a graph lacks.
using Add = std::function<void(const InferredValue&)>;

void Annotate(GraphProto* graph, const GraphProto& source, bool is_inside, Writing& writing);

/// Adds the inferred types to the graphs in the attributes of the nodes. `source` is the graph that was inferred, which
/// may be `graph` itself. Returns the indices of the nodes that contain graphs.
std::vector<int> AnnotateInside(GraphProto* graph, const GraphProto& source, Writing& writing) {
  std::vector<int> holders;
  for (int i = 0; i < graph->node_size(); ++i) {
    bool is_holder = false;
    for (int j = 0; j < source.node(i).attribute_size(); ++j) {
      const onnx::AttributeProto& attribute = source.node(i).attribute(j);
      if (!HoldsGraphs(attribute)) continue;
      is_holder = true;
      onnx::AttributeProto* const copy = graph->mutable_node(i)->mutable_attribute(j);
      if (attribute.has_g()) Annotate(copy->mutable_g(), attribute.g(), true, writing);
      for (int k = 0; k < attribute.graphs_size(); ++k) {
        Annotate(copy->mutable_graphs(k), attribute.graphs(k), true, writing);
      }
    }
    if (is_holder) holders.push_back(i);
  }
  return holders;
}

/// Fills in what the declared type lacks: the element type, the shape, or the sizes of some dimensions.
template <typename Tensor>
void FillInTensor(Tensor* declared, const Tensor& inferred) {
  if (declared->elem_type() == 0 && inferred.elem_type() != 0) declared->set_elem_type(inferred.elem_type());
  if (!inferred.has_shape()) return;
  if (!declared->has_shape()) {
    *declared->mutable_shape() = inferred.shape();
    return;
  }
  for (int i = 0; i < std::min(declared->shape().dim_size(), inferred.shape().dim_size()); ++i) {
    auto* const dim = declared->mutable_shape()->mutable_dim(i);
    const auto& known = inferred.shape().dim(i);
    if (known.has_dim_value() ? !dim->has_dim_value() : dim->value_case() == 0 && known.has_dim_param()) {
      if (known.has_dim_value()) {
        dim->set_dim_value(known.dim_value());
      } else {
        dim->set_dim_param(known.dim_param());
      }
    }
  }
}

template <typename Tensor>
void ReplaceTensor(Tensor* declared, const Tensor& inferred, bool keep_symbols) {
  if (inferred.elem_type() != 0) declared->set_elem_type(inferred.elem_type());
  if (!inferred.has_shape()) return declared->clear_shape();
  if (!declared->has_shape() || declared->shape().dim_size() != inferred.shape().dim_size()) {
    *declared->mutable_shape() = inferred.shape();
    return;
  }
  for (int i = 0; i < inferred.shape().dim_size(); ++i) {
    auto* const dim = declared->mutable_shape()->mutable_dim(i);
    const auto& known = inferred.shape().dim(i);
    const bool is_known = known.has_dim_value() || known.has_dim_param();
    if (is_known || !keep_symbols || !dim->has_dim_param()) dim->clear_value();
    dim->MergeFrom(known);
  }
}

/// Replaces the declared type. On an arena, the old type is detached instead of changed, because the names of symbols
/// may refer to strings in the old type.
void Replace(onnx::ValueInfoProto* info, const ValueType& type) {
  const onnx::TypeProto inferred = ToProto(type);
  if (info->GetArena() != nullptr) {
    const onnx::TypeProto* const old = info->unsafe_arena_release_type();
    *info->mutable_type() = *old;
  }
  infer::Replace(info->mutable_type(), inferred);
}

void Complete(onnx::ValueInfoProto* info, const ValueType& type, Writing& writing) {
  if (!writing.Takes(type)) return;
  if (!info->has_type()) {
    infer::WriteProto(type, info->mutable_type());
  } else if (writing.overwrite) {
    Replace(info, type);
  } else {
    infer::FillIn(info->mutable_type(), ToProto(type));
  }
}

/// Adds the inferred types to a graph. Inputs of a subgraph get the types that the node passes to them; inputs of the
/// main graph keep the types that the user declared. Returns the indices of the nodes that contain graphs.
std::vector<int> Annotate(GraphProto* graph, const GraphProto& source, bool is_inside, Writing& writing,
                          const Add& add) {
  const std::span<const InferredValue> values = writing.inference.ValuesOf(source);
  NameMap<const InferredValue*> declared;  // null if the value's type is not known
  const auto declare = [&](const auto& parts) {
    for (const auto& part : parts) declared.try_emplace(part.name());
  };
  declare(source.input());
  declare(source.initializer());
  for (const auto& tensor : source.sparse_initializer()) declared.try_emplace(tensor.values().name());
  declare(source.output());
  declare(source.value_info());
  std::vector<const InferredValue*> others;  // each name occurs once
  for (const InferredValue& value : values) {
    const auto found = declared.find(value.name);
    if (found != declared.end()) {
      found->second = &value;
    } else if (value.source == FactSource::kOperator) {
      others.push_back(&value);
    }
  }
  NameSet inputs;
  for (const auto& input : source.input()) {
    // If two inputs have the same name, neither gets a type, because the type of one may be wrong for the other.
    if (!inputs.insert(input.name()).second) declared[input.name()] = nullptr;
  }
  const auto complete = [&](onnx::ValueInfoProto* info) {
    if (const InferredValue* const value = declared[info->name()]) Complete(info, value->type, writing);
  };
  for (int i = 0; is_inside && i < graph->input_size(); ++i) complete(graph->mutable_input(i));
  for (auto& output : *graph->mutable_output()) complete(&output);
  for (auto& info : *graph->mutable_value_info()) complete(&info);
  for (const InferredValue* const value : others) {
    if (writing.Takes(value->type)) add(*value);
  }
  return AnnotateInside(graph, source, writing);
}

void Annotate(GraphProto* graph, const GraphProto& source, bool is_inside, Writing& writing) {
  (void)Annotate(graph, source, is_inside, writing, [&](const InferredValue& value) {
    onnx::ValueInfoProto* const added = graph->add_value_info();
    added->set_name(value.name.data(), value.name.size());
    infer::WriteProto(value.type, added->mutable_type());
  });
}

/// Adds the inferred types to a function. They must be right for all calls of the function, so no value_info entries
/// are added; only existing entries are completed.
void Annotate(onnx::FunctionProto* function, const onnx::FunctionProto& source, Writing& writing) {
  NameMap<const InferredValue*> values;
  for (const InferredValue& value : writing.inference.ValuesOf(source)) values.insert_or_assign(value.name, &value);
  for (onnx::ValueInfoProto& info : *function->mutable_value_info()) {
    const auto found = values.find(info.name());
    if (found != values.end()) Complete(&info, found->second->type, writing);
  }
}

/// Adds the inferred types to the parts of a model outside of its graph: the training information and the functions.
void AnnotateAround(onnx::ModelProto* model, const onnx::ModelProto& source, Writing& writing) {
  for (int i = 0; i < source.training_info_size(); ++i) {
    const onnx::TrainingInfoProto& training = source.training_info(i);
    onnx::TrainingInfoProto* const copy = model->mutable_training_info(i);
    if (training.has_initialization()) {
      Annotate(copy->mutable_initialization(), training.initialization(), false, writing);
    }
    if (training.has_algorithm()) Annotate(copy->mutable_algorithm(), training.algorithm(), false, writing);
  }
  for (int i = 0; writing.overwrite && i < source.functions_size(); ++i) {
    Annotate(model->mutable_functions(i), source.functions(i), writing);
  }
}

/// Adds the inferred types to a model. `source` is the model that was inferred: `model` itself, or the original of
/// which `model` is a copy.
void Annotate(onnx::ModelProto* model, const onnx::ModelProto& source, Writing& writing) {
  if (source.has_graph()) Annotate(model->mutable_graph(), source.graph(), false, writing);
  AnnotateAround(model, source, writing);
}

void TellLeftOut(const Writing& writing, Diagnostics* found) {
  if (writing.left_out == 0) return;
  found->Add(
      MakeDiagnostic(diag::kInferenceLimit, kNowhere,
                     fmt::format("{} types are not written, because they would be many times as long as the model",
                                 writing.left_out)));
}

/// Returns an error if the inference belongs to another message, because the inferred types would be wrong for this
/// message.
Diagnostics CheckOwner(const google::protobuf::Message& message, const Inference& inference) {
  if (inference.IsOf(message)) return {};
  return Only(MakeDiagnostic(diag::kOtherMessage, kNowhere, "the inference"));
}

/// Returns a copy of the message after a call of `annotate(copy, writing)`.
template <typename Proto, typename Function>
Typed<Proto> MakeTyped(const Proto& message, const Inference& inference, bool overwrite, const Function& annotate) {
  Typed<Proto> result{.message = {}, .diagnostics = CheckOwner(message, inference)};
  if (!result.ok()) return result;
  result.message = message;
  Writing writing{inference, overwrite, infer::Budget(message, infer::kWrittenTypes)};
  annotate(&result.message, writing);
  TellLeftOut(writing, &result.diagnostics);
  return result;
}

}  // namespace

Typed<onnx::ModelProto> WithTypes(const onnx::ModelProto& model, const Inference& inference, bool overwrite) {
  return MakeTyped(model, inference, overwrite,
                   [&](onnx::ModelProto* copy, Writing& writing) { Annotate(copy, model, writing); });
}

Typed<GraphProto> WithTypes(const GraphProto& graph, const Inference& inference, bool overwrite) {
  return MakeTyped(graph, inference, overwrite,
                   [&](GraphProto* copy, Writing& writing) { Annotate(copy, graph, false, writing); });
}

Typed<onnx::FunctionProto> WithTypes(const onnx::FunctionProto& function, const Inference& inference, bool overwrite) {
  return MakeTyped(function, inference, overwrite,
                   [&](onnx::FunctionProto* copy, Writing& writing) { Annotate(copy, function, writing); });
}

Diagnostics AddTypes(onnx::ModelProto* model, const Inference& inference, bool overwrite) {
  if (model->GetArena() == nullptr) {
    Typed<onnx::ModelProto> typed = WithTypes(*model, inference, overwrite);
    if (typed.ok()) model->Swap(&typed.message);
    return std::move(typed.diagnostics);
  }
  Diagnostics found = CheckOwner(*model, inference);
  if (!found.ok()) return found;
  Writing writing{inference, overwrite, infer::Budget(*model, infer::kWrittenTypes)};
  writing.budget.TakeSize();
  Annotate(model, *model, writing);
  TellLeftOut(writing, &found);
  return found;
}

std::size_t infer::SizeOfProto(const ValueType& type) {
  constexpr std::size_t kType = 320;
  constexpr std::size_t kDimension = 160;
  std::size_t size = kType;
  constexpr std::size_t kCopies = 4;  // copies of a name in memory while the model is written
  for (const Dimension& dim : type.shape) {
    size += kDimension;
    if (!dim.IsNumber()) size += kCopies * dim.symbol().size();
  }
  return type.element == nullptr ? size : size + SizeOfProto(*type.element);
}

void infer::FillIn(onnx::TypeProto* declared, const onnx::TypeProto& inferred) {
  if (declared->value_case() == onnx::TypeProto::VALUE_NOT_SET) {
    declared->MergeFrom(inferred);
  } else if (declared->has_tensor_type() && inferred.has_tensor_type()) {
    FillInTensor(declared->mutable_tensor_type(), inferred.tensor_type());
  } else if (declared->has_sparse_tensor_type() && inferred.has_sparse_tensor_type()) {
    FillInTensor(declared->mutable_sparse_tensor_type(), inferred.sparse_tensor_type());
  } else if (declared->has_sequence_type() && inferred.has_sequence_type()) {
    FillIn(declared->mutable_sequence_type()->mutable_elem_type(), inferred.sequence_type().elem_type());
  } else if (declared->has_optional_type() && inferred.has_optional_type()) {
    FillIn(declared->mutable_optional_type()->mutable_elem_type(), inferred.optional_type().elem_type());
  } else if (declared->has_map_type() && inferred.has_map_type()) {
    FillIn(declared->mutable_map_type()->mutable_value_type(), inferred.map_type().value_type());
  }
}

void infer::Replace(onnx::TypeProto* declared, const onnx::TypeProto& inferred, bool keep_symbols) {
  if (declared->value_case() != inferred.value_case()) declared->clear_value();
  if (inferred.has_tensor_type()) {
    ReplaceTensor(declared->mutable_tensor_type(), inferred.tensor_type(), keep_symbols);
  } else if (inferred.has_sparse_tensor_type()) {
    ReplaceTensor(declared->mutable_sparse_tensor_type(), inferred.sparse_tensor_type(), keep_symbols);
  } else if (inferred.has_sequence_type()) {
    Replace(declared->mutable_sequence_type()->mutable_elem_type(), inferred.sequence_type().elem_type(), keep_symbols);
  } else if (inferred.has_optional_type()) {
    Replace(declared->mutable_optional_type()->mutable_elem_type(), inferred.optional_type().elem_type(), keep_symbols);
  } else if (inferred.has_map_type()) {
    declared->mutable_map_type()->set_key_type(inferred.map_type().key_type());
    Replace(declared->mutable_map_type()->mutable_value_type(), inferred.map_type().value_type(), keep_symbols);
  } else {
    declared->MergeFrom(inferred);
  }
}

std::vector<int> infer::AddTypesBut(const Add& add, std::size_t size, onnx::ModelProto* model,
                                    const Inference& inference, bool overwrite, Diagnostics* found) {
  Writing writing{inference, overwrite, infer::Budget(*model, infer::kWrittenTypes)};
  writing.budget.TakeSize(size);
  std::vector<int> holders;
  if (model->has_graph()) holders = Annotate(model->mutable_graph(), model->graph(), false, writing, add);
  AnnotateAround(model, *model, writing);
  TellLeftOut(writing, found);
  return holders;
}

}  // namespace onnxc
