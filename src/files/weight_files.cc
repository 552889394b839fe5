#include <fmt/format.h>
#include <onnxc/file.h>

#include <filesystem>

#include "files/errors.h"
#include "files/target.h"
#include "source/report.h"

namespace onnxc {
namespace {

namespace fs = std::filesystem;

Diagnostics IsWithWeights(const std::string& path) {
  return CannotWrite(fmt::format("the weights of the model are in '{}'", Quoted(path)));
}

}  // namespace

void WeightFiles::Add(const std::string& model, const std::string& location) { files_.emplace(model, location); }

Diagnostics WeightFiles::FindReplaced(const std::string& output, const std::string& beside) const {
  if (output == "-") return {};
  for (const auto& [model, location] : files_) {
    const fs::path file = fs::path(model).parent_path() / location;
    // The output refers to the same location, but relative to its own folder: it must not refer to itself.
    const fs::path moved = fs::path(output).parent_path() / location;
    if (IsSameFile(file, output) || IsSameFile(moved, output)) return IsWithWeights(output);
    if (!beside.empty() && IsSameFile(file, beside) && !IsSameFile(model, output)) {
      return IsWithWeights(fs::path(beside).lexically_normal().string());
    }
  }
  return {};
}

}  // namespace onnxc
