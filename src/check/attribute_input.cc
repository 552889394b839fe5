// An attribute that became an input: the node as its operator takes it now.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/corrections.h"

namespace onnxc::check {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;

struct Moved {
  int attribute;
  std::size_t input;     // its position among the inputs
  std::string name;      // of the constant that takes its place
  std::string constant;  // the attribute of the Constant node
};

/// A Constant node's attribute for the value; "" where that is not sure.
std::string ConstantFor(const AttributeProto& attribute) {
  constexpr int kMost = 64;
  if (!attribute.ref_attr_name().empty()) return "";  // the value is that of each call
  switch (attribute.type()) {
    case AttributeProto::FLOAT: return fmt::format("value_float = {}", FloatLiteral(attribute.f()));
    case AttributeProto::INT: return fmt::format("value_ints = [{}]", attribute.i());
    case AttributeProto::INTS:
      if (attribute.ints().empty() || attribute.ints_size() > kMost) return "";
      return fmt::format("value_ints = [{}]", fmt::join(attribute.ints(), ", "));
    case AttributeProto::FLOATS: {
      if (attribute.floats().empty() || attribute.floats_size() > kMost) return "";
      std::vector<std::string> numbers;
      std::ranges::transform(attribute.floats(), std::back_inserter(numbers), FloatLiteral);
      return fmt::format("value_floats = [{}]", fmt::join(numbers, ", "));
    }
    default: return "";
  }
}

std::string FreshName(const std::string& stem, Context& context) {
  constexpr int kMost = 100;
  for (int i = 1; i < kMost; ++i) {
    std::string name = fmt::format("{}_{}", stem, i);
    if (context.scope.Find(name) == nullptr) return name;
  }
  return "";
}

/// All attributes of the node that are inputs now, in the order of the inputs; none where one cannot be moved.
std::vector<Moved> FindMoved(const NodeProto& node, const Operator& op, Context& context) {
  std::vector<Moved> moved;
  const auto attributes = Attributes(op);
  const auto inputs = Inputs(op);
  for (int i = 0; i < node.attribute_size(); ++i) {
    const AttributeProto& attribute = node.attribute(i);
    const auto has_name = [&](const auto& formal) { return Word(formal.name) == attribute.name(); };
    const auto input = std::ranges::find_if(inputs, has_name);
    if (std::ranges::any_of(attributes, has_name) || input == inputs.end()) continue;
    Moved entry{i, static_cast<std::size_t>(input - inputs.begin()), FreshName(attribute.name(), context),
                ConstantFor(attribute)};
    if (entry.name.empty() || entry.constant.empty() || entry.input < static_cast<std::size_t>(node.input_size())) {
      return {};
    }
    moved.push_back(std::move(entry));
  }
  std::ranges::sort(moved, {}, &Moved::input);
  return moved;
}

}  // namespace

void CorrectMoved(const NodeProto& node, const Operator& op, std::string_view name, Context& context,
                  Diagnostic* finding) {
  const SourceMap* const map = context.run.options.source_map;
  if (finding == nullptr || map == nullptr || node.input().empty()) return;
  const std::vector<Moved> moved = FindMoved(node, op, context);
  // The finding about the first of them has the corrections of all.
  const auto first = std::ranges::min_element(moved, {}, &Moved::attribute);
  if (first == moved.end() || node.attribute(first->attribute).name() != name) return;
  const SourceRange* const all = map->Find(node);
  const SourceRange* const op_type = FindText(context.run, node, NodeProto::kOpTypeFieldNumber);
  const SourceRange* const first_input = map->Find(node, NodeProto::kInputFieldNumber, 0);
  const SourceRange* const last_input = map->Find(node, NodeProto::kInputFieldNumber, node.input_size() - 1);
  const SourceRange* const attribute = map->Find(node.attribute(first->attribute));
  const bool is_whole = moved.size() == static_cast<std::size_t>(node.attribute_size());
  if (all == nullptr || op_type == nullptr || first_input == nullptr || last_input == nullptr || attribute == nullptr ||
      !is_whole) {
    return;
  }
  std::string nodes;
  std::string inputs;
  auto count = static_cast<std::size_t>(node.input_size());
  for (const Moved& entry : moved) {
    nodes += fmt::format("{} = Constant <{}> ()\n   ", entry.name, entry.constant);
    for (; count < entry.input; ++count) inputs += ", \"\"";
    inputs += ", " + entry.name;
    ++count;
  }
  std::vector<FixIt> fix_its = {{{all->begin, all->begin}, nodes}};
  if (attribute->begin < first_input->begin) {
    fix_its.push_back({{op_type->end, first_input->begin}, " ("});
    fix_its.push_back({{last_input->end, last_input->end}, inputs});
  } else {
    fix_its.push_back({{last_input->end, all->end}, inputs + ")"});
  }
  Correct(finding, "", std::move(fix_its));
}

}  // namespace onnxc::check
