// Parses corrected parts of a text on trial, to check that a correction removes errors.
#pragma once

#include <onnxc/diagnostic.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/names.h"

namespace onnxc::syntax {

/// Parses parts of a text with corrections applied. All trials together read at most a constant multiple of the text's
/// size, so that the total time is linear. When this budget is used up, all further trials fail.
class Trials {
 public:
  /// The searches that read the text again to find a correction. Each search has its own budget, so that none of them
  /// can use up the budget of another.
  enum class Search : std::uint8_t { kRows, kMarks, kQuotes, kNodes, kOthers };
  static constexpr std::size_t kSearches = static_cast<std::size_t>(Search::kOthers) + 1;

  explicit Trials(std::string_view text) : text_(text), budget_(kTimes * text.size() + kLeast) {
    search_budgets_.fill(budget_);
  }

  /// Parses `rule` at `begin` with `edits` applied. Returns where the part ends in the original text. Returns nothing
  /// if the part does not parse, is not followed by a token that may follow it, or ends before the last edit.
  [[nodiscard]] std::optional<std::size_t> EndOf(std::size_t rule, std::size_t begin, std::vector<FixIt> edits);

  /// Charges bytes to the budget of a search. Returns false if the budget is used up.
  [[nodiscard]] bool Charge(Search search, std::size_t bytes);

  /// Returns a name that the text does not contain, a different one at each call.
  [[nodiscard]] std::string FreshName(std::string_view stem);

  /// Returns whether some value of the text has these digits as its name, without quotes.
  [[nodiscard]] bool IsNameOfDigits(std::string_view digits);

 private:
  static constexpr std::size_t kTimes = 16;
  static constexpr std::size_t kLeast = std::size_t{1} << 20;    // in bytes
  static constexpr std::size_t kBehind = std::size_t{16} << 10;  // how many bytes are read after the last edit
  // The maximum number of bytes from the beginning of a part to its last edit.
  static constexpr std::size_t kLongest = std::size_t{256} << 10;

  std::string_view text_;
  std::size_t budget_;                                      // how many bytes trials may still read
  std::array<std::size_t, kSearches> search_budgets_ = {};  // how many bytes each search may still read
  int names_ = 0;
  std::optional<NameSet> names_of_digits_;  // computed once
};

/// Returns the text with the edits applied, and sorts the edits. They must not overlap.
[[nodiscard]] std::string Corrected(std::string_view text, std::vector<FixIt>* edits);

}  // namespace onnxc::syntax
