// Checks a node against the signature of its operator.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "check/corrections.h"
#include "source/words.h"
#include "tables/attribute_types.h"
#include "tables/foreign_words.h"

namespace onnxc::check {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;

/// Returns a text such as "1 input", "1 to 3 inputs", "at least 1 input", "1 or 5 outputs". `holes` is a bit set of
/// numbers between `low` and `high` that are not allowed.
std::string Allowed(int low, int high, std::uint32_t holes, std::string_view noun) {
  if (high == Operator::kUnlimited) return "at least " + Counted(low, noun);
  if (holes == 0) return low == high ? Counted(low, noun) : fmt::format("{} to {}", low, Counted(high, noun));
  std::string allowed;
  for (int n = low; n < high; ++n) {
    if ((holes >> n & 1u) == 0) allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", n);
  }
  return fmt::format("{} or {}", allowed, Counted(high, noun));
}

bool IsAllowed(int count, int low, int high, std::uint32_t holes) {
  if (count < low || (count > high && high != Operator::kUnlimited)) return false;
  return count > 31 || (holes >> count & 1u) == 0;
}

/// Returns the place of the first superfluous value, or the node if there are too few values.
Spot Blamed(const Place& place, int field, int count, int high) {
  return count > high && high != Operator::kUnlimited ? Spot(place, field, high) : Spot(place);
}

bool IsRequired(const Parameter& formal) { return formal.arity == static_cast<std::uint8_t>(Arity::kSingle); }

using Names = google::protobuf::RepeatedPtrField<std::string>;

/// Returns the index of the empty name that a superfluous ',' produces, as in `Add (x,, y)` and `Add (, x, y)`. Returns
/// a negative number if that is not the mistake.
int FindExtraComma(const Names& names, std::span<const Parameter> formals) {
  if (names.size() != static_cast<int>(formals.size()) + 1) return -1;
  int found = -1;
  for (int i = 0; i < names.size() - 1; ++i) {
    if (!names[i].empty()) continue;
    if (IsRequired(formals[static_cast<std::size_t>(i)])) return i;
    if (i > 0) found = found == -1 ? i : -2;  // negative if there are several empty names
  }
  return std::max(found, -1);
}

void CorrectExtraComma(const NodeProto& node, int field, int index, const Run& run, Diagnostic* finding) {
  if (finding == nullptr) return;
  const SourceMap* const map = run.options.source_map;
  const SourceRange* const written = map == nullptr ? nullptr : map->FindOwn(node, field, index);
  if (index > 0 && written != nullptr && written->end > written->begin) return;  // `""` is no accident
  const bool is_between_nodes = field == NodeProto::kOutputFieldNumber && index == 0;
  std::vector<FixIt> fix_its;
  if (is_between_nodes && finding->path.empty() && node.name().empty()) {  // the node begins with the ','
    finding->range.end = finding->range.begin + 1;
    fix_its = {{finding->range, ""}};
  }
  const SourceRange* const before = map == nullptr || index == 0 ? nullptr : map->FindOwn(node, field, index - 1);
  const SourceRange* const after = before == nullptr ? nullptr : map->FindOwn(node, field, index + 1);
  if (after != nullptr && before->end < after->begin) {
    finding->range = {before->end, after->begin};
    fix_its = {{finding->range, ", "}};
  }
  Correct(finding, is_between_nodes ? "nodes must not be separated by ','" : "there is one ',' too many",
          std::move(fix_its));
}

/// Reports required inputs or outputs that are omitted by an empty name.
void CheckRequired(const google::protobuf::RepeatedPtrField<std::string>& names, std::span<const Parameter> formals,
                   const DiagnosticBase<diag::Text, diag::Text>& rule, int field, const NodeProto& node,
                   const Place& place, Context& context) {
  for (int i = 0; i < names.size() && i < static_cast<int>(formals.size()); ++i) {
    const Parameter& formal = formals[static_cast<std::size_t>(i)];
    if (!names[i].empty() || !IsRequired(formal)) continue;
    Diagnostic* const finding = context.Report(rule, {place, field, i}, Word(formal), Quoted(node.op_type()));
    if (FindExtraComma(names, formals) == i) CorrectExtraComma(node, field, i, context.run, finding);
  }
}

/// Returns whether the attribute has no value although its type has no default value.
bool LacksValue(const AttributeProto& attribute) {
  const AttributeType* const type = FindAttributeType(attribute.type());
  return type != nullptr && type->is_message && !HasValue(attribute, *type);
}

// Returns a description of the attribute in other versions of the operator, or "" if no version has the attribute.
std::string History(const Operator& op, std::string_view name) {
  const auto has = [&](const Operator& version) {
    const auto formals = Attributes(version);
    return std::any_of(formals.begin(), formals.end(),
                       [&](const OperatorAttribute& formal) { return Word(formal) == name; });
  };
  int until = 0;
  bool was_there = false;
  for (const Operator& version : VersionsOf(op)) {
    const int since = version.since;
    if (since > op.since) {
      if (!was_there && has(version)) return fmt::format("; it was added in version {}", since);
      continue;
    }
    if (has(version)) {
      was_there = true;
      until = 0;
    } else if (was_there && until == 0) {
      until = since;
    }
  }
  const bool is_input = FindInput(op, name) != nullptr;
  if (!was_there && is_input) return "; it is an input";
  if (!was_there || until == 0) return "";
  if (is_input)
    return fmt::format("; it is an input since version {}, and was an attribute until version {}", until, until - 1);
  return fmt::format("; it existed until version {}", until - 1);
}

/// Returns the type of the attribute. If the attribute has no type, as in IR version 1, its type is derived from its
/// value.
int TypeOf(const AttributeProto& attribute, const OperatorAttribute& formal, const Run& run) {
  if (attribute.has_type() || run.ir_version > 1) return attribute.type();
  const int values = CountValues(attribute);
  if (values > 1) return attribute.type();  // reported as too many values
  return values == 0 ? formal.type : TypeOfValue(attribute)->code;
}

void CheckKnownAttribute(const NodeProto& node, const AttributeProto& attribute, const OperatorAttribute& formal,
                         const Place& place, Context& context) {
  const bool is_bare_reference = !attribute.ref_attr_name().empty() && !attribute.has_type();
  if (is_bare_reference) return;  // the missing type is already reported
  const int type = TypeOf(attribute, formal, context.run);
  // Only operators declared in a file have such an attribute.
  const bool is_any = formal.type == AttributeProto::UNDEFINED;
  if (type != formal.type && !is_any) {
    Diagnostic* const finding = context.Report(diag::kAttributeKind, place, Quoted(attribute.name()),
                                               Quoted(node.op_type()), KeywordOf(type), KeywordOf(formal.type));
    CorrectKind(attribute, formal.type, context.run, finding);
  } else if (attribute.ref_attr_name().empty() && LacksValue(attribute)) {
    context.Report(diag::kAttributeWithoutValue, place, Quoted(attribute.name()), Quoted(node.op_type()));
  }
}

// Adds an explanation if a word was written for an attribute that requires numbers, as in `padding = "same"`.
void ExplainWord(const Operator& op, const AttributeProto& attribute, std::string_view alias, Diagnostic* finding) {
  const bool has_word = alias == "pads" && FindAttribute(op, "auto_pad") != nullptr;
  if (has_word && (IsSameWord(attribute.s(), "same") || IsSameWord(attribute.s(), "valid"))) {
    const std::string_view word = IsSameWord(attribute.s(), "same") ? "SAME_UPPER" : "VALID";
    return Correct(finding, fmt::format("write auto_pad = \"{}\", or 'pads' with numbers", word), {});
  }
  Correct(
      finding,
      fmt::format("the attribute is named '{}', and is of type {}", alias, KeywordOf(FindAttribute(op, alias)->type)),
      {});
}

// Reports an attribute that the operator does not have. Returns the attribute that was probably meant, or "" if that is
// not known. Only one finding about each node has a correction that removes attributes from the node; `*is_removed`
// tells whether it was reported. If several attributes are inputs now, this correction is about all of them.
std::string_view ReportUnknownAttribute(const NodeProto& node, const Operator& op, const Place& place,
                                        const AttributeProto& attribute, bool* is_removed, Context& context) {
  const std::string& name = attribute.name();
  const Spot spot(place, AttributeProto::kNameFieldNumber);
  Diagnostic* const finding =
      op.takes_any_attribute ? context.Report(diag::kUncheckedAttribute, spot, Quoted(node.op_type()), Quoted(name))
                             : context.Report(diag::kUnknownAttribute, spot, Quoted(node.op_type()), Quoted(name));
  const auto correct_moved = [&] {
    if (NameAsInput(op, name).empty() || std::exchange(*is_removed, true)) return;
    CorrectMoved(node, op, place, context, finding);
  };
  if (const std::string history = History(op, name); !history.empty()) {
    if (finding != nullptr) finding->message += history;
    correct_moved();
    return "";
  }
  std::vector<std::string_view> names;
  for (const OperatorAttribute& formal : Attributes(op)) names.push_back(Word(formal));
  const std::string_view alias = MeantAttribute(op, name);
  if (FindAttribute(op, alias) == nullptr && !alias.empty()) {
    if (finding != nullptr) finding->message += fmt::format("; the name is '{}'{}", alias, History(op, alias));
    correct_moved();
    return "";
  }
  if (const OperatorAttribute* const formal = FindAttribute(op, alias)) {
    const bool is_word = attribute.ref_attr_name().empty() && attribute.type() == AttributeProto::STRING;
    if (is_word && formal->type != AttributeProto::STRING && ValueAs(attribute, formal->type).empty()) {
      ExplainWord(op, attribute, alias, finding);
    } else {
      CorrectWord(finding, name, fmt::format("the attribute is named '{}'", alias), alias);
    }
    return alias;
  }
  if (name == "name" && attribute.type() == AttributeProto::STRING && !attribute.s().empty()) {
    if (!std::exchange(*is_removed, true)) CorrectLabel(node, attribute, context, finding);
    return "";
  }
  return context.run.findings.Suggest(finding, name, [&] { return names; }) ? Nearest(name, names) : "";
}

// Returns whether the node has an attribute that is an input in this version of its operator. Such an attribute
// explains why a node has too few inputs.
bool LacksMovedInput(const NodeProto& node, const Operator& op) {
  return std::ranges::any_of(node.attribute(), [&](const AttributeProto& attribute) {
    return FindInput(op, attribute.name()) != nullptr || FindInput(op, MeantAttribute(op, attribute.name())) != nullptr;
  });
}

// Returns the names of the operator's inputs for a message, or "" if one of the inputs is variadic.
std::string InputNames(const Operator& op) {
  std::string names;
  const auto formals = Inputs(op);
  for (std::size_t i = 0; i < formals.size(); ++i) {
    if (formals[i].arity == static_cast<std::uint8_t>(Arity::kVariadic)) return "";
    const bool is_optional = formals[i].arity == static_cast<std::uint8_t>(Arity::kOptional);
    const std::string_view between = i == 0 ? "" : ", ";
    names += fmt::format("{}{}{}", between, Word(formals[i]), is_optional ? " (optional)" : "");
  }
  return formals.size() < 2 ? "" : fmt::format("; its inputs are {}", names);
}

// Returns a description of a later version of the operator that accepts this number of inputs, or "" if there is none.
std::string OtherInputs(const NodeProto& node, const Operator& op) {
  for (const Operator& version : VersionsOf(op)) {
    if (version.since > op.since &&
        IsAllowed(node.input_size(), version.min_inputs, version.max_inputs, version.input_holes)) {
      return fmt::format("; since version {} it accepts {}", static_cast<int>(version.since),
                         Allowed(version.min_inputs, version.max_inputs, version.input_holes, "input"));
    }
  }
  return "";
}

// Returns whether the operator has attributes in its signature. If such an operator accepts any attribute, it ignores
// the attributes that are not in the signature, so these are reported as mistakes.
bool MaySkip(const Operator& op) { return !Attributes(op).empty(); }

void CheckAttributes(const NodeProto& node, const Operator& op, const Place& place, Context& context) {
  bool is_removed = false;  // see ReportUnknownAttribute()
  std::uint64_t given = 0;  // a bit set: no operator has more than 64 attributes
  static_assert(sizeof(given) * 8 >= kMostAttributes);
  const std::span<const OperatorAttribute> formals = Attributes(op);
  for (int i = 0; i < node.attribute_size(); ++i) {
    const AttributeProto& attribute = node.attribute(i);
    const Place at = place.Child(attribute, NodeProto::kAttributeFieldNumber, i);
    bool is_known = false;
    for (std::size_t j = 0; j < formals.size() && !is_known; ++j) {
      if (Word(formals[j]) != attribute.name()) continue;
      is_known = true;
      given |= std::uint64_t{1} << j;
      CheckKnownAttribute(node, attribute, formals[j], at, context);
    }
    const bool is_internal = attribute.name().starts_with("__");
    if (is_known || is_internal || (op.takes_any_attribute && !MaySkip(op))) continue;
    const std::string_view meant = ReportUnknownAttribute(node, op, at, attribute, &is_removed, context);
    for (std::size_t j = 0; j < formals.size() && !meant.empty(); ++j) {
      if (Word(formals[j]) == meant) given |= std::uint64_t{1} << j;
    }
  }
  for (std::size_t j = 0; j < formals.size(); ++j) {
    if (!formals[j].required || (given >> j & 1u) != 0) continue;
    context.Report(diag::kMissingAttribute, place, Quoted(node.op_type()), Word(formals[j]));
  }
}

}  // namespace

const OperatorAttribute* FindAttribute(const Operator& op, std::string_view name) {
  const auto formals = Attributes(op);
  const auto found =
      std::ranges::find_if(formals, [&](const OperatorAttribute& formal) { return Word(formal) == name; });
  return found == formals.end() ? nullptr : &*found;
}

std::string_view MeantAttribute(const Operator& op, std::string_view name) {
  return AttributeOf(name, [&](std::string_view attribute) {
    return FindAttribute(op, attribute) != nullptr || FindInput(op, attribute) != nullptr;
  });
}

void CheckSignature(const NodeProto& node, const Operator& op, const Place& place, Context& context) {
  const int inputs = node.input_size();
  const bool is_moved = inputs < op.min_inputs && LacksMovedInput(node, op);
  // If a superfluous ',' leaves out a required value, the comma is reported instead.
  const auto is_told = [](int comma, std::span<const Parameter> formals) {
    return comma >= 0 && IsRequired(formals[static_cast<std::size_t>(comma)]);
  };
  const int comma = FindExtraComma(node.input(), Inputs(op));
  if (!is_moved && !is_told(comma, Inputs(op)) && !IsAllowed(inputs, op.min_inputs, op.max_inputs, op.input_holes)) {
    Diagnostic* const finding =
        context.Report(diag::kInputCount, Blamed(place, NodeProto::kInputFieldNumber, inputs, op.max_inputs),
                       Quoted(node.op_type()), Allowed(op.min_inputs, op.max_inputs, op.input_holes, "input"), inputs);
    if (finding != nullptr) finding->message += OtherInputs(node, op) + InputNames(op);
    if (comma > 0) CorrectExtraComma(node, NodeProto::kInputFieldNumber, comma, context.run, finding);
  }
  const int outputs = node.output_size();
  const int output_comma = FindExtraComma(node.output(), Outputs(op));
  if (!is_told(output_comma, Outputs(op)) && !IsAllowed(outputs, op.min_outputs, op.max_outputs, op.output_holes)) {
    Diagnostic* const finding = context.Report(
        diag::kOutputCount, Blamed(place, NodeProto::kOutputFieldNumber, outputs, op.max_outputs),
        Quoted(node.op_type()), Allowed(op.min_outputs, op.max_outputs, op.output_holes, "output"), outputs);
    if (outputs == 0 && finding != nullptr && finding->path.empty()) {  // `= Op (x)`
      context.run.findings.NoteMisnamed(place, {{finding->range.begin, finding->range.begin}, "{} "});
    }
    if (output_comma > 0) {
      CorrectExtraComma(node, NodeProto::kOutputFieldNumber, output_comma, context.run, finding);
    }
  }
  CheckRequired(node.input(), Inputs(op), diag::kRequiredInput, NodeProto::kInputFieldNumber, node, place, context);
  CheckRequired(node.output(), Outputs(op), diag::kRequiredOutput, NodeProto::kOutputFieldNumber, node, place, context);
  CheckAttributes(node, op, place, context);
}

}  // namespace onnxc::check
