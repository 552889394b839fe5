#include "check/corrections.h"

#include "tables/attribute_types.h"
#include "tables/foreign_words.h"

namespace onnxc::check {
namespace {

using onnx::AttributeProto;

// The value as one of type `wanted`, as a text has it; "" where that is not sure.
std::string ValueAs(const AttributeProto& attribute, int wanted) {
  const auto number = [](double value) { return FloatLiteral(static_cast<float>(value)); };
  const auto is_whole = [](float value) { return value == static_cast<float>(static_cast<int>(value)); };
  const bool is_int = attribute.type() == AttributeProto::INT;
  const bool is_float = attribute.type() == AttributeProto::FLOAT;
  switch (wanted) {
    case AttributeProto::INT:
      if (is_float && is_whole(attribute.f())) return fmt::format("{}", static_cast<int>(attribute.f()));
      if (attribute.ints_size() == 1) return fmt::format("{}", attribute.ints(0));
      if (attribute.type() == AttributeProto::STRING) {
        if (const int code = CodeOfElementType(attribute.s()); code != 0) return fmt::format("{}", code);
        return IsWellFormedNumber(attribute.s()) ? attribute.s() : "";
      }
      if (attribute.tp().has_tensor_type() && !attribute.tp().tensor_type().shape().dim_size()) {
        return fmt::format("{}", attribute.tp().tensor_type().elem_type());
      }
      return "";
    case AttributeProto::FLOAT:
      if (is_int) return number(static_cast<double>(attribute.i()));
      if (attribute.floats_size() == 1) return number(attribute.floats(0));
      return attribute.ints_size() == 1 ? number(static_cast<double>(attribute.ints(0))) : "";
    case AttributeProto::INTS:
      if (is_int) return fmt::format("[{}]", attribute.i());
      return is_float && is_whole(attribute.f()) ? fmt::format("[{}]", static_cast<int>(attribute.f())) : "";
    case AttributeProto::FLOATS: {
      if (is_int) return fmt::format("[{}]", number(static_cast<double>(attribute.i())));
      if (is_float) return fmt::format("[{}]", number(attribute.f()));
      constexpr int kMost = 64;
      std::string list;
      if (attribute.ints_size() > kMost) return "";
      for (const std::int64_t value : attribute.ints()) {
        list += fmt::format("{}{}", list.empty() ? "[" : ", ", number(static_cast<double>(value)));
      }
      return list.empty() ? "" : list + "]";
    }
    case AttributeProto::TENSOR:
      if (is_int) return fmt::format("int64 {{{}}}", attribute.i());
      return is_float ? fmt::format("float {{{}}}", number(attribute.f())) : "";
    default: return "";
  }
}

}  // namespace

const SourceRange* FindText(const Run& run, const google::protobuf::Message& message, int field) {
  const SourceMap* const map = run.options.source_map;
  if (map == nullptr) return nullptr;
  const SourceRange* const range = map->Find(message, field, 0);
  return range == map->Find(message, 0, 0) ? nullptr : range;
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
  if (!attribute.ref_attr_name().empty()) return;  // the value is that of each call
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

int VersionToImport(std::string_view domain) {
  const int known = FindDomain(domain);
  return known < 0 ? 1 : NewestVersion(known);
}

const SourceRange* FindLastImport(const Place& place, const Run& run) {
  for (const Place* at = &place; at != nullptr; at = at->parent) {
    const auto* const field = at->message.GetDescriptor()->FindFieldByName("opset_import");
    if (field == nullptr) continue;
    const int size = at->message.GetReflection()->FieldSize(at->message, field);
    if (size == 0 || run.options.source_map == nullptr) return nullptr;
    return run.options.source_map->Find(at->message.GetReflection()->GetRepeatedMessage(at->message, field, size - 1));
  }
  return nullptr;
}

}  // namespace onnxc::check
