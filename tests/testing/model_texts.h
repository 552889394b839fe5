// The valid models of the project, as texts.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

namespace onnxc::testing {

/// Returns the texts in the test data and the documents that are graphs, perhaps with functions, without syntax errors.
[[nodiscard]] std::vector<std::string> ModelTexts();

/// Returns how often a test tries something at random. `scripts/nightly` sets a larger number.
[[nodiscard]] inline std::size_t CountOfPositions(std::size_t usual) {
  const char* const factor = std::getenv("ONNXC_POSITIONS");
  return factor == nullptr ? usual : usual * std::strtoul(factor, nullptr, 10);
}

}  // namespace onnxc::testing
