#include "testing/markdown.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace onnxc::testing {

namespace fs = std::filesystem;

std::vector<fs::path> Documents(const fs::path& docs) {
  std::vector<fs::path> documents = {docs.parent_path() / "README.md", docs.parent_path() / "CONTRIBUTING.md"};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(docs)) {
    if (entry.path().extension() == ".md") documents.push_back(entry.path());
  }
  std::sort(documents.begin(), documents.end());
  return documents;
}

std::vector<Block> Blocks(const fs::path& document) {
  std::vector<Block> blocks;
  std::istringstream lines(ReadWhole(document));
  bool is_open = false;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.starts_with("```")) {
      is_open = !is_open;
      if (!is_open) continue;
      std::istringstream info(line.substr(3));
      blocks.push_back({.document = document,
                        .place = document.filename().string() + ":" + std::to_string(number),
                        .words = {std::istream_iterator<std::string>(info), {}},
                        .text = {}});
    } else if (is_open) {
      blocks.back().text += line + "\n";
    }
  }
  if (is_open) throw std::runtime_error(document.string() + ": a block is not closed");
  return blocks;
}

std::vector<Block> AllBlocks(const fs::path& docs) {
  std::vector<Block> all;
  for (const fs::path& document : Documents(docs)) {
    for (Block& block : Blocks(document)) all.push_back(std::move(block));
  }
  return all;
}

}  // namespace onnxc::testing
