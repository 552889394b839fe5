#include "verdict/judge.h"

#include <filesystem>

#include "settings/allowed.h"
#include "syntax/traps.h"
#include "verdict/sorted.h"

namespace onnxc::verdict {

Diagnostics CheckRead(std::string_view text, const std::string& path, const SourceMap* places, CheckOptions rules,
                      const google::protobuf::Message& message, Diagnostics found, const Checker& check) {
  rules.max_diagnostics = kMostFindings;
  rules.directory = FolderOf(path);
  rules.source_map = places;
  rules.optional_rules = true;  // the settings remove findings of optional rules that were not requested
  found.Append(syntax::FindDroppedBackslashes(text));
  found.Append(FindUnknownAllowed(text));
  found.Append(check(message, rules));
  found.Finish(kMostFindings);
  return CorrectOrder(text, found);
}

std::string FolderOf(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

}  // namespace onnxc::verdict
