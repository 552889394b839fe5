#include "testing/random_model.h"

#include <algorithm>

#include "tables/attribute_types.h"
#include "tables/element_types.h"

namespace onnxc::testing {

using google::protobuf::Message;

template <typename Described>
void RandomModel::Documentation(Described* message) {
  if (random_.OneIn(12)) message->set_doc_string(random_.String());
  if (random_.OneIn(16)) Fill(message->add_metadata_props());
}

void RandomModel::Fill(onnx::ModelProto* model, int levels) {
  if (!random_.OneIn(16))
    model->set_ir_version(random_.OneIn(8) ? random_.Int<std::int64_t>() : 3 + static_cast<int>(random_.Below(12)));
  for (std::size_t count = random_.Below(4); count > 0; --count) Fill(model->add_opset_import());
  if (random_.OneIn(2)) model->set_producer_name(random_.Name());
  if (random_.OneIn(2)) model->set_producer_version(random_.OneIn(2) ? "" : "2.1.0");
  if (random_.OneIn(8)) model->set_domain(random_.OneIn(2) ? "" : random_.String());
  if (random_.OneIn(8)) model->set_model_version(random_.Int<std::int64_t>());
  Documentation(model);
  if (!random_.OneIn(16)) Fill(model->mutable_graph(), levels - 1);
  if (random_.OneIn(4)) Some(model->mutable_functions(), 2, levels - 1);
  if (random_.OneIn(16)) {
    auto* training = model->add_training_info();
    if (random_.OneIn(2)) Fill(training->mutable_initialization(), std::min(levels - 2, 2));
    if (random_.OneIn(2)) Fill(training->mutable_algorithm(), std::min(levels - 2, 2));
    if (random_.OneIn(2)) Fill(training->add_initialization_binding());
    if (random_.OneIn(2)) Fill(training->add_update_binding());
  }
  if (random_.OneIn(16)) {
    auto* configuration = model->add_configuration();
    configuration->set_name(random_.Name());
    configuration->set_num_devices(2);
    configuration->add_device("cpu");
  }
}

void RandomModel::Fill(onnx::OperatorSetIdProto* import) {
  if (!random_.OneIn(4)) import->set_domain(random_.OneIn(2) ? "" : random_.Name());
  if (!random_.OneIn(16))
    import->set_version(random_.OneIn(8) ? random_.Int<std::int64_t>() : 1 + static_cast<int>(random_.Below(25)));
}

void RandomModel::Fill(onnx::StringStringEntryProto* entry) {
  if (!random_.OneIn(16)) entry->set_key(random_.Name());
  if (!random_.OneIn(16)) entry->set_value(random_.OneIn(4) ? random_.String() : "v");
}

template <typename Graph>
void RandomModel::Body(Graph* graph, int levels) {
  if (levels < 1) return;
  for (std::size_t count = random_.Below(4); count > 0; --count) Fill(graph->add_node(), levels - 1);
  for (std::size_t count = random_.Below(3); count > 0 && levels > 1; --count)
    Fill(graph->add_value_info(), levels - 1);
}

void RandomModel::Fill(onnx::GraphProto* graph, int levels) {
  if (!random_.OneIn(16)) graph->set_name(random_.Name());
  Documentation(graph);
  Body(graph, levels);
  if (levels < 3) return;
  Some(graph->mutable_input(), 2, levels - 1);
  Some(graph->mutable_output(), 2, levels - 1);
  for (std::size_t count = random_.Below(3); count > 0; --count) {
    auto* initializer = graph->add_initializer();
    Fill(initializer);
    // as in old models: an initializer that is also an input
    const int inputs = graph->input_size();
    if (inputs > 0 && random_.OneIn(4)) {
      initializer->set_name(graph->input(static_cast<int>(random_.Below(static_cast<std::size_t>(inputs)))).name());
    } else if (!random_.OneIn(32)) {
      initializer->set_name(random_.Name());
    }
  }
  if (random_.OneIn(8)) Some(graph->mutable_sparse_initializer(), 2, levels - 1);
  if (random_.OneIn(16)) {
    auto* annotation = graph->add_quantization_annotation();
    if (!random_.OneIn(8)) annotation->set_tensor_name(random_.Name());
    Fill(annotation->add_quant_parameter_tensor_names());
  }
}

void RandomModel::Fill(onnx::FunctionProto* function, int levels) {
  if (!random_.OneIn(16)) function->set_name(random_.Name());
  if (!random_.OneIn(8)) function->set_domain(random_.Name());
  if (random_.OneIn(8)) function->set_overload(random_.OneIn(2) ? "" : random_.Name());
  Documentation(function);
  for (std::size_t count = random_.Below(3); count > 0; --count) function->add_input(random_.Name());
  for (std::size_t count = random_.Below(3); count > 0; --count) function->add_output(random_.Name());
  for (std::size_t count = random_.Below(2); count > 0; --count) function->add_attribute(random_.Name());
  for (std::size_t count = random_.Below(3); count > 0; --count) Fill(function->add_opset_import());
  if (levels > 1 && random_.OneIn(2)) Some(function->mutable_attribute_proto(), 2, levels - 1);
  Body(function, levels);
  // value infos with the names of inputs and outputs, which the printer writes as types of these
  for (auto& value : *function->mutable_value_info()) {
    if (function->input_size() > 0 && random_.OneIn(3)) value.set_name(function->input(0));
    if (function->output_size() > 0 && random_.OneIn(4)) value.set_name(function->output(0));
  }
}

void RandomModel::Fill(onnx::NodeProto* node, int levels) {
  for (std::size_t count = random_.Below(3); count > 0; --count)
    node->add_output(random_.OneIn(16) ? "" : random_.Name());
  for (std::size_t count = random_.Below(4); count > 0; --count)
    node->add_input(random_.OneIn(8) ? "" : random_.Name());
  if (!random_.OneIn(32)) node->set_op_type(random_.OneIn(4) ? random_.Name() : "Add");
  if (random_.OneIn(2)) node->set_name(random_.OneIn(4) ? "" : random_.Name());
  if (random_.OneIn(2)) node->set_domain(random_.OneIn(2) ? "" : random_.OneIn(2) ? "ai.onnx.ml" : random_.Name());
  if (random_.OneIn(16)) node->set_overload(random_.OneIn(2) ? "" : random_.Name());
  Documentation(node);
  if (levels > 0) Some(node->mutable_attribute(), 2, levels - 1);
  if (levels > 4 && random_.OneIn(16)) {
    auto* configuration = node->add_device_configurations();
    configuration->set_configuration_id(random_.Name());
    auto* spec = configuration->add_sharding_spec();
    spec->set_tensor_name(random_.Name());
    spec->add_device(random_.Int<std::int64_t>());
    auto* group = spec->add_index_to_device_group_map();
    group->set_key(1);
    for (std::size_t count = random_.Below(3); count > 0; --count) group->add_value(random_.Int<std::int64_t>());
    auto* sharding = spec->add_sharded_dim()->add_simple_sharding();
    sharding->set_num_shards(2);
    random_.OneIn(2) ? sharding->set_dim_value(0) : sharding->set_dim_param(random_.Name());
  }
}

void RandomModel::Fill(onnx::AttributeProto* attribute, int levels) {
  if (!random_.OneIn(32)) attribute->set_name(random_.Name());
  const AttributeType& type = kAttributeTypes[1 + random_.Below(kAttributeTypes.size() - 1)];
  if (!random_.OneIn(12)) attribute->set_type(static_cast<onnx::AttributeProto::AttributeType>(type.code));
  if (random_.OneIn(12)) attribute->set_doc_string(random_.OneIn(2) ? "" : random_.String());
  if (random_.OneIn(8)) {
    attribute->set_ref_attr_name(random_.Name());
    if (!random_.OneIn(8)) return;
  }
  if (type.is_list) {
    for (std::size_t count = random_.OneIn(20) ? 40 : random_.Below(4); count > 0; --count)
      Value(attribute, type.field, levels);
  } else if (!random_.OneIn(16)) {
    Value(attribute, type.field, levels);
  }
  if (random_.OneIn(32)) Value(attribute, kAttributeTypes[1 + random_.Below(10)].field, levels);
}

void RandomModel::Value(onnx::AttributeProto* attribute, int field, int levels) {
  using Attribute = onnx::AttributeProto;
  const std::int64_t integer = random_.OneIn(3) ? 0 : random_.Int<std::int64_t>();
  switch (field) {
    case Attribute::kFFieldNumber: return attribute->set_f(random_.Float());
    case Attribute::kIFieldNumber: return attribute->set_i(integer);
    case Attribute::kSFieldNumber: return attribute->set_s(random_.String());
    case Attribute::kFloatsFieldNumber: return attribute->add_floats(random_.Float());
    case Attribute::kIntsFieldNumber: return attribute->add_ints(integer);
    case Attribute::kStringsFieldNumber: return attribute->add_strings(random_.String());
    default: break;
  }
  if (levels < 4) return;
  const auto* described = Attribute::descriptor()->FindFieldByNumber(field);
  const auto* reflection = attribute->GetReflection();
  Fill(described->is_repeated() ? reflection->AddMessage(attribute, described)
                                : reflection->MutableMessage(attribute, described),
       std::min(levels - 1, static_cast<int>(random_.Below(8)) + 3));
}

void RandomModel::Fill(onnx::ValueInfoProto* value, int levels) {
  if (!random_.OneIn(24)) value->set_name(random_.Name());
  if (!random_.OneIn(12)) Fill(value->mutable_type(), levels - 1);
  Documentation(value);
}

void RandomModel::Fill(onnx::TypeProto* type, int levels) {
  if (random_.OneIn(16)) type->set_denotation(random_.OneIn(3) ? "" : "TENSOR");
  if (random_.OneIn(32)) return;
  const int element =
      random_.OneIn(24) ? random_.Int<std::int32_t>() : 1 + static_cast<int>(random_.Below(kElementTypes.size() - 1));
  switch (levels > 4 ? random_.Below(10) : random_.Below(8)) {
    default: {
      auto* tensor = type->mutable_tensor_type();
      if (!random_.OneIn(24)) tensor->set_elem_type(element);
      if (!random_.OneIn(4)) Fill(tensor->mutable_shape());
      return;
    }
    case 0: {
      auto* tensor = type->mutable_sparse_tensor_type();
      if (!random_.OneIn(24)) tensor->set_elem_type(element);
      if (!random_.OneIn(4)) Fill(tensor->mutable_shape());
      return;
    }
    case 1:
      if (random_.OneIn(2)) type->mutable_opaque_type()->set_domain(random_.OneIn(4) ? "" : random_.Name());
      if (random_.OneIn(2)) type->mutable_opaque_type()->set_name(random_.OneIn(4) ? "" : random_.Name());
      return;
    case 7: {
      auto* map = type->mutable_map_type();
      if (!random_.OneIn(12)) map->set_key_type(random_.OneIn(3) ? element : onnx::TensorProto::INT64);
      if (levels > 5 && !random_.OneIn(12)) Fill(map->mutable_value_type(), levels - 2);
      return;
    }
    case 8:
      return random_.OneIn(12) ? void(type->mutable_sequence_type())
                               : Fill(type->mutable_sequence_type()->mutable_elem_type(), levels - 2);
    case 9:
      return random_.OneIn(12) ? void(type->mutable_optional_type())
                               : Fill(type->mutable_optional_type()->mutable_elem_type(), levels - 2);
  }
}

void RandomModel::Fill(onnx::TensorShapeProto* shape, int /*levels*/) {
  for (std::size_t count = random_.Below(4); count > 0; --count) {
    auto* dim = shape->add_dim();
    if (random_.OneIn(16)) dim->set_denotation(random_.OneIn(3) ? "" : "DATA_BATCH");
    switch (random_.Below(4)) {
      case 0: break;
      case 1: dim->set_dim_param(random_.Name()); break;
      default:
        dim->set_dim_value(random_.OneIn(8) ? random_.Int<std::int64_t>() : static_cast<int>(random_.Below(300)));
    }
  }
}

void RandomModel::Fill(onnx::TensorProto* tensor, int /*levels*/) {
  std::size_t elements = 1;
  for (std::size_t rank = random_.Below(4); rank > 0; --rank) {
    const std::size_t size = random_.OneIn(12) ? 0 : 1 + random_.Below(random_.OneIn(40) ? 12 : 3);
    tensor->add_dims(static_cast<std::int64_t>(size));
    elements *= size;
  }
  const ElementType& type = kElementTypes[1 + random_.Below(kElementTypes.size() - 1)];
  tensor->set_data_type(type.code);
  if (random_.OneIn(3)) tensor->set_name(random_.OneIn(3) ? "" : random_.Name());
  Documentation(tensor);
  if (random_.OneIn(16)) tensor->set_data_location(onnx::TensorProto::DEFAULT);
  if (random_.OneIn(10)) {
    tensor->set_data_location(onnx::TensorProto::EXTERNAL);
    for (const char* key : {"location", "offset", "length"}) {
      if (random_.OneIn(4)) continue;
      Fill(tensor->add_external_data());
      tensor->mutable_external_data()->rbegin()->set_key(key);
    }
  } else if (type.bits > 0 && random_.OneIn(2)) {
    const std::size_t bits = elements * static_cast<std::size_t>(type.bits);
    const std::string bytes = random_.Bytes((bits + 7) / 8);
    tensor->set_raw_data(random_.OneIn(3) ? std::string(bytes.size(), '\0') : bytes);
  } else {
    Typed(tensor, elements);
  }
  if (random_.OneIn(8)) Defect(tensor);
}

void RandomModel::Typed(onnx::TensorProto* tensor, std::size_t elements) {
  const ElementType& type = *FindElementType(tensor->data_type());
  if (type.literal == Literal::kComplex) elements *= 2;
  const bool packed = type.bits > 0 && type.bits < 8 && random_.OneIn(2);
  if (packed) elements = (elements * static_cast<std::size_t>(type.bits) + 7) / 8;
  const auto mask =
      type.bits > 0 && type.bits < 32 ? (std::uint64_t{1} << (packed ? 8 : type.bits)) - 1 : ~std::uint64_t{0};
  const bool any = random_.OneIn(8);  // including numbers that the element type cannot represent
  for (; elements > 0; --elements) {
    const std::uint64_t bits = random_.OneIn(3) ? random_.Below(2) : random_.Bits() & mask;
    switch (type.storage) {
      case Storage::kInt32: {
        const auto value = static_cast<std::int32_t>(bits);
        const bool negative = !packed && type.literal == Literal::kInteger && type.is_signed &&
                              value > static_cast<std::int64_t>(mask / 2);
        tensor->add_int32_data(any        ? random_.Int<std::int32_t>()
                               : negative ? value - static_cast<std::int32_t>(mask + 1)
                                          : value);
        break;
      }
      case Storage::kInt64:
        tensor->add_int64_data(any ? random_.Int<std::int64_t>() : static_cast<std::int64_t>(bits % 1000));
        break;
      case Storage::kUint64:
        tensor->add_uint64_data(any ? random_.Int<std::uint64_t>()
                                    : bits & (type.bits == 32 ? 0xffffffffu : ~std::uint64_t{0}));
        break;
      case Storage::kFloat: tensor->add_float_data(random_.Float()); break;
      case Storage::kDouble: tensor->add_double_data(random_.Double()); break;
      case Storage::kString: tensor->add_string_data(random_.String()); break;
      case Storage::kNone: break;
    }
  }
}

void RandomModel::Defect(onnx::TensorProto* tensor) {
  switch (random_.Below(9)) {
    case 0: return tensor->clear_data_type();
    case 1: return tensor->set_data_type(random_.OneIn(2) ? 99 : random_.Int<std::int32_t>());
    case 2: return tensor->set_raw_data(random_.Bytes(random_.Below(20)));
    case 3: return tensor->add_dims(random_.Int<std::int64_t>());
    case 4: return tensor->set_data_type(1 + static_cast<int>(random_.Below(kElementTypes.size() - 1)));
    case 5: return Fill(tensor->add_external_data());
    case 6: return tensor->set_data_location(onnx::TensorProto::EXTERNAL);
    case 7: return random_.OneIn(2) ? tensor->add_int64_data(1) : tensor->add_string_data("");
    default:
      auto* segment = tensor->mutable_segment();
      if (random_.OneIn(2)) segment->set_begin(random_.Int<std::int64_t>());
      if (random_.OneIn(2)) segment->set_end(0);
  }
}

void RandomModel::Fill(onnx::SparseTensorProto* sparse, int /*levels*/) {
  const std::size_t rank = 1 + random_.Below(3);
  const std::size_t count = random_.Below(4);
  for (std::size_t i = 0; i < rank; ++i) sparse->add_dims(5);
  auto* values = sparse->mutable_values();
  values->add_dims(static_cast<std::int64_t>(count));
  values->set_data_type(1 + static_cast<int>(random_.Below(kElementTypes.size() - 1)));
  if (!random_.OneIn(3)) values->set_name(random_.Name());
  Typed(values, count);
  auto* indices = sparse->mutable_indices();
  indices->add_dims(static_cast<std::int64_t>(count));
  const bool columns = random_.OneIn(2);
  if (columns) indices->add_dims(static_cast<std::int64_t>(rank));
  indices->set_data_type(onnx::TensorProto::INT64);
  if (random_.OneIn(16)) indices->set_name(random_.OneIn(2) ? "" : random_.Name());
  const std::size_t numbers = count * (columns ? rank : 1);
  if (random_.OneIn(3)) {
    for (std::size_t i = 0; i < numbers; ++i)
      indices->mutable_raw_data()->append({static_cast<char>(i), 0, 0, 0, 0, 0, 0, 0});
  } else {
    for (std::size_t i = 0; i < numbers; ++i) {
      indices->add_int64_data(random_.OneIn(16) ? random_.Int<std::int64_t>() : static_cast<std::int64_t>(i));
    }
  }
  if (random_.OneIn(8)) Defect(values);
  if (random_.OneIn(8)) Defect(indices);
  if (random_.OneIn(16)) sparse->add_dims(random_.Int<std::int64_t>());
  if (random_.OneIn(24)) sparse->clear_indices();
}

void RandomModel::Fill(Message* message, int levels) {
  if (auto* model = dynamic_cast<onnx::ModelProto*>(message)) return Fill(model, levels);
  if (auto* graph = dynamic_cast<onnx::GraphProto*>(message)) return Fill(graph, levels);
  if (auto* function = dynamic_cast<onnx::FunctionProto*>(message)) return Fill(function, levels);
  if (auto* node = dynamic_cast<onnx::NodeProto*>(message)) return Fill(node, levels);
  if (auto* attribute = dynamic_cast<onnx::AttributeProto*>(message)) return Fill(attribute, levels);
  if (auto* type = dynamic_cast<onnx::TypeProto*>(message)) return Fill(type, levels);
  if (auto* tensor = dynamic_cast<onnx::TensorProto*>(message)) return Fill(tensor, levels);
  if (auto* sparse = dynamic_cast<onnx::SparseTensorProto*>(message)) return Fill(sparse, levels);
  if (auto* shape = dynamic_cast<onnx::TensorShapeProto*>(message)) return Fill(shape, levels);
}

}  // namespace onnxc::testing
