// Islands: lists that are one token, NUMBERS or DATA of numbers, STRINGS or STRING_DATA.
#pragma once

#include <google/protobuf/repeated_field.h>

#include <string_view>
#include <utility>

#include "lower/lowering.h"
#include "lower/pieces.h"
#include "syntax/quoted.h"

namespace onnxc {

/// Reads all numbers of an island, one of which may be `nan` and the like. `type` is what they are to be, as messages
/// call it. Instances: int32, int64, uint64, float, double.
template <typename Number>
void ReadIsland(const SyntaxToken& island, std::string_view type, Lowering& lowering,
                google::protobuf::RepeatedField<Number>* values);

/// The same where all are plain numbers in range; otherwise false, nothing is reported, and no value added.
template <typename Number>
[[nodiscard]] bool ReadPlainIsland(const SyntaxToken& island, const Lowering& lowering,
                                   google::protobuf::RepeatedField<Number>* values);

/// The same as bytes: the value of a packed field. Pieces have to be empty, and are if the result is false, as it also
/// may be for plain numbers that stand far apart.
template <typename Number>
[[nodiscard]] bool WritePlainIsland(const SyntaxToken& island, const Lowering& lowering, Pieces* pieces);

/// False, and reported, where an island has more numbers than a list of protobuf can.
[[nodiscard]] bool FitsList(const SyntaxToken& island, Lowering& lowering);

/// The first literal of an island, "" where it has none.
[[nodiscard]] std::string_view FirstLiteral(const SyntaxToken& island);

/// The strings of an island as tokens of their own. The scanner has seen that there is nothing else.
template <typename Visit>
void ForEachString(const SyntaxToken& island, const Visit& visit) {
  const char* const end = island.text.data() + island.text.size();
  SyntaxToken token;
  token.type = Grammar::STRING;
  for (const char* at = island.text.data(); (at = FindQuoteOrBackslash(at, end)) != end;) {
    const char* const begin = std::exchange(at, FindStringEnd(at, end));
    token.text = {begin, at};
    token.begin = island.begin + static_cast<std::size_t>(begin - island.text.data());
    visit(token);
  }
}

}  // namespace onnxc
