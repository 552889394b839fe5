#include "verdict/imports.h"

#include <algorithm>
#include <map>

#include "symbols/tokens.h"
#include "tables/signatures.h"

namespace onnxc::verdict {
namespace {

constexpr std::string_view kKey = "opset_import";

struct Entry {
  SourceRange range;
  std::string domain;
};

/// Returns the imports of a list, which the range contains from its key to its end.
std::vector<Entry> EntriesOf(std::string_view text, SourceRange list) {
  const std::vector<TextToken> tokens = TokensIn(text, list);
  const auto written = [&](std::size_t i) {
    const SourceRange range = i < tokens.size() ? tokens[i].range : SourceRange{list.end, list.end};
    return text.substr(range.begin, range.end - range.begin);
  };
  std::vector<Entry> entries;
  if (written(0) != kKey || written(1) != ":" || written(2) != "[") return {};
  for (std::size_t i = 3; written(i + 1) == ":" && i + 2 < tokens.size(); i += 4) {
    entries.push_back({{tokens[i].range.begin, tokens[i + 2].range.end}, NameOf(written(i))});
    if (written(i + 3) != ",") break;
  }
  return entries;
}

}  // namespace

std::vector<RepeatedImport> ImportsRepeated(std::string_view text, std::span<const SourceRange> made) {
  std::vector<RepeatedImport> repeated;
  std::size_t key = made.empty() ? std::string_view::npos : text.find(kKey);
  while (key != std::string_view::npos) {
    const std::size_t next = text.find(kKey, key + kKey.size());
    const std::size_t until = std::min(next, text.size());
    const SourceRange list{key, std::min(text.substr(0, until).find(']', key), until)};
    key = next;
    const auto first = std::ranges::lower_bound(made, list.begin, {}, &SourceRange::begin);
    const auto end = std::ranges::upper_bound(first, made.end(), list.end, {}, &SourceRange::begin);
    if (first == end) continue;
    const std::vector<Entry> entries = EntriesOf(text, list);
    std::map<std::string_view, int> imports;
    for (const Entry& entry : entries) ++imports[NodeDomain(entry.domain)];
    for (auto part = first; part != end; ++part) {
      const auto entry = std::ranges::upper_bound(entries, part->begin, {}, [](const Entry& e) { return e.range.end; });
      const bool is_written = entry != entries.end() && part->begin < part->end && entry->range.begin < part->end;
      if (!is_written || imports[NodeDomain(entry->domain)] < 2) continue;
      repeated.push_back({static_cast<std::size_t>(part - made.begin()), entry->domain});
    }
  }
  return repeated;
}

}  // namespace onnxc::verdict
