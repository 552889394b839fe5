// Formats a part of a text.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/source.h>

#include <string_view>
#include <vector>

namespace onnxc::format {

/// Returns edits that format the part of a text in `range`. `formatted` is the whole text as FormatText() returns it.
/// The edits are in order, do not overlap, and replace only bytes in the range. The text with the edits compiles to the
/// same message and has the same comments. If the range is the whole text, the result is `formatted`.
///
/// Both texts have the same tokens and comments. So the edits replace the white space between two of them, or one of
/// them by its other spelling. Tokens that the formatter moves are replaced together. At an end of the range, white
/// space is split where a line ends, and no line break is added.
[[nodiscard]] std::vector<FixIt> EditsWithin(std::string_view text, std::string_view formatted, SourceRange range);

}  // namespace onnxc::format
