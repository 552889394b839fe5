// The inference functions of operators: one row for each property of the result, and one row for each kind of error.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/infer.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "infer/context.h"
#include "infer/operator_examples.h"
#include "testing/predicates.h"

namespace onnxc {
namespace {

using testing::Example;
using testing::kMistakes;
using testing::kRight;
using testing::kTypes;

Inference Infer(const Example& example, onnx::ModelProto* model) {
  const Diagnostics read = Parse(Text(example), model);
  EXPECT_TRUE(testing::Ok(read)) << Text(example) << (read.empty() ? "" : read.items()[0].message);
  return InferTypes(*model);
}

TEST(InferOperators, TellTheTypesOfTheirOutputs) {
  for (const Example& example : kTypes) {
    onnx::ModelProto model;
    const Inference inference = Infer(example, &model);
    std::string types;
    for (const std::string_view name : {"y", "z"}) {
      const InferredValue* const value = inference.Find(model.graph(), name);
      if (value != nullptr) types += (types.empty() ? "" : "; ") + ToString(value->type);
    }
    EXPECT_EQ(types, example.expected) << Text(example)
                                       << (inference.diagnostics.empty() ? ""
                                                                         : inference.diagnostics.items()[0].message);
  }
}

TEST(InferOperators, TellMistakes) {
  for (const Example& example : kMistakes) {
    onnx::ModelProto model;
    const Inference inference = Infer(example, &model);
    ASSERT_EQ(inference.diagnostics.items().size(), 1U) << Text(example);
    EXPECT_EQ(Name(inference.diagnostics.items()[0].kind), example.expected) << Text(example);
  }
}

/// Makes each initializer of the example the default value of an input whose sizes are unknown, or, without defaults,
/// only such an input. Returns the types of all values, and the findings.
std::string InferWithInputs(const Example& example, bool has_defaults) {
  onnx::ModelProto model;
  EXPECT_TRUE(testing::Ok(Parse(Text(example), &model)));
  onnx::GraphProto& graph = *model.mutable_graph();
  const auto add_input = [&](const onnx::TensorProto& values, int rank) {
    onnx::ValueInfoProto& input = *graph.add_input();
    input.set_name(values.name());
    onnx::TypeProto::Tensor& type = *input.mutable_type()->mutable_tensor_type();
    type.set_elem_type(values.data_type());
    for (type.mutable_shape(); rank > 0; --rank) type.mutable_shape()->add_dim();
  };
  for (const onnx::TensorProto& tensor : graph.initializer()) add_input(tensor, tensor.dims_size());
  for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer()) {
    add_input(tensor.values(), tensor.dims_size());
  }
  if (!has_defaults) graph.clear_initializer();
  if (!has_defaults) graph.clear_sparse_initializer();
  const Inference inference = InferTypes(model);
  std::string result;
  for (const InferredValue& value : inference.ValuesOf(graph)) {
    result += fmt::format("{} {}\n", ToString(value.type), value.name);
  }
  for (const Diagnostic& finding : inference.diagnostics.items()) result += finding.message + "\n";
  return result;
}

/// The caller may pass another value, so nothing about a default value may be used.
TEST(InferOperators, UseNoDefaultValueOfAnInput) {
  int count = 0;
  for (const std::span<const Example> examples :
       {std::span<const Example>(kTypes), std::span<const Example>(kMistakes), std::span<const Example>(kRight)}) {
    for (const Example& example : examples) {
      if (example.initializers.empty()) continue;
      ++count;
      EXPECT_EQ(InferWithInputs(example, true), InferWithInputs(example, false)) << Text(example);
    }
  }
  EXPECT_GT(count, 50);
}

/// Runtimes reject these pads, but the output sizes are certain.
TEST(InferOperators, PadsOfAPoolLeaveItsTypeAsItIs) {
  onnx::ModelProto model;
  const Inference inference =
      Infer({21, "float[1, 1, 8] x", "", "y = MaxPool<kernel_shape = [2], pads = [2, 0]>(x)", ""}, &model);
  const InferredValue* const value = inference.Find(model.graph(), "y");
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(ToString(value->type), "float[1, 1, 9]");
}

TEST(InferOperators, TellNothingOfWhatIsRight) {
  for (const Example& example : kRight) {
    onnx::ModelProto model;
    const Inference inference = Infer(example, &model);
    EXPECT_TRUE(inference.diagnostics.empty()) << Text(example) << inference.diagnostics.items()[0].message;
  }
}

/// Returns whether the less known type says nothing else than the type.
bool MayBe(const ValueType& less, const ValueType& type) {
  if (less.kind == ValueType::Kind::kUnknown) return true;
  if (less.kind != type.kind || (less.element_type != 0 && less.element_type != type.element_type)) return false;
  if (less.element != nullptr && type.element != nullptr && !MayBe(*less.element, *type.element)) return false;
  if (!less.has_rank || !type.has_rank) return true;
  const auto may_be = [](const Dimension& a, const Dimension& b) { return !a.Contradicts(b); };
  return std::ranges::equal(less.shape, type.shape, may_be);
}

/// Returns the models in which one shape or one size of an input is not known, or one constant is an input.
std::vector<onnx::ModelProto> WithLess(const onnx::ModelProto& model) {
  std::vector<onnx::ModelProto> models;
  const auto add = [&](const auto& change) {
    models.push_back(model);
    change(models.back().mutable_graph());
  };
  for (int i = 0; i < model.graph().input_size(); ++i) {
    const onnx::TypeProto& type = model.graph().input(i).type();
    if (!type.has_tensor_type()) continue;
    const auto tensor = [i](onnx::GraphProto* graph) {
      return graph->mutable_input(i)->mutable_type()->mutable_tensor_type();
    };
    add([&](onnx::GraphProto* graph) { tensor(graph)->clear_shape(); });
    add([&](onnx::GraphProto* graph) { graph->mutable_input(i)->clear_type(); });
    for (int axis = 0; axis < type.tensor_type().shape().dim_size(); ++axis) {
      const auto& dim = type.tensor_type().shape().dim(axis);
      if (dim.has_dim_value() && dim.dim_value() == 0) continue;  // nobody expects that an unknown size is 0
      add([&](onnx::GraphProto* graph) { tensor(graph)->mutable_shape()->mutable_dim(axis)->Clear(); });
      add([&](onnx::GraphProto* graph) { tensor(graph)->mutable_shape()->mutable_dim(axis)->set_dim_param("less"); });
    }
  }
  for (int i = 0; i < model.graph().initializer_size(); ++i) {
    add([&](onnx::GraphProto* graph) {
      const onnx::TensorProto& tensor = model.graph().initializer(i);
      onnx::ValueInfoProto& input = *graph->add_input();
      input.set_name(tensor.name());
      input.mutable_type()->mutable_tensor_type()->set_elem_type(tensor.data_type());
      graph->mutable_initializer()->DeleteSubrange(i, 1);
    });
  }
  return models;
}

/// If less is known, less may be inferred, but nothing else, and nothing becomes a mistake.
TEST(InferOperators, WithLessKnownTellNothingElse) {
  int count = 0;
  for (const std::span<const Example> examples : {std::span<const Example>(kTypes), std::span<const Example>(kRight)}) {
    for (const Example& example : examples) {
      onnx::ModelProto model;
      const Inference inference = Infer(example, &model);
      for (const onnx::ModelProto& less : WithLess(model)) {
        ++count;
        const Inference of_less = InferTypes(less);
        EXPECT_TRUE(testing::Ok(of_less)) << Print(less).text;
        for (const InferredValue& value : inference.ValuesOf(model.graph())) {
          const InferredValue* const other = of_less.Find(less.graph(), value.name);
          if (other == nullptr) continue;
          EXPECT_TRUE(MayBe(other->type, value.type))
              << value.name << " is " << ToString(other->type) << ", not " << ToString(value.type) << "\n"
              << Print(less).text;
        }
      }
    }
  }
  EXPECT_GT(count, 1000);
}

TEST(InferOperators, AllHaveAFunctionButThoseOfONNXRuntime) {
  for (const Operator& op : kOperators) {
    if (kOperatorDomains[op.domain] == kRuntimeDomain) continue;
    EXPECT_NE(infer::FindFunction(op), nullptr) << Word(op) << "-" << int{op.since};
  }
}

}  // namespace
}  // namespace onnxc
