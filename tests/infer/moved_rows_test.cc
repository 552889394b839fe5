// The same nodes have the same types wherever they are. The nodes of recorded rows are moved into a function, a branch,
// the body of a loop and so on, and what is inferred there is compared with what is inferred in the main graph. So is
// what is found if a part of the row was broken.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <onnxc/infer.h>
#include <onnxc/printer.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "testing/recorded_rows.h"

namespace onnxc::testing::moved_rows_test {
namespace {

constexpr std::string_view kDomain = "moved";
constexpr int kTrips = 3;

/// What is inferred: the types of the outputs, and the findings about nodes.
struct Result {
  std::vector<std::string> types = {};
  std::vector<Diagnostic> findings = {};
};

std::vector<std::string> OutputsOf(const onnx::GraphProto& graph) {
  std::vector<std::string> names;
  for (const onnx::ValueInfoProto& output : graph.output()) names.push_back(output.name());
  return names;
}

/// Returns what is inferred for these values of a graph or function of the model.
Result ResultOf(const Inference& inference, const google::protobuf::Message& owner,
                const std::vector<std::string>& names) {
  Result result;
  for (const std::string& name : names) {
    const InferredValue* const value = inference.Find(owner, name);
    result.types.push_back(value == nullptr ? "?" : ToString(value->type));
  }
  for (const Diagnostic& finding : inference.diagnostics.items()) {
    const bool is_of_node = finding.path.find(".node[") != std::string::npos;
    if (is_of_node && Name(finding.kind) != "unreached-clash") result.findings.push_back(finding);
  }
  return result;
}

/// Returns the names of all inputs and initializers of the graph, each once.
std::vector<std::string> GivenTo(const onnx::GraphProto& graph) {
  std::set<std::string> seen;
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (seen.insert(name).second) names.push_back(name);
  };
  for (const onnx::ValueInfoProto& input : graph.input()) add(input.name());
  for (const onnx::TensorProto& tensor : graph.initializer()) add(tensor.name());
  for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer()) add(tensor.values().name());
  return names;
}

/// Returns whether an initializer is the default value of an input.
bool HasDefaults(const onnx::GraphProto& graph) {
  const int parts = graph.input_size() + graph.initializer_size() + graph.sparse_initializer_size();
  return GivenTo(graph).size() != static_cast<std::size_t>(parts);
}

/// A model whose nodes are those of another one in another place.
struct Moved {
  onnx::ModelProto model;
  std::string place = {};   ///< the path of the graph or function that has the nodes
  std::string prefix = {};  ///< what the types of the outputs have in front of their sizes: the axes that are stacked
  bool stacks = false;      ///< the outputs are stacked, so they must be tensors of known rank
  bool runs = true;         ///< whether the nodes certainly run; otherwise no position out of range is a mistake
  bool has_place = true;    ///< whether a finding has the same place in the graph or function
};

/// Returns the model with the nodes taken out, and `node` in their place.
onnx::ModelProto WithNode(const onnx::ModelProto& model, const onnx::NodeProto& node) {
  onnx::ModelProto changed = model;
  changed.mutable_graph()->clear_node();
  *changed.mutable_graph()->add_node() = node;
  return changed;
}

onnx::FunctionProto& AddFunction(onnx::ModelProto* model) {
  onnx::FunctionProto& function = *model->add_functions();
  function.set_domain(std::string(kDomain));
  function.set_name(fmt::format("f{}", model->functions_size()));
  *function.mutable_opset_import() = model->opset_import();
  return function;
}

onnx::NodeProto Call(const onnx::FunctionProto& function, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs) {
  onnx::NodeProto call;
  call.set_op_type(function.name());
  call.set_domain(function.domain());
  for (const std::string& name : inputs) call.add_input(name);
  for (const std::string& name : outputs) call.add_output(name);
  return call;
}

onnx::ModelProto WithCall(const onnx::ModelProto& model, onnx::FunctionProto function) {
  const std::vector<std::string> given = GivenTo(model.graph());
  const std::vector<std::string> outputs = OutputsOf(model.graph());
  for (const std::string& name : given) function.add_input(name);
  for (const std::string& name : outputs) function.add_output(name);
  onnx::ModelProto moved = WithNode(model, Call(function, given, outputs));
  moved.mutable_functions()->Clear();
  *moved.add_functions() = function;
  const bool has_domain =
      std::ranges::any_of(moved.opset_import(), [](const auto& import) { return import.domain() == kDomain; });
  if (!has_domain) {
    moved.add_opset_import()->set_domain(std::string(kDomain));
    moved.mutable_opset_import()->rbegin()->set_version(1);
  }
  return moved;
}

std::optional<Moved> IntoFunction(const onnx::ModelProto& model) {
  onnx::ModelProto scratch = model;
  onnx::FunctionProto function = AddFunction(&scratch);
  *function.mutable_node() = model.graph().node();
  return Moved{.model = WithCall(model, function), .place = "functions[0] \"f1\""};
}

/// The attributes of the nodes become attributes of the function; the call gives them, or they are default values.
std::optional<Moved> WithReferences(const onnx::ModelProto& model, bool are_given) {
  auto moved = IntoFunction(model);
  moved->has_place = false;  // the finding may be at the attribute of the call
  onnx::FunctionProto& function = *moved->model.mutable_functions(0);
  onnx::NodeProto& call = *moved->model.mutable_graph()->mutable_node(0);
  for (onnx::NodeProto& node : *function.mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g() || attribute.graphs_size() > 0) continue;
      onnx::AttributeProto given = attribute;
      given.set_name(fmt::format("a{}", function.attribute_size() + function.attribute_proto_size()));
      onnx::AttributeProto reference;
      reference.set_name(attribute.name());
      reference.set_type(attribute.type());
      reference.set_ref_attr_name(given.name());
      attribute = reference;
      if (are_given) {
        function.add_attribute(given.name());
        *call.add_attribute() = given;
      } else {
        *function.add_attribute_proto() = given;
      }
    }
  }
  return moved;
}

/// Returns a graph with the nodes and outputs of the model's graph, which reads the values of the graph around it.
onnx::GraphProto Inside(const onnx::ModelProto& model, std::string_view suffix) {
  onnx::GraphProto graph;
  graph.set_name(fmt::format("inside{}", suffix));
  *graph.mutable_node() = model.graph().node();
  for (const std::string& name : OutputsOf(model.graph())) graph.add_output()->set_name(name);
  return graph;
}

void AddGraph(std::string_view name, const onnx::GraphProto& graph, onnx::NodeProto* node) {
  onnx::AttributeProto& attribute = *node->add_attribute();
  attribute.set_name(std::string(name));
  attribute.set_type(onnx::AttributeProto::GRAPH);
  *attribute.mutable_g() = graph;
}

void AddInput(const std::string& name, int element, onnx::GraphProto* graph) {
  onnx::ValueInfoProto& input = *graph->add_input();
  input.set_name(name);
  if (element == 0) return;
  input.mutable_type()->mutable_tensor_type()->set_elem_type(element);
  input.mutable_type()->mutable_tensor_type()->mutable_shape();
}

void AddConstant(const std::string& name, int element, std::int64_t number, onnx::GraphProto* graph) {
  onnx::TensorProto& tensor = *graph->add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(element);
  if (element == onnx::TensorProto::INT64) {
    tensor.add_int64_data(number);
  } else {
    tensor.add_int32_data(static_cast<std::int32_t>(number));
  }
}

/// Both branches have the nodes. The condition is an input, or a constant that chooses the first branch.
std::optional<Moved> IntoBranch(const onnx::ModelProto& model, bool is_known) {
  onnx::NodeProto branch;
  branch.set_op_type("If");
  branch.add_input("the_condition");
  for (const std::string& name : OutputsOf(model.graph())) branch.add_output(name);
  AddGraph("then_branch", Inside(model, "1"), &branch);
  AddGraph("else_branch", Inside(model, "2"), &branch);
  Moved moved{.model = WithNode(model, branch), .place = R"(graph.node[0].attribute["then_branch"].g)", .runs = false};
  if (is_known) {
    AddConstant("the_condition", onnx::TensorProto::BOOL, 1, moved.model.mutable_graph());
  } else {
    AddInput("the_condition", onnx::TensorProto::BOOL, moved.model.mutable_graph());
  }
  return moved;
}

/// The body of a loop of three iterations stacks the outputs.
std::optional<Moved> IntoLoop(const onnx::ModelProto& model) {
  onnx::NodeProto loop;
  loop.set_op_type("Loop");
  loop.add_input("the_trips");
  loop.add_input("");
  for (const std::string& name : OutputsOf(model.graph())) loop.add_output(name);
  onnx::GraphProto body = Inside(model, "");
  AddInput("the_iteration", onnx::TensorProto::INT64, &body);
  AddInput("goes_on", onnx::TensorProto::BOOL, &body);
  onnx::ValueInfoProto condition;
  condition.set_name("goes_on");
  body.clear_output();
  *body.add_output() = condition;
  for (const std::string& name : OutputsOf(model.graph())) body.add_output()->set_name(name);
  AddGraph("body", body, &loop);
  Moved moved{.model = WithNode(model, loop),
              .place = R"(graph.node[0].attribute["body"].g)",
              .prefix = std::to_string(kTrips),
              .stacks = true,
              .runs = false};
  AddConstant("the_trips", onnx::TensorProto::INT64, kTrips, moved.model.mutable_graph());
  return moved;
}

/// The inputs get a first axis of three, which is scanned. In version 8, there is an axis of two batches before it.
std::optional<Moved> IntoScan(const onnx::ModelProto& model) {
  std::int64_t version = 0;
  for (const auto& import : model.opset_import()) {
    if (import.domain().empty()) version = import.version();
  }
  const bool has_batch = version < 9;
  const onnx::GraphProto& graph = model.graph();
  if (version < 8 || graph.input().empty() || HasDefaults(graph)) return std::nullopt;
  onnx::NodeProto scan;
  scan.set_op_type("Scan");
  if (has_batch) scan.add_input("");
  onnx::GraphProto body = Inside(model, "");
  Moved moved{.model = model,
              .place = R"(graph.node[0].attribute["body"].g)",
              .prefix = has_batch ? fmt::format("2, {}", kTrips) : std::to_string(kTrips),
              .stacks = true,
              .runs = false};
  for (onnx::ValueInfoProto& input : *moved.model.mutable_graph()->mutable_input()) {
    if (!input.type().tensor_type().has_shape()) return std::nullopt;
    AddInput(input.name(), 0, &body);
    scan.add_input(input.name());
    auto& dims = *input.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim();
    const auto old = dims;
    dims.Clear();
    if (has_batch) dims.Add()->set_dim_value(2);
    dims.Add()->set_dim_value(kTrips);
    for (const auto& dim : old) *dims.Add() = dim;
  }
  for (const std::string& name : OutputsOf(graph)) scan.add_output(name);
  AddGraph("body", body, &scan);
  onnx::AttributeProto& count = *scan.add_attribute();
  count.set_name("num_scan_inputs");
  count.set_type(onnx::AttributeProto::INT);
  count.set_i(graph.input_size());
  moved.model = WithNode(moved.model, scan);
  return moved;
}

std::optional<Moved> IntoFunctionOfAFunction(const onnx::ModelProto& model) {
  auto moved = IntoFunction(model);
  onnx::ModelProto around = moved->model;
  onnx::FunctionProto outer = AddFunction(&around);
  *outer.add_node() = moved->model.graph().node(0);
  const onnx::FunctionProto inner = moved->model.functions(0);
  moved->model = WithCall(moved->model, outer);
  *moved->model.add_functions() = inner;
  moved->place = "functions[1] \"f1\"";
  return moved;
}

struct Move {
  std::string_view name;
  std::optional<Moved> (*move)(const onnx::ModelProto&);
};
constexpr Move kMoves[] = {
    {"a function", IntoFunction},
    {"a function of a function", IntoFunctionOfAFunction},
    {"a function whose attributes are given",
     [](const onnx::ModelProto& model) { return WithReferences(model, true); }},
    {"a function whose attributes have defaults",
     [](const onnx::ModelProto& model) { return WithReferences(model, false); }},
    {"a branch", [](const onnx::ModelProto& model) { return IntoBranch(model, false); }},
    {"the branch that is taken", [](const onnx::ModelProto& model) { return IntoBranch(model, true); }},
    {"a loop", IntoLoop},
    {"a scan", IntoScan},
};

/// Returns the type of a stacked value.
std::string Stacked(std::string type, const std::string& prefix) {
  if (prefix.empty() || type == "?") return type;
  const std::size_t bracket = type.find('[');
  if (bracket == std::string::npos) return type + "[" + prefix + "]";
  return type.insert(bracket + 1, type[bracket + 1] == ']' ? "" : prefix + ", ");
}

class MovedRows : public ::testing::Test {
 protected:
  void Compare(const onnx::ModelProto& model, const Move& move) {
    const std::optional<Moved> moved = move.move(model);
    if (!moved) return;
    const std::vector<std::string> names = OutputsOf(model.graph());
    const Inference before = InferTypes(model);
    const Inference after = InferTypes(moved->model);
    const Result wanted = ResultOf(before, model.graph(), names);
    const Result got = ResultOf(after, moved->model.graph(), names);
    const bool is_tensor =
        std::ranges::none_of(wanted.types, [](const std::string& type) { return type.find('(') != std::string::npos; });
    if (moved->stacks && !is_tensor) return;
    const auto fail = [&](const std::string& what) {
      if (++failures_ > 12) return;
      ADD_FAILURE() << "in " << move.name << ": " << what << "\n"
                    << Print(moved->model).text << "\n"
                    << after.diagnostics << "instead of\n"
                    << before.diagnostics;
    };
    if (wanted.findings.empty() != got.findings.empty() && !MayDiffer(*moved, wanted.findings))
      return fail("the findings differ");
    if (!wanted.findings.empty()) return CompareFindings(*moved, wanted.findings, got.findings, fail);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (wanted.types[i] == "?" && moved->stacks) continue;  // it is a tensor then
      const std::string type = Stacked(wanted.types[i], moved->prefix);
      if (got.types[i] != type) fail(fmt::format("'{}' is {}, not {}", names[i], got.types[i], type));
    }
    ++compared_;
  }

  template <typename Function>
  void CompareFindings(const Moved& moved, const std::vector<Diagnostic>& wanted, const std::vector<Diagnostic>& got,
                       const Function& fail) {
    if (got.empty()) return;
    const bool is_there = std::ranges::any_of(got, [&](const Diagnostic& finding) {
      return finding.message == wanted[0].message &&
             (!moved.has_place || finding.path == moved.place + wanted[0].path.substr(std::string("graph").size()));
    });
    if (!is_there) fail("another finding");
    ++found_;
  }

  /// In a graph that may never run, a position that is out of range is no mistake.
  static bool MayDiffer(const Moved& moved, const std::vector<Diagnostic>& findings) {
    return !moved.runs && !findings.empty() && Name(findings[0].kind) == "operand-value";
  }

  int compared_ = 0;
  int found_ = 0;
  int failures_ = 0;
};

TEST_F(MovedRows, HaveTheSameTypesAndMistakes) {
  const std::vector<RecordedRow> rows = ReadRecordedRows();
  for (std::size_t i = 0; i < rows.size(); ++i) Compare(rows[i].model, kMoves[i % std::size(kMoves)]);
  std::size_t index = 0;
  ForEachBrokenRow(rows, [&](const RecordedRow&, const onnx::ModelProto& model) {
    if (++index % 3 == 0) Compare(model, kMoves[index / 3 % std::size(kMoves)]);
  });
  EXPECT_GT(compared_, 20'000);
  EXPECT_GT(found_, 4000);
}

}  // namespace
}  // namespace onnxc::testing::moved_rows_test
