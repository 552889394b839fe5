#include "cli/side_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/check.h"
#include "source/report.h"

namespace onnxc::cli {
namespace {

namespace fs = std::filesystem;

bool IsSame(const fs::path& a, const fs::path& b) {
  std::error_code error;
  const auto name = [&](const fs::path& path) { return fs::weakly_canonical(fs::absolute(path, error), error); };
  return name(a) == name(b) && !error;
}

fs::path Folder(const std::string& path) {
  const std::string folder = FolderOf(path);
  return folder.empty() ? "." : folder;
}

}  // namespace

CLI::Option* AddSideFileOption(CLI::App* app, SideFileOptions* options) {
  return app
      ->add_option("--save-as-external", options->name,
                   "Write the weights to this file beside the output; *.safetensors is written in that format")
      ->type_name("FILE");
}

CLI::Option* AddThresholdOption(CLI::App* app, SideFileOptions* options) {
  return app
      ->add_option("--size-threshold", options->size_threshold,
                   fmt::format("Tensors of fewer bytes stay as they are; {} if not given", kSizeThreshold))
      ->type_name("BYTES");
}

void AddLinksOption(CLI::App* app, bool* allow_links) {
  app->add_flag("--allow-links", *allow_links, "Read weights also through links that lead out of the model's folder");
}

std::optional<std::string> WrongSideFile(const std::string& name, const std::string& input, const std::string& output) {
  if (output == "-") return "weights need a model to stand beside; say -o FILE";
  const fs::path file = Folder(output) / name;
  if (IsSame(file, output)) return fmt::format("'{}' would replace the output", Quoted(name));
  if (input != "-" && IsSame(file, input)) return fmt::format("'{}' would replace the input", Quoted(name));
  return std::nullopt;
}

ExternalDataOptions DataOptionsFor(const CommonOptions& options, const std::string& input, bool allow_links) {
  return {.directory = FolderOf(input), .allow_links = allow_links, .max_bytes = options.max_bytes};
}

SaveExternalOptions SaveOptionsFor(const SideFileOptions& options, const ExternalDataOptions& source,
                                   const std::string& output) {
  return {.source = source,
          .directory = FolderOf(output),
          .file_name = options.name,
          .size_threshold = options.size_threshold.value_or(kSizeThreshold),
          .replace = true};
}

bool LeavesFolder(const std::string& input, const std::string& output) {
  return output != "-" && !IsSame(Folder(input), Folder(output));
}

Diagnostics FindLeftBehind(const google::protobuf::Message& message, const std::string& input,
                           const std::string& output) {
  Diagnostics found;
  if (!LeavesFolder(input, output)) return found;
  const std::string location = FirstLocation(message);
  if (!location.empty()) found.Add(MakeDiagnostic(diag::kLeftBehind, kNowhere, Quoted(location)));
  return found;
}

}  // namespace onnxc::cli
