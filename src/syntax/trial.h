// Parses corrected parts of a text on trial, to check that a correction removes errors.
#pragma once

#include <onnxc/diagnostic.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/names.h"

namespace onnxc::syntax {

/// How many bytes trials and searches may still read, so that the total time is linear in the size of the text. When a
/// budget is used up, all further trials or searches fail.
class TrialBudgets {
 public:
  /// The searches that read the text again to find a correction. Each search has its own budget, so that none of them
  /// can use up the budget of another.
  enum class Search : std::uint8_t { kRows, kMarks, kQuotes, kStrings, kNodes, kOthers };

  /// Each budget is `times` the size of the text, and some bytes more for short texts.
  TrialBudgets(std::size_t size, std::size_t times) : trials_(times * size + kLeast) { searches_.fill(trials_); }

  /// Charge bytes to the budget of a search, or of the trials. Return false if the budget is used up.
  [[nodiscard]] bool Charge(Search search, std::size_t bytes) {
    return Take(bytes, &searches_[static_cast<std::size_t>(search)]);
  }
  [[nodiscard]] bool ChargeTrial(std::size_t bytes) { return Take(bytes, &trials_); }

  /// Returns whether a budget was not enough. Then a correction that is found later is uncertain: the search that was
  /// refused might have found a better one.
  [[nodiscard]] bool has_refused() const { return has_refused_; }

 private:
  static constexpr std::size_t kSearches = static_cast<std::size_t>(Search::kOthers) + 1;
  static constexpr std::size_t kLeast = std::size_t{1} << 20;  // in bytes

  bool Take(std::size_t bytes, std::size_t* budget) {
    const bool is_enough = bytes <= *budget;
    has_refused_ = has_refused_ || !is_enough;
    *budget -= std::min(bytes, *budget);
    return is_enough;
  }

  std::size_t trials_;
  std::array<std::size_t, kSearches> searches_ = {};
  bool has_refused_ = false;
};

/// Parses parts of a text with corrections applied.
class Trials {
 public:
  using Search = TrialBudgets::Search;

  Trials(std::string_view text, TrialBudgets* budgets) : text_(text), budgets_(budgets) {}

  /// Parses `rule` at `begin` with `edits` applied. Returns where the part ends in the original text. Returns nothing
  /// if the part does not parse, is not followed by a token that may follow it, or ends before the last edit.
  [[nodiscard]] std::optional<std::size_t> EndOf(std::size_t rule, std::size_t begin, std::vector<FixIt> edits);

  /// Charges bytes to the budget of a search. Returns false if the budget is used up.
  [[nodiscard]] bool Charge(Search search, std::size_t bytes) { return budgets_->Charge(search, bytes); }

  /// See TrialBudgets::has_refused().
  [[nodiscard]] bool HasRefused() const { return budgets_->has_refused(); }

  /// Returns a name that the text does not contain, a different one at each call.
  [[nodiscard]] std::string FreshName(std::string_view stem);

  /// Returns whether some value of the text has these digits as its name, without quotes.
  [[nodiscard]] bool IsNameOfDigits(std::string_view digits);

 private:
  struct Trial {
    std::optional<std::size_t> end = {};  ///< where the part ends, as an offset in it
    bool is_cut = false;                  ///< the text that was read ended too early to tell
    std::size_t read = 0;                 ///< bytes
  };
  [[nodiscard]] static Trial TryPart(std::size_t rule, std::string_view part, std::size_t last,
                                     std::vector<FixIt> edits);

  // How many bytes are read after the last edit, at first and at most.
  static constexpr std::size_t kNear = 1024;
  static constexpr std::size_t kBehind = std::size_t{16} << 10;
  // The maximum number of bytes from the beginning of a part to its last edit.
  static constexpr std::size_t kLongest = std::size_t{256} << 10;

  std::string_view text_;
  TrialBudgets* budgets_;
  int names_ = 0;
  std::optional<NameSet> names_of_digits_;  // computed once
};

/// Returns the text with the edits applied, and sorts the edits. They must not overlap.
[[nodiscard]] std::string Corrected(std::string_view text, std::vector<FixIt>* edits);

}  // namespace onnxc::syntax
