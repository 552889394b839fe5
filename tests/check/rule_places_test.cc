// Tests each rule of the checker in each place where a graph can be: in attributes, in functions, in training steps.
// The case of the rule is moved there. The valid model of the case, moved to the same place, does not break the rule.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/accidents.h"
#include "source/nodes.h"

namespace onnxc::accident {
namespace {

using google::protobuf::RepeatedPtrField;
using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::NodeProto;
using onnx::ValueInfoProto;

// ---- moving the graph of a model

/// The domain of nodes that tests add: operators of another runtime, which may do anything.
constexpr const char* kHolder = "org.holder";

/// A place to which the graph of a model can be moved. The paths of findings about the graph begin with `path`.
struct Home {
  std::string_view name;
  std::string_view path;
  void (*move)(const GraphProto& graph, ModelProto* model);  ///< `model` is the rest of the model, without a graph
  std::string_view imports = "opset_import";                 ///< the path of the imports that apply to the graph

  [[nodiscard]] bool IsInFunction() const { return path.starts_with("functions"); }
};

template <typename GraphOrFunction>
NodeProto* AddNode(const char* domain, const char* op_type, GraphOrFunction* graph) {
  NodeProto* const node = graph->add_node();
  node->set_domain(domain);
  node->set_op_type(op_type);
  return node;
}

onnx::OperatorSetIdProto ImportOf(const char* domain, int version = 1) {
  onnx::OperatorSetIdProto import;
  import.set_domain(domain);
  import.set_version(version);
  return import;
}

AttributeProto* AddAttribute(const char* name, AttributeProto::AttributeType type, NodeProto* node) {
  AttributeProto* const attribute = node->add_attribute();
  attribute->set_name(name);
  attribute->set_type(type);
  return attribute;
}

/// Adds an output of the graph for each output of the moved graph, with its type.
void AddOutputs(const GraphProto& moved, NodeProto* node, GraphProto* graph) {
  for (int i = 0; i < moved.output_size(); ++i) {
    ValueInfoProto* const output = graph->add_output();
    *output = moved.output(i);
    output->set_name(fmt::format("held{}", i));
    node->add_output(output->name());
  }
}

/// Returns the graph around a moved graph: another name, and the inputs if the moved graph sees them from there.
GraphProto* MakeOuter(const GraphProto& moved, bool has_inputs, ModelProto* model) {
  GraphProto* const outer = model->mutable_graph();
  outer->set_name("outer");
  if (has_inputs) *outer->mutable_input() = moved.input();
  return outer;
}

/// A node of another runtime's operator may contain any graph.
NodeProto* AddHolder(const char* output, GraphProto* graph) {
  NodeProto* const node = AddNode(kHolder, "Hold", graph);
  node->add_output(output);
  ValueInfoProto* const held = graph->add_output();
  held->set_name(output);
  held->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  held->mutable_type()->mutable_tensor_type()->mutable_shape();
  return node;
}

void MoveToMain(const GraphProto& graph, ModelProto* model) { *model->mutable_graph() = graph; }

void MoveToAttribute(const GraphProto& graph, ModelProto* model) {
  GraphProto* const outer = MakeOuter(graph, false, model);
  *AddAttribute("body", AttributeProto::GRAPH, AddHolder("held", outer))->mutable_g() = graph;
}

void MoveToList(const GraphProto& graph, ModelProto* model) {
  GraphProto* const outer = MakeOuter(graph, false, model);
  AttributeProto* const bodies = AddAttribute("bodies", AttributeProto::GRAPHS, AddHolder("held", outer));
  bodies->add_graphs()->set_name("first");
  *bodies->add_graphs() = graph;
}

void MoveToBranch(const GraphProto& graph, ModelProto* model) {
  GraphProto* const outer = MakeOuter(graph, true, model);
  ValueInfoProto* const condition = outer->add_input();
  condition->set_name("condition");
  condition->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
  condition->mutable_type()->mutable_tensor_type()->mutable_shape();
  NodeProto* const node = AddNode("", "If", outer);
  node->add_input("condition");
  AddOutputs(graph, node, outer);
  GraphProto* const branch = AddAttribute("then_branch", AttributeProto::GRAPH, node)->mutable_g();
  *branch = graph;
  branch->clear_input();
  GraphProto* const other = AddAttribute("else_branch", AttributeProto::GRAPH, node)->mutable_g();
  other->set_name("other");
  for (int i = 0; i < graph.output_size(); ++i) {
    const std::string name = fmt::format("other{}", i);
    AddNode(kHolder, "Make", other)->add_output(name);
    other->add_output()->set_name(name);
  }
}

void MoveTwoLevelsDown(const GraphProto& graph, ModelProto* model) {
  MoveToBranch(graph, model);
  GraphProto outer = model->graph();
  outer.set_name("middle");
  outer.mutable_node(0)->mutable_attribute(1)->mutable_g()->set_name("inner");
  outer.mutable_input(outer.input_size() - 1)->set_name("inner_condition");
  outer.mutable_node(0)->set_input(0, "inner_condition");
  for (int i = 0; i < outer.output_size(); ++i) {
    outer.mutable_output(i)->set_name(fmt::format("inner{}", i));
    outer.mutable_node(0)->set_output(i, outer.output(i).name());
  }
  model->clear_graph();
  MoveToBranch(outer, model);
}

/// Moves the graph to a function, whose types are declared in its value_info. The weights become constants.
void MoveToFunctionOf(const GraphProto& graph, const char* overload, ModelProto* model) {
  onnx::FunctionProto function;
  function.set_name("Home");
  function.set_domain("com.home");
  function.set_overload(overload);
  bool has_holder = false;
  ForEachNode(graph.node(), [&](const NodeProto& node) { has_holder = has_holder || node.domain() == kHolder; });
  for (const auto& import : model->opset_import()) {
    if (import.domain() != kHolder || has_holder) *function.add_opset_import() = import;
  }
  *function.mutable_metadata_props() = graph.metadata_props();
  for (const ValueInfoProto& input : graph.input()) function.add_input(input.name());
  for (const ValueInfoProto& output : graph.output()) function.add_output(output.name());
  for (const auto* const values : {&graph.input(), &graph.value_info(), &graph.output()})
    function.mutable_value_info()->MergeFrom(*values);
  const auto add_constant = [&](const std::string& name, const char* attribute, AttributeProto::AttributeType type) {
    NodeProto* const node = function.add_node();
    node->set_op_type("Constant");
    node->add_output(name);
    return AddAttribute(attribute, type, node);
  };
  for (const auto& tensor : graph.initializer()) {
    *add_constant(tensor.name(), "value", AttributeProto::TENSOR)->mutable_t() = tensor;
  }
  for (const auto& tensor : graph.sparse_initializer()) {
    *add_constant(tensor.values().name(), "sparse_value", AttributeProto::SPARSE_TENSOR)->mutable_sparse_tensor() =
        tensor;
  }
  function.mutable_node()->MergeFrom(graph.node());
  RepeatedPtrField<onnx::FunctionProto> others = model->functions();
  model->clear_functions();
  *model->add_functions() = function;  // the first, so that its path is known
  model->mutable_functions()->MergeFrom(others);
  GraphProto* const outer = MakeOuter(graph, true, model);
  NodeProto* const call = AddNode("com.home", "Home", outer);
  call->set_overload(overload);
  for (const ValueInfoProto& input : graph.input()) call->add_input(input.name());
  AddOutputs(graph, call, outer);
}

void MoveToFunction(const GraphProto& graph, ModelProto* model) { MoveToFunctionOf(graph, "", model); }

/// There is also a function of the same name without an overload, which is right.
void MoveToOverload(const GraphProto& graph, ModelProto* model) {
  MoveToFunctionOf(graph, "second", model);
  onnx::FunctionProto* const first = model->add_functions();
  first->set_domain("com.home");
  first->set_name("Home");
  first->add_input("p");
  first->add_output("q");
  NodeProto* const body = AddNode(kHolder, "Make", first);
  body->add_input("p");
  body->add_output("q");
  *first->add_opset_import() = ImportOf(kHolder);
  NodeProto* const make = AddNode(kHolder, "Make", model->mutable_graph());
  make->add_output("seed");
  NodeProto* const call = AddNode("com.home", "Home", model->mutable_graph());
  call->add_input("seed");
  call->add_output("unread");
}

/// Moves a graph with one node that contains the graph.
void MoveIntoFunction(const GraphProto& graph, ModelProto* model) {
  MoveToBranch(graph, model);
  const GraphProto outer = model->graph();
  model->clear_graph();
  MoveToFunctionOf(outer, "", model);
}
void MoveToListInFunction(const GraphProto& graph, ModelProto* model) {
  MoveToList(graph, model);
  const GraphProto outer = model->graph();
  model->clear_graph();
  MoveToFunctionOf(outer, "", model);
}

/// Moves the graph to the default value of a function's attribute.
void MoveToDefault(const GraphProto& graph, ModelProto* model) {
  GraphProto holder;
  *AddAttribute("body", AttributeProto::GRAPH, AddHolder("held", &holder))->mutable_g() = graph;
  MoveToFunctionOf(holder, "", model);
  onnx::FunctionProto& function = *model->mutable_functions(0);
  AttributeProto& body = *function.mutable_node(0)->mutable_attribute(0);
  function.add_attribute_proto()->Swap(&body);
  function.mutable_attribute_proto(0)->set_name("body");
  body.set_name("body");
  body.set_ref_attr_name("body");
  body.set_type(AttributeProto::GRAPH);
}

/// Adds a training step to a model that is trivial otherwise.
onnx::TrainingInfoProto* AddTraining(ModelProto* model) {
  GraphProto* const outer = model->mutable_graph();
  outer->set_name("outer");
  AddHolder("held", outer);
  return model->add_training_info();
}

void MoveToAlgorithm(const GraphProto& graph, ModelProto* model) { *AddTraining(model)->mutable_algorithm() = graph; }

/// An initialization has no inputs; nodes make their values.
void MoveToInitialization(const GraphProto& graph, ModelProto* model) {
  GraphProto* const home = AddTraining(model)->mutable_initialization();
  *home = graph;
  home->clear_input();
  home->clear_node();
  for (const ValueInfoProto& input : graph.input()) {
    const auto& tensor = input.type().tensor_type();
    const bool is_known = tensor.elem_type() == onnx::TensorProto::FLOAT && tensor.shape().dim_size() > 0;
    NodeProto* const node = AddNode(is_known ? "" : kHolder, is_known ? "RandomNormal" : "Make", home);
    node->add_output(input.name());
    *home->add_value_info() = input;
    if (!is_known) continue;
    AttributeProto* const shape = AddAttribute("shape", AttributeProto::INTS, node);
    for (const auto& dim : tensor.shape().dim()) shape->add_ints(dim.has_dim_value() ? dim.dim_value() : 1);
  }
  home->mutable_node()->MergeFrom(graph.node());
}

const Home kHomes[] = {
    {"main", "graph", &MoveToMain},
    {"attribute", R"(graph.node[0].attribute["body"].g)", &MoveToAttribute},
    {"list", R"(graph.node[0].attribute["bodies"].graphs[1])", &MoveToList},
    {"branch", R"(graph.node[0].attribute["then_branch"].g)", &MoveToBranch},
    {"two-levels", R"(graph.node[0].attribute["then_branch"].g.node[0].attribute["then_branch"].g)",
     &MoveTwoLevelsDown},
    {"function", R"(functions[0] "Home")", &MoveToFunction, R"(functions[0] "Home".opset_import)"},
    {"overload", R"(functions[0] "Home")", &MoveToOverload, R"(functions[0] "Home".opset_import)"},
    {"in-function", R"(functions[0] "Home".node[0].attribute["then_branch"].g)", &MoveIntoFunction,
     R"(functions[0] "Home".opset_import)"},
    {"list-in-function", R"(functions[0] "Home".node[0].attribute["bodies"].graphs[1])", &MoveToListInFunction,
     R"(functions[0] "Home".opset_import)"},
    {"default", R"(functions[0] "Home".attribute_proto[0] "body".g)", &MoveToDefault,
     R"(functions[0] "Home".opset_import)"},
    {"algorithm", "training_info[0].algorithm", &MoveToAlgorithm},
    {"initialization", "training_info[0].initialization", &MoveToInitialization},
};

ModelProto Moved(const ModelProto& model, const Home& home) {
  ModelProto moved = model;
  moved.clear_graph();
  const bool has_imports = !model.opset_import().empty() && model.ir_version() >= 3;
  const auto is_standard = [](const auto& import) { return import.domain().empty(); };
  if (home.move != &MoveToMain && has_imports) {
    *moved.add_opset_import() = ImportOf(kHolder);
    if (std::ranges::none_of(model.opset_import(), is_standard)) *moved.add_opset_import() = ImportOf("", 21);
  }
  home.move(model.graph(), &moved);
  if (home.IsInFunction() && has_imports) *moved.add_opset_import() = ImportOf("com.home");
  return moved;
}

// ---- what is different in some places

/// Rules that do not apply in some places.
struct Exception {
  std::set<std::string_view> homes;
  std::set<std::string_view> rules;
  std::string_view reason;
  std::string_view instead = "";  ///< the rule that is broken there instead, if there is one
};

const std::vector<Exception>& Exceptions() {
  static const std::set<std::string_view> kFunctions = {"function", "overload"};
  static const std::set<std::string_view> kInFunctions = {"function", "overload", "in-function", "list-in-function",
                                                          "default"};
  static const std::vector<Exception> exceptions = {
      {{"attribute", "list", "list-in-function", "default"},
       {"attribute-choice", "attribute-length", "attribute-range",  "attributes-clash", "axis-range",
        "branches-differ",  "broadcast-clash",  "condition-shape",  "declared-type",    "dimension-clash",
        "dimension-value",  "inference-limit",  "operand-kind",     "operand-size",     "operand-value",
        "rank-clash",       "subgraph-inputs",  "subgraph-outputs", "subgraph-type",    "unreached-clash"},
       "nobody knows how an unknown operator runs its graphs, so their types are not inferred"},
      {{"branch", "two-levels", "in-function"},
       {"dimension-denotation", "duplicate-input", "element-type-unknown", "joined-dimensions", "map-key-type",
        "negative-shape", "optional-type", "placeholder-dimension", "type-denotation", "type-incomplete",
        "type-incomplete-inside", "type-missing"},
       "a branch has no inputs; those of the case are inputs of the graph around it"},
      {{"attribute", "list", "list-in-function", "default", "function", "overload"},
       {"type-incomplete", "type-missing"},
       "only an input of a whole graph must have a type; other inputs get theirs from a node"},
      {{"initialization"},
       {"duplicate-input", "type-incomplete", "type-missing"},
       "the initialization of a training step has no inputs"},
      {{"attribute", "list", "branch", "two-levels", "function", "overload", "in-function", "list-in-function",
        "default", "algorithm", "initialization"},
       {"symbol-is-number"},
       "only the main graph promises its callers sizes by the symbols of its inputs"},
      {{"function", "overload", "in-function"}, {"unreached-clash"}, "another call of the function may run the branch"},
      {{"function", "overload", "in-function"},
       {"inference-limit"},
       "a limit is reported at the call in the main graph"},
      {kInFunctions, {"opset-import-missing", "opset-import-too-early"}, "the rule is about models"},
      {kInFunctions, {"reference-outside"}, "a function has attributes to which it may refer", "unknown-reference"},
      {kInFunctions, {"initializer-not-input"}, "functions are newer than the IR versions of this rule"},
      {kFunctions, {"name-missing"}, "a function without a name cannot be called"},
      {kFunctions, {"unused-initializer"}, "the initializers of the case are constants in a function"},
      {kFunctions, {"duplicate-initializer"}, "the initializers of the case are constants", "duplicate-name"},
      {kFunctions, {"unknown-output"}, "functions have a rule of their own", "function-output-unknown"},
      {kFunctions, {"duplicate-output"}, "functions have a rule of their own", "duplicate-function-output"},
      {kFunctions, {"output-types-differ"}, "the outputs of a function have no types", "duplicate-function-output"},
      {kFunctions,
       {"duplicate-quantization-key", "quantization-key", "quantization-name"},
       "functions have no quantization annotations"},
  };
  return exceptions;
}

/// Returns what a path such as `graph.node[3] "conv1".domain` leads to in the message: a message, the message that has
/// the field at its end, or null.
const google::protobuf::Message* AtPath(const google::protobuf::Message& message, std::string_view path) {
  const std::size_t end = std::min(path.find_first_of(".["), path.size());
  const auto* const field = message.GetDescriptor()->FindFieldByName(std::string(path.substr(0, end)));
  if (field == nullptr) return nullptr;
  path.remove_prefix(end);
  const auto& reflection = *message.GetReflection();
  int index = field->is_repeated() ? reflection.FieldSize(message, field) : 0;
  if (path.starts_with("[\"")) {  // an attribute, or an entry of metadata
    const std::string_view name = path.substr(2, path.find("\"]") - 2);
    for (index = 0; index < reflection.FieldSize(message, field); ++index) {
      const auto& element = reflection.GetRepeatedMessage(message, field, index);
      const auto* const named = element.GetDescriptor()->FindFieldByName("name");
      const auto* const key = named != nullptr ? named : element.GetDescriptor()->FindFieldByName("key");
      if (element.GetReflection()->GetString(element, key) == name) break;
    }
  } else if (path.starts_with('[')) {
    index = std::stoi(std::string(path.substr(1)));
  }
  if (field->is_repeated() != path.starts_with('[')) return path.empty() ? &message : nullptr;
  if (field->is_repeated() && index >= reflection.FieldSize(message, field)) return nullptr;
  if (field->is_repeated()) path.remove_prefix(path.find(']') + 1);
  if (path.starts_with(" \"")) path.remove_prefix(path.find('"', 2) + 1);
  if (path.empty()) return &message;
  if (field->message_type() == nullptr) return nullptr;
  return AtPath(field->is_repeated() ? reflection.GetRepeatedMessage(message, field, index)
                                     : reflection.GetMessage(message, field),
                path.substr(1));
}

/// Returns the paths of all findings by their rules.
using Findings = std::map<std::string_view, std::vector<std::string>>;
Findings FindingsIn(const ModelProto& model) {
  static const testing::Folder kFolder;  // of the model
  kFolder.Write("four_bytes.bin", "1234");
  Findings findings;
  const Diagnostics found =
      CheckModel(model, {.optional_rules = true, .directory = kFolder.path().string(), .checksums = true});
  const auto leads = [&](const std::string& path) { return path == "model" || AtPath(model, path) != nullptr; };
  for (const Diagnostic& item : found.items()) {
    findings[Name(item.kind)].push_back(item.path);
    EXPECT_TRUE(leads(item.path)) << item.path << ": " << item.message;
  }
  return findings;
}

bool HasIn(const Findings& findings, std::string_view rule, std::string_view path) {
  const auto found = findings.find(rule);
  return found != findings.end() &&
         std::ranges::any_of(found->second, [&](const std::string& each) { return each.starts_with(path); });
}

std::string ShownIn(const Findings& findings, std::string_view rule) {
  const auto found = findings.find(rule);
  return found == findings.end() ? "nothing" : fmt::format("{}", fmt::join(found->second, ", "));
}

class RuleInPlaces : public ::testing::TestWithParam<Case> {};

TEST_P(RuleInPlaces, IsKeptAndBroken) {
  const Case& row = GetParam();
  const ModelProto right = Parsed(row.text);
  ModelProto wrong = right;
  row.accident(wrong);
  const Findings in_main = FindingsIn(wrong);
  static std::map<std::pair<std::string, std::string_view>, Findings> of_right;  // by text and place
  for (const Home& home : kHomes) {
    SCOPED_TRACE(home.name);
    const std::string_view path = HasIn(in_main, row.rule, "graph")          ? home.path
                                  : HasIn(in_main, row.rule, "opset_import") ? home.imports
                                                                             : std::string_view();
    const auto [kept, is_new] = of_right.try_emplace({row.text, home.name});
    if (is_new) kept->second = FindingsIn(Moved(right, home));
    EXPECT_FALSE(HasIn(kept->second, row.rule, path)) << "the valid model: " << ShownIn(kept->second, row.rule);
    const Findings found = FindingsIn(Moved(wrong, home));
    const auto fits = [&](const Exception& each) {
      return each.homes.contains(home.name) && each.rules.contains(row.rule);
    };
    const auto exception = std::ranges::find_if(Exceptions(), fits);
    if (exception == Exceptions().end()) {
      EXPECT_TRUE(HasIn(found, row.rule, path)) << "found " << ShownIn(found, row.rule) << ", not at " << path;
      continue;
    }
    EXPECT_FALSE(HasIn(found, row.rule, path)) << ShownIn(found, row.rule) << ", although " << exception->reason;
    if (!exception->instead.empty()) {
      EXPECT_TRUE(HasIn(found, exception->instead, path)) << "no " << exception->instead;
    }
  }
}

// Findings in texts, and their notes, are at the same words wherever the graph stands.
TEST_P(RuleInPlaces, IsToldAtTheSameWords) {
  const Case& row = GetParam();
  ModelProto wrong = Parsed(row.text);
  row.accident(wrong);
  if (!HasIn(FindingsIn(wrong), row.rule, "graph")) return;
  const std::vector<ToldInText> in_main = FindingsInText(wrong, row.rule);
  for (const Home& home : kHomes) {
    const auto fits = [&](const Exception& each) {
      return each.homes.contains(home.name) && each.rules.contains(row.rule);
    };
    if (std::ranges::any_of(Exceptions(), fits)) continue;
    const std::vector<ToldInText> here = FindingsInText(Moved(wrong, home), row.rule);
    for (const ToldInText& told : here.empty() ? std::vector<ToldInText>() : in_main) {  // empty: there is no text
      EXPECT_TRUE(std::ranges::any_of(here, [&](const ToldInText& each) { return each.IsAtPlacesOf(told); }))
          << home.name << ": " << ::testing::PrintToString(here[0].words) << ", not at "
          << ::testing::PrintToString(told.words);
    }
  }
}

TEST(RulePlaces, ExceptionsAreOfRulesAndPlacesThatExist) {
  for (const Exception& exception : Exceptions()) {
    for (const std::string_view rule : exception.rules) {
      EXPECT_TRUE(std::ranges::any_of(Cases(), [&](const Case& row) { return row.rule == rule; })) << rule;
    }
    for (const std::string_view name : exception.homes) {
      EXPECT_TRUE(std::ranges::any_of(kHomes, [&](const Home& home) { return home.name == name; })) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RuleInPlaces, ::testing::ValuesIn(Cases()), [](const auto& test) {
  std::string name(test.param.rule);
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace onnxc::accident
