// Corrects nodes whose operator has replaced an attribute by an input in a later version.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "check/corrections.h"
#include "source/words.h"
#include "syntax/spelling.h"

namespace onnxc::check {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;

struct Moved {
  int attribute;
  std::size_t input;     // the index of the new input
  std::string name;      // the attribute's name at first; later the name of the constant that replaces the attribute
  std::string constant;  // the text of the new Constant node's attribute
};

/// Returns the type that the attribute had in the newest older version of the operator that has the attribute. Returns
/// UNDEFINED if no older version has it.
int TypeBefore(const Operator& op, std::string_view attribute) {
  int type = AttributeProto::UNDEFINED;
  for (const Operator& version : VersionsOf(op)) {
    if (version.since >= op.since) break;
    for (const OperatorAttribute& formal : Attributes(version)) {
      if (IsSameWord(Word(formal), attribute)) type = formal.type;
    }
  }
  return type;
}

/// The attribute that gives a Constant node its value.
struct ConstantForm {
  std::string_view attribute = {};  ///< empty if the node has no such attribute
  int element_type = 0;
  bool is_bracketed = false;
};
/// Returns the form for an attribute of this type. The input that replaces an integer is a scalar, except for `k` of
/// TopK, which has one dimension.
ConstantForm FormFor(int type, const Operator& op) {
  switch (type) {
    case AttributeProto::FLOAT: return {"value_float", onnx::TensorProto::FLOAT};
    case AttributeProto::INT:
      if (Word(op) == "TopK") return {"value_ints", onnx::TensorProto::INT64, true};
      return {"value_int", onnx::TensorProto::INT64};
    case AttributeProto::FLOATS: return {"value_floats", onnx::TensorProto::FLOAT};
    case AttributeProto::INTS: return {"value_ints", onnx::TensorProto::INT64};
    default: return {};
  }
}

/// Returns the text of an attribute that gives a Constant node the value that the attribute had in older versions of
/// the operator, or "" if the conversion is not certain. `name` is the name that it had there, `input` is the index of
/// the new input, and `types` are the types of the node's inputs, as far as they are known.
std::string ConstantFor(const AttributeProto& attribute, std::string_view name, const Operator& op, std::size_t input,
                        std::span<const TypeId> types) {
  if (!attribute.ref_attr_name().empty()) return "";  // the value is different in each call
  const int before = TypeBefore(op, name);
  const int type = before == AttributeProto::UNDEFINED ? attribute.type() : before;
  const ConstantForm form = FormFor(type, op);
  const std::string value = form.attribute.empty() ? "" : ValueAs(attribute, type);
  const TypeId constant = TensorType(form.element_type);
  const auto formals = Inputs(op);
  const Parameter& formal = formals[input];
  if (value.empty() || !Types(formal).Has(constant)) return "";
  for (std::size_t i = 0; i < std::min(types.size(), formals.size()); ++i) {
    const bool has_same_type = formals[i].variable == formal.variable && formals[i].homogeneous && formal.homogeneous;
    if (has_same_type && types[i] != kNoType && types[i] != constant) return "";
  }
  return fmt::format("{} = {}{}{}", form.attribute, form.is_bracketed ? "[" : "", value, form.is_bracketed ? "]" : "");
}

/// Returns a name that neither a value of the model nor another correction uses.
std::string FreshName(const std::string& stem, const Place& place, Context& context) {
  int& last = context.run.made_up[stem];
  while (true) {
    std::string name = fmt::format("{}_{}", stem, ++last);
    if (context.scope.Find(name) == nullptr && !context.run.uses.IsName(name, place)) return name;
  }
}

/// Returns the attributes of the node that are inputs in this version of its operator, in the order of the inputs.
/// Returns an empty list if one of these attributes cannot be moved.
std::vector<Moved> FindMoved(const NodeProto& node, const Operator& op, std::span<const TypeId> types) {
  std::vector<Moved> moved;
  const auto inputs = Inputs(op);
  for (int i = 0; i < node.attribute_size(); ++i) {
    const AttributeProto& attribute = node.attribute(i);
    const std::string name(NameAsInput(op, attribute.name()));
    if (name.empty()) continue;
    const auto index = static_cast<std::size_t>(FindInput(op, name) - inputs.data());
    Moved entry{i, index, name, ConstantFor(attribute, name, op, index, types)};
    const bool is_taken = std::ranges::find(moved, entry.input, &Moved::input) != moved.end();
    if (is_taken || entry.constant.empty() || entry.input < static_cast<std::size_t>(node.input_size())) return {};
    moved.push_back(std::move(entry));
  }
  std::ranges::sort(moved, {}, &Moved::input);
  return moved;
}

/// Returns edits that remove the attributes from the node, and the brackets if no attribute is left. Returns nothing if
/// a range in the text is not known.
std::optional<std::vector<FixIt>> WithoutAttributes(const NodeProto& node, const std::vector<Moved>& moved,
                                                    const Run& run) {
  const SourceMap& map = *run.options.source_map;
  std::vector<const SourceRange*> kept;
  std::vector<const SourceRange*> gone;
  for (int i = 0; i < node.attribute_size(); ++i) {
    const SourceRange* const range = map.Find(node.attribute(i));
    if (range == nullptr) return std::nullopt;
    (std::ranges::find(moved, i, &Moved::attribute) == moved.end() ? kept : gone).push_back(range);
  }
  const SourceRange* const all = map.Find(node);
  const SourceRange* const op = FindText(run, node, NodeProto::kOpTypeFieldNumber);
  const SourceRange* const input = map.Find(node, NodeProto::kInputFieldNumber, 0);
  const SourceRange* const last_input = map.Find(node, NodeProto::kInputFieldNumber, node.input_size() - 1);
  if (all == nullptr || op == nullptr || input == nullptr || last_input == nullptr) return std::nullopt;
  std::vector<FixIt> fix_its;
  if (kept.empty() && gone.front()->begin < input->begin) {
    fix_its.push_back({{op->end, input->begin}, " ("});
  } else if (kept.empty()) {
    fix_its.push_back({{last_input->end, all->end}, ")"});
  }
  for (const SourceRange* range : gone) {
    if (kept.empty()) break;
    const auto next = std::ranges::find_if(kept, [&](const SourceRange* other) { return other->begin > range->begin; });
    // Remove the text up to the next attribute that stays. If no such attribute follows, remove the text from the end
    // of the last attribute that stays.
    if (next != kept.end()) {
      const auto follows =
          std::ranges::find_if(gone, [&](const SourceRange* other) { return other->begin > range->begin; });
      const std::size_t end = follows != gone.end() ? std::min((*follows)->begin, (*next)->begin) : (*next)->begin;
      fix_its.push_back({{range->begin, end}, ""});
    } else {
      fix_its.push_back({{kept.back()->end, gone.back()->end}, ""});
      break;
    }
  }
  return fix_its;
}

}  // namespace

/// Returns the input whose name is the name of the attribute, or the name that has replaced the attribute's name. Case
/// is ignored. Returns null if there is no such input.
const Parameter* FindInput(const Operator& op, std::string_view attribute) {
  const std::string_view renamed = attribute == "value" && Word(op) == "Pad" ? "constant_value" : attribute;
  const auto is_it = [&](const Parameter& input) { return IsSameWord(Word(input), renamed); };
  const auto inputs = Inputs(op);
  const auto found = std::ranges::find_if(inputs, is_it);
  return found == inputs.end() ? nullptr : &*found;
}

std::string_view NameAsInput(const Operator& op, std::string_view attribute) {
  if (FindAttribute(op, attribute) != nullptr) return "";
  const std::string_view name = FindInput(op, attribute) != nullptr ? attribute : MeantAttribute(op, attribute);
  return FindAttribute(op, name) == nullptr && FindInput(op, name) != nullptr ? name : "";
}

void CorrectLabel(const NodeProto& node, const AttributeProto& attribute, Context& context, Diagnostic* finding) {
  if (finding == nullptr) return;
  std::string label = attribute.s();
  if (!syntax::IsIdentifier(label)) {
    label.clear();
    syntax::AppendQuoted(attribute.s(), &label);
  }
  Correct(finding, fmt::format("the name of a node must be in brackets before the node: [{}]", Quoted(attribute.s())),
          {});
  const SourceMap* const map = context.run.options.source_map;
  const SourceRange* const all = map == nullptr ? nullptr : map->Find(node);
  if (all == nullptr || !node.name().empty() || node.input().empty()) return;
  const auto at = std::ranges::find(node.attribute(), &attribute, [](const AttributeProto& one) { return &one; });
  const auto index = static_cast<int>(at - node.attribute().begin());
  auto fix_its =
      WithoutAttributes(node, {Moved{.attribute = index, .input = 0, .name = {}, .constant = {}}}, context.run);
  if (!fix_its) return;
  fix_its->push_back({{all->begin, all->begin}, fmt::format("[{}] ", label)});
  finding->fix_its = *std::move(fix_its);
}

void CorrectMoved(const NodeProto& node, const Operator& op, const Place& place, Context& context,
                  Diagnostic* finding) {
  const SourceMap* const map = context.run.options.source_map;
  if (finding == nullptr || map == nullptr || node.input().empty()) return;
  const std::span<const TypeId> known(context.run.types);
  const auto input_count = static_cast<std::size_t>(node.input_size());
  std::vector<Moved> moved = FindMoved(node, op, known.size() < input_count ? known.first(0) : known.last(input_count));
  if (moved.empty()) return;
  const SourceRange* const all = map->Find(node);
  const SourceRange* const last_input = map->Find(node, NodeProto::kInputFieldNumber, node.input_size() - 1);
  std::optional<std::vector<FixIt>> fix_its = WithoutAttributes(node, moved, context.run);
  if (all == nullptr || last_input == nullptr || !fix_its) return;
  std::string nodes;
  std::string inputs;
  std::size_t count = input_count;
  for (Moved& entry : moved) {
    entry.name = FreshName(entry.name, place, context);
    nodes += fmt::format("{} = Constant <{}> ()\n   ", entry.name, entry.constant);
    for (; count < entry.input; ++count) inputs += ", \"\"";
    inputs += ", " + entry.name;
    ++count;
  }
  fix_its->push_back({{all->begin, all->begin}, nodes});
  fix_its->push_back({{last_input->end, last_input->end}, inputs});
  Correct(finding, "", *std::move(fix_its));
}

}  // namespace onnxc::check
