// Compares the times of the checker and the parser for texts of growing size: many nodes, many functions, deep nesting,
// and texts with errors everywhere. The time should be linear in the size, and similar to the time of parsing.
#include <fmt/format.h>
#include <onnxc/checker.h>
#include <onnxc/parser.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <string_view>

namespace {

constexpr std::string_view kHead = "<ir_version: 10, opset_import: [\"\" : 21, \"l\" : 1]>\n";

/// A chain of nodes; `op` returns the text of a node for the name of its input.
template <typename Op>
std::string Chain(int nodes, std::string_view prefix, std::string_view last, const Op& op) {
  std::string text;
  std::string value = "x";
  for (int i = 0; i < nodes; ++i) {
    const std::string next = i == nodes - 1 ? std::string(last) : fmt::format("{}{}", prefix, i);
    text += fmt::format("  [node_{0}{1}] {2} = {3}\n", prefix, i, next, op(i, value));
    value = next;
  }
  return text;
}

std::string Call(int i, std::string_view input) {
  switch (i % 3) {
    case 0: return fmt::format("Relu ({})", input);
    case 1: return fmt::format("Add ({}, x)", input);
    default: return fmt::format("Softmax <axis: int = 0> ({})", input);
  }
}

std::string Graph(std::string_view nodes) {
  return fmt::format("{}g (bool c, float[N] x) => (float[N] y) {{\n{}}}\n", kHead, nodes);
}

std::string Functions(int count) {
  std::string text =
      Graph(Chain(count, "v", "y", [](int i, auto input) { return fmt::format("l.f{} ({})", i, input); }));
  for (int i = 0; i < count; ++i) {
    text += fmt::format(
        "<domain: \"l\", opset_import: [\"\" : 21]> f{} (a) => (b) {{ t = Relu (a) u = Abs (t) b = Neg (u) }}\n", i);
  }
  return text;
}

/// Branches inside of branches, with a chain of nodes in each.
std::string Deep(int levels, int nodes) {
  std::string inside = fmt::format("  out{} = Neg (x)\n", levels);
  for (int i = levels; i-- > 0;) {
    const std::string output = i == 0 ? "y" : fmt::format("out{}", i);
    inside = fmt::format(
        "{0}  {1} = If (c) <else_branch = e () => (float[N] q{2}) {{ q{2} = Abs (x) }}, then_branch = t () => "
        "(float[N] "
        "out{3}) {{\n{4}}}>\n",
        Chain(nodes, fmt::format("v{}_", i), fmt::format("w{}", i), Call), output, i, i + 1, inside);
  }
  return Graph(inside);
}

void Time(std::string_view name, int size, const std::string& text) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  double parse = std::numeric_limits<double>::max();
  double check = parse;
  std::size_t findings = 0;
  for (int run = 0; run < 5; ++run) {
    onnx::ModelProto model;
    Clock::time_point start = Clock::now();
    if (!onnxc::Parse(text, &model).ok()) return fmt::print("{} {}: the text is wrong\n", name, size);
    parse = std::min(parse, since(start));
    start = Clock::now();
    const onnxc::Diagnostics found = onnxc::CheckModel(model);
    check = std::min(check, since(start));
    findings = found.items().size() + found.suppressed();
  }
  fmt::print("{:<18}{:>8}{:>9.1f} ms parse{:>9.1f} ms check{:>8.2f} of parse{:>9} findings\n", name, size, parse, check,
             check / parse, findings);
}

}  // namespace

int main() {
  for (const int nodes : {50000, 100000, 200000, 400000}) Time("nodes", nodes, Graph(Chain(nodes, "v", "y", Call)));
  for (const int count : {2500, 5000, 10000}) Time("functions", count, Functions(count));
  for (const int levels : {4, 8, 16, 30}) Time("levels", levels, Deep(levels, 5000));
  for (const int nodes : {100000, 200000}) {
    Time("unknown names", nodes,
         Graph(Chain(nodes, "v", "y", [](int i, auto) { return fmt::format("Relu (z{})", i); })));
    Time("unknown operators", nodes,
         Graph(Chain(nodes, "v", "y", [](int, auto in) { return fmt::format("Rleu ({})", in); })));
  }
  return 0;
}
