// What compile and check do with a message that was read.
#pragma once

#include <onnxc/checker.h>
#include <onnxc/kind.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace onnxc::cli {

/// More findings than are shown: settings may leave some out.
inline constexpr std::size_t kMostFindings = 10'000;

/// What happens to a message between reading and checking; false where there is nothing to check then.
using Preparation = std::function<bool(const SourceMap& places, Diagnostics* found)>;

/// Reads a message of that kind, and checks it by the rules where it can be read. `path` is its file, "-" for standard
/// input. The directory and the source map of `rules` are filled in.
[[nodiscard]] Diagnostics ReadAndCheck(const SourceText& source, const std::string& path, Kind kind,
                                       const ParseOptions& options, CheckOptions rules,
                                       google::protobuf::Message* message, const Preparation& prepare = {});

/// `--no-infer`
void AddInferOption(CLI::App* app, bool* no_infer);

/// The folder that a file stands in, "" for the current one.
[[nodiscard]] std::string FolderOf(const std::string& path);

}  // namespace onnxc::cli
