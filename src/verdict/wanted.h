// Which findings are shown: what comments in the text, the command line and the settings say.
#pragma once

#include <onnxc/diagnostic.h>

#include <span>

#include "settings/levels.h"

namespace onnxc::verdict {

/// Findings in one text that are shown; the rest are counted.
inline constexpr std::size_t kMostShown = 100;

/// Findings of one kind in one text that people are shown; of more, the first tells how many there are.
inline constexpr std::size_t kMostOfAKind = 20;

/// Applies the comments of the text and the settings: some findings are left out, others change their severity.
[[nodiscard]] Diagnostics Wanted(const Diagnostics& diagnostics, const SourceText& source,
                                 std::span<const Levels* const> settings);

/// The first of them, as many as are shown.
[[nodiscard]] Diagnostics Shown(Diagnostics wanted);

/// For people: of a kind that comes more often than they read, the first finding, with a note of how many follow.
[[nodiscard]] Diagnostics KindsOnce(const Diagnostics& wanted);

}  // namespace onnxc::verdict
