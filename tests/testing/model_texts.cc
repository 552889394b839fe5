#include "testing/model_texts.h"

#include <onnxc/parser.h>

#include <algorithm>
#include <filesystem>

#include "testing/folder.h"
#include "testing/markdown.h"
#include "testing/paths.h"

namespace onnxc::testing {

std::vector<std::string> ModelTexts() {
  std::vector<std::string> texts;
  const auto add = [&](const std::string& text) {
    onnx::ModelProto model;
    const bool has_graph = text.find("=>") != std::string::npos;
    if (has_graph && Parse(text, &model, {.max_diagnostics = 0, .tell_functions_apart = true}).ok()) {
      texts.push_back(text);
    }
  };
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kTestdata)) {
    if (entry.path().extension() == ".onnxtxt") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  for (const auto& path : paths) add(ReadWhole(path));
  for (const Block& block : AllBlocks(kDocs)) {
    if (!block.words.empty() && block.words[0] == "onnxtxt") add(block.text);
  }
  return texts;
}

}  // namespace onnxc::testing
