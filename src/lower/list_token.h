// List tokens: a whole list is one token, NUMBERS or DATA for numbers, STRINGS or STRING_DATA for strings.
#pragma once

#include <google/protobuf/repeated_field.h>

#include <string_view>
#include <utility>

#include "lower/chunks.h"
#include "lower/lowering.h"
#include "syntax/quoted.h"

namespace onnxc::lower {

/// Reports a comma at `at` that nothing follows.
void ReportExtraComma(std::size_t at, Lowering& lowering);

/// Reads all numbers of a list token, one of which may be `nan` and the like. `type` is what they are to be, as
/// messages call it. Instances: int32, int64, uint64, float, double.
template <typename Number>
void ReadListToken(const SyntaxToken& list, std::string_view type, Lowering& lowering,
                   google::protobuf::RepeatedField<Number>* values);

/// The same where all are plain numbers in range; otherwise false, nothing is reported, and no value added.
template <typename Number>
[[nodiscard]] bool ReadPlainListToken(const SyntaxToken& list, const Lowering& lowering,
                                      google::protobuf::RepeatedField<Number>* values);

/// The same as bytes: the value of a packed field. `*chunks` must be empty, and stays empty if the result is false. The
/// result may also be false for plain numbers, if they stand far apart.
template <typename Number>
[[nodiscard]] bool WritePlainListToken(const SyntaxToken& list, const Lowering& lowering, Chunks* chunks);

/// Returns false, and reports it, if a list token has more numbers than a repeated field of protobuf can hold.
[[nodiscard]] bool FitsList(const SyntaxToken& list, Lowering& lowering);

/// The first literal of a list token, "" where it has none.
[[nodiscard]] std::string_view FirstLiteral(const SyntaxToken& list);

/// Calls `visit` with each string of a list token as a token. The scanner has made sure that the list holds nothing
/// else.
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
