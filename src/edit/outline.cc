#include "edit/outline.h"

#include <onnxc/proto.h>

#include <algorithm>
#include <numeric>

#include "symbols/tokens.h"

namespace onnxc::edit {

std::string_view MarkIn(std::string_view text) { return text.substr(0, text.starts_with("\xEF\xBB\xBF") ? 3 : 0); }

Outline::Outline(std::string_view text, const Message& root, const SourceMap& places) : text_(text) {
  for (const TextToken& token : TokensIn(text, {0, text.size()})) {
    tokens_.push_back(token.range);
    if (text[token.range.end - 1] == '\r') --tokens_.back().end;  // a pragma, which is a whole line
  }
  elements_.push_back({.message = &root, .first = 0, .last = tokens_.size()});
  AddMembers(root, places);
  Nest();
}

int Outline::Find(const Message& message) const {
  const auto found = numbers_.find(&message);
  return found == numbers_.end() ? -1 : found->second;
}

std::string_view Outline::Slice(std::size_t first, std::size_t last) const {
  return text_.substr(tokens_[first].begin, tokens_[last - 1].end - tokens_[first].begin);
}

Outline::Gap Outline::GapBefore(std::size_t token) const {
  const std::size_t begin = token == 0 ? MarkIn(text_).size() : tokens_[token - 1].end;
  const std::size_t end = token == tokens_.size() ? text_.size() : tokens_[token].begin;
  const std::string_view gap = text_.substr(begin, end - begin);
  std::size_t line = std::min(gap.find('\n'), gap.size());
  if (token == 0 || gap.substr(0, line).find('#') == std::string_view::npos) return {{}, gap};
  if (line > 0 && line < gap.size() && gap[line - 1] == '\r') --line;
  return {gap.substr(0, line), gap.substr(line)};
}

/// Adds the elements inside of a message.
void Outline::AddMembers(const Message& message, const SourceMap& places) {
  const auto& reflection = *message.GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const auto* field : fields) {
    const auto* type = field->message_type();
    if (type == nullptr || type == onnx::TensorShapeProto::Dimension::descriptor()) continue;
    if (!field->is_repeated()) {
      AddMembers(reflection.GetMessage(message, field), places);
      continue;
    }
    const int size = reflection.FieldSize(message, field);
    for (int i = 0; i < size; ++i) AddElement(reflection.GetRepeatedMessage(message, field, i), places);
  }
}

void Outline::AddElement(const Message& message, const SourceMap& places) {
  numbers_.emplace(&message, static_cast<int>(elements_.size()));
  elements_.push_back({.message = &message});
  Element& element = elements_.back();
  if (const SourceRange* const range = places.FindOwn(message, 0)) {
    const auto find = [&](std::size_t place) {
      const auto found = std::ranges::lower_bound(tokens_, place, {}, &SourceRange::begin);
      return static_cast<std::size_t>(found - tokens_.begin());
    };
    element.first = find(range->begin);
    element.last = find(range->end);
    const bool is_exact = element.first < element.last && tokens_[element.first].begin == range->begin &&
                          tokens_[element.last - 1].end == range->end;
    if (!is_exact) element.last = element.first;
  }
  AddMembers(message, places);
}

/// Finds the element that contains each element in the text.
void Outline::Nest() {
  std::vector<int> order;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    if (i == 0 || elements_[i].first < elements_[i].last) order.push_back(static_cast<int>(i));
  }
  std::ranges::stable_sort(order, [&](int one, int other) {
    if (one == 0 || other == 0) return one < other;
    return at(one).first != at(other).first ? at(one).first < at(other).first : at(one).last > at(other).last;
  });
  std::vector<int> around;
  for (const int number : order) {
    Element& element = elements_[static_cast<std::size_t>(number)];
    while (around.size() > 1 && at(around.back()).last <= element.first) around.pop_back();
    if (!around.empty()) {
      if (element.last > at(around.back()).last) continue;
      element.parent = around.back();
      elements_[static_cast<std::size_t>(element.parent)].children.push_back(number);
    }
    around.push_back(number);
  }
}

}  // namespace onnxc::edit
