// Reads and checks a text or a message in one step. The command and the language server call the same functions, so
// their findings are the same.
#pragma once

#include <onnxc/checker.h>
#include <onnxc/kind.h>
#include <onnxc/model_io.h>

#include <functional>
#include <string>

#include "source/rare_parts.h"

namespace onnxc::verdict {

/// The maximum number of findings that are collected. It is larger than the number of findings that are shown, because
/// settings may remove some.
inline constexpr std::size_t kMostFindings = 10'000;

/// Returns the findings about a text.
using Judge = std::function<Diagnostics(const SourceText& source)>;

/// A function that is called between reading a message and checking it. It may add places to the source map, which is
/// empty if the message was not read from a text. Returns false if the message must not be checked.
using Preparation = std::function<bool(SourceMap* places, Diagnostics* found)>;

/// Reads a message of this kind, and checks it if it could be read. `path` is its file, or "-" for standard input. This
/// function sets the directory and the source map in `rules`.
[[nodiscard]] Diagnostics ReadAndCheck(const SourceText& source, const std::string& path, Kind kind,
                                       const ParseOptions& options, CheckOptions rules,
                                       google::protobuf::Message* message, const Preparation& prepare = {});

/// Checks a message by the rules.
using Checker = std::function<Diagnostics(const google::protobuf::Message& message, const CheckOptions& rules)>;

/// Like the second half of ReadAndCheck(): checks a message that was read from a text without errors. `found` are the
/// findings so far, and `places` is the source map of the message. Only meanings of strings that the text may contain
/// are looked for.
[[nodiscard]] Diagnostics CheckRead(std::string_view text, const std::string& path, const SourceMap& places,
                                    CheckOptions rules, const google::protobuf::Message& message, Diagnostics found,
                                    const Checker& check = &Check, const RareParts& rare = {});

/// Returns the folder that contains a file, or "" for the current folder.
[[nodiscard]] std::string FolderOf(const std::string& path);

}  // namespace onnxc::verdict
