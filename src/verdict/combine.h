// Combines the correction of a mistake with the corrections of the errors that it leaves.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/corrections.h"

namespace onnxc::verdict {

/// A corrected text, and the range in it that each of its edits has written.
struct Written {
  const CorrectedText& text;
  std::span<const SourceRange> made;
};

/// Returns the edits that have the effect of some edits of a corrected text, followed by more edits of that text.
/// `edits` are the indices of the former, in the order of the text; `more` are the latter. The result are edits of the
/// original text. Returns nothing if two of `more` meet, if one of them changes what another correction has written, or
/// if there are too many.
[[nodiscard]] std::optional<std::vector<FixIt>> Combined(const Written& written, std::span<const std::size_t> edits,
                                                         std::vector<FixIt> more);

/// The edits of a correction, and the messages of the errors that they mend in addition to the error of the finding.
struct Addition {
  std::vector<FixIt> fix_its;
  std::vector<std::string> errors;
};

/// Adds the correction of an error. Does nothing if its edits meet those of an earlier correction; then the error is
/// found again after that correction.
void AddCorrection(const Diagnostic& error, Addition* addition);

/// How many times a correction is combined with others.
inline constexpr int kMostCombined = 3;

/// The corrections that were combined with others. The keys are findings.
class Combinations {
 public:
  /// Makes the combined correction the one of the finding. Returns false if it was combined too often.
  [[nodiscard]] bool Add(std::size_t finding, Addition addition, std::string_view text, Diagnostic* item);

  /// Restores the correction as it was before it was combined with others.
  void Restore(std::size_t finding, Diagnostic* item);

  /// Adds notes about the errors that are corrected, too.
  void Tell(std::vector<Diagnostic>* items) const;

 private:
  struct Single {
    std::vector<FixIt> fix_its;
    std::vector<std::string> errors = {};  // those that the later corrections mend
    int times = 0;                         // how often it was combined
  };
  std::map<std::size_t, Single> singles_;  // what the corrections were before
};

}  // namespace onnxc::verdict
