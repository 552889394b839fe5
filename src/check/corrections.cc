#include "check/corrections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "check/versions.h"
#include "source/message_cast.h"
#include "source/misspelt.h"
#include "syntax/spelling.h"
#include "tables/attribute_types.h"
#include "tables/foreign_words.h"
#include "tables/ir_versions.h"
#include "tables/operator_docs.h"

namespace onnxc::check {
namespace {

using onnx::AttributeProto;

// Returns the attribute's value as literals: one for a number or a string, or one for each element of a list. Returns
// an empty list for other types of values.
std::vector<std::string> Literals(const AttributeProto& attribute) {
  const auto number = [](float value) { return FloatLiteral(value); };
  std::vector<std::string> literals;
  switch (attribute.type()) {
    case AttributeProto::INT: return {fmt::to_string(attribute.i())};
    case AttributeProto::FLOAT: return {number(attribute.f())};
    case AttributeProto::STRING: return {attribute.s()};
    case AttributeProto::INTS:
      for (const std::int64_t value : attribute.ints()) literals.push_back(fmt::to_string(value));
      return literals;
    case AttributeProto::FLOATS:
      std::ranges::transform(attribute.floats(), std::back_inserter(literals), number);
      return literals;
    case AttributeProto::STRINGS: return {attribute.strings().begin(), attribute.strings().end()};
    default: return {};
  }
}

// These functions convert a literal: IntegerOf() converts `2.0` and `"2"` to an integer, and NumberOf() converts `2`
// and `"2"` to a number with a dot. Both return "" if the conversion is not certain.
std::string IntegerOf(std::string_view literal) {
  if (!IsWellFormedNumber(literal)) return "";
  const std::string_view whole = literal.substr(0, literal.find('.'));
  const bool is_whole = literal.find_first_of("eE") == std::string_view::npos &&
                        literal.substr(whole.size()).find_first_not_of(".0") == std::string_view::npos;
  return is_whole ? std::string(whole) : "";
}
std::string NumberOf(std::string_view literal) {
  if (!IsWellFormedNumber(literal)) return "";
  return literal.find_first_of(".eE") == std::string_view::npos ? fmt::format("{}.0", literal) : std::string(literal);
}

std::string Bracketed(const std::vector<std::string>& literals) {
  return fmt::format("[{}]", fmt::join(literals, ", "));
}

std::string QuotedText(std::string_view text) {
  std::string quoted;
  syntax::AppendQuoted(text, &quoted);
  return quoted;
}

template <typename Convert>
std::string ListAs(const AttributeProto& attribute, const Convert& convert) {
  constexpr std::size_t kMost = 64;
  std::vector<std::string> literals = Literals(attribute);
  if (literals.empty() || literals.size() > kMost) return "";
  for (std::string& literal : literals) {
    literal = convert(literal);
    if (literal.empty()) return "";
  }
  return Bracketed(literals);
}

// Returns the value as a tensor in the text syntax: `float {1.5}` for `1.5`, and `int64[2] {1, 2}` for `[1, 2]`.
std::string TensorAs(const AttributeProto& attribute) {
  constexpr std::size_t kMost = 64;
  std::vector<std::string> literals = Literals(attribute);
  if (literals.empty() || literals.size() > kMost) return "";
  const bool is_list = attribute.type() == AttributeProto::INTS || attribute.type() == AttributeProto::FLOATS ||
                       attribute.type() == AttributeProto::STRINGS;
  const bool are_strings = attribute.type() == AttributeProto::STRING || attribute.type() == AttributeProto::STRINGS;
  if (are_strings) std::ranges::transform(literals, literals.begin(), QuotedText);
  const std::string_view type = are_strings ? "string"
                                : attribute.type() == AttributeProto::INT || attribute.type() == AttributeProto::INTS
                                    ? "int64"
                                    : "float";
  const std::string shape = is_list ? fmt::format("[{}]", literals.size()) : "";
  return fmt::format("{}{} {{{}}}", type, shape, fmt::join(literals, ", "));
}

}  // namespace

std::string ValueAs(const AttributeProto& attribute, int wanted) {
  const auto number = [](double value) { return FloatLiteral(static_cast<float>(value)); };
  constexpr float kMost = 1 << 24;  // every smaller integer is exactly a float
  const auto is_whole = [](float value) { return std::abs(value) < kMost && std::trunc(value) == value; };
  const bool is_int = attribute.type() == AttributeProto::INT;
  const bool is_float = attribute.type() == AttributeProto::FLOAT;
  switch (wanted) {
    case AttributeProto::INT:
      if (is_int) return fmt::format("{}", attribute.i());
      if (is_float && is_whole(attribute.f())) return fmt::format("{}", static_cast<int>(attribute.f()));
      if (attribute.ints_size() == 1) return fmt::format("{}", attribute.ints(0));
      if (attribute.type() == AttributeProto::STRING) {
        if (const int code = CodeOfElementType(attribute.s()); code != 0) return fmt::format("{}", code);
        if (const auto constant = ConstantOf(attribute.s())) return std::string(*constant);  // "true"
        return IsWellFormedNumber(attribute.s()) ? attribute.s() : "";
      }
      if (attribute.tp().has_tensor_type() && !attribute.tp().tensor_type().shape().dim_size()) {
        return fmt::format("{}", attribute.tp().tensor_type().elem_type());
      }
      return "";
    case AttributeProto::FLOAT:
      if (is_float) return FloatLiteral(attribute.f());
      if (is_int) return number(static_cast<double>(attribute.i()));
      if (attribute.floats_size() == 1) return number(attribute.floats(0));
      if (attribute.type() == AttributeProto::STRING) {
        const bool is_of_digits = attribute.s().find_first_of(".eE") == std::string::npos;
        return IsWellFormedNumber(attribute.s()) ? attribute.s() + (is_of_digits ? ".0" : "") : "";
      }
      return attribute.ints_size() == 1 ? number(static_cast<double>(attribute.ints(0))) : "";
    case AttributeProto::INTS: return ListAs(attribute, IntegerOf);
    case AttributeProto::FLOATS: return ListAs(attribute, NumberOf);
    case AttributeProto::STRINGS:
      return attribute.type() == AttributeProto::STRING ? Bracketed({QuotedText(attribute.s())}) : "";
    case AttributeProto::TENSOR: return TensorAs(attribute);
    default: return "";
  }
}

const SourceRange* FindText(const Run& run, const google::protobuf::Message& message, int field, int index) {
  const SourceMap* const map = run.options.source_map;
  if (map == nullptr) return nullptr;
  const SourceRange* const range = map->FindOwn(message, field, index);
  return range == nullptr && index != 0 ? map->FindOwn(message, field) : range;
}

Suspect SuspectOf(std::string_view used, std::string_view defined) {
  const auto [of_used, of_defined] = WordsThatDiffer(used, defined);
  const bool is_used_word = IsDocumentedWord(of_used);
  if (is_used_word == IsDocumentedWord(of_defined)) {
    if (HasLostOne(used, defined)) return Suspect::kUse;
    return HasLostOne(defined, used) ? Suspect::kDefinition : Suspect::kEither;
  }
  return is_used_word ? Suspect::kDefinition : Suspect::kUse;
}

void BlameName(const SourceRange* range, std::string_view defined, std::string_view used, Use use,
               Diagnostic* finding) {
  finding->message = fmt::format("nothing {} '{}'; did you mean '{}', which is {} but not defined?", use.verb,
                                 Quoted(defined), Quoted(used), use.participle);
  if (range == nullptr) return;
  finding->notes.push_back({finding->range, fmt::format("'{}' is {} here", Quoted(used), use.participle)});
  finding->range = *range;
  if (const auto fix_it = Respell(*range, defined, used)) finding->fix_its = {*fix_it};
}

bool BlameParameter(int function, std::string_view used, bool is_given, Context& context, Diagnostic* finding) {
  FunctionTable& functions = context.run.functions;
  if (finding == nullptr || function < 0) return false;
  const auto names = [&] { return Sorted(functions.ParametersOf(function)); };
  const auto spare = [&](std::string_view name) {
    return functions.RefersTo(function, name) ? Standing::kUsual : Standing::kSpare;
  };
  const Meant misspelt = context.run.findings.MeantOf(used, names, spare, &MisspeltName);
  if (!misspelt.IsKnown() || functions.RefersTo(function, misspelt.name)) return false;
  if (!is_given && SuspectOf(used, misspelt.name) != Suspect::kDefinition) return false;
  const onnx::FunctionProto& declared = functions[function];
  const SourceRange* range = nullptr;
  for (int i = 0; i < declared.attribute_size(); ++i) {
    if (declared.attribute(i) == misspelt.name) {
      range = FindText(context.run, declared, onnx::FunctionProto::kAttributeFieldNumber, i);
    }
  }
  for (const onnx::AttributeProto& attribute : declared.attribute_proto()) {
    if (attribute.name() == misspelt.name) range = FindText(context.run, attribute, AttributeProto::kNameFieldNumber);
  }
  if (range == nullptr) return false;
  BlameName(range, misspelt.name, used, {"refers to", "used"}, finding);
  functions.AddParameter(function, used);
  return true;
}

void Correct(Diagnostic* finding, std::string_view words, std::vector<FixIt> fix_its) {
  if (finding == nullptr) return;
  if (!words.empty()) finding->message.append("; ").append(words);
  finding->fix_its = std::move(fix_its);
}

std::string FloatLiteral(float value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;  // `n`: inf and nan have no dot
}

std::string_view KeywordOf(int type) {
  const AttributeType* const row = FindAttributeType(type);
  return row == nullptr ? "undefined" : row->keyword;
}

void CorrectKind(const AttributeProto& attribute, int wanted, const Run& run, Diagnostic* finding) {
  if (!attribute.ref_attr_name().empty()) return;  // the value is different in each call
  const std::string value = ValueAs(attribute, wanted);
  const AttributeType* const type = FindAttributeType(attribute.type());
  if (finding == nullptr || value.empty() || type == nullptr) return;
  const SourceRange* const range = FindText(run, attribute, type->field);
  std::vector<FixIt> fix_its;
  if (range != nullptr) {
    fix_its = {{*range, value}};
    if (const SourceRange* const word = FindText(run, attribute, AttributeProto::kTypeFieldNumber)) {
      fix_its.push_back({*word, std::string(KeywordOf(wanted))});
    }
  }
  Correct(finding, fmt::format("write {}", value), std::move(fix_its));
}

void CorrectWord(Diagnostic* finding, std::string_view word, std::string_view words, std::string_view replacement) {
  if (finding == nullptr) return;
  const bool is_the_word = finding->path.empty() && finding->range.end - finding->range.begin == word.size();
  std::vector<FixIt> fix_its;
  if (is_the_word) fix_its = {{finding->range, std::string(replacement)}};
  Correct(finding, words, std::move(fix_its));
}

bool IsDottedName(std::string_view domain) {
  for (std::size_t dot = 0; (dot = domain.find('.')) != std::string_view::npos; domain.remove_prefix(dot + 1)) {
    if (!syntax::IsIdentifier(domain.substr(0, dot))) return false;
  }
  return syntax::IsIdentifier(domain);
}

int VersionToImport(std::string_view domain, const Place& place, Run& run) {
  domain = NodeDomain(domain);
  const Place* root = &place;
  while (root->parent != nullptr) root = root->parent;
  const auto* const model = MessageCast<onnx::ModelProto>(root->message);
  if (model != nullptr && run.model_versions.empty()) {
    Imports imports = ImportsIn(model->opset_import());
    for (const auto& opset : model->opset_import()) {
      const std::string_view imported = NodeDomain(opset.domain());
      const Import* const import = FindImport(imports, imported);
      if (import != nullptr && import->version > 0) run.model_versions.try_emplace(imported, import->version);
    }
    if (!run.model_versions.contains("")) run.model_versions.try_emplace("", OpsetFor(*model));
  }
  const auto found = run.model_versions.find(domain);
  if (found != run.model_versions.end()) return found->second;
  if (domain.empty()) return kUsualOpset;
  const int known = FindDomain(domain);
  return known < 0 ? 1 : NewestVersion(known);
}

std::string ImportText(std::string_view domain, std::int64_t version) {
  std::string text;
  syntax::AppendQuoted(domain, &text);
  return text + fmt::format(" : {}", version);
}

const SourceRange* FindImportText(const Place& place, int index, const Run& run) {
  for (const Place* at = &place; at != nullptr; at = at->parent) {
    const auto* const field = at->message.GetDescriptor()->FindFieldByName("opset_import");
    if (field == nullptr) continue;
    const int size = at->message.GetReflection()->FieldSize(at->message, field);
    const int position = index < 0 ? size - 1 : index;
    if (position < 0 || position >= size || run.options.source_map == nullptr) return nullptr;
    return run.options.source_map->Find(at->message.GetReflection()->GetRepeatedMessage(at->message, field, position));
  }
  return nullptr;
}

}  // namespace onnxc::check
