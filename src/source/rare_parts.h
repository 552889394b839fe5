// Which rare strings a text contains. Most texts contain none of them, and then need not be searched for their meaning.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string_view>

#include "source/common_ends.h"

namespace onnxc {

/// A string that few texts contain; also an index in kRareParts.
enum class RarePart : std::uint8_t { kBackslash, kAllowed, kDoubledComma };
inline constexpr std::array<std::string_view, 3> kRareParts = {"\\", "onnxc-allow:", ",,"};

[[nodiscard]] bool Contains(std::string_view text, RarePart part);

class RareParts {
 public:
  /// A text about which nothing is known.
  RareParts() { may_have_.set(); }
  explicit RareParts(std::string_view text);
  /// `before` are the parts of another text, and `same` what both texts have in common. If the other text did not
  /// contain a string, only the rest of this text is searched for it.
  RareParts(std::string_view text, const RareParts& before, CommonEnds same);

  /// Returns whether the text may contain the string.
  [[nodiscard]] bool MayHave(RarePart part) const { return may_have_[static_cast<std::size_t>(part)]; }

 private:
  std::bitset<kRareParts.size()> may_have_;
};

}  // namespace onnxc
