// Writes the text of a changed model, and keeps what the author wrote.
#pragma once

#include <onnxc/printer.h>
#include <onnxc/proto.h>

#include <string_view>

namespace onnxc {

/// Returns a text of exactly the model `after`, made from the text of an earlier version of it. What did not change
/// keeps its bytes, comments included. In a changed element, only the tokens that changed are written again. Added
/// elements are written in the layout of docs/layout.md, with the indentation and the line ends of their neighbours;
/// moved elements take their comments along, and removed ones take away the comments on their lines and directly above
/// them. All other comments stay. If the text has the layout of FormatText(), so has the result.
///
/// If `text` is not the text of a model, the result is that of Print(). It is an error if the model cannot be printed.
/// Time and memory are linear in the size of the texts.
[[nodiscard]] PrintResult Rewrite(std::string_view text, const onnx::ModelProto& after);

}  // namespace onnxc
