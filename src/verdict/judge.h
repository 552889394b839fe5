// What the parts of an analysis share.
#pragma once

#include <onnxc/diagnostic.h>

#include <functional>
#include <string>

namespace onnxc::verdict {

/// The maximum number of findings that are collected. It is larger than the number of findings that are shown, because
/// settings may remove some.
inline constexpr std::size_t kMostFindings = 10'000;

/// Returns the findings about a text.
using Judge = std::function<Diagnostics(const SourceText& source)>;

/// Returns the folder that contains a file, or "" for the current folder.
[[nodiscard]] std::string FolderOf(const std::string& path);

}  // namespace onnxc::verdict
