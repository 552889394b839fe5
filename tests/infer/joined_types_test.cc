// Where two types meet: branches, values of a loop, declared types, calls of a function. Random types are combined
// there, and the result is compared with that of simple functions on messages, which are written from the documented
// rules.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/infer.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>
#include <onnxc/proto.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace onnxc::testing::joined_types_test {
namespace {

using onnx::TypeProto;

constexpr unsigned kTries = 1500;

// ---- random types

TypeProto TensorAtRandom(std::mt19937& random) {
  TypeProto type;
  auto& tensor = *type.mutable_tensor_type();
  tensor.set_elem_type(random() % 6 == 0 ? onnx::TensorProto::INT64 : onnx::TensorProto::FLOAT);
  if (random() % 8 == 0) return type;
  tensor.mutable_shape();
  for (std::size_t rank = random() % 8 == 0 ? random() % 4 : 2; rank > 0; --rank) {
    auto& dim = *tensor.mutable_shape()->add_dim();
    switch (random() % 6) {
      case 0: dim.set_dim_value(1); break;
      case 1:
      case 2: dim.set_dim_value(2); break;
      case 3: dim.set_dim_param("N"); break;
      case 4: dim.set_dim_param("M"); break;
      default: break;
    }
  }
  return type;
}

TypeProto TypeAtRandom(std::mt19937& random) {
  TypeProto type;
  switch (random() % 8) {
    case 0: *type.mutable_sequence_type()->mutable_elem_type() = TensorAtRandom(random); break;
    case 1: *type.mutable_optional_type()->mutable_elem_type() = TensorAtRandom(random); break;
    default: type = TensorAtRandom(random);
  }
  return type;
}

// ---- the rules, on messages; nothing means that the types contradict each other

TypeProto* InnerOf(TypeProto* type) {
  if (type->has_sequence_type()) return type->mutable_sequence_type()->mutable_elem_type();
  return type->has_optional_type() ? type->mutable_optional_type()->mutable_elem_type() : nullptr;
}

/// Combines the tensors in two types of the same kind. `combine` gets two shapes that exist, and returns whether they
/// agree.
template <typename Combine>
std::optional<TypeProto> Together(TypeProto a, TypeProto b, const Combine& combine) {
  if (a.value_case() != b.value_case()) return std::nullopt;
  if (TypeProto* const inner = InnerOf(&a)) {
    const auto both = Together(*inner, *InnerOf(&b), combine);
    if (!both) return std::nullopt;
    *inner = *both;
    return a;
  }
  if (a.tensor_type().elem_type() != b.tensor_type().elem_type()) return std::nullopt;
  if (!combine(a.mutable_tensor_type(), *b.mutable_tensor_type())) return std::nullopt;
  return a;
}

bool AreEqual(const onnx::TensorShapeProto::Dimension& a, const onnx::TensorShapeProto::Dimension& b) {
  return a.value_case() != 0 && a.SerializeAsString() == b.SerializeAsString();
}

/// What is true for a value that has either type: equal ranks, and equal sizes.
std::optional<TypeProto> Either(const TypeProto& a, const TypeProto& b) {
  return Together(a, b, [](TypeProto::Tensor* x, const TypeProto::Tensor& y) {
    if (!x->has_shape() || !y.has_shape() || x->shape().dim_size() != y.shape().dim_size()) {
      x->clear_shape();
      return true;
    }
    for (int i = 0; i < y.shape().dim_size(); ++i) {
      auto& dim = *x->mutable_shape()->mutable_dim(i);
      if (!AreEqual(dim, y.shape().dim(i))) dim.Clear();
    }
    return true;
  });
}

/// What is true for a value that has both types. A number is more than a symbol, and the symbols of the first type are
/// preferred.
std::optional<TypeProto> Both(const TypeProto& a, const TypeProto& b) {
  return Together(a, b, [](TypeProto::Tensor* x, const TypeProto::Tensor& y) {
    if (!y.has_shape()) return true;
    if (!x->has_shape()) *x->mutable_shape() = y.shape();
    if (x->shape().dim_size() != y.shape().dim_size()) return false;
    for (int i = 0; i < y.shape().dim_size(); ++i) {
      auto& dim = *x->mutable_shape()->mutable_dim(i);
      const auto& other = y.shape().dim(i);
      if (dim.has_dim_value() && other.has_dim_value() && dim.dim_value() != other.dim_value()) return false;
      if (other.has_dim_value() || dim.value_case() == 0) dim = other;
    }
    return true;
  });
}

// ---- models in which two types meet

onnx::ModelProto ModelOf(const TypeProto& a, const TypeProto& b) {
  onnx::ModelProto model;
  model.set_ir_version(10);
  model.add_opset_import()->set_version(21);
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("g");
  for (const auto& [name, type] : {std::pair("a", &a), std::pair("b", &b)}) {
    graph.add_input()->set_name(name);
    *graph.mutable_input()->rbegin()->mutable_type() = *type;
  }
  graph.add_output()->set_name("y");
  return model;
}

onnx::NodeProto& AddNode(std::string_view op, std::initializer_list<const char*> inputs, std::string_view output,
                         google::protobuf::RepeatedPtrField<onnx::NodeProto>* nodes) {
  onnx::NodeProto& node = *nodes->Add();
  node.set_op_type(std::string(op));
  for (const char* const input : inputs) node.add_input(input);
  if (!output.empty()) node.add_output(std::string(output));
  return node;
}

onnx::GraphProto& AddGraph(std::string_view attribute, onnx::NodeProto* node) {
  onnx::AttributeProto& added = *node->add_attribute();
  added.set_name(std::string(attribute));
  added.set_type(onnx::AttributeProto::GRAPH);
  added.mutable_g()->set_name(std::string(attribute));
  return *added.mutable_g();
}

void AddConstant(std::string_view name, int element, int number, onnx::GraphProto* graph) {
  onnx::TensorProto& tensor = *graph->add_initializer();
  tensor.set_name(std::string(name));
  tensor.set_data_type(element);
  element == onnx::TensorProto::INT64 ? tensor.add_int64_data(number) : tensor.add_int32_data(number);
}

/// The value `y` of the graph has the wanted type, and there is no error; or, without a wanted type, there is an error.
void Expect(const onnx::ModelProto& model, const std::optional<TypeProto>& wanted) {
  const Inference inference = InferTypes(model);
  EXPECT_EQ(inference.ok(), wanted.has_value()) << Print(model).text << inference.diagnostics;
  const InferredValue* const y = inference.Find(model.graph(), "y");
  if (!wanted || !inference.ok()) return;
  ASSERT_NE(y, nullptr) << Print(model).text;
  EXPECT_EQ(ToProto(y->type).ShortDebugString(), wanted->ShortDebugString()) << Print(model).text;
}

template <typename Function>
void ForPairs(const Function& function) {
  for (unsigned seed = 1; seed <= kTries; ++seed) {
    std::mt19937 random(seed);
    const TypeProto a = TypeAtRandom(random);
    const TypeProto b = random() % 3 == 0 ? a : TypeAtRandom(random);
    function(a, b);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(JoinedTypes, OfBranches) {
  ForPairs([](const TypeProto& a, const TypeProto& b) {
    onnx::ModelProto model = ModelOf(a, b);
    onnx::GraphProto& graph = *model.mutable_graph();
    graph.add_input()->set_name("c");
    graph.mutable_input()->rbegin()->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
    onnx::NodeProto& branch = AddNode("If", {"c"}, "y", graph.mutable_node());
    for (const auto& [attribute, value] : {std::pair("then_branch", "a"), std::pair("else_branch", "b")}) {
      onnx::GraphProto& inner = AddGraph(attribute, &branch);
      AddNode("Identity", {value}, "r", inner.mutable_node());
      inner.add_output()->set_name("r");
    }
    Expect(model, Either(a, b));
    // A known condition chooses, but the branches must still agree.
    for (const int condition : {0, 1}) {
      onnx::ModelProto known = model;
      known.mutable_graph()->mutable_input()->RemoveLast();
      AddConstant("c", onnx::TensorProto::BOOL, condition, known.mutable_graph());
      Expect(known, Either(a, b) ? std::optional(condition == 0 ? b : a) : std::nullopt);
    }
  });
}

TEST(JoinedTypes, OfTheValuesOfALoop) {
  ForPairs([](const TypeProto& a, const TypeProto& b) {
    if (a.has_optional_type()) return;  // the body may give back what the optional contains
    onnx::ModelProto model = ModelOf(a, b);
    onnx::GraphProto& graph = *model.mutable_graph();
    graph.add_input()->set_name("n");
    graph.mutable_input()->rbegin()->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT64);
    onnx::GraphProto& body = AddGraph("body", &AddNode("Loop", {"n", "", "a"}, "y", graph.mutable_node()));
    for (const char* const input : {"i", "goes", "v"}) body.add_input()->set_name(input);
    AddNode("Identity", {"goes"}, "goes_on", body.mutable_node());
    AddNode("Identity", {"b"}, "w", body.mutable_node());
    for (const char* const output : {"goes_on", "w"}) body.add_output()->set_name(output);
    Expect(model, Either(a, b));
  });
}

/// The shape of a state of Scan stays the same.
TEST(JoinedTypes, OfTheStatesOfAScan) {
  ForPairs([](const TypeProto& a, const TypeProto& b) {
    if (!a.has_tensor_type()) return;  // Scan takes only tensors
    onnx::ModelProto model = ModelOf(a, b);
    onnx::GraphProto& graph = *model.mutable_graph();
    graph.add_input()->set_name("x");
    auto& scanned = *graph.mutable_input()->rbegin()->mutable_type()->mutable_tensor_type();
    scanned.set_elem_type(onnx::TensorProto::FLOAT);
    scanned.mutable_shape()->add_dim()->set_dim_value(3);
    onnx::NodeProto& scan = AddNode("Scan", {"a", "x"}, "y", graph.mutable_node());
    onnx::GraphProto& body = AddGraph("body", &scan);
    for (const char* const input : {"v", "e"}) body.add_input()->set_name(input);
    AddNode("Identity", {"b"}, "w", body.mutable_node());
    body.add_output()->set_name("w");
    onnx::AttributeProto& count = *scan.add_attribute();
    count.set_name("num_scan_inputs");
    count.set_type(onnx::AttributeProto::INT);
    count.set_i(1);
    Expect(model, Both(a, b));
  });
}

TEST(JoinedTypes, OfTwoCallsOfAFunction) {
  ForPairs([](const TypeProto& a, const TypeProto& b) {
    onnx::ModelProto model = ModelOf(a, b);
    model.add_opset_import()->set_domain("l");
    model.mutable_opset_import(1)->set_version(1);
    onnx::FunctionProto& function = *model.add_functions();
    function.set_domain("l");
    function.set_name("f");
    function.add_opset_import()->set_version(21);
    function.add_input("x");
    function.add_output("z");
    AddNode("Identity", {"x"}, "z", function.mutable_node());
    for (const auto& [input, output] : {std::pair("a", "y"), std::pair("b", "u")}) {
      AddNode("f", {input}, output, model.mutable_graph()->mutable_node()).set_domain("l");
    }
    Expect(model, a);
    const Inference inference = InferTypes(model);
    const auto either = Either(a, b);
    for (const char* const name : {"x", "z"}) {
      const InferredValue* const value = inference.Find(model.functions(0), name);
      ASSERT_NE(value, nullptr);
      if (either) {
        EXPECT_EQ(ToProto(value->type).ShortDebugString(), either->ShortDebugString()) << Print(model).text;
      }
    }
  });
}

TEST(JoinedTypes, OfADefaultValueAndItsInput) {
  ForPairs([](const TypeProto& a, const TypeProto& b) {
    if (!b.has_tensor_type()) return;
    onnx::ModelProto model = ModelOf(a, b);
    onnx::TensorProto& tensor = *model.mutable_graph()->add_initializer();
    tensor.set_name("a");
    tensor.set_data_type(b.tensor_type().elem_type());
    TypeProto of_tensor = b;
    of_tensor.mutable_tensor_type()->mutable_shape();
    for (auto& dim : *of_tensor.mutable_tensor_type()->mutable_shape()->mutable_dim()) {
      dim.set_dim_value(dim.has_dim_value() ? dim.dim_value() : 0);
      tensor.add_dims(dim.dim_value());
    }
    AddNode("Identity", {"a"}, "y", model.mutable_graph()->mutable_node());
    const auto both = Both(a, of_tensor);
    Expect(model, both ? std::optional(a) : std::nullopt);
    // Before IR version 4 the default value is a constant, but what is declared counts.
    model.set_ir_version(3);
    Expect(model, both ? std::optional(a) : std::nullopt);
  });
}

// ---- declared types

/// Writes the declared type of a value that a node computes, after inference: numbers replace symbols, and symbols
/// replace what is unknown.
TypeProto Completed(const TypeProto& declared, const TypeProto& inferred) {
  return *Together(declared, inferred, [](TypeProto::Tensor* x, const TypeProto::Tensor& y) {
    if (!y.has_shape()) return true;
    if (!x->has_shape()) *x->mutable_shape() = y.shape();
    for (int i = 0; i < y.shape().dim_size(); ++i) {
      auto& dim = *x->mutable_shape()->mutable_dim(i);
      if (y.shape().dim(i).has_dim_value() || dim.value_case() == 0) dim = y.shape().dim(i);
    }
    return true;
  });
}

TypeProto TypeOfS(const google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& infos) {
  for (const onnx::ValueInfoProto& info : infos) {
    if (info.name() == "s") return info.type();
  }
  ADD_FAILURE() << "s has no type";
  return {};
}

/// What is declared for a value is completed or, with `overwrite`, replaced; in a model, a graph and a function, in the
/// graph of a branch, and with the declaration at an output.
TEST(JoinedTypes, OfADeclarationAndItsValue) {
  ForPairs([](const TypeProto& a, const TypeProto& b) {
    onnx::ModelProto model = ModelOf(a, a);
    onnx::GraphProto& graph = *model.mutable_graph();
    AddNode("Identity", {"a"}, "s", graph.mutable_node());
    AddNode("Identity", {"s"}, "y", graph.mutable_node());
    graph.add_value_info()->set_name("s");
    *graph.mutable_value_info(0)->mutable_type() = b;
    const auto both = Both(a, b);
    Expect(model, both);

    const TypeProto kept = both ? Completed(b, *both) : b;
    const TypeProto replaced = both ? *both : a;
    onnx::FunctionProto function;
    function.set_domain("l");
    function.set_name("f");
    function.add_opset_import()->set_version(21);
    function.add_input("a");
    function.add_output("y");
    *function.mutable_node() = graph.node();
    *function.mutable_value_info() = graph.value_info();
    function.add_value_info()->set_name("a");
    *function.mutable_value_info()->rbegin()->mutable_type() = a;
    for (const bool overwrite : {false, true}) {
      const InferOptions options{.overwrite = overwrite, .opset_imports = {{"", 21}}};
      const std::string wanted = (overwrite ? replaced : kept).ShortDebugString();
      const Inference of_model = InferTypes(model, options);
      const onnx::GraphProto in_model = WithTypes(model, of_model, overwrite).message.graph();
      EXPECT_EQ(TypeOfS(in_model.value_info()).ShortDebugString(), wanted) << Print(model).text;
      const Inference of_graph = InferTypes(graph, options);
      const onnx::GraphProto typed = WithTypes(graph, of_graph, overwrite).message;
      EXPECT_EQ(TypeOfS(typed.value_info()).ShortDebugString(), wanted) << Print(model).text;
      EXPECT_EQ(typed.SerializeAsString(), in_model.SerializeAsString());
      const Inference of_function = InferTypes(function, options);
      EXPECT_EQ(TypeOfS(WithTypes(function, of_function, overwrite).message.value_info()).ShortDebugString(), wanted)
          << Print(function).text;
      // In a model, a function keeps its declarations unless they are overwritten.
      onnx::ModelProto with_function = model;
      *with_function.add_functions() = function;
      const Inference of_both = InferTypes(with_function, options);
      EXPECT_EQ(
          TypeOfS(WithTypes(with_function, of_both, overwrite).message.functions(0).value_info()).ShortDebugString(),
          (overwrite ? replaced : b).ShortDebugString());
      for (const onnx::ValueInfoProto& input : in_model.input()) {
        EXPECT_EQ(input.type().SerializeAsString(), a.SerializeAsString()) << "inputs keep their types";
      }
    }

    onnx::ModelProto with_output = model;
    with_output.mutable_graph()->clear_value_info();
    with_output.mutable_graph()->mutable_output(0)->set_name("s");
    *with_output.mutable_graph()->mutable_output(0)->mutable_type() = b;
    const TypeProto output = WithTypes(with_output, InferTypes(with_output)).message.graph().output(0).type();
    EXPECT_EQ(output.ShortDebugString(), kept.ShortDebugString()) << Print(with_output).text;
  });
}

// Of operands that must have the same type, the finding is at the odd one, wherever it is.
TEST(Operands, TheOddOneIsBlamed) {
  for (const std::string_view op : {"Sum", "Max", "Min", "Mean", "Concat <axis = 0>"}) {
    for (int count = 3; count < 8; ++count) {
      for (int odd = 0; odd < count; ++odd) {
        std::string formals;
        std::string operands;
        for (int i = 0; i < count; ++i) {
          formals += fmt::format("{}{}[2] x{}", i == 0 ? "" : ", ", i == odd ? "double" : "float", i);
          operands += fmt::format("{}x{}", i == 0 ? "" : ", ", i);
        }
        const std::string text =
            fmt::format("<ir_version: 10, opset_import: [\"\": 21]> g ({}) => (float[N] y) {{ y = {} ({}) }}", formals,
                        op, operands);
        onnx::ModelProto model;
        ASSERT_TRUE(Parse(text, &model).ok()) << text;
        const Diagnostics found = InferTypes(model).diagnostics;
        ASSERT_FALSE(found.items().empty()) << text;
        EXPECT_EQ(found.items().front().path, fmt::format("graph.node[0].input[{}]", odd)) << text;
      }
    }
  }
}

// What a loop stacks are tensors.
TEST(Loops, DoNotStackOtherTypes) {
  for (int stacked = 0; stacked < 3; ++stacked) {
    std::string outputs;
    for (int i = 0; i < 3; ++i) outputs += fmt::format(", {} s{}", i == stacked ? "seq(float[2])" : "float[2]", i);
    const std::string text = fmt::format(
        "<ir_version: 10, opset_import: [\"\": 21]> g (seq(float[2]) s, float[2] x, int64 n, bool k) => (float[N, 2] "
        "y) "
        "{{ a, b, c = Loop (n, k) <body = b (int64 i, bool c) => (bool d{}) {{ d = Identity (c) {} }}> y = Identity "
        "(a) }}",
        outputs, [&] {
          std::string nodes;
          for (int i = 0; i < 3; ++i) nodes += fmt::format(" s{} = Identity ({})", i, i == stacked ? "s" : "x");
          return nodes;
        }());
    onnx::ModelProto model;
    ASSERT_TRUE(Parse(text, &model).ok()) << text;
    const Diagnostics found = InferTypes(model).diagnostics;
    ASSERT_FALSE(found.items().empty()) << text;
    EXPECT_EQ(found.items().front().message,
              fmt::format("output {} of attribute 'body' in Loop is seq(float[2]); it must be a tensor", stacked + 1));
  }
}

}  // namespace
}  // namespace onnxc::testing::joined_types_test
