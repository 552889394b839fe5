#include "verdict/imports.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "source/corrections.h"
#include "source/report.h"
#include "symbols/tokens.h"
#include "tables/signatures.h"

namespace onnxc::verdict {
namespace {

constexpr std::string_view kKey = "opset_import";
constexpr std::string_view kNoDomain = "no.domain";  // no node has such a domain

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

/// If the finding is about a domain without quotes in a list of imports, and its correction adds the quotes, returns
/// the domain; otherwise returns "".
std::string_view UnquotedDomain(std::string_view text, const Diagnostic& finding) {
  if (finding.kind != DiagnosticKind::kFieldValue || finding.fix_its.size() != 1) return "";
  const FixIt& edit = finding.fix_its.front();
  if (edit.range != finding.range || edit.range.begin >= edit.range.end) return "";
  const std::string_view word = text.substr(edit.range.begin, edit.range.end - edit.range.begin);
  const std::size_t behind = text.find_first_not_of(" \t\r\n", edit.range.end);
  const bool is_import = behind != std::string_view::npos && text[behind] == ':' &&
                         finding.message == MakeDiagnostic(diag::kFieldValue, kNowhere, "domain", "a string").message;
  return is_import && edit.replacement == '"' + std::string(word) + '"' ? word : "";
}

/// The findings that domains are not imported, found by the domain.
class Unimported {
 public:
  explicit Unimported(const Diagnostics& found) {
    for (const Diagnostic& finding : found.items()) {
      if (finding.kind == DiagnosticKind::kDomainNotImported) findings_.push_back(&finding);
    }
    std::ranges::sort(findings_, {}, &Diagnostic::message);
  }

  /// Returns the finding about the domain, or null if there is none.
  [[nodiscard]] const Diagnostic* Find(std::string_view domain) const {
    const std::string message = MakeDiagnostic(diag::kDomainNotImported, kNowhere, Quoted(domain)).message;
    const auto it = std::ranges::lower_bound(findings_, message, {}, &Diagnostic::message);
    return it != findings_.end() && (*it)->message.starts_with(message) ? *it : nullptr;
  }

 private:
  std::vector<const Diagnostic*> findings_;  // sorted by their messages, which begin with the domain
};

}  // namespace

void MeanDomains(const SourceText& source, const Judge& judge, std::vector<Diagnostic>* found) {
  std::vector<Diagnostic> tried = *found;
  std::vector<bool> is_word(tried.size());  // whether the finding is about a domain whose meaning is uncertain
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const std::string_view word = UnquotedDomain(source.text(), tried[i]);
    if (word.empty() || FindDomain(word) >= 0) continue;
    is_word[i] = true;
    tried[i].fix_its.front().replacement = fmt::format("\"{}.{}\"", kNoDomain, i);
  }
  if (std::ranges::find(is_word, true) == is_word.end()) return;
  // Without the words, the domains that nodes need are not imported.
  const CorrectedText corrected = ApplyCorrections(source.text(), tried);
  const Diagnostics needed = judge(SourceText(source.name(), corrected.text, nullptr));
  const Unimported unimported(needed);
  const Diagnostic* const standard = unimported.Find("");
  const std::size_t added = standard == nullptr || standard->fix_its.size() != 1
                                ? std::string_view::npos
                                : standard->fix_its.front().range.begin;
  std::map<std::size_t, std::vector<std::size_t>> uncertain;  // the key is where the list ends in the corrected text
  std::size_t before = 0;                                     // the end of the last edit, in the text
  std::size_t at = 0;                                         // and in the corrected text
  std::size_t list_end = 0;                                   // of the list, in the corrected text
  for (const AppliedEdit& edit : corrected.edits) {
    at += edit.range.begin - before;
    const std::string_view word = UnquotedDomain(source.text(), (*found)[edit.finding]);
    if (is_word[edit.finding] && unimported.Find(word) == nullptr) {
      if (list_end <= at) list_end = std::min(corrected.text.find(']', at), corrected.text.size());
      uncertain[at < added ? list_end : 0].push_back(edit.finding);
    }
    at += edit.size;
    before = edit.range.end;
  }
  for (const auto& [end, indices] : uncertain) {
    const bool is_standard = indices.size() == 1 && added <= end;
    for (const std::size_t i : indices) {
      Diagnostic& finding = (*found)[i];
      if (is_standard) {
        finding.fix_its.front().replacement = "\"\"";
        finding.message += "; the standard domain is \"\"";
      } else {
        finding.fix_its.clear();
      }
    }
  }
}

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
