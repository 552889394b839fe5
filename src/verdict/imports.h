// Determines what imports without quotes mean, and finds imports that corrections have repeated.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "verdict/judge.h"

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

/// Corrects the domains that are written without quotes, as in `opset_import: [default : 21]`. If nodes have a domain
/// of this name, or if the name is a known domain, quotes are missing. If nodes have the standard domain, which nothing
/// imports, the word means that domain. Otherwise the meaning is uncertain, and the correction is removed.
void MeanDomains(const SourceText& source, const Judge& judge, std::vector<Diagnostic>* found);

}  // namespace onnxc::verdict
