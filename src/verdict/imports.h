// Finds imports that corrections have repeated.
#pragma once

#include <onnxc/source.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc::verdict {

/// A correction that wrote a part of an import whose domain is imported twice by the same `opset_import: [...]`.
struct RepeatedImport {
  std::size_t correction = 0;  // its index
  std::string domain;
};

/// `made` are the parts of the text that corrections have written, in the order of the text. Only one of two imports of
/// a domain can be used, so a correction that repeats an import would cost the author the other one. The text may have
/// errors.
[[nodiscard]] std::vector<RepeatedImport> ImportsRepeated(std::string_view text, std::span<const SourceRange> made);

}  // namespace onnxc::verdict
