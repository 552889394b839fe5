// Reads the Markdown files of the project for tests.
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
  std::vector<std::string> words;  ///< the rest of the opening line: the language, and the words after it
  std::string text;
};

/// Returns all documents in the folder `docs`, and README.md and CONTRIBUTING.md.
[[nodiscard]] std::vector<std::filesystem::path> Documents(const std::filesystem::path& docs);

/// Throws an exception if a block is not closed.
[[nodiscard]] std::vector<Block> Blocks(const std::filesystem::path& document);

/// Returns the blocks of all documents.
[[nodiscard]] std::vector<Block> AllBlocks(const std::filesystem::path& docs);

}  // namespace onnxc::testing
