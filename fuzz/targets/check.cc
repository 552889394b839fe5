#include <onnxc/checker.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <vector>

#include "fuzz/targets/findings.h"
#include "fuzz/targets/target.h"

namespace onnxc::fuzz {
namespace {

/// Returns the findings without their places, because two elements with the same name have two places in a text but
/// only one path. The part after "; " is left out, because it describes a correction, and only findings in texts have
/// corrections.
std::set<std::string> Said(const Diagnostics& found) {
  std::set<std::string> all;
  for (const Diagnostic& item : found.items()) {
    all.insert(std::string(Name(item.kind)) + ": " + item.message.substr(0, item.message.find("; ")));
  }
  return all;
}

/// Returns the first finding that is in only one of the two sets.
std::string Difference(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::vector<std::string> alone;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(alone));
  return alone.empty() ? std::string() : alone.front();
}

/// Returns whether the finding may depend on the spelling in the text, for example on whether a name such as `None` was
/// quoted. A message has no spelling, so such findings are not compared.
bool AsksTheAuthor(const Diagnostic& item) {
  return Name(item.kind) == "small-float-bits" || Name(item.kind) == "placeholder-dimension" ||
         Name(item.kind) == "unused-input" || Name(item.kind) == "unused-value";
}

template <typename Proto>
std::optional<Fault> RunKind(std::string_view bytes, bool is_library, bool strict) {
  Proto message;
  if (!message.ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  const auto check = [&](const Proto& checked, const CheckOptions& rules) {
    if constexpr (std::is_same_v<Proto, onnx::ModelProto>) {
      return is_library ? CheckLibrary(checked, rules) : CheckModel(checked, rules);
    } else {
      return Check(checked, rules);
    }
  };
  CheckOptions rules = {.strict = strict, .external_files = false};
  if (auto fault = CheckFindings(check(message, rules), SourceText("message", ""))) return fault;

  rules.max_diagnostics = std::numeric_limits<std::size_t>::max();
  const Diagnostics of_message = check(message, rules);
  const PrintResult printed = Print(message);
  Proto parsed;
  SourceMap places;
  if (!Parse(printed.text, &parsed, {.source_map_out = &places}).ok())
    return std::nullopt;  // the target `binary` reports this
  rules.source_map = &places;
  const Diagnostics of_text = check(parsed, rules);
  if (auto fault = CheckFindings(of_text, SourceText("text", printed.text, nullptr))) return fault;
  if (std::ranges::any_of(of_text.items(), AsksTheAuthor)) return std::nullopt;
  if (std::ranges::any_of(of_message.items(), AsksTheAuthor)) return std::nullopt;
  if (of_text.ok() != of_message.ok()) return Fault{"the text and the message have other verdicts", printed.text};
  const std::string difference = Difference(Said(of_text), Said(of_message));
  if (!difference.empty()) return Fault{"said of the text or the message alone: " + difference, printed.text};
  return std::nullopt;
}

}  // namespace

// The second variant checks a library instead of a model; the third variant is strict.
std::optional<Fault> RunCheck(const Input& input) {
  std::optional<Fault> fault;
  WithKind(input.kind, [&](const auto& row) {
    fault = RunKind<typename std::decay_t<decltype(row)>::Message>(input.bytes, input.variant == 1, input.variant == 2);
  });
  return fault;
}

}  // namespace onnxc::fuzz
