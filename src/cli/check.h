// What compile and check do with a message that was read.
#pragma once

#include <onnxc/checker.h>
#include <onnxc/kind.h>

#include <string>

namespace onnxc::cli {

/// Reads a message of that kind, and checks it by the rules where it can be read. `path` is its file, "-" for standard
/// input. The directory and the source map of `rules` are filled in.
[[nodiscard]] Diagnostics ReadAndCheck(const SourceText& source, const std::string& path, Kind kind,
                                       const ParseOptions& options, CheckOptions rules,
                                       google::protobuf::Message* message);

}  // namespace onnxc::cli
