// Renders each finding separately.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <string>
#include <vector>

namespace onnxc {

/// Returns the text that RenderText() would write for each finding, in the order of the findings. At most `most`
/// findings are rendered, errors first; the others have "".
[[nodiscard]] std::vector<std::string> RenderEach(const Diagnostics& diagnostics, const SourceText& source, bool color,
                                                  std::size_t most);

}  // namespace onnxc
