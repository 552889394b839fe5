#include "verdict/judge.h"

#include <filesystem>
#include <utility>

#include "platform/mapped_file.h"
#include "settings/allowed.h"
#include "syntax/traps.h"

namespace onnxc::verdict {

Diagnostics CheckRead(std::string_view text, const std::string& path, const SourceMap& places, CheckOptions rules,
                      const google::protobuf::Message& message, Diagnostics found, const Checker& check,
                      const RareParts& rare) {
  rules.max_diagnostics = kMostFindings;
  rules.directory = FolderOf(path);
  rules.source_map = &places;
  rules.optional_rules = true;  // the settings remove findings of optional rules that were not requested
  if (rare.MayHave(RarePart::kBackslash)) found.Append(syntax::FindDroppedBackslashes(text));
  if (rare.MayHave(RarePart::kAllowed)) found.Append(FindUnknownAllowed(text));
  found.Append(check(message, rules));
  found.Finish(kMostFindings);
  return found;
}

Diagnostics ReadAndCheck(const SourceText& source, const std::string& path, Kind kind, const ParseOptions& options,
                         CheckOptions rules, google::protobuf::Message* message, const Preparation& prepare) {
  const Format format = DetectFormat(source.text(), path, kind);
  const bool is_text = format == Format::kText;
  SourceMap places;
  ParseOptions parse = options;
  parse.max_diagnostics = rules.max_diagnostics = kMostFindings;
  if (is_text) parse.source_map_out = &places;
  Diagnostics found = Decode(source.text(), format, message, parse);
  if (!found.ok() || (prepare && !prepare(&places, &found))) return found;
  const Checker check = [&](const google::protobuf::Message& read, const CheckOptions& its_rules) {
    FreeDecoded(source.text());
    return Check(read, its_rules);
  };
  if (is_text) return CheckRead(source.text(), path, places, std::move(rules), *message, std::move(found), check);
  rules.directory = FolderOf(path);
  rules.optional_rules = true;
  if (places.size() > 0) rules.source_map = &places;
  found.Append(check(*message, rules));
  found.Finish(kMostFindings);
  return found;
}

std::string FolderOf(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

}  // namespace onnxc::verdict
