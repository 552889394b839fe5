#include "convert/step.h"

#include <fmt/ranges.h>
#include <onnxc/parser.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "source/nodes.h"
#include "source/report.h"
#include "tables/element_types.h"
#include "tables/raw_data.h"
#include "tables/raw_elements.h"
#include "tables/small_float.h"

namespace onnxc::convert {

using onnx::AttributeProto;
using onnx::NodeProto;

const InferredValue* Scope::Find(std::string_view name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer) {
    if (const auto found = scope->values.find(name); found != scope->values.end()) return found->second;
  }
  return nullptr;
}

// ---- attributes

const AttributeProto* Step::Attribute(std::string_view name) const {
  for (const AttributeProto& attribute : node_->attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

namespace {

/// Returns the attribute if it has a value.
const AttributeProto* ValueOf(Step& step, std::string_view name) {
  const AttributeProto* const attribute = step.Attribute(name);
  if (attribute == nullptr || attribute->ref_attr_name().empty()) return attribute;
  step.Refuse(
      fmt::format("'{}' is a parameter of the function, whose value differs from call to call; inline the calls "
                  "of the function first",
                  Quoted(name)));
  return nullptr;
}

}  // namespace

std::int64_t Step::Int(std::string_view name, std::int64_t otherwise) {
  const AttributeProto* const attribute = ValueOf(*this, name);
  return attribute == nullptr ? otherwise : attribute->i();
}

float Step::Float(std::string_view name, float otherwise) {
  const AttributeProto* const attribute = ValueOf(*this, name);
  return attribute == nullptr ? otherwise : attribute->f();
}

std::string Step::String(std::string_view name, std::string_view otherwise) {
  const AttributeProto* const attribute = ValueOf(*this, name);
  return attribute == nullptr ? std::string(otherwise) : attribute->s();
}

std::optional<Integers> Step::Ints(std::string_view name) {
  const AttributeProto* const attribute = ValueOf(*this, name);
  if (attribute == nullptr) return std::nullopt;
  return Integers(attribute->ints().begin(), attribute->ints().end());
}

std::optional<Reals> Step::Floats(std::string_view name) {
  const AttributeProto* const attribute = ValueOf(*this, name);
  if (attribute == nullptr) return std::nullopt;
  return Reals(attribute->floats().begin(), attribute->floats().end());
}

void Step::Remove(std::string_view name) {
  auto& attributes = *node_->mutable_attribute();
  for (int i = attributes.size() - 1; i >= 0; --i) {
    if (attributes[i].name() == name) attributes.DeleteSubrange(i, 1);
  }
}

AttributeProto* Step::Add(std::string_view name, AttributeProto::AttributeType type) {
  Remove(name);
  AttributeProto* const attribute = node_->add_attribute();
  attribute->set_name(std::string(name));
  attribute->set_type(type);
  return attribute;
}

void Step::Set(std::string_view name, std::int64_t value) { Add(name, AttributeProto::INT)->set_i(value); }
void Step::Set(std::string_view name, float value) { Add(name, AttributeProto::FLOAT)->set_f(value); }
void Step::Set(std::string_view name, std::string_view value) {
  Add(name, AttributeProto::STRING)->set_s(std::string(value));
}
void Step::Set(std::string_view name, const Integers& values) {
  AttributeProto* const attribute = Add(name, AttributeProto::INTS);
  for (const std::int64_t value : values) attribute->add_ints(value);
}
void Step::Set(std::string_view name, const Reals& values) {
  AttributeProto* const attribute = Add(name, AttributeProto::FLOATS);
  for (const double value : values) attribute->add_floats(static_cast<float>(value));
}

// ---- operands

void Step::SetInput(int i, const std::string& name) {
  while (node_->input_size() <= i) node_->add_input();
  if (const std::string& old = node_->input(i); !old.empty() && old != name) dropped.push_back(old);
  node_->set_input(i, name);
}

void Step::RemoveInput(int i) {
  if (i < node_->input_size()) SetInput(i, "");
  while (node_->input_size() > 0 && node_->input().rbegin()->empty()) node_->mutable_input()->RemoveLast();
}

// ---- types

const InferredValue* Step::Value(int input) const {
  return HasInput(input) ? scope_.Find(node_->input(input)) : nullptr;
}

int Step::ElementType(int input) const {
  const InferredValue* const value = Value(input);
  return value == nullptr || !value->type.IsTensor() ? 0 : value->type.element_type;
}

int Step::Rank(int input) const {
  const InferredValue* const value = Value(input);
  return value == nullptr || !value->type.IsTensor() ? -1 : value->type.rank();
}

std::optional<Integers> Step::Shape(int input) const {
  if (Rank(input) < 0) return std::nullopt;
  Integers sizes;
  for (const Dimension& size : Value(input)->type.shape) sizes.push_back(size.IsNumber() ? size.number() : -1);
  return sizes;
}

void Step::RefuseUnknown(std::string_view what, int input) {
  if (!ok()) return;
  const std::string name = input < node_->input_size() ? Quoted(node_->input(input)) : "";
  Refuse(fmt::format("the {} of '{}' must be known; declare its type, or set the sizes of the model's inputs", what,
                     name));
  lacks_type = true;
}

int Step::NeedElementType(int input) {
  const int type = ElementType(input);
  if (type == 0) RefuseUnknown("element type", input);
  return type;
}

int Step::NeedRank(int input) {
  const int rank = Rank(input);
  if (rank < 0) RefuseUnknown("rank", input);
  return rank;
}

std::optional<Integers> Step::NeedSizes(int input) {
  std::optional<Integers> sizes = Shape(input);
  if (sizes && std::ranges::find(*sizes, -1) == sizes->end()) return sizes;
  RefuseUnknown("sizes", input);
  return std::nullopt;
}

std::optional<Integers> Step::Constant(int input) const {
  const InferredValue* const value = Value(input);
  if (value == nullptr || value->constant == nullptr) return std::nullopt;
  Integers elements;
  for (const Dimension& each : value->constant->integers) {
    if (!each.IsNumber()) return std::nullopt;
    elements.push_back(each.number());
  }
  for (const double each : value->constant->reals) {
    if (each != std::floor(each) || std::abs(each) > 1e15) return std::nullopt;
    elements.push_back(static_cast<std::int64_t>(each));
  }
  return elements;
}

std::optional<Reals> Step::RealConstant(int input) const {
  const InferredValue* const value = Value(input);
  if (value == nullptr || value->constant == nullptr) return std::nullopt;
  Reals elements(value->constant->reals.begin(), value->constant->reals.end());
  for (const Dimension& each : value->constant->integers) {
    if (!each.IsNumber() || !IsExact(static_cast<double>(each.number()))) return std::nullopt;
    elements.push_back(static_cast<double>(each.number()));
  }
  return elements;
}

namespace {
std::string NotConstant(const Step& step, int input, std::string_view what) {
  const InferredValue* const value = step.Value(input);
  const bool is_constant = value != nullptr && value->constant != nullptr &&
                           std::ranges::all_of(value->constant->integers, &Dimension::IsNumber);
  return fmt::format("{} ('{}') must {}", what,
                     input < step.node().input_size() ? Quoted(step.node().input(input)) : "",
                     is_constant ? "have integers of at most 53 bits"
                                 : "be a constant: a Constant node, or an initializer that is not an input");
}
}  // namespace

std::optional<Integers> Step::NeedConstant(int input, std::string_view what) {
  std::optional<Integers> constant = Constant(input);
  if (!constant) Refuse(NotConstant(*this, input, what));
  return constant;
}

std::optional<Reals> Step::NeedRealConstant(int input, std::string_view what) {
  std::optional<Reals> constant = RealConstant(input);
  if (!constant) Refuse(NotConstant(*this, input, what));
  return constant;
}

bool Step::IsEmpty(int input) const {
  if (!HasInput(input)) return true;
  const std::optional<Integers> sizes = Shape(input);
  return sizes && std::ranges::find(*sizes, 0) != sizes->end();
}

// ---- edits

NodeProto* Step::NewNode() { return google::protobuf::Arena::CreateMessage<NodeProto>(node_->GetArena()); }

Step::Step(NodeProto* node, const Scope& scope, Uses* uses) : node_(node), scope_(scope), uses_(uses) {
  const auto first = std::ranges::find_if(node->output(), [](const std::string& name) { return !name.empty(); });
  stem_ = first == node->output().end() ? node->op_type() : *first;
}

std::string Step::NameOf(const std::string& word, OwnedNameMap<std::string>* names) {
  if (word.empty()) return word;
  if (const auto known = names->find(word); known != names->end()) return known->second;
  return names->emplace(word, uses_->NewName(fmt::format("{}_{}", stem_, word))).first->second;
}

void Step::Name(onnx::GraphProto* graph, OwnedNameMap<std::string>* names) {
  for (auto& input : *graph->mutable_input()) input.set_name(NameOf(input.name(), names));
  for (NodeProto& node : *graph->mutable_node()) Name(&node, names);
  for (auto& output : *graph->mutable_output()) output.set_name(NameOf(output.name(), names));
}

void Step::Name(NodeProto* node, OwnedNameMap<std::string>* names) {
  for (std::string& input : *node->mutable_input()) input = NameOf(input, names);
  for (AttributeProto& attribute : *node->mutable_attribute()) {
    if (attribute.has_g()) Name(attribute.mutable_g(), names);
  }
  for (std::string& output : *node->mutable_output()) output = NameOf(output, names);
}

void Step::Append(NodeProto* node, std::vector<NodeProto*>* list) {
  list->push_back(node);
  const bool is_cast = final_version() < 9 && target >= kFirstCastOfNumbers;
  if (node->op_type() != "Constant" || !is_cast || node->attribute_size() != 1) return;
  AttributeProto& value = *node->mutable_attribute(0);
  const int type = value.t().data_type();
  if (value.name() != "value" || IsOldConstant(type)) return;
  if (!ToFloats(value.mutable_t())) return Refuse("before version 9, there are no constants of this type");
  NodeProto* const cast = NewNode();
  cast->set_op_type("Cast");
  cast->add_output(node->output(0));
  node->set_output(0, uses_->NewName(fmt::format("{}_number", node->output(0))));
  cast->add_input(node->output(0));
  AttributeProto* const to = cast->add_attribute();
  to->set_name("to");
  to->set_type(AttributeProto::INT);
  to->set_i(type);
  list->push_back(cast);
}

std::string Step::NewConstant(std::string_view name, const std::string& tensor) {
  std::string result = NewName(name);
  NodeProto* const node = NewNode();
  node->set_op_type("Constant");
  node->add_output(result);
  AttributeProto* const attribute = node->add_attribute();
  attribute->set_name("value");
  attribute->set_type(AttributeProto::TENSOR);
  if (!Parse(tensor, attribute->mutable_t()).ok()) Refuse(fmt::format("{} cannot be written", Quoted(tensor)));
  Append(node, &before_);
  return result;
}

std::string Step::NewConstant(std::string_view name, const Integers& list) { return NewConstant(name, ListText(list)); }

std::string Step::NewScalarLike(std::string_view name, double value, int input) {
  int type = ElementType(input);
  const bool is_cast = type == 0 && omissions != nullptr && target >= 15 && up;
  if (is_cast) type = onnx::TensorProto::FLOAT;
  if (type == 0) RefuseUnknown("element type", input);
  if (!ok()) return "";
  std::string result = NewConstant(name, ScalarText(type, value));
  if (!is_cast) return result;
  NodeProto* const cast = NewNode();
  cast->set_op_type("CastLike");
  cast->add_input(result);
  cast->add_input(node_->input(input));
  cast->add_output(uses_->NewName(result));
  before_.push_back(cast);
  return cast->output(0);
}

std::string Step::NewConstantOf(const AttributeProto& reference, std::string_view value) {
  if (const auto omission = omissions->find(reference.ref_attr_name()); omission != omissions->end()) {
    incomplete_call = omission->second;
    const bool has_output = incomplete_call->output_size() > 0;
    Refuse(
        fmt::format("'{}' is a parameter of the function, and the call {}leaves it out; a constant must have a "
                    "value: give the call one, or inline the calls of the function first",
                    Quoted(reference.ref_attr_name()),
                    has_output ? fmt::format("that computes '{}' ", Quoted(incomplete_call->output(0))) : ""));
    return "";
  }
  std::string name = NewName(reference.name());
  NodeProto* const node = NewNode();
  node->set_op_type("Constant");
  node->add_output(name);
  *node->add_attribute() = reference;
  node->mutable_attribute(0)->set_name(std::string(value));
  before_.push_back(node);
  return name;
}

void Step::IntsToInput(std::string_view attribute, int input) {
  const AttributeProto* const given = Attribute(attribute);
  if (given == nullptr) return;
  std::string name;
  if (given->ref_attr_name().empty()) {
    const Integers list = given->type() == AttributeProto::INT || (given->ints().empty() && given->has_i())
                              ? Integers{given->i()}
                              : Integers(given->ints().begin(), given->ints().end());
    name = NewConstant(attribute, list);
  } else if (target < 12 || given->type() != AttributeProto::INTS || omissions == nullptr) {
    static_cast<void>(Ints(attribute));  // a refusal
    return;
  } else {
    name = NewConstantOf(*given, "value_ints");
    if (name.empty()) return;
  }
  SetInput(input, name);
  Remove(attribute);
}

void Step::InputToInts(std::string_view attribute, int input) {
  if (HasInput(input)) {
    const std::optional<Integers> list = NeedConstant(input, fmt::format("the input '{}'", attribute));
    if (!list) return;
    Set(attribute, *list);
  }
  RemoveInput(input);
}

void Step::Replace(std::string_view statements) {
  if (!ok()) return;
  onnx::FunctionProto body;
  const Diagnostics found = Parse(fmt::format("f () => () {{\n{}\n}}", statements), &body);
  if (!found.ok()) return Refuse(fmt::format("the replacement cannot be written: {}", found.items().front().message));
  OwnedNameMap<std::string> names;
  const std::vector<std::string> inputs(node_->input().begin(), node_->input().end());
  const std::vector<std::string> outputs(node_->output().begin(), node_->output().end());
  for (std::size_t i = 0; i < inputs.size(); ++i) names.emplace(fmt::format("in{}", i), inputs[i]);
  for (std::size_t i = 0; i < outputs.size(); ++i) names.emplace(fmt::format("out{}", i), outputs[i]);
  for (const std::string& input : inputs) dropped.push_back(input);
  was_replaced_ = true;
  for (NodeProto& parsed : *body.mutable_node()) {
    Name(&parsed, &names);
    if (parsed.op_type() == "Self") {
      *node_->mutable_input() = parsed.input();
      *node_->mutable_output() = parsed.output();
      nodes_.push_back(node_);
    } else {
      NodeProto* const node = NewNode();
      *node = std::move(parsed);
      Append(node, &nodes_);
    }
  }
  if (nodes_.empty() || std::ranges::find(nodes_, node_) != nodes_.end()) return;
  NodeProto& last = *nodes_.back();  // it stands for the node
  if (node_->has_name()) last.set_name(node_->name());
  if (node_->has_doc_string()) last.set_doc_string(node_->doc_string());
  *last.mutable_metadata_props() = node_->metadata_props();
}

std::vector<NodeProto*> Step::TakeNodes() {
  std::vector<NodeProto*> all = std::move(before_);
  if (was_replaced_) {
    all.insert(all.end(), nodes_.begin(), nodes_.end());
  } else {
    all.push_back(node_);
  }
  return all;
}

// ---- names

void Uses::Count(const onnx::ModelProto& model) {
  const auto read = [&](const std::string& name) {
    ++reads_[name];
    names_.insert(name);
  };
  const auto count = [&](const auto& self, const onnx::GraphProto& graph) -> void {
    for (const auto& input : graph.input()) names_.insert(input.name());
    for (const auto& tensor : graph.initializer()) names_.insert(tensor.name());
    for (const auto& tensor : graph.sparse_initializer()) names_.insert(tensor.values().name());
    for (const auto& output : graph.output()) read(output.name());
    for (const NodeProto& node : graph.node()) {
      for (const AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) self(self, attribute.g());
        for (const onnx::GraphProto& inner : attribute.graphs()) self(self, inner);
      }
    }
  };
  count(count, model.graph());
  for (const auto& training : model.training_info()) {
    count(count, training.initialization());
    count(count, training.algorithm());
    for (const auto& binding : training.initialization_binding()) read(binding.value());
    for (const auto& binding : training.update_binding()) read(binding.value());
  }
  for (const onnx::FunctionProto& function : model.functions()) {
    for (const std::string& input : function.input()) names_.insert(input);
    for (const std::string& output : function.output()) read(output);
    for (const NodeProto& node : function.node()) {
      for (const AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) count(count, attribute.g());
      }
    }
  }
  ForEachNode(model, [&](const NodeProto& node) {
    for (const std::string& input : node.input()) read(input);
    for (const std::string& output : node.output()) names_.insert(output);
  });
}

std::string Uses::NewName(std::string wanted) {
  std::string name = wanted;
  for (int i = 1; names_.contains(name); ++i) name = fmt::format("{}_{}", wanted, i);
  names_.insert(name);
  ++reads_[name];
  return name;
}

}  // namespace onnxc::convert
