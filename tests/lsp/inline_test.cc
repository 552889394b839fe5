// Inlining a call gives a graph that computes the same. What a value is, is written here as one expression of the
// graph's inputs: calls are replaced by the bodies of their functions, without the code of the server.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "refactored.h"
#include "testing/predicates.h"

namespace onnxc::lsp::inline_test {
namespace {

using Values = std::map<std::string, std::string>;  // the expression of each name

/// Adds the expressions of the values that the nodes compute. `attributes` has the values of the function's attributes.
void Compute(const onnx::ModelProto& model, const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes,
             const Values& attributes, Values* values) {
  for (const onnx::NodeProto& node : nodes) {
    Values given;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      const std::string& reference = attribute.ref_attr_name();
      if (!reference.empty() && !attributes.contains(reference)) continue;
      given[attribute.name()] = reference.empty() ? fmt::format("{}", attribute.f()) : attributes.at(reference);
    }
    std::vector<std::string> inputs;
    for (const std::string& input : node.input()) inputs.push_back(input.empty() ? "" : values->at(input));
    std::vector<std::string> outputs;
    for (const onnx::FunctionProto& function : model.functions()) {
      if (function.name() != node.op_type() || function.domain() != node.domain()) continue;
      Values inside;
      for (int i = 0; i < function.input_size(); ++i) {
        inside[function.input(i)] = i < node.input_size() ? inputs[static_cast<std::size_t>(i)] : "";
      }
      for (const auto& formal : function.attribute_proto())
        given.try_emplace(formal.name(), fmt::format("{}", formal.f()));
      Compute(model, function.node(), given, &inside);
      for (const std::string& output : function.output()) outputs.push_back(inside.at(output));
    }
    if (outputs.empty()) {
      std::string call = node.op_type() + "<";
      for (const auto& [name, value] : given) call += name + "=" + value + " ";
      for (const std::string& input : inputs) call += "," + input;
      for (int i = 0; i < node.output_size(); ++i) outputs.push_back(fmt::format("{}>.{}", call, i));
    }
    for (int i = 0; i < node.output_size(); ++i) {
      if (!node.output(i).empty()) (*values)[node.output(i)] = outputs[static_cast<std::size_t>(i)];
    }
  }
}

/// Returns the expressions of all values that the graph has before the call is inlined.
Values ValuesOf(const std::string& text) {
  const onnx::ModelProto model = Read(text);
  Values values = {{"X", "X"}, {"Y", "Y"}};
  Compute(model, model.graph().node(), {}, &values);
  return values;
}

constexpr std::string_view kFunctions[] = {
    R"(F <by: float = 2.0> (x, y) => (z, t) {
   f = Constant <value_float: float = @by> ()
   t = Mul (x, f)
   u = Identity (y)
   z = Add (t, u)
})",
    // names of the caller inside
    R"(F <by: float = 2.0> (Y, X) => (a, b) {
   p = Sub (Y, X)
   a = Elu <alpha: float = @by> (p)
   b = Sub (X, a)
})",
    // an output that another node reads, an input that nothing reads
    R"(F <by: float = 2.0> (x, y) => (q, r) {
   q = Elu <alpha: float = @by> (x)
   v = Neg (q)
   r = Sub (v, q)
})",
    // an output that is an input
    R"(F <by: float = 2.0> (x, y) => (x, r) {
   r = Elu <alpha: float = @by> (y)
})",
};

TEST(Inlined, EachChoiceOfOperands) {
  const std::vector<std::string> inputs = {"X", "Y", "\"\"", "p"};
  const std::vector<std::string> outputs = {"a", "b", "\"\"", "Z"};
  int offered = 0;
  int refused = 0;
  for (const std::string_view function : kFunctions) {
    for (const std::string& first : inputs) {
      for (const std::string& second : inputs) {
        for (const std::string& left : outputs) {
          for (const std::string& right : outputs) {
            if (left == right && left != "\"\"") continue;  // no valid text
            for (const std::string_view attribute : {"", " <by = 3.0>"}) {
              for (const std::string& operands : {fmt::format("{}, {}", first, second), first}) {
                const std::string text = fmt::format(
                    "<ir_version: 10, opset_import: [\"\" : 21, \"my\" : 1]>\n"
                    "g (float[4] X, float[4] Y) => (float[4] last) {{\n   p = Abs (X)\n   {}, {} = my.F{} ({})\n"
                    "   last = Neg (p)\n}}\n<domain: \"my\", opset_import: [\"\" : 21]>\n{}\n",
                    left, right, attribute, operands, function);
                SCOPED_TRACE(text);
                const std::string after = Refactored(text, "my.F", "refactor.inline");
                if (after.empty()) {
                  ++refused;
                  const bool lacks = operands.find('"') != std::string::npos || operands == first ||
                                     function.find("(x, r)") != std::string_view::npos;
                  EXPECT_TRUE(lacks) << "not offered";
                  continue;
                }
                ++offered;
                const Values before = ValuesOf(text);
                const Values now = ValuesOf(after);
                for (const auto& [name, value] : before) {
                  ASSERT_TRUE(now.contains(name)) << name << " is lost:\n" << after;
                  EXPECT_EQ(now.at(name), value) << name << " in\n" << after;
                }
                EXPECT_EQ(after.find("my.F"), std::string::npos);
                EXPECT_TRUE(testing::Ok(CheckModel(Read(after)))) << after;
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(offered, 300);
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace onnxc::lsp::inline_test
