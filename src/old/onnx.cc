// Converts fields that are different or missing in onnx 0.1 and 0.2.
#include <fmt/format.h>

#include <iterator>
#include <unordered_map>

#include "old/conversion.h"
#include "old_schemas/onnx_v1.pb.h"
#include "old_schemas/onnx_v2.pb.h"
#include "source/names.h"
#include "source/report.h"
#include "tables/attribute_types.h"
#include "tables/signatures.h"

namespace onnxc::old {
namespace {

namespace pb = google::protobuf;

/// The first IR version with opset_import, which is also the IR version of onnx 1.0.
constexpr int kUpgraded = 3;

const onnx_v1::GraphProto& OldGraph(const Place& place) {
  return static_cast<const onnx_v1::GraphProto&>(place.message);
}

bool IsMainGraph(const Place& place) { return place.parent == nullptr; }

void SetTensorType(const onnx_v1::TensorProto& tensor, onnx::TypeProto* type) {
  type->mutable_tensor_type()->set_elem_type(tensor.data_type());
  onnx::TensorShapeProto* const shape = type->mutable_tensor_type()->mutable_shape();
  for (const std::int64_t size : tensor.dims()) shape->add_dim()->set_dim_value(size);
}

void ImportFirstOperators(onnx::ModelProto* model) {
  model->set_ir_version(kUpgraded);
  onnx::OperatorSetIdProto* const import = model->add_opset_import();
  import->set_domain("");
  import->set_version(kFirstOperators);
}

/// Returns the list type that a built-in operator requires for the attribute, or 0 if it requires no list. It is called
/// for an attribute without a value, because such an attribute may be an empty list.
int ListTypeOf(const onnx::NodeProto& node, int version, std::string_view name) {
  const Operator* const op = FindOperator(NodeDomain(node.domain()), node.op_type(), version);
  if (op == nullptr) return 0;
  for (const OperatorAttribute& formal : Attributes(*op)) {
    if (Word(formal) == name) {
      const AttributeType* const type = FindAttributeType(formal.type);
      return type != nullptr && type->is_list ? type->code : 0;
    }
  }
  return 0;
}

void UpgradeNodes(pb::RepeatedPtrField<onnx::NodeProto>* nodes, const std::string& path, Diagnostics* found);

void UpgradeAttribute(const onnx::NodeProto& node, onnx::AttributeProto* attribute, const std::string& at,
                      Diagnostics* found) {
  const std::string path = fmt::format("{}.attribute[\"{}\"]", at, Quoted(attribute->name()));
  if (!AddType(&node, kFirstOperators, attribute)) {
    Diagnostic finding = MakeDiagnostic(diag::kOldInput, kNowhere, kNoAttributeType);
    finding.path = path;
    found->Add(std::move(finding));
  }
  if (attribute->has_g()) UpgradeNodes(attribute->mutable_g()->mutable_node(), path + ".g", found);
  for (int i = 0; i < attribute->graphs_size(); ++i) {
    UpgradeNodes(attribute->mutable_graphs(i)->mutable_node(), fmt::format("{}.graphs[{}]", path, i), found);
  }
}

void UpgradeNodes(pb::RepeatedPtrField<onnx::NodeProto>* nodes, const std::string& path, Diagnostics* found) {
  for (int i = 0; i < nodes->size(); ++i) {
    const std::string here = fmt::format("{}.node[{}]", path, i);
    for (onnx::AttributeProto& attribute : *nodes->Mutable(i)->mutable_attribute()) {
      UpgradeAttribute(nodes->Get(i), &attribute, here, found);
    }
  }
}

}  // namespace

void MapInputNames(Conversion& conversion, const Place& from, pb::Message* to) {
  const onnx_v1::GraphProto& graph = OldGraph(from);
  auto& result = static_cast<onnx::GraphProto&>(*to);
  NameMap<const onnx_v1::TensorProto*> tensors;
  for (const onnx_v1::TensorProto& tensor : graph.initializer()) tensors.emplace(tensor.name(), &tensor);
  const auto& types = conversion.options().input_types;
  for (int i = 0; i < graph.input_size(); ++i) {
    onnx::ValueInfoProto* const input = result.add_input();
    input->set_name(graph.input(i));
    if (!IsMainGraph(from)) continue;  // inputs of a subgraph get their types from its node
    const auto told = types.find(graph.input(i));
    const auto tensor = tensors.find(graph.input(i));
    if (told != types.end()) {
      *input->mutable_type() = told->second;
    } else if (tensor != tensors.end()) {
      SetTensorType(*tensor->second, input->mutable_type());
      tensors.erase(
          tensor);  // the type is used only once, so that inputs with the same name do not multiply a long shape
    } else if (conversion.options().allow_loss) {
      conversion.LeaveUntyped({from, onnx_v1::GraphProto::kInputFieldNumber, i}, graph.input(i));
    } else {
      const std::string name = Quoted(graph.input(i));
      conversion.Refuse(
          {from, onnx_v1::GraphProto::kInputFieldNumber, i},
          fmt::format("the input '{}' has no type; set it, for example with --input '{}=float[N]'", name, name));
    }
  }
}

void MapOutputNames(Conversion&, const Place& from, pb::Message* to) {
  for (const std::string& name : OldGraph(from).output()) {
    static_cast<onnx::GraphProto&>(*to).add_output()->set_name(name);
  }
}

void MapGraphVersion(Conversion& conversion, const Place& from, pb::Message*) {
  if (!IsMainGraph(from)) conversion.AddMetadata(from, onnx_v1::GraphProto::kIrVersionFieldNumber);
}

void MapProducerVersion(Conversion& conversion, const Place& from, pb::Message*) {
  if (!IsMainGraph(from)) return conversion.AddMetadata(from, onnx_v1::GraphProto::kProducerVersionFieldNumber);
  conversion.model()->set_producer_version(std::to_string(OldGraph(from).producer_version()));
}

void MapProducerTag(Conversion& conversion, const Place& from, pb::Message*) {
  if (!IsMainGraph(from)) return conversion.AddMetadata(from, onnx_v1::GraphProto::kProducerTagFieldNumber);
  conversion.model()->set_producer_name(OldGraph(from).producer_tag());
}

void MapGraphDomain(Conversion& conversion, const Place& from, pb::Message*) {
  if (!IsMainGraph(from)) return conversion.AddMetadata(from, onnx_v1::GraphProto::kDomainFieldNumber);
  conversion.model()->set_domain(OldGraph(from).domain());
}

void MapModelVersion(Conversion& conversion, const Place& from, pb::Message* to) {
  const std::int64_t version = static_cast<const onnx_v2::ModelProto&>(from.message).ir_version();
  static_cast<onnx::ModelProto&>(*to).set_ir_version(version);
  if (version == 0 || version == onnx_v2::IR_VERSION) return;
  conversion.Refuse({from, onnx_v2::ModelProto::kIrVersionFieldNumber},
                    fmt::format("ir_version {} is not that of onnx 0.2, which is 1", version));
}

void MapSparseType(Conversion& conversion, const Place& from, pb::Message* to) {
  const auto& type = static_cast<const onnx_v2::TypeProto&>(from.message);
  auto& result = static_cast<onnx::TypeProto&>(*to);
  constexpr int kField = onnx_v2::TypeProto::kSparseTensorTypeFieldNumber;
  if (result.value_case() != onnx::TypeProto::VALUE_NOT_SET) {
    return conversion.Lose({from, kField}, "sparse_tensor_type", "ONNX allows only one value here");
  }
  conversion.Copy(from.Child(type.sparse_tensor_type(), kField), result.mutable_sparse_tensor_type());
}

bool AddType(const onnx::NodeProto* node, int version, onnx::AttributeProto* attribute) {
  if (attribute->has_type() || !attribute->ref_attr_name().empty()) return true;
  const int values = CountValues(*attribute);
  const int type = values == 1                      ? TypeOfValue(*attribute)->code
                   : values == 0 && node != nullptr ? ListTypeOf(*node, version, attribute->name())
                                                    : 0;
  if (type == 0) return false;
  attribute->set_type(static_cast<onnx::AttributeProto::AttributeType>(type));
  return true;
}

Diagnostics Upgrade(onnx::ModelProto* model) {
  Diagnostics found;
  const bool is_library = !model->has_graph() && !model->functions().empty();  // it has no version
  if (model->ir_version() >= kUpgraded || model->ir_version() < 0 || is_library) return found;
  if (model->opset_import().empty()) ImportFirstOperators(model);
  model->set_ir_version(kUpgraded);
  if (model->has_graph()) UpgradeNodes(model->mutable_graph()->mutable_node(), "graph", &found);
  return found;
}

}  // namespace onnxc::old
