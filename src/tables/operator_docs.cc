#include "tables/operator_docs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "tables/declared_operator.h"

namespace onnxc {
namespace {

/// The row of an operator. It has the same index as in kOperators.
struct OperatorDoc {
  std::uint16_t text;   ///< index in kTexts
  std::uint16_t first;  ///< index in kTextIds of the operator's entries: default and text of each attribute, then the
                        ///< texts of inputs and outputs
};

#include "tables/operators/docs.inc"

static_assert(std::size(kOperatorDocs) == std::size(kOperators), "scripts/gen_operators.py");

const OperatorDoc& RowOf(const Operator& op) { return kOperatorDocs[&op - kOperators]; }

/// Returns the text of a part of the operator.
std::string_view TextAt(const Operator& op, std::size_t index) {
  if (op.declared != nullptr) return op.declared->texts[1 + index];
  return kTexts[kTextIds[RowOf(op).first + index]];
}

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string InLowerCase(std::string_view letters) {
  std::string lower(letters);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

/// Returns the words of all texts in lower case, sorted and without duplicates.
std::vector<std::string> ReadWords() {
  std::vector<std::string> words;
  for (const std::string_view text : kTexts) {
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
      for (end = begin; end < text.size() && IsLetter(text[end]);) ++end;
      if (end > begin) words.push_back(InLowerCase(text.substr(begin, end - begin)));
    }
  }
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace

// The words are read at the first call, because they are only needed for misspelt names.
bool IsDocumentedWord(std::string_view letters) {
  static const std::vector<std::string> kWords = ReadWords();
  return std::ranges::binary_search(kWords, InLowerCase(letters));
}

std::string_view DocOf(const Operator& op) {
  return op.declared != nullptr ? std::string_view(op.declared->texts.front()) : kTexts[RowOf(op).text];
}

AttributeDoc DocOfAttribute(const Operator& op, std::size_t index) {
  return {.text = TextAt(op, 2 * index + 1), .otherwise = TextAt(op, 2 * index)};
}

std::string_view DocOfInput(const Operator& op, std::size_t index) { return TextAt(op, 2 * op.attributes + index); }

std::string_view DocOfOutput(const Operator& op, std::size_t index) {
  return TextAt(op, 2 * op.attributes + op.inputs + index);
}

}  // namespace onnxc
