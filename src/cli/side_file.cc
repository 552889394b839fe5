#include "cli/side_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "files/target.h"
#include "source/report.h"
#include "verdict/judge.h"

namespace onnxc::cli {
namespace {

namespace fs = std::filesystem;

fs::path Folder(const std::string& path) {
  const std::string folder = verdict::FolderOf(path);
  return folder.empty() ? "." : folder;
}

}  // namespace

CLI::Option* AddSideFileOption(CLI::App* app, SideFileOptions* options) {
  return app
      ->add_option("--save-as-external", options->name,
                   "Write the weights to this file in the output's folder; a name that ends in .safetensors selects "
                   "the safetensors format")
      ->type_name("FILE");
}

CLI::Option* AddThresholdOption(CLI::App* app, SideFileOptions* options) {
  return app
      ->add_option("--size-threshold", options->size_threshold,
                   fmt::format("Keep tensors of fewer bytes in the model (default: {})", kSizeThreshold))
      ->type_name("BYTES")
      ->check(CountBetween(0, std::numeric_limits<std::int64_t>::max()));
}

void AddLinksOption(CLI::App* app, bool* allow_links) {
  app->add_flag("--allow-links", *allow_links,
                "Follow links that lead out of an input folder, and links from a model's folder to weights outside of "
                "that folder");
}

std::optional<std::string> WrongSideFile(const std::string& name, const std::string& input, const std::string& output) {
  const Target target = TargetOf(output);
  const bool is_stream = target.fd.has_value() || (target.exists && !target.is_replaced);
  if (is_stream) return "external weights are written next to the model, so its file name is needed; use -o FILE";
  const fs::path file = Folder(output) / name;
  if (IsSameFile(file, output)) return fmt::format("'{}' is also the name of the output", Quoted(name));
  if (input != "-" && IsSameFile(file, input)) return fmt::format("'{}' is also the name of the input", Quoted(name));
  return std::nullopt;
}

void AddSourceOptions(CLI::App* app, SourceOptions* options) {
  AddLinksOption(app, &options->allow_links);
  app->add_option("--max-copies", options->max_copies,
                  fmt::format("If tensors share weights, the copies may have at most N times the bytes of the shared "
                              "weights (default: {})",
                              kMostCopies))
      ->type_name("N")
      ->check(CountBetween(0, std::numeric_limits<std::int32_t>::max()));
}

ExternalDataOptions DataOptionsFor(const CommonOptions& options, const std::string& input,
                                   const SourceOptions& source) {
  return {.directory = verdict::FolderOf(input),
          .allow_links = source.allow_links,
          .max_bytes = options.max_bytes,
          .max_copies = std::max<std::uint64_t>(source.max_copies, 1)};
}

SaveExternalOptions SaveOptionsFor(const SideFileOptions& options, const ExternalDataOptions& source,
                                   const std::string& output) {
  return {.source = source,
          .directory = verdict::FolderOf(output),
          .file_name = options.name,
          .size_threshold = options.size_threshold.value_or(kSizeThreshold),
          .replace = true};
}

bool LeavesFolder(const std::string& input, const std::string& output) {
  return output != "-" && !IsSameFile(Folder(input), Folder(output));
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
