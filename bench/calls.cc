// Calls a function of the library many times, so that scripts/ci/instructions can count the instructions of a call:
// calls FILE FUNCTION COUNT. FILE is the text of a small model. The functions for graphs and nodes get the graph of the
// model and its first node.
#include <fmt/format.h>
#include <onnxc/checker.h>
#include <onnxc/infer.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <span>
#include <string>

namespace onnxc {
namespace {

/// Parses the text to an empty message each time, as a program does that reads many texts. Returns whether it is valid.
template <typename Proto>
std::function<bool()> Parsing(const std::string& text) {
  return [text] {
    Proto proto;
    return Parse(text, &proto).ok();
  };
}

/// Returns all functions, each with its name.
std::map<std::string, std::function<bool()>> Functions(const std::string& text, const onnx::ModelProto& model) {
  const onnx::GraphProto& graph = model.graph();
  const onnx::NodeProto& node = graph.node(0);
  std::string wrong = text;
  wrong.erase(wrong.find("=>"), 1);
  return {{"parse-model", Parsing<onnx::ModelProto>(text)},
          {"parse-graph", Parsing<onnx::GraphProto>(Print(graph).text)},
          {"parse-node", Parsing<onnx::NodeProto>(Print(node).text)},
          {"parse-error", [wrong] { return !Parsing<onnx::ModelProto>(wrong)(); }},
          {"print-model", [&] { return Print(model).diagnostics.ok(); }},
          {"check-model", [&] { return CheckModel(model, {.infer = false}).ok(); }},
          {"check-graph", [&] { return CheckGraph(graph, {.infer = false}).ok(); }},
          {"check-node", [&] { return CheckNode(node).ok(); }},
          {"infer-types", [&] { return InferTypes(model).diagnostics.ok(); }}};
}

int Main(std::span<char* const> arguments) {
  if (arguments.size() != 4) return 2;
  std::ifstream file(arguments[1]);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  onnx::ModelProto model;
  if (!Parse(text, &model).ok() || model.graph().node().empty()) {
    fmt::print(stderr, "{} is not the text of a model with nodes\n", arguments[1]);
    return 1;
  }
  const auto functions = Functions(text, model);
  const auto function = functions.find(arguments[2]);
  if (function == functions.end()) {
    fmt::print(stderr, "there is no function {}\n", arguments[2]);
    return 2;
  }
  for (int left = std::atoi(arguments[3]); left > 0; --left) {
    if (!function->second()) {
      fmt::print(stderr, "{} failed\n", arguments[2]);
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace onnxc

int main(int argc, char** argv) { return onnxc::Main({argv, static_cast<std::size_t>(argc)}); }
