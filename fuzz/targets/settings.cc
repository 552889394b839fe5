// Settings files, `.onnxc.toml`.
#include <array>

#include "fuzz/targets/findings.h"
#include "fuzz/targets/target.h"
#include "settings/file.h"
#include "source/report.h"

namespace onnxc::fuzz {
namespace {

/// Returns a finding of each kind.
Diagnostics OneOfEach() {
  Diagnostics found;
  for (const DiagnosticKind kind : AllDiagnosticKinds()) {
    found.Add(MakeDiagnostic(kind, Info(kind).severity, kNowhere, "message"));
  }
  return found;
}

/// Checks that the settings hide no errors and add no findings.
std::optional<Fault> CheckLevels(const Levels& levels) {
  static const Diagnostics all = OneOfEach();
  const Diagnostics shown = WithLevels(all, std::array{&levels});
  std::size_t at = 0;
  for (const Diagnostic& item : all.items()) {
    const bool is_shown = at < shown.items().size() && shown.items()[at].kind == item.kind;
    const bool is_error = item.severity == Severity::kError && !Info(item.kind).is_optional;
    if (is_error && !is_shown) return Fault{"settings hide the error " + std::string(Name(item.kind))};
    if (is_error && shown.items()[at].severity != Severity::kError) return Fault{"settings make an error a warning"};
    at += is_shown ? 1 : 0;
  }
  return at == shown.items().size() ? std::nullopt : std::optional(Fault{"settings make findings"});
}

}  // namespace

// In the second variant, the input is inside of the table [warnings].
std::optional<Fault> RunSettings(const Input& input) {
  std::string text(input.bytes);
  if (input.variant == 1) text.insert(0, "[warnings]\n");
  const Settings settings = ReadSettingsText(".onnxc.toml", text);
  const SourceFindings& found = settings.found;
  if (auto fault = CheckFindings(found.diagnostics, found.source)) return fault;
  if (RenderText(ReadSettingsText(".onnxc.toml", text).found.diagnostics, found.source) !=
      RenderText(found.diagnostics, found.source)) {
    return Fault{"read again, other things are wrong with the settings"};
  }
  return CheckLevels(settings.warnings);
}

}  // namespace onnxc::fuzz
