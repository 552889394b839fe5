// Reads list tokens. A complete list is one token: NUMBERS or DATA for numbers, STRINGS or STRING_DATA for strings.
#pragma once

#include <google/protobuf/repeated_field.h>

#include <string_view>
#include <utility>

#include "lower/chunks.h"
#include "lower/lowering.h"
#include "syntax/quoted.h"

namespace onnxc::lower {

/// Reports a comma at `at` after which the next member is missing.
void ReportExtraComma(std::size_t at, Lowering& lowering);

/// Reads all numbers of a list token. A word such as `nan` counts as a number. `type` is the name of the number type in
/// messages. Instances: int32, int64, uint64, float, double.
template <typename Number>
void ReadListToken(const SyntaxToken& list, std::string_view type, Lowering& lowering,
                   google::protobuf::RepeatedField<Number>* values);

/// Like ReadListToken(), but reads only plain numbers in range. If there is anything else, returns false, reports
/// nothing and adds no value.
template <typename Number>
[[nodiscard]] bool ReadPlainListToken(const SyntaxToken& list, const Lowering& lowering,
                                      google::protobuf::RepeatedField<Number>* values);

/// Like ReadPlainListToken(), but writes the bytes of a packed field. `*chunks` must be empty, and stays empty if the
/// result is false. The result may also be false for plain numbers if there are many blanks between two of them.
template <typename Number>
[[nodiscard]] bool WritePlainListToken(const SyntaxToken& list, const Lowering& lowering, Chunks* chunks);

/// Reports a list token with more numbers than a repeated field of protobuf can hold. Returns false if there are too
/// many.
[[nodiscard]] bool FitsList(const SyntaxToken& list, Lowering& lowering);

/// Returns the first literal of a list token, or "" if it has none.
[[nodiscard]] std::string_view FirstLiteral(const SyntaxToken& list);

/// Calls `visit` with each string of a list token as a separate token. The scanner guarantees that the list contains
/// nothing else.
template <typename Visit>
void ForEachString(const SyntaxToken& list, const Visit& visit) {
  const char* const end = list.text.data() + list.text.size();
  SyntaxToken token;
  token.type = Grammar::STRING;
  for (const char* at = list.text.data(); (at = syntax::FindQuoteOrBackslash(at, end)) != end;) {
    const char* const begin = std::exchange(at, syntax::FindStringEnd(at, end));
    token.text = {begin, at};
    token.begin = list.begin + static_cast<std::size_t>(begin - list.text.data());
    visit(token);
  }
}

}  // namespace onnxc::lower
