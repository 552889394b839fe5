// The project's Markdown files, as far as tests read them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "testing/folder.h"

namespace onnxc::testing {

/// A fenced block of code.
struct Block {
  std::filesystem::path document;
  std::string place;               ///< `syntax.md:12`
  std::vector<std::string> words;  ///< of the line that opens it: its language, and what follows
  std::string text;
};

/// All in the folder `docs`, and README.md and CONTRIBUTING.md beside it.
[[nodiscard]] std::vector<std::filesystem::path> Documents(const std::filesystem::path& docs);

/// Throws where a block is not closed.
[[nodiscard]] std::vector<Block> Blocks(const std::filesystem::path& document);

/// The blocks of all documents.
[[nodiscard]] std::vector<Block> AllBlocks(const std::filesystem::path& docs);

}  // namespace onnxc::testing
