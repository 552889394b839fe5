// Checks a message that was read. The command and the language server call the same function, so their findings are the
// same.
#pragma once

#include <onnxc/checker.h>

#include <functional>
#include <string>

namespace onnxc::verdict {

/// The maximum number of findings that are collected. It is larger than the number of findings that are shown, because
/// settings may remove some.
inline constexpr std::size_t kMostFindings = 10'000;

/// Returns the findings about a text.
using Judge = std::function<Diagnostics(const SourceText& source)>;

/// Checks a message by the rules.
using Checker = std::function<Diagnostics(const google::protobuf::Message& message, const CheckOptions& rules)>;

/// Checks a message that was read without errors from this text, or from bytes if the text is empty. `found` are the
/// findings so far. `places` is the source map of the message; it is null if the message has none. This function sets
/// the directory, the source map and the limit of findings in `rules`.
[[nodiscard]] Diagnostics CheckRead(std::string_view text, const std::string& path, const SourceMap* places,
                                    CheckOptions rules, const google::protobuf::Message& message, Diagnostics found,
                                    const Checker& check);

/// Returns the folder that contains a file, or "" for the current folder.
[[nodiscard]] std::string FolderOf(const std::string& path);

}  // namespace onnxc::verdict
