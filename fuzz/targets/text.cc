#include <onnxc/parser.h>

#include <type_traits>

#include "fuzz/targets/findings.h"
#include "fuzz/targets/target.h"
#include "testing/proto.h"
#include "testing/random_message.h"

namespace onnxc::fuzz {
namespace {

/// Checks that compiling the text directly to bytes, without a message in memory, gives the same findings and the same
/// bytes.
std::optional<Fault> CheckStream(std::string_view text, const ParseOptions& options, const Diagnostics& found,
                                 const std::string& bytes) {
  std::vector<std::string> chunks;
  const Diagnostics streamed = ParseToBytes(text, &chunks, options);
  const SourceText source("text", text, nullptr);
  if (RenderText(streamed, source) != RenderText(found, source)) return Fault{"other findings of ParseToBytes"};
  if (!found.ok()) return chunks.empty() ? std::nullopt : std::optional(Fault{"chunks are left of a wrong text"});
  std::string whole;
  for (const std::string& chunk : chunks) whole += chunk;
  return whole == bytes ? std::nullopt : std::optional(Fault{"other bytes of ParseToBytes"});
}

template <typename Proto>
std::optional<Fault> RunKind(std::string_view text, bool tell_functions_apart) {
  Proto message;
  SourceMap places;
  const Diagnostics found = Parse(text, &message, {.tell_functions_apart = tell_functions_apart});
  const SourceText source("text", text, nullptr);
  if (std::optional<Fault> fault = CheckFindings(found, source)) return fault;
  if (!found.ok() && message.ByteSizeLong() != 0) return Fault{"a message is left of a text that is wrong"};

  Proto placed;
  const Diagnostics again =
      Parse(text, &placed, {.source_map_out = &places, .tell_functions_apart = tell_functions_apart});
  if (RenderText(again, source) != RenderText(found, source)) return Fault{"other findings with a source map"};
  const std::string bytes = testing::Bytes(message);
  if (testing::Bytes(placed) != bytes) return Fault{"another message with a source map"};
  if constexpr (std::is_same_v<Proto, onnx::ModelProto>) {
    if (auto fault = CheckStream(text, {.tell_functions_apart = tell_functions_apart}, found, bytes)) return fault;
  }
  if (!found.ok()) return std::nullopt;

  if (!testing::Normalise(&placed)) return Fault{"protobuf does not read the message back"};
  if (testing::Bytes(placed) != bytes) return Fault{"protobuf reads another message back"};
  if (std::optional<Fault> fault = testing::FindLoss(message)) return fault;
  return testing::FindSilentLoss(message);
}

}  // namespace

// The second variant distinguishes functions from graphs.
std::optional<Fault> RunText(const Input& input) {
  std::optional<Fault> fault;
  WithKind(input.kind, [&](const auto& row) {
    fault = RunKind<typename std::decay_t<decltype(row)>::Message>(input.bytes, input.variant % 2 == 1);
  });
  return fault;
}

}  // namespace onnxc::fuzz
