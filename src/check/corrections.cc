#include "check/corrections.h"

namespace onnxc::check {

const SourceRange* FindText(const Run& run, const google::protobuf::Message& message, int field) {
  const SourceMap* const map = run.options.source_map;
  if (map == nullptr) return nullptr;
  const SourceRange* const range = map->Find(message, field, 0);
  return range == map->Find(message, 0, 0) ? nullptr : range;
}

void Correct(Diagnostic* finding, std::string_view words, std::vector<FixIt> fix_its) {
  if (finding == nullptr) return;
  if (!words.empty()) finding->message.append("; ").append(words);
  finding->fix_its = std::move(fix_its);
}

int VersionToImport(std::string_view domain) {
  const int known = FindDomain(domain);
  return known < 0 ? 1 : NewestVersion(known);
}

const SourceRange* FindLastImport(const Place& place, const Run& run) {
  for (const Place* at = &place; at != nullptr; at = at->parent) {
    const auto* const field = at->message.GetDescriptor()->FindFieldByName("opset_import");
    if (field == nullptr) continue;
    const int size = at->message.GetReflection()->FieldSize(at->message, field);
    if (size == 0 || run.options.source_map == nullptr) return nullptr;
    return run.options.source_map->Find(at->message.GetReflection()->GetRepeatedMessage(at->message, field, size - 1));
  }
  return nullptr;
}

}  // namespace onnxc::check
