// All that is to be said about a text or a message: reading and checking in one step. The command and the language
// server call the same functions, and so find the same.
#pragma once

#include <onnxc/checker.h>
#include <onnxc/kind.h>
#include <onnxc/model_io.h>

#include <functional>
#include <string>

namespace onnxc::verdict {

/// More findings than are shown: settings may leave some out.
inline constexpr std::size_t kMostFindings = 10'000;

/// Finds what is wrong with a text.
using Judge = std::function<Diagnostics(const SourceText& source)>;

/// A step between reading a message and checking it. Returns false if the message must not be checked.
using Preparation = std::function<bool(const SourceMap& places, Diagnostics* found)>;

/// Reads a message of that kind, and checks it by the rules where it can be read. `path` is its file, "-" for standard
/// input. The directory and the source map of `rules` are filled in.
[[nodiscard]] Diagnostics ReadAndCheck(const SourceText& source, const std::string& path, Kind kind,
                                       const ParseOptions& options, CheckOptions rules,
                                       google::protobuf::Message* message, const Preparation& prepare = {});

/// The second half: checks a message that was read from a text without an error. `found` has the findings so far, and
/// `places` the parts of the message in the text.
[[nodiscard]] Diagnostics CheckRead(std::string_view text, const std::string& path, const SourceMap& places,
                                    CheckOptions rules, const google::protobuf::Message& message, Diagnostics found);

/// The folder that a file stands in, "" for the current one.
[[nodiscard]] std::string FolderOf(const std::string& path);

}  // namespace onnxc::verdict
