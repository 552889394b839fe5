#include "fuzz/mutate/calls.h"

#include <utility>
#include <vector>

#include "fuzz/mutate/message.h"
#include "fuzz/targets/target.h"
#include "testing/random_values.h"

namespace onnxc::fuzz {
namespace {

using onnx::AttributeProto;
using onnx::FunctionProto;
using onnx::ModelProto;
using onnx::NodeProto;
using testing::RandomValues;
using NodeList = google::protobuf::RepeatedPtrField<NodeProto>;

constexpr std::string_view kDomain = "d";
constexpr std::string_view kParameters[] = {"a", "b", "axis", "perm"};
constexpr int kMostFunctions = 40;  // so few that the functions alone do not reach the size limit of an input

void Import(std::string_view domain, google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>* imports) {
  for (const onnx::OperatorSetIdProto& import : *imports) {
    if (import.domain() == domain) return;
  }
  onnx::OperatorSetIdProto* const import = imports->Add();
  import->set_domain(std::string(domain));
  import->set_version(domain.empty() ? 21 : 1);
}

void AddAttribute(RandomValues& random, bool may_refer, NodeProto* node) {
  AttributeProto* const attribute = node->add_attribute();
  attribute->set_name(std::string(random.Pick(kParameters)));
  attribute->set_type(random.OneIn(2) ? AttributeProto::INT : AttributeProto::INTS);
  if (may_refer && random.OneIn(2)) return attribute->set_ref_attr_name(std::string(random.Pick(kParameters)));
  if (attribute->type() == AttributeProto::INT) return attribute->set_i(static_cast<int>(random.Below(8)));
  for (std::size_t i = random.Below(4); i > 0; --i) attribute->add_ints(static_cast<int>(random.Below(4)));
}

/// Returns the names of the inputs and outputs of the nodes.
std::vector<std::string> NamesIn(const NodeList& nodes) {
  std::vector<std::string> names = {"x"};
  for (const NodeProto& node : nodes) {
    names.insert(names.end(), node.input().begin(), node.input().end());
    names.insert(names.end(), node.output().begin(), node.output().end());
  }
  return names;
}

/// Adds a function that contains up to three nodes of the graph. Its inputs and outputs have names that the nodes use.
void AddFunction(RandomValues& random, ModelProto* model) {
  FunctionProto* const function = model->add_functions();
  function->set_domain(std::string(kDomain));
  function->set_name("f" + std::to_string(random.Below(8)));
  for (const std::string_view name : kParameters) {
    if (random.OneIn(2)) function->add_attribute(std::string(name));
  }
  const NodeList& nodes = model->graph().node();
  for (std::size_t i = random.Below(4); i > 0 && !nodes.empty(); --i) *function->add_node() = random.Pick(nodes);
  const std::vector<std::string> names = NamesIn(function->node());
  for (std::size_t i = 1 + random.Below(3); i > 0; --i) function->add_input(random.Pick(names));
  for (std::size_t i = 1 + random.Below(2); i > 0; --i) function->add_output(random.Pick(names));
  Import("", function->mutable_opset_import());
  Import(kDomain, function->mutable_opset_import());
}

void AddCall(RandomValues& random, const ModelProto& model, bool is_in_function, NodeList* nodes) {
  const FunctionProto& callee = random.Pick(model.functions());
  const std::vector<std::string> names = NamesIn(*nodes);
  NodeProto call;
  call.set_domain(callee.domain());
  call.set_op_type(callee.name());
  for (int i = 0; i < callee.input_size(); ++i) call.add_input(random.Pick(names));
  for (int i = 0; i < callee.output_size(); ++i) call.add_output("c" + std::to_string(random.Below(100)));
  if (random.OneIn(2)) AddAttribute(random, is_in_function, &call);
  if (random.OneIn(6)) {  // in a branch
    NodeProto branch;
    branch.set_op_type("If");
    branch.add_input(random.Pick(names));
    for (const char* const name : {"then_branch", "else_branch"}) {
      AttributeProto* const attribute = branch.add_attribute();
      attribute->set_name(name);
      attribute->set_type(AttributeProto::GRAPH);
      *attribute->mutable_g()->add_node() = call;
      for (const std::string& output : call.output()) attribute->mutable_g()->add_output()->set_name(output);
    }
    *branch.mutable_output() = call.output();
    call = std::move(branch);
  }
  *nodes->Add() = std::move(call);
}

/// Adds a copy of a node, with its inputs in another order or with one more attribute. In a function, this attribute
/// may refer to an attribute of the function.
void Vary(RandomValues& random, bool is_in_function, NodeList* nodes) {
  NodeProto node = random.Pick(*nodes);
  if (node.input_size() > 1) {
    node.mutable_input()->SwapElements(
        0, 1 + static_cast<int>(random.Below(static_cast<std::size_t>(node.input_size()) - 1)));
  }
  if (random.OneIn(2)) AddAttribute(random, is_in_function, &node);
  *nodes->Add() = std::move(node);
}

}  // namespace

std::string MutateCalls(std::string_view input, std::uint64_t seed) {
  RandomValues random(seed);
  std::string changed = random.OneIn(2) ? MutateMessage(input, random.Bits()) : std::string(input);
  const Input parts = SplitInput(changed);
  ModelProto model;
  const int size = static_cast<int>(parts.bytes.size());
  if (parts.kind != Kind::kModel || !model.ParsePartialFromArray(parts.bytes.data(), size)) return changed;
  for (std::size_t i = 1 + random.Below(6); i > 0; --i) {
    const bool is_new = model.functions().empty() || (random.OneIn(4) && model.functions_size() < kMostFunctions);
    if (is_new) AddFunction(random, &model);
    const bool is_in_function = random.OneIn(2);
    const int index = static_cast<int>(random.Below(static_cast<std::size_t>(model.functions_size())));
    NodeList* const nodes =
        is_in_function ? model.mutable_functions(index)->mutable_node() : model.mutable_graph()->mutable_node();
    random.OneIn(2) && !nodes->empty() ? Vary(random, is_in_function, nodes)
                                       : AddCall(random, model, is_in_function, nodes);
  }
  Import("", model.mutable_opset_import());
  Import(kDomain, model.mutable_opset_import());
  return changed.substr(0, 1) + model.SerializePartialAsString();
}

}  // namespace onnxc::fuzz
