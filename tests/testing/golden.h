// Compares texts with golden texts, which are the expected output. With ONNXC_BLESS=1 in the environment, tests rewrite
// golden texts that differ.
#pragma once

#include <filesystem>
#include <string>

namespace onnxc::testing {

/// Returns whether golden texts are rewritten.
[[nodiscard]] bool IsBlessing();

/// Expects that a text is equal to a golden text. A failure shows the lines that differ. `place` says where the golden
/// text is.
void ExpectText(const std::string& actual, const std::string& golden, const std::string& place);

/// Expects that a golden file exists and contains this text, or rewrites the file.
void ExpectGolden(const std::filesystem::path& path, const std::string& actual);

}  // namespace onnxc::testing
