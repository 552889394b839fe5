// Determines which findings are shown, according to comments in the text, the command line and the settings.
#pragma once

#include <onnxc/diagnostic.h>

#include <span>

#include "settings/levels.h"

namespace onnxc::verdict {

/// The maximum number of findings in one text that are shown; the others are only counted.
inline constexpr std::size_t kMostShown = 100;

/// The maximum number of findings of one kind in one text that are shown to people. If there are more, only the first
/// one is shown, with their number.
inline constexpr std::size_t kMostOfAKind = 20;

/// Applies the comments of the text and the settings: removes some findings, and changes the severity of others.
[[nodiscard]] Diagnostics Wanted(const Diagnostics& diagnostics, const SourceText& source,
                                 std::span<const Levels* const> settings);

/// Returns only the first findings, at most kMostShown.
[[nodiscard]] Diagnostics Shown(Diagnostics wanted);

/// Shortens findings for people: if there are too many of one kind, only the first one is kept, with a note about the
/// number of others.
[[nodiscard]] Diagnostics KindsOnce(const Diagnostics& wanted);

}  // namespace onnxc::verdict
