// Long chains: parts of a model that refer to one another, each to the next. A function that calls itself for each part
// would overflow a small stack, so each subcommand runs with one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>

#include "cli/calls.h"

namespace onnxc {
namespace {

/// Returns a text with one piece for each number below `count`.
std::string Each(int count, const std::function<std::string(int)>& piece) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece(i);
  return text;
}

std::string Model(std::string_view inputs, std::string_view annotation, const std::string& nodes,
                  const std::string& functions = "") {
  return fmt::format("<ir_version: 10, opset_import: [\"\" : 21, \"d\" : 1]>\n{}\ng ({}) => (y) {{\n{}}}\n{}",
                     annotation, inputs, nodes, functions);
}

std::string Functions(int count, std::string_view last) {
  return Each(count, [&](int i) {
    const std::string next = i + 1 < count ? fmt::format("d.f{}", i + 1) : std::string(last);
    return fmt::format("<domain: \"d\", opset_import: [\"\" : 21, \"d\" : 1]> f{} (x) => (y) {{ y = {} (x) }}\n", i,
                       next);
  });
}

struct Chain {
  std::string_view name;
  std::string (*make)(int count);
};
constexpr Chain kChains[] = {
    {"nodes",
     [](int count) {
       return Model("float[N] x", "", Each(count, [](int i) {
                                        return fmt::format("a{} = Relu ({})\n", i,
                                                           i == 0 ? "x" : fmt::format("a{}", i - 1));
                                      }) + fmt::format("y = Neg (a{})\n", count - 1));
     }},
    {"nodes backwards",
     [](int count) {
       return Model("float[N] x", "", "y = Neg (a0)\n" + Each(count, [&](int i) {
                                        return fmt::format("a{} = Relu ({})\n", i,
                                                           i + 1 == count ? "x" : fmt::format("a{}", i + 1));
                                      }));
     }},
    {"quantization annotations",
     [](int count) {
       const auto annotation = [](std::string_view of, int next) {
         return fmt::format("{{tensor_name: \"{}\", quant_parameter_tensor_names: [\"SCALE_TENSOR\": \"q{}\"]}}", of,
                            next);
       };
       return Model("float[N] x" + Each(count, [](int i) { return fmt::format(", float q{}", i); }),
                    "@quantization_annotation [" + annotation("y", 0) +
                        Each(count - 1, [&](int i) { return ", " + annotation(fmt::format("q{}", i), i + 1); }) + "]",
                    "a = Relu (x)\ny = Neg (a)\n");
     }},
    {"functions", [](int count) { return Model("float[N] x", "", "y = d.f0 (x)\n", Functions(count, "Relu")); }},
    {"functions in a circle",
     [](int count) { return Model("float[N] x", "", "y = d.f0 (x)\n", Functions(count, "d.f0")); }},
    {"a library", [](int count) { return Functions(count, "Relu"); }},
    {"sizes",
     [](int count) {
       return Model("float[N] x", "",
                    "n0 = Shape (x)\ntwo = Constant <value = int64[1] {2}> ()\n" + Each(count, [](int i) {
                      return fmt::format("m{0} = Add (n{0}, two)\nn{1} = Div (m{0}, two)\n", i, i + 1);
                    }) + fmt::format("y = ConstantOfShape (n{})\n", count));
     }},
    {"sequences",
     [](int count) {
       return Model("float[N] x", "", "s0 = SequenceEmpty ()\n" + Each(count, [](int i) {
                                        return fmt::format("s{} = SequenceInsert (s{}, x)\n", i + 1, i);
                                      }) + fmt::format("y = ConcatFromSequence <axis = 0> (s{})\n", count));
     }},
    {"optionals",
     [](int count) {
       return Model("float[N] x", "", Each(count, [](int i) {
                                        return fmt::format("o{0} = Optional ({1})\np{0} = OptionalGetElement (o{0})\n",
                                                           i, i == 0 ? "x" : fmt::format("p{}", i - 1));
                                      }) + fmt::format("y = Neg (p{})\n", count - 1));
     }},
    {"brackets",
     [](int count) {
       return Model("float[N] x, " + Each(count, [](int) { return "seq("; }) + "float" + std::string(count, ')') + " s",
                    "", "y = Neg (x)\n");
     }},
    {"graphs",
     [](int count) {
       return Model("float[N] x, bool c", "",
                    "y = If (c) <then_branch = g0 () => (y0) {\n" +
                        Each(count,
                             [](int i) {
                               return fmt::format("y{0} = If (c) <then_branch = g{1} () => (y{1}) {{\n", i, i + 1);
                             }) +
                        fmt::format("y{} = Neg (x)\n", count) + Each(count + 1, [](int) { return "}>\n"; }));
     }},
};

class Chains : public ::testing::TestWithParam<Chain> {};

TEST_P(Chains, OverflowNoStack) {
  constexpr int kLength = 5000;
  const testing::Folder folder;
  folder.Write("f.onnxtxt", GetParam().make(kLength));
  folder.Write("model.onnxtxt", Model("float[N] x", "", "y = d.f0 (x)\n"));
  folder.Write("elided.onnxtxt", Model("float[N] x", "", "y = Neg (x)\n"));
  folder.Write("data.safetensors", std::string("\2\0\0\0\0\0\0\0{}", 10));
  for (const testing::Call& call : testing::kCalls) {
    const std::string words = testing::With(std::string(call.words), "f.onnxtxt");
    SCOPED_TRACE("onnxc " + words);
    const testing::Outcome outcome = testing::RunOnnxc(folder, words, "ulimit -s 256");
    EXPECT_LE(outcome.status, 2) << outcome.err.substr(0, 1000);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Chains, ::testing::ValuesIn(kChains), [](const auto& each) {
  std::string name(each.param.name);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

}  // namespace
}  // namespace onnxc
