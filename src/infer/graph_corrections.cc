#include "infer/graph_corrections.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "source/names.h"
#include "source/nodes.h"

namespace onnxc::infer {
namespace {

using onnx::GraphProto;

/// Returns whether the name needs no quotes.
bool IsPlain(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto fits = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, fits);
}

/// Returns the names that nodes of the graph and of its subgraphs read.
NameSet ReadIn(const GraphProto& graph) {
  NameSet read;
  ForEachNode(graph.node(),
              [&](const onnx::NodeProto& node) { read.insert(node.input().begin(), node.input().end()); });
  return read;
}

NameSet NamesOf(const google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& values) {
  NameSet names;
  for (const onnx::ValueInfoProto& value : values) names.insert(value.name());
  return names;
}

bool IsOfType(const onnx::ValueInfoProto& value, int element_type) {
  return value.type().tensor_type().elem_type() == element_type;
}

}  // namespace

std::vector<FixIt> AddCondition(const Host& host, const GraphProto& body) {
  if (body.output().empty() || IsOfType(body.output(0), onnx::TensorProto::BOOL)) return {};
  NameSet used = ReadIn(body);
  used.merge(NamesOf(body.output()));
  std::string_view spare;
  for (const onnx::NodeProto& node : body.node()) {
    for (const std::string& name : node.output()) {
      if (name.empty() || used.contains(name)) continue;
      if (!spare.empty()) return {};
      spare = name;
    }
  }
  const SourceRange* const first = host.FindText(body.output(0));
  if (spare.empty() || first == nullptr || !IsPlain(spare)) return {};
  return {{{first->begin, first->begin}, fmt::format("bool {}, ", spare)}};
}

std::vector<FixIt> AddConditionInput(const Host& host, const GraphProto& body) {
  if (body.output().empty() || body.input_size() < 2 || !IsOfType(body.input(0), onnx::TensorProto::INT64)) return {};
  if (IsOfType(body.input(1), onnx::TensorProto::BOOL)) return {};
  constexpr std::string_view kIn = "_in";
  constexpr std::string_view kOut = "_out";
  const auto with_in = [&](std::string_view name) {
    return std::string(name.substr(0, name.size() - kOut.size())).append(kIn);
  };
  const NameSet inputs = NamesOf(body.input());
  bool is_habit = false;  // another variable of this body has an input `x_in` and an output `x_out`, so the names
                          // follow this pattern
  for (const onnx::ValueInfoProto& output : body.output()) {
    is_habit |= output.name().ends_with(kOut) && inputs.contains(with_in(output.name()));
  }
  const std::string& condition = body.output(0).name();
  const SourceRange* const next = host.FindText(body.input(1));
  if (!is_habit || !condition.ends_with(kOut) || next == nullptr || !IsPlain(condition)) return {};
  return {{{next->begin, next->begin}, fmt::format("bool {}, ", with_in(condition))}};
}

std::vector<FixIt> DropInnerOutputs(const Host& host, const GraphProto& graph, int wanted) {
  const NameSet read = ReadIn(graph);
  std::vector<FixIt> edits;
  for (int i = 0; i < graph.output_size(); ++i) {
    if (!read.contains(graph.output(i).name())) continue;
    const SourceRange* const range = host.FindText(graph.output(i));
    const SourceRange* const other =
        graph.output_size() < 2 ? nullptr : host.FindText(graph.output(i > 0 ? i - 1 : i + 1));
    if (range == nullptr || other == nullptr) return {};
    edits.push_back({i > 0 ? SourceRange{other->end, range->end} : SourceRange{range->begin, other->begin}, ""});
  }
  return graph.output_size() - static_cast<int>(edits.size()) == wanted ? edits : std::vector<FixIt>();
}

}  // namespace onnxc::infer
