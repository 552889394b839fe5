// Trying corrections out: does the text parse further with them?
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/names.h"

namespace onnxc::syntax {

/// Parses parts of one text with corrections in them. What all trials read together is bounded by a multiple of the
/// text, so that time stays linear; when that is used up, no trial succeeds any more.
class Trials {
 public:
  explicit Trials(std::string_view text)
      : text_(text), budget_(kTimes * text.size() + kLeast), search_budget_(budget_) {}

  /// The part of the grammar's `rule` that begins at `begin` is whole once `edits` are made, and what may follow it
  /// does: where it ends in the text as it is. Nothing where it is not, or where it ends before the last edit.
  [[nodiscard]] std::optional<std::size_t> EndOf(std::size_t rule, std::size_t begin, std::vector<FixIt> edits);

  /// Whether as many bytes of the text may be looked at by the search for repairs, which leaves the trials what they
  /// have.
  [[nodiscard]] bool ChargeSearch(std::size_t bytes);

  /// A name that the text does not have, another one each time.
  [[nodiscard]] std::string FreshName(std::string_view stem);

  /// A value of the text has these digits as its name, without quotes.
  [[nodiscard]] bool IsNameOfDigits(std::string_view digits);

 private:
  static constexpr std::size_t kTimes = 16;
  static constexpr std::size_t kLeast = std::size_t{1} << 20;      // bytes
  static constexpr std::size_t kBehind = std::size_t{16} << 10;    // bytes that are read behind the last edit, at most
  static constexpr std::size_t kLongest = std::size_t{256} << 10;  // from the beginning of a part to the last edit

  std::string_view text_;
  std::size_t budget_;         // bytes that trials may still read
  std::size_t search_budget_;  // bytes that searches may still look at
  int names_ = 0;
  std::optional<NameSet> names_of_digits_;  // looked for once
};

/// The text with the edits made, which do not overlap; they are sorted.
[[nodiscard]] std::string Corrected(std::string_view text, std::vector<FixIt>* edits);

}  // namespace onnxc::syntax
