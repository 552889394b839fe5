#include <onnxc/checker.h>
#include <onnxc/model_io.h>
#include <onnxc/parser.h>

#include <limits>
#include <string>
#include <vector>

#include "fuzz/targets/findings.h"
#include "fuzz/targets/target.h"
#include "testing/proto.h"

namespace onnxc::fuzz {
namespace {

/// Returns the output of the compiler for a valid text.
template <typename Proto>
std::string Written(std::string_view text, const Proto& parsed) {
  if constexpr (std::is_same_v<Proto, onnx::ModelProto>) {
    std::vector<std::string> pieces;
    if (!ParseToBytes(text, &pieces).ok()) return {};
    std::string bytes;
    for (const std::string& piece : pieces) bytes += piece;
    return bytes;
  } else {
    return testing::Bytes(parsed);
  }
}

template <typename Proto>
std::optional<Fault> RunWrittenKind(std::string_view text, bool strict) {
  Proto parsed;
  if (!Parse(text, &parsed).ok()) return std::nullopt;
  const auto check = [&](const Proto& message) {
    const CheckOptions rules = {
        .strict = strict, .max_diagnostics = std::numeric_limits<std::size_t>::max(), .external_files = false};
    if constexpr (std::is_same_v<Proto, onnx::ModelProto>) return CheckModel(message, rules);
    return Check(message, rules);
  };
  Proto written;
  if (!written.ParseFromString(Written(text, parsed))) return Fault{"what is written is not read back"};
  const std::string of_text = RenderText(check(parsed), SourceText("model", ""));
  const std::string of_bytes = RenderText(check(written), SourceText("model", ""));
  if (of_text == of_bytes) return std::nullopt;
  return Fault{"said of the text:\n" + of_text + "said of the bytes:\n" + of_bytes};
}

}  // namespace

// The second variant is strict.
std::optional<Fault> RunWritten(const Input& input) {
  std::optional<Fault> fault;
  WithKind(input.kind, [&](const auto& row) {
    fault = RunWrittenKind<typename std::decay_t<decltype(row)>::Message>(input.bytes, input.variant % 2 == 1);
  });
  return fault;
}

}  // namespace onnxc::fuzz
