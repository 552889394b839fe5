// Implements include/onnxc/formatter.h.
#include <google/protobuf/arena.h>
#include <onnxc/arena.h>
#include <onnxc/formatter.h>
#include <onnxc/parser.h>

#include "format/formatter.h"

namespace onnxc::format {
namespace {

static_assert(FormatOptions().width == Layout::kColumns, "formatting what was printed changes nothing");

/// Returns the errors of the text.
Diagnostics FindErrors(std::string_view text, const FormatOptions& options) {
  Diagnostics found;
  WithKind(options.kind, [&](const auto& row) {
    using Message = typename std::decay_t<decltype(row)>::Message;
    const ParseOptions parse{.max_diagnostics = options.max_diagnostics,
                             .tell_functions_apart = options.tell_functions_apart,
                             .progress = options.progress};
    if constexpr (std::is_same_v<Message, onnx::ModelProto>) {
      found = FindParseErrors(text, parse);
    } else {
      google::protobuf::Arena arena;
      found = Parse(text, NewIn<Message>(&arena), parse);
    }
  });
  return found;
}

}  // namespace

}  // namespace onnxc::format

namespace onnxc {

FormatResult FormatText(std::string_view text, const FormatOptions& options) {
  FormatResult result{.text = {}, .diagnostics = format::FindErrors(text, options)};
  if (!result.diagnostics.ok()) return result;
  const std::string_view mark = syntax::ByteOrderMark(text);
  format::Formatter formatter(text.substr(mark.size()), options.width);
  formatter.File(options.kind);
  result.text = formatter.Finish();
  result.text.insert(0, mark);
  return result;
}

}  // namespace onnxc
