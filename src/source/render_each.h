// The text of each finding alone.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <string>
#include <vector>

namespace onnxc {

/// What RenderText() writes of each finding, in their order. More than `most` are not written: errors come first, and
/// "" stands in the place of the others.
[[nodiscard]] std::vector<std::string> RenderEach(const Diagnostics& diagnostics, const SourceText& source, bool color,
                                                  std::size_t most);

}  // namespace onnxc
