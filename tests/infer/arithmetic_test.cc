// Constant arithmetic in each element type, at the ends of its range, against the arithmetic of 128 bits or of the
// machine; and constants and shapes at the limits of what inference keeps.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/infer.h>
#include <onnxc/proto.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "infer/contents.h"
#include "infer/memory.h"

namespace onnxc::testing::arithmetic_test {
namespace {

__extension__ using Wide = __int128;

struct IntegerType {
  int code;
  int bits;
  bool is_signed;

  [[nodiscard]] Wide least() const { return is_signed ? -(Wide{1} << (bits - 1)) : Wide{0}; }
  [[nodiscard]] Wide most() const { return (Wide{1} << (is_signed ? bits - 1 : bits)) - 1; }
  [[nodiscard]] bool Has(Wide number) const { return number >= least() && number <= most(); }
  [[nodiscard]] Wide Wrapped(Wide number) const {
    const Wide count = Wide{1} << bits;
    const Wide rest = ((number - least()) % count + count) % count;
    return least() + rest;
  }
};
constexpr IntegerType kIntegers[] = {
    {onnx::TensorProto::INT8, 8, true},     {onnx::TensorProto::INT16, 16, true},
    {onnx::TensorProto::INT32, 32, true},   {onnx::TensorProto::INT64, 64, true},
    {onnx::TensorProto::UINT8, 8, false},   {onnx::TensorProto::UINT16, 16, false},
    {onnx::TensorProto::UINT32, 32, false}, {onnx::TensorProto::UINT64, 64, false},
};

std::vector<Wide> NumbersOf(const IntegerType& type) {
  std::vector<Wide> numbers = {type.least(), type.least() + 1, type.most() / 2, type.most() - 1, type.most()};
  for (const int small : {-3, -2, -1, 0, 1, 2, 3, 7}) numbers.push_back(small);
  std::erase_if(numbers, [&](Wide number) { return !type.Has(number); });
  return numbers;
}

std::string Text(Wide number) {
  return number < 0 ? "-" + Text(-number)
                    : (number > 9 ? Text(number / 10) : "") + static_cast<char>('0' + static_cast<int>(number % 10));
}

/// Adds a list of elements, each with this number of bytes.
template <typename Number>
void AddList(std::string_view name, int code, std::size_t bytes, const std::vector<Number>& elements,
             onnx::GraphProto* graph) {
  onnx::TensorProto& tensor = *graph->add_initializer();
  tensor.set_name(std::string(name));
  tensor.set_data_type(code);
  tensor.add_dims(static_cast<std::int64_t>(elements.size()));
  std::string* const raw = tensor.mutable_raw_data();
  for (const Number& element : elements) raw->append(reinterpret_cast<const char*>(&element), bytes);
}

onnx::ModelProto ModelOf(std::string_view op, int inputs) {
  onnx::ModelProto model;
  model.set_ir_version(10);
  model.add_opset_import()->set_version(21);
  onnx::NodeProto& node = *model.mutable_graph()->add_node();
  node.set_op_type(std::string(op));
  for (int i = 0; i < inputs; ++i) node.add_input(std::string(1, static_cast<char>('a' + i)));
  node.add_output("y");
  return model;
}

void AddInt(std::string_view name, std::int64_t number, onnx::ModelProto* model) {
  onnx::AttributeProto& attribute = *model->mutable_graph()->mutable_node(0)->add_attribute();
  attribute.set_name(std::string(name));
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(number);
}

/// The function gets the contents of y, or null.
template <typename Function>
void WithContents(const onnx::ModelProto& model, const Function& function) {
  const Inference inference = InferTypes(model, {.all_constants = true});
  const InferredValue* const y = inference.Find(model.graph(), "y");
  function(y == nullptr ? nullptr : y->constant);
}

// ---- integers

struct Operation {
  std::string_view name;
  int inputs;
  std::optional<Wide> (*compute)(Wide a, Wide b);
  bool is_comparison = false;
};
Wide Floored(Wide a, Wide b) { return ((a % b) + b) % b; }
constexpr Operation kOperations[] = {
    {"Add", 2, [](Wide a, Wide b) -> std::optional<Wide> { return a + b; }},
    {"Sub", 2, [](Wide a, Wide b) -> std::optional<Wide> { return a - b; }},
    {"Mul", 2,
     [](Wide a, Wide b) {
       Wide product = 0;
       return __builtin_mul_overflow(a, b, &product) ? std::nullopt : std::optional(product);
     }},
    {"Div", 2, [](Wide a, Wide b) { return b == 0 ? std::nullopt : std::optional(a / b); }},
    {"Mod", 2, [](Wide a, Wide b) { return b == 0 ? std::nullopt : std::optional(Floored(a, b)); }},
    {"Min", 2, [](Wide a, Wide b) -> std::optional<Wide> { return std::min(a, b); }},
    {"Max", 2, [](Wide a, Wide b) -> std::optional<Wide> { return std::max(a, b); }},
    {"Neg", 1, [](Wide a, Wide) -> std::optional<Wide> { return -a; }},
    {"Abs", 1, [](Wide a, Wide) -> std::optional<Wide> { return a < 0 ? -a : a; }},
    {"Identity", 1, [](Wide a, Wide) -> std::optional<Wide> { return a; }},
    {"Equal", 2, [](Wide a, Wide b) -> std::optional<Wide> { return a == b; }, true},
    {"Less", 2, [](Wide a, Wide b) -> std::optional<Wide> { return a < b; }, true},
    {"LessOrEqual", 2, [](Wide a, Wide b) -> std::optional<Wide> { return a <= b; }, true},
    {"Greater", 2, [](Wide a, Wide b) -> std::optional<Wide> { return a > b; }, true},
    {"GreaterOrEqual", 2, [](Wide a, Wide b) -> std::optional<Wide> { return a >= b; }, true},
};

/// The element is the wanted number, or unknown. It may only be unknown if a number is not one of int64, with which
/// inference computes, or if the type does not have the wanted number.
void ExpectNumber(const Dimension& got, std::optional<Wide> wanted, bool may_be_unknown, const std::string& what) {
  if (got.IsNumber()) {
    EXPECT_TRUE(wanted && *wanted == got.number()) << what << " is " << got.number();
  } else {
    EXPECT_TRUE(may_be_unknown || !wanted) << what << " is unknown";
  }
}

bool IsInt64(Wide number) { return number >= INT64_MIN && number <= INT64_MAX; }

TEST(Arithmetic, OfIntegers) {
  for (const Operation& operation : kOperations) {
    for (const IntegerType& type : kIntegers) {
      if (operation.name == "Neg" && !type.is_signed) continue;
      onnx::ModelProto model = ModelOf(operation.name, operation.inputs);
      std::vector<Wide> first, second;
      for (const Wide a : NumbersOf(type)) {
        for (const Wide b : NumbersOf(type)) {
          first.push_back(a);
          second.push_back(b);
        }
      }
      ASSERT_LE(first.size(), infer::kMostElements);
      const std::size_t bytes = static_cast<std::size_t>(type.bits) / 8;
      AddList("a", type.code, bytes, first, model.mutable_graph());
      if (operation.inputs > 1) AddList("b", type.code, bytes, second, model.mutable_graph());
      WithContents(model, [&](const ConstantValue* contents) {
        ASSERT_NE(contents, nullptr) << operation.name << type.code;
        ASSERT_EQ(contents->integers.size(), first.size());
        for (std::size_t i = 0; i < first.size(); ++i) {
          std::optional<Wide> wanted = operation.compute(first[i], second[i]);
          if (wanted && !operation.is_comparison && !type.Has(*wanted)) wanted = std::nullopt;
          const bool is_wide = !IsInt64(first[i]) || !IsInt64(second[i]) || (wanted && !IsInt64(*wanted));
          ExpectNumber(
              contents->integers[i], wanted, is_wide,
              fmt::format("{} ({}, {}) of type {}", operation.name, Text(first[i]), Text(second[i]), type.code));
        }
      });
    }
  }
}

TEST(Arithmetic, CastsOfIntegers) {
  for (const IntegerType& from : kIntegers) {
    for (const IntegerType& to : kIntegers) {
      onnx::ModelProto model = ModelOf("Cast", 1);
      AddInt("to", to.code, &model);
      const std::vector<Wide> numbers = NumbersOf(from);
      AddList("a", from.code, static_cast<std::size_t>(from.bits) / 8, numbers, model.mutable_graph());
      WithContents(model, [&](const ConstantValue* contents) {
        ASSERT_NE(contents, nullptr) << from.code << to.code;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          const Wide wanted = to.Wrapped(numbers[i]);
          ExpectNumber(contents->integers[i], wanted, !IsInt64(numbers[i]) || !IsInt64(wanted),
                       fmt::format("{} of type {} as {}", Text(numbers[i]), from.code, to.code));
        }
      });
    }
  }
}

// ---- real numbers

template <typename Real>
struct RealOperation {
  std::string_view name;
  Real (*compute)(Real a, Real b);
};

template <typename Real>
void ExpectReals(int code) {
  using Limits = std::numeric_limits<Real>;
  const RealOperation<Real> operations[] = {
      {"Add", [](Real a, Real b) -> Real { return a + b; }},
      {"Sub", [](Real a, Real b) -> Real { return a - b; }},
      {"Mul", [](Real a, Real b) -> Real { return a * b; }},
      {"Div", [](Real a, Real b) -> Real { return a / b; }},
      {"Neg", [](Real a, Real) -> Real { return -a; }},
      {"Abs", [](Real a, Real) -> Real { return std::abs(a); }},
      {"Floor", [](Real a, Real) -> Real { return std::floor(a); }},
      {"Ceil", [](Real a, Real) -> Real { return std::ceil(a); }},
      {"Sqrt", [](Real a, Real) -> Real { return std::sqrt(a); }},
  };
  const Real numbers[] = {0,
                          1,
                          Real(-1),
                          Real(0.1),
                          Real(-2.5),
                          Real(1e10),
                          Real(1e3),
                          Real(7),
                          Limits::max(),
                          Limits::lowest(),
                          Limits::min(),
                          Limits::denorm_min(),
                          Limits::epsilon(),
                          Limits::infinity()};
  std::vector<Real> first, second;
  for (const Real a : numbers) {
    for (const Real b : numbers) {
      first.push_back(a);
      second.push_back(b);
    }
  }
  for (const RealOperation<Real>& operation : operations) {
    const bool is_unary = std::string_view("Neg Abs Floor Ceil Sqrt").find(operation.name) != std::string_view::npos;
    onnx::ModelProto model = ModelOf(operation.name, is_unary ? 1 : 2);
    AddList("a", code, sizeof(Real), first, model.mutable_graph());
    if (!is_unary) AddList("b", code, sizeof(Real), second, model.mutable_graph());
    WithContents(model, [&](const ConstantValue* contents) {
      ASSERT_NE(contents, nullptr) << operation.name << code;
      ASSERT_EQ(contents->reals.size(), first.size());
      for (std::size_t i = 0; i < first.size(); ++i) {
        const auto wanted = static_cast<double>(operation.compute(first[i], second[i]));
        EXPECT_TRUE(contents->reals[i] == wanted || (std::isnan(wanted) && std::isnan(contents->reals[i])))
            << operation.name << " (" << first[i] << ", " << second[i] << ") is " << contents->reals[i] << ", not "
            << wanted;
      }
    });
  }
}

TEST(Arithmetic, OfReals) {
  ExpectReals<float>(onnx::TensorProto::FLOAT);
  ExpectReals<double>(onnx::TensorProto::DOUBLE);
}

// ---- limits

/// One element below the limit, at the limit, and above it.
constexpr std::size_t kCounts[] = {infer::kMostElements - 1, infer::kMostElements, infer::kMostElements + 1};

TEST(Arithmetic, KeepsOnlySmallConstants) {
  for (const std::size_t count : kCounts) {
    const bool is_small = count <= infer::kMostElements;
    const std::vector<std::int64_t> list(count, 3);
    for (const std::string_view op : {"Identity", "Neg", "Concat", "Transpose", "Flatten", "Add", "Equal"}) {
      onnx::ModelProto model = ModelOf(op, op == "Add" || op == "Equal" ? 2 : 1);
      if (op == "Concat") AddInt("axis", 0, &model);
      AddList("a", onnx::TensorProto::INT64, 8, list, model.mutable_graph());
      AddList("b", onnx::TensorProto::INT64, 8, std::vector<std::int64_t>{1}, model.mutable_graph());
      WithContents(model, [&](const ConstantValue* contents) {
        EXPECT_EQ(contents != nullptr, is_small) << op << " of " << count;
      });
    }
    // The operands are small, but the result may not be.
    const auto size = static_cast<std::int64_t>(count);
    for (const std::string_view op : {"Expand", "ConstantOfShape", "Concat", "Add"}) {
      const bool is_shape = op == "ConstantOfShape";
      onnx::ModelProto model = ModelOf(op, is_shape ? 1 : 2);
      if (op == "Concat") AddInt("axis", 0, &model);
      if (is_shape) {
        AddList("a", onnx::TensorProto::INT64, 8, std::vector{size}, model.mutable_graph());
      } else {
        AddList("a", onnx::TensorProto::INT64, 8,
                std::vector<std::int64_t>(op == "Expand"   ? 1
                                          : op == "Concat" ? 200
                                                           : 257,
                                          1),
                model.mutable_graph());
        AddList("b", onnx::TensorProto::INT64, 8,
                op == "Expand" ? std::vector{size} : std::vector<std::int64_t>(op == "Concat" ? count - 200 : 1, 1),
                model.mutable_graph());
      }
      WithContents(model, [&](const ConstantValue* contents) {
        EXPECT_EQ(contents != nullptr && contents->integers.size() + contents->reals.size() == count,
                  is_small && op != "Add")
            << op << " to " << count;
      });
    }
  }
}

TEST(Arithmetic, KeepsOnlyShapesOfSmallRank) {
  constexpr auto kMost = static_cast<int>(infer::kMostRank);
  for (const int rank : {kMost - 1, kMost, kMost + 1}) {
    const int kept = rank <= kMost ? rank : -1;
    const auto rank_of = [](const onnx::ModelProto& model, std::string_view name) {
      const Inference inference = InferTypes(model);
      const InferredValue* const value = inference.Find(model.graph(), name);
      return value == nullptr ? -2 : value->type.rank();
    };
    const auto add_input = [](std::string_view name, int dims, onnx::GraphProto* graph) {
      onnx::ValueInfoProto& input = *graph->add_input();
      input.set_name(std::string(name));
      auto& tensor = *input.mutable_type()->mutable_tensor_type();
      tensor.set_elem_type(onnx::TensorProto::FLOAT);
      tensor.mutable_shape();
      for (int i = 0; i < dims; ++i) tensor.mutable_shape()->add_dim()->set_dim_value(1);
    };
    onnx::ModelProto model = ModelOf("Relu", 1);
    add_input("a", rank, model.mutable_graph());
    EXPECT_EQ(rank_of(model, "a"), kept);
    EXPECT_EQ(rank_of(model, "y"), kept);

    model = ModelOf("Relu", 1);
    onnx::TensorProto& tensor = *model.mutable_graph()->add_initializer();
    tensor.set_name("a");
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_float_data(1);
    for (int i = 0; i < rank; ++i) tensor.add_dims(1);
    EXPECT_EQ(rank_of(model, "y"), kept);

    // From a rank that is small.
    for (const std::string_view op : {"Reshape", "Expand", "ConstantOfShape"}) {
      const bool is_shape = op == "ConstantOfShape";
      model = ModelOf(op, is_shape ? 1 : 2);
      if (!is_shape) add_input("a", 1, model.mutable_graph());
      AddList(is_shape ? "a" : "b", onnx::TensorProto::INT64, 8,
              std::vector<std::int64_t>(static_cast<std::size_t>(rank), 1), model.mutable_graph());
      EXPECT_EQ(rank_of(model, "y"), kept) << op;
    }
    model = ModelOf("Unsqueeze", 2);
    add_input("a", rank - 1, model.mutable_graph());
    AddList("b", onnx::TensorProto::INT64, 8, std::vector<std::int64_t>{0}, model.mutable_graph());
    EXPECT_EQ(rank_of(model, "y"), kept);
    model = ModelOf("Gather", 2);
    add_input("a", rank - 1, model.mutable_graph());
    add_input("b", 2, model.mutable_graph());
    model.mutable_graph()->mutable_input(1)->mutable_type()->mutable_tensor_type()->set_elem_type(
        onnx::TensorProto::INT64);
    EXPECT_EQ(rank_of(model, "y"), kept);
  }
}

}  // namespace
}  // namespace onnxc::testing::arithmetic_test
