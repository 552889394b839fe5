#include "lsp/formals.h"

#include <onnxc/printer.h>

#include <algorithm>
#include <vector>

namespace onnxc::lsp {
namespace {

/// Returns the type of references to the attribute in the nodes and their subgraphs, or 0 if nothing refers to it.
int TypeOfReference(const onnx::FunctionProto& function, std::string_view name) {
  std::vector<const google::protobuf::RepeatedPtrField<onnx::NodeProto>*> bodies = {&function.node()};
  while (!bodies.empty()) {
    const auto& nodes = *bodies.back();
    bodies.pop_back();
    for (const onnx::NodeProto& node : nodes) {
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.ref_attr_name() == name) return attribute.type();
        if (attribute.has_g()) bodies.push_back(&attribute.g().node());
        for (const onnx::GraphProto& graph : attribute.graphs()) bodies.push_back(&graph.node());
      }
    }
  }
  return 0;
}

}  // namespace

std::string ValueText(onnx::AttributeProto attribute) {
  attribute.set_name("a");
  const PrintResult printed = Print(attribute);
  const std::size_t equals = printed.text.find(" = ");
  return !printed.diagnostics.ok() || equals == std::string::npos ? std::string() : printed.text.substr(equals + 3);
}

std::optional<FormalAttribute> FindFormal(const Snapshot& snapshot, SymbolId scope, std::string_view name) {
  if (scope == kNoSymbol) return std::nullopt;
  const auto* const function = dynamic_cast<const onnx::FunctionProto*>(snapshot.parsed().messages[scope]);
  if (function == nullptr) return std::nullopt;
  const auto with_default = std::ranges::find(function->attribute_proto(), name, &onnx::AttributeProto::name);
  if (with_default != function->attribute_proto().end()) {
    return FormalAttribute{with_default->type(), ValueText(*with_default)};
  }
  if (std::ranges::find(function->attribute(), name) == function->attribute().end()) return std::nullopt;
  return FormalAttribute{TypeOfReference(*function, name), ""};
}

}  // namespace onnxc::lsp
