// The note about the call of a function in which a finding occurs.
#pragma once

#include <string_view>

namespace onnxc::infer {

/// The message of the note at the call: another call of the same function may have no finding.
inline constexpr std::string_view kForThisCall = "for this call";

}  // namespace onnxc::infer
