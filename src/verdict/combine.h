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
/// original text. Returns nothing if two of `more` overlap, if one of them changes what another correction has written,
/// or if there are too many.
[[nodiscard]] std::optional<std::vector<FixIt>> Combined(const Written& written, std::span<const std::size_t> edits,
                                                         std::vector<FixIt> more);

/// The edits of a correction, and the message of an error that they mend in addition to the error of the finding.
struct Addition {
  std::vector<FixIt> fix_its;
  std::string error;
};

/// How many times a correction is combined with others.
inline constexpr int kMostCombined = 3;

/// The corrections that were combined with others. The keys are findings.
class Combinations {
 public:
  /// Makes the combined correction the one of the finding. Returns false if it was combined too often.
  [[nodiscard]] bool Add(std::size_t finding, Addition addition, std::string_view text, Diagnostic* item);

  /// Restores the correction as it was. Returns the error that it leaves, or `error` if it was not combined.
  [[nodiscard]] std::string Restore(std::size_t finding, const std::string& error, Diagnostic* item);

  /// Adds notes about the errors that are corrected, too.
  void Tell(std::vector<Diagnostic>* items) const;

 private:
  struct Single {
    std::vector<FixIt> fix_its;
    std::vector<std::string> errors;  // those that the later corrections mend
  };
  std::map<std::size_t, Single> singles_;  // what the corrections were before
};

}  // namespace onnxc::verdict
