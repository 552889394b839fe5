#include "lsp/options.h"

namespace onnxc::lsp {
namespace {

void SetFlag(const Json& settings, const char* pointer, bool* flag) {
  const Json& value = Optional(settings, pointer);
  if (value.is_boolean()) *flag = value.get<bool>();
}

}  // namespace

Options OptionsOf(const Json& settings, Options options) {
  if (!settings.is_object()) return options;
  SetFlag(settings, "/infer", &options.infer);
  SetFlag(settings, "/inlayHints/types", &options.type_hints);
  SetFlag(settings, "/inlayHints/inputs", &options.input_hints);
  SetFlag(settings, "/inlayHints/values", &options.value_hints);
  SetFlag(settings, "/codeLenses", &options.code_lenses);
  SetFlag(settings, "/workspaceDiagnostics", &options.workspace_diagnostics);
  const Json& warnings = Optional(settings, "/warnings");
  if (!warnings.is_array()) return options;
  options.warnings = {};
  for (const Json& warning : warnings) {
    if (!warning.is_string()) throw RequestError(ErrorCode::kInvalidParams, "'warnings' must contain strings");
    if (const auto wrong = options.warnings.SetOption(warning.get<std::string>())) {
      throw RequestError(ErrorCode::kInvalidParams, *wrong);
    }
  }
  return options;
}

}  // namespace onnxc::lsp
