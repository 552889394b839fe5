// The functions that compute contents (infer/evaluators.def), on operands of all types and shapes, fitting or not.
#include <gtest/gtest.h>
#include <onnxc/infer.h>
#include <onnxc/proto.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>

namespace onnxc::testing::evaluators_test {
namespace {

constexpr const char* kOperators[] = {
#define ONNXC_EVALUATE(name, function) #name,
#include "infer/evaluators.def"
#undef ONNXC_EVALUATE
};

template <typename Items>
auto Chosen(const Items& items, std::mt19937& random) {
  return items[random() % std::size(items)];
}

onnx::TensorProto TensorAtRandom(const std::string& name, std::mt19937& random) {
  constexpr std::int64_t kNumbers[] = {0,
                                       1,
                                       -1,
                                       2,
                                       -2,
                                       3,
                                       127,
                                       1 << 20,
                                       std::numeric_limits<std::int64_t>::max(),
                                       std::numeric_limits<std::int64_t>::min()};
  constexpr int kElements[] = {onnx::TensorProto::INT64, onnx::TensorProto::INT64, onnx::TensorProto::INT32,
                               onnx::TensorProto::BOOL, onnx::TensorProto::DOUBLE};
  onnx::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(Chosen(kElements, random));
  std::size_t size = 1;
  for (std::size_t rank = random() % 4; rank > 0; --rank) {
    tensor.add_dims(static_cast<std::int64_t>(random() % 4));
    size *= static_cast<std::size_t>(tensor.dims(tensor.dims_size() - 1));
  }
  for (std::size_t i = 0; i < size; ++i) {
    const std::int64_t number = Chosen(kNumbers, random);
    switch (tensor.data_type()) {
      case onnx::TensorProto::INT64: tensor.add_int64_data(number); break;
      case onnx::TensorProto::DOUBLE: tensor.add_double_data(static_cast<double>(number)); break;
      case onnx::TensorProto::BOOL: tensor.add_int32_data(number == 0 ? 0 : 1); break;
      default: tensor.add_int32_data(static_cast<std::int32_t>(number));
    }
  }
  return tensor;
}

onnx::ModelProto NodeAtRandom(const char* op, std::mt19937& random) {
  onnx::ModelProto model;
  model.set_ir_version(10);
  model.add_opset_import()->set_version(21);
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("g");
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(op);
  for (std::size_t i = 0; i < 1 + random() % 5; ++i) {
    const std::string name = "w" + std::to_string(i);
    *graph.add_initializer() = TensorAtRandom(name, random);
    node.add_input(random() % 16 == 0 ? "" : name);
  }
  for (const char* const attribute : {"axis", "to", "keepdims", "perm", "axes"}) {
    if (random() % 2 == 0) continue;
    onnx::AttributeProto& added = *node.add_attribute();
    added.set_name(attribute);
    const bool is_list = attribute[0] == 'p' || attribute == std::string("axes");
    added.set_type(is_list ? onnx::AttributeProto::INTS : onnx::AttributeProto::INT);
    added.set_i(static_cast<std::int64_t>(random() % 13) - 3);
    for (std::size_t i = random() % 4; is_list && i > 0; --i) {
      added.add_ints(static_cast<std::int64_t>(random() % 7) - 3);
    }
  }
  for (std::size_t i = 0; i < 1 + random() % 2; ++i) {
    node.add_output("y" + std::to_string(i));
    graph.add_output()->set_name(node.output(static_cast<int>(i)));
  }
  return model;
}

// Most of the nodes are wrong. What is inferred agrees in itself: each constant has the elements of its shape, which is
// that of the type.
TEST(Evaluators, ComputeOnlyWhatFits) {
  std::size_t constants = 0;
  for (const char* const op : kOperators) {
    for (unsigned seed = 1; seed <= 400; ++seed) {
      std::mt19937 random(seed);
      const onnx::ModelProto model = NodeAtRandom(op, random);
      SCOPED_TRACE(model.ShortDebugString());
      const Inference inference = InferTypes(model, {.all_constants = true});
      for (const InferredValue& value : inference.ValuesOf(model.graph())) {
        if (value.constant == nullptr) continue;
        const ConstantValue& constant = *value.constant;
        std::size_t size = 1;
        for (const std::int64_t length : constant.shape) size *= static_cast<std::size_t>(length);
        EXPECT_EQ(constant.integers.size() + constant.reals.size(), size) << value.name;
        EXPECT_EQ(constant.element_type, value.type.element_type) << value.name;
        ASSERT_EQ(value.type.rank(), static_cast<int>(constant.shape.size())) << value.name;
        for (std::size_t i = 0; i < constant.shape.size(); ++i) {
          EXPECT_TRUE(!value.type.shape[i].IsNumber() || value.type.shape[i].number() == constant.shape[i])
              << value.name;
        }
        constants += value.name.starts_with("y") ? 1 : 0;
      }
    }
  }
  EXPECT_GT(constants, 1500U);
}

}  // namespace
}  // namespace onnxc::testing::evaluators_test
