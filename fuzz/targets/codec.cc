#include <onnxc/model_io.h>

#include "fuzz/targets/findings.h"
#include "fuzz/targets/target.h"
#include "testing/proto.h"

namespace onnxc::fuzz {

// The variants are the formats: protobuf's text format, JSON, the text syntax, the wire format.
std::optional<Fault> RunCodec(const Input& input) {
  static constexpr Format kFormats[] = {Format::kTextProto, Format::kJson, Format::kText, Format::kBinary};
  const Format format = kFormats[input.variant];
  (void)DetectFormat(input.bytes, "input", input.kind);  // any result is correct
  const auto message = testing::NewMessage(input.kind);
  const Diagnostics found = Decode(input.bytes, format, message.get());
  const SourceText source("input", input.bytes, nullptr);
  if (std::optional<Fault> fault = CheckFindings(found, source)) return fault;
  if (!found.ok()) {
    if (message->ByteSizeLong() != 0) return Fault{"a message is left of bytes that are wrong"};
    return std::nullopt;
  }

  std::string bytes;
  const Diagnostics written = Encode(*message, format, &bytes);
  if (std::optional<Fault> fault = CheckFindings(written, SourceText("message", ""))) return fault;
  if (!written.ok())
    return bytes.empty() ? std::nullopt : std::optional(Fault{"bytes are left of what cannot be written"});
  const auto back = testing::NewMessage(input.kind);
  const Diagnostics read = Decode(bytes, format, back.get());
  if (!read.ok()) {
    // The decoder cannot recognize an empty message as a model.
    if (format == Format::kBinary && message->ByteSizeLong() == 0) return std::nullopt;
    return Fault{"not read: " + RenderText(read, SourceText("bytes", bytes, nullptr)), bytes};
  }
  if (testing::Bytes(*back) != testing::Bytes(*message)) return Fault{"comes back with other bytes", bytes};
  return std::nullopt;
}

}  // namespace onnxc::fuzz
