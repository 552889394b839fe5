#include "verdict/imports.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "symbols/tokens.h"
#include "tables/signatures.h"

namespace onnxc::verdict {
namespace {

constexpr std::string_view kKey = "opset_import";
constexpr std::size_t kReach = 4096;  // bytes that are read before and after a correction

struct Entry {
  SourceRange range;
  std::string domain;
};

/// Returns the entries of the list of imports around an offset, or nothing if the offset is not in such a list.
std::vector<Entry> EntriesAround(std::string_view text, std::size_t offset) {
  const std::size_t first = offset - std::min(offset, kReach);
  const std::size_t key = text.substr(first, offset - first).rfind(kKey);
  if (key == std::string_view::npos) return {};
  const std::string_view near = text.substr(0, std::min(text.size(), offset + kReach));
  const SourceRange part{first + key, std::min(near.find(']', first + key), near.size())};
  if (part.end < offset) return {};
  const std::vector<TextToken> tokens = TokensIn(text, part);
  const auto written = [&](std::size_t i) {
    const SourceRange range = i < tokens.size() ? tokens[i].range : SourceRange{part.end, part.end};
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

std::optional<std::string> DomainImportedTwice(std::string_view text, SourceRange made) {
  if (made.begin == made.end) return std::nullopt;  // nothing was written
  const std::vector<Entry> entries = EntriesAround(text, made.begin);
  for (const Entry& entry : entries) {
    const bool is_written = entry.range.begin < made.end && made.begin < entry.range.end;
    const auto is_same = [&](const Entry& other) { return NodeDomain(other.domain) == NodeDomain(entry.domain); };
    if (is_written && std::ranges::count_if(entries, is_same) > 1) return entry.domain;
  }
  return std::nullopt;
}

}  // namespace onnxc::verdict
