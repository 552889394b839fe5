// Models with one node of each version of each operator, and what the checker tells of them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/parser.h>

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/corrections.h"
#include "tables/signatures.h"
#include "testing/predicates.h"

namespace onnxc::each_operator {

using onnx::ModelProto;
using onnx::NodeProto;

/// Calls `use` with each version of each operator that nodes may call.
inline void ForEachOperator(const std::function<void(const Operator&)>& use) {
  for (const Operator& op : kOperators) {
    if (!op.deprecated) use(op);
  }
}

inline bool Is(const Parameter& formal, Arity arity) { return formal.arity == static_cast<std::uint8_t>(arity); }

/// Returns a model with one node of this version of the operator, which has no operands.
inline ModelProto WithNode(const Operator& op, std::int64_t ir_version = 10) {
  ModelProto model;
  model.set_ir_version(ir_version);
  if (ir_version >= 3) {
    onnx::OperatorSetIdProto* const import = model.add_opset_import();
    import->set_domain(std::string(DomainOf(op)));
    import->set_version(op.since);
  }
  model.mutable_graph()->set_name("g");
  NodeProto* const node = model.mutable_graph()->add_node();
  node->set_domain(std::string(DomainOf(op)));
  node->set_op_type(std::string(Word(op)));
  return model;
}
inline NodeProto& NodeOf(ModelProto& model) { return *model.mutable_graph()->mutable_node(0); }

inline void AddInputs(int count, ModelProto* model) {
  for (int i = 0; i < count; ++i) NodeOf(*model).add_input(fmt::format("in{}", i));
}
inline void AddOutputs(int count, ModelProto* model) {
  for (int i = 0; i < count; ++i) NodeOf(*model).add_output(fmt::format("out{}", i));
}

inline std::vector<Diagnostic> Found(const ModelProto& model, const std::set<std::string_view>& rules) {
  std::vector<Diagnostic> found;
  const Diagnostics all = CheckModel(model, {.infer = false});
  for (const Diagnostic& item : all.items()) {
    if (rules.contains(Name(item.kind))) found.push_back(item);
  }
  return found;
}

/// Returns the findings of the rules, each as its path and its message.
inline std::vector<std::string> Told(const ModelProto& model, const std::set<std::string_view>& rules) {
  std::vector<std::string> told;
  for (const Diagnostic& item : Found(model, rules)) told.push_back(fmt::format("{}: {}", item.path, item.message));
  return told;
}

inline std::string Id(const Operator& op) {
  return fmt::format("{}.{} {}", DomainOf(op), Word(op), static_cast<int>(op.since));
}

struct Finding {
  std::string message;
  std::string corrected;  ///< the text after the correction; empty if there is none
  std::string at;         ///< the words at its place
};

/// Returns what is told of one of the rules in the text, and the text after the correction.
inline std::vector<Finding> ToldIn(const std::string& text, const std::set<std::string_view>& rules) {
  ModelProto model;
  SourceMap places;
  const Diagnostics read = Parse(text, &model, {.source_map_out = &places});
  EXPECT_TRUE(testing::Ok(read)) << text;
  std::vector<Finding> told;
  const Diagnostics found = CheckModel(model, {.source_map = &places, .infer = false});
  for (const Diagnostic& item : found.items()) {
    if (!rules.contains(Name(item.kind))) continue;
    const std::string corrected = item.fix_its.empty() ? "" : ApplyCorrections(text, std::span(&item, 1)).text;
    told.push_back({item.message, corrected, text.substr(item.range.begin, item.range.end - item.range.begin)});
  }
  return told;
}

inline std::string List(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) list += (i == 0 ? "" : ", ") + names[i];
  return list;
}

/// Returns the text of a model with one node.
inline std::string TextOf(const Operator& op, const std::string& inputs, const std::string& outputs,
                          const std::string& declared = "") {
  const std::string domain = DomainOf(op).empty() ? "" : fmt::format("{}.", DomainOf(op));
  return fmt::format("<ir_version: 10, opset_import: [\"{}\" : {}]>\ng ({}) => () {{\n   {} = {}{} ({})\n}}\n",
                     DomainOf(op), static_cast<int>(op.since), declared, outputs, domain, Word(op), inputs);
}

inline std::vector<std::string> Numbered(std::string_view stem, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", stem, i));
  return names;
}

}  // namespace onnxc::each_operator
