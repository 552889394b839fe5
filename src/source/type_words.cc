#include "source/type_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <vector>

#include "tables/element_types.h"

namespace onnxc {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view kUsualFloats[] = {"float", "double", "float16"};
constexpr std::string_view kFloats[] = {"float", "double", "float16", "bfloat16"};
constexpr std::string_view kSigned[] = {"int64", "int32", "int16", "int8"};
constexpr std::string_view kUnsigned[] = {"uint64", "uint32", "uint16", "uint8"};
constexpr std::string_view kComplex[] = {"complex64", "complex128"};
constexpr std::size_t kFew = 3;    // types that are always listed
constexpr std::size_t kShown = 5;  // types of a longer list that are shown

std::string_view NameAt(std::size_t type) { return kTypeNames[type]; }

int CodeOf(std::string_view keyword) {
  const ElementType* const row = FindElementType(keyword);
  return row == nullptr ? 0 : row->code;
}

bool IsTensor(std::string_view name) { return name.starts_with("tensor("); }

/// Returns the types of the set, the most frequent ones first.
std::vector<std::string> Listed(const TypeSet& types) {
  std::vector<std::string> listed;
  for (const Words words : {Words(kFloats), Words(kSigned), Words(kUnsigned)}) {
    for (const std::string_view word : words) {
      if (types.Has(TensorType(CodeOf(word)))) listed.emplace_back(word);
    }
  }
  for (std::size_t i = 0; i < std::size(kTypeNames); ++i) {
    if (!types.Has(static_cast<unsigned>(i))) continue;
    std::string shown = ShownType(static_cast<TypeId>(i));
    if (std::ranges::find(listed, shown) == listed.end()) listed.push_back(std::move(shown));
  }
  return listed;
}

/// Removes the words from the list if the list contains all of them. Returns whether they were removed.
bool Take(Words words, std::vector<std::string>* listed) {
  const auto has = [&](std::string_view word) { return std::ranges::find(*listed, word) != listed->end(); };
  if (!std::ranges::all_of(words, has)) return false;
  std::erase_if(*listed, [&](const std::string& type) { return std::ranges::find(words, type) != words.end(); });
  return true;
}

/// Removes all entries that begin with the word if there are more than kFew of them. Returns whether it removed any.
bool TakeAll(std::string_view begin, std::vector<std::string>* listed) {
  const auto is_it = [&](const std::string& type) { return type.starts_with(begin); };
  return std::ranges::count_if(*listed, is_it) > static_cast<std::ptrdiff_t>(kFew) && std::erase_if(*listed, is_it) > 0;
}

bool IsOf(Words words, std::string_view type) { return std::ranges::find(words, type) != words.end(); }

std::string Joined(const std::vector<std::string>& parts) {
  std::string text;
  const std::size_t shown = parts.size() > kShown + 1 ? kShown : parts.size();
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " or " : ", ";
    text += parts[i];
  }
  return shown == parts.size() ? text : fmt::format("{} or {} others", text, parts.size() - shown);
}

/// Replaces groups of tensor types in the list by a common description, which is added to `groups`.
void TakeTensors(std::string_view refused, std::vector<std::string>* listed, std::vector<std::string>* groups) {
  const bool is_float = IsOf(kFloats, refused) || refused.starts_with("float");
  const bool is_integer = IsOf(kSigned, refused) || IsOf(kUnsigned, refused);
  const bool has_floats = !is_float && (Take(kFloats, listed) || Take(kUsualFloats, listed));
  if (has_floats) std::erase_if(*listed, [](const std::string& type) { return type.starts_with("float"); });
  std::vector<std::string> without = *listed;
  const bool has_signed = !is_integer && Take(kSigned, &without);
  const bool has_integers = has_signed && Take(kUnsigned, &without);
  if (has_signed) *listed = without;
  if (has_integers) {
    std::erase_if(*listed, [](const std::string& type) { return type.starts_with("int") || type.starts_with("uint"); });
  }
  if (has_floats && has_integers) {
    groups->emplace_back("a numeric type");
  } else {
    if (has_floats) groups->emplace_back("a float type");
    if (has_signed) groups->emplace_back(has_integers ? "an integer type" : "a signed integer type");
  }
  if (!refused.starts_with("complex") && !groups->empty() && Take(kComplex, listed)) {
    groups->emplace_back("a complex type");
  }
}

}  // namespace

std::string ShownType(TypeId type) {
  if (type == kNoType) return "of an unknown type";
  if (type == kOtherType) return "of another type";
  std::string text(NameAt(type));
  constexpr std::string_view kTensor = "tensor(";
  for (std::size_t at = 0; (at = text.find(kTensor, at)) != std::string::npos;) {
    if (at > 0 && text[at - 1] == '_') {  // sparse_tensor(float)
      at += kTensor.size();
      continue;
    }
    const std::size_t end = text.find(')', at);
    text.erase(end, 1).erase(at, kTensor.size());
  }
  if (const std::size_t comma = text.find(','); comma != std::string::npos) text.insert(comma + 1, " ");
  return text;
}

std::string ShownTypes(const TypeSet& types, TypeId refused) {
  std::vector<std::string> listed = Listed(types);
  if (listed.size() <= kFew) return Joined(listed);
  const std::string name = refused == kNoType || refused == kOtherType ? std::string() : ShownType(refused);
  const bool is_tensor = refused != kNoType && refused != kOtherType && IsTensor(NameAt(refused));
  std::vector<std::string> groups;
  const auto is_plain = [](const std::string& type) { return type.find('(') == std::string::npos; };
  const bool has_tensors = std::ranges::count_if(listed, is_plain) > static_cast<std::ptrdiff_t>(kFew);
  const bool has_string = std::ranges::find(listed, "string") != listed.end();
  if (has_tensors && !is_tensor) {
    std::erase_if(listed, is_plain);
    groups.emplace_back(has_string ? "a tensor" : "a tensor of numbers");
  } else if (has_tensors) {
    TakeTensors(name, &listed, &groups);
  }
  if (!name.starts_with("seq(") && TakeAll("seq(", &listed)) groups.emplace_back("a sequence");
  if (!name.starts_with("optional(") && TakeAll("optional(", &listed)) groups.emplace_back("an optional");
  groups.insert(groups.end(), listed.begin(), listed.end());
  return Joined(groups);
}

int OnlyElementType(const TypeSet& types) {
  int only = 0;
  for (std::size_t i = 0; i < std::size(kTypeNames); ++i) {
    if (!types.Has(static_cast<unsigned>(i))) continue;
    if (only != 0 || !IsTensor(NameAt(i))) return 0;
    only = CodeOf(ShownType(static_cast<TypeId>(i)));
  }
  return only;
}

int MisspeltElementType(const TypeSet& types, TypeId refused) {
  if (refused == kNoType || refused == kOtherType || !IsTensor(NameAt(refused))) return 0;
  const std::string word = ShownType(refused);
  int only = 0;
  for (std::size_t i = 0; i < std::size(kTypeNames); ++i) {
    if (!types.Has(static_cast<unsigned>(i)) || !IsTensor(NameAt(i))) continue;
    const std::string wanted = ShownType(static_cast<TypeId>(i));
    const auto differ = std::ranges::mismatch(word, wanted);
    const bool is_lost = wanted.size() == word.size() + 1 && std::equal(differ.in1, word.end(), differ.in2 + 1);
    if (!is_lost) continue;
    if (only != 0) return 0;
    only = CodeOf(wanted);
  }
  return only;
}

std::string_view WayToTypes(const TypeSet& types, TypeId refused) {
  if (refused == kNoType || refused == kOtherType) return "";
  const std::string_view name = NameAt(refused);
  const auto has = [&](std::string_view wanted) {
    for (std::size_t i = 0; i < std::size(kTypeNames); ++i) {
      if (NameAt(i) == wanted) return types.Has(static_cast<unsigned>(i));
    }
    return false;
  };
  const auto inner = [&](std::string_view wrap) { return name.substr(wrap.size(), name.size() - wrap.size() - 1); };
  const auto takes_tensors = [&] {
    for (std::size_t i = 0; i < std::size(kTypeNames); ++i) {
      if (IsTensor(NameAt(i)) && types.Has(static_cast<unsigned>(i))) return true;
    }
    return false;
  };
  if (IsTensor(name) && !takes_tensors()) return ", a tensor";
  if (name.starts_with("optional(") && has(inner("optional("))) return "; OptionalGetElement returns its element";
  if (name.starts_with("seq(") && has(inner("seq("))) return "; SequenceAt returns one of its tensors";
  return "";
}

}  // namespace onnxc
