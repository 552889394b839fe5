#include <onnxc/formatter.h>
#include <onnxc/printer.h>

#include "fuzz/targets/findings.h"
#include "fuzz/targets/target.h"
#include "testing/proto.h"

namespace onnxc::fuzz {
namespace {

template <typename Proto>
std::optional<Fault> RunKind(std::string_view text, const FormatOptions& options) {
  const ParseOptions parse = {.tell_functions_apart = options.tell_functions_apart};
  const FormatResult once = FormatText(text, options);
  if (std::optional<Fault> fault = CheckFindings(once.diagnostics, SourceText("text", text, nullptr))) return fault;
  Proto message;
  if (Parse(text, &message, parse).ok() != once.diagnostics.ok())
    return Fault{"parser and formatter disagree", once.text};
  if (!once.diagnostics.ok()) return once.text.empty() ? std::nullopt : std::optional(Fault{"text is left", once.text});

  const FormatResult twice = FormatText(once.text, options);
  if (!twice.diagnostics.ok()) return Fault{"what was formatted is wrong", once.text};
  if (twice.text != once.text) return Fault{"formatted again it changes", once.text + "-- again\n" + twice.text};
  Proto back;
  if (!Parse(once.text, &back, parse).ok()) return Fault{"what was formatted does not parse", once.text};
  if (testing::Bytes(back) != testing::Bytes(message)) return Fault{"what was formatted is another message", once.text};

  std::string printed = Print(message).text;
  const std::string formatted = FormatText(printed, {.kind = options.kind}).text;
  if (!printed.ends_with('\n')) printed += '\n';
  if (formatted != printed) return Fault{"a print is formatted otherwise", printed + "-- formatted\n" + formatted};
  return std::nullopt;
}

}  // namespace

// The second variant distinguishes functions from graphs; the third variant uses narrow lines.
std::optional<Fault> RunFormat(const Input& input) {
  FormatOptions options = {.kind = input.kind, .tell_functions_apart = input.variant == 1};
  if (input.variant == 2) options.width = 20;
  std::optional<Fault> fault;
  WithKind(input.kind, [&](const auto& row) {
    fault = RunKind<typename std::decay_t<decltype(row)>::Message>(input.bytes, options);
  });
  return fault;
}

}  // namespace onnxc::fuzz
