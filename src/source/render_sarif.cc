#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <map>
#include <vector>

#include "source/help.h"
#include "source/json.h"
#include "source/positions.h"
#include "source/report.h"

namespace onnxc {
namespace {

using Json = nlohmann::ordered_json;

std::string_view Level(Severity severity) { return severity == Severity::kError ? "error" : "warning"; }

/// Returns a path as a relative or absolute URI, as SARIF requires.
std::string ToUri(const std::string& given) {
  const std::string path = std::filesystem::path(given).lexically_normal().generic_string();  // each file has one URI
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        byte < 0x80 && (std::isalnum(byte) || std::string_view("-._~/").find(c) != std::string_view::npos);
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return path.starts_with('/') ? "file://" + uri : uri;
}

/// Returns the sentence of a rule. For other kinds, returns the message with "..." in place of its arguments.
std::string Summary(const DiagnosticInfo& info) {
  if (!info.sentence.empty()) return std::string(info.sentence);
  std::string_view message = info.message;
  std::string summary;
  for (std::size_t hole; (hole = message.find("{}")) != std::string_view::npos; message.remove_prefix(hole + 2)) {
    summary.append(message.substr(0, hole)).append("...");
  }
  return summary.append(message);
}

/// The kinds of the findings, in the order of their first occurrence.
class Rules {
 public:
  explicit Rules(std::span<const SourceFindings> findings) {
    for (const SourceFindings& file : findings) {
      for (const Diagnostic& finding : file.diagnostics.items()) {
        if (indices_.emplace(finding.kind, kinds_.size()).second) kinds_.push_back(finding.kind);
      }
    }
  }

  [[nodiscard]] std::size_t IndexOf(DiagnosticKind kind) const { return indices_.at(kind); }

  [[nodiscard]] Json List() const {
    Json rules = Json::array();
    for (const DiagnosticKind kind : kinds_) {
      const DiagnosticInfo& info = Info(kind);
      Json rule = {{"id", info.name}, {"shortDescription", {{"text", Summary(info)}}}};
      if (std::string address = HelpAddress(kind); !address.empty()) rule["helpUri"] = std::move(address);
      rule["defaultConfiguration"] = {{"level", Level(info.severity)}};
      rules.push_back(std::move(rule));
    }
    return rules;
  }

 private:
  std::map<DiagnosticKind, std::size_t> indices_;
  std::vector<DiagnosticKind> kinds_;
};

class SarifRenderer {
 public:
  SarifRenderer(const Diagnostics& diagnostics, const SourceText& source, const Rules& rules)
      : diagnostics_(diagnostics), rules_(rules), uri_(ToUri(source.name())), places_(diagnostics, source.text()) {}

  void AppendTo(Json* results) const {
    for (const Diagnostic& diagnostic : diagnostics_.items()) results->push_back(Result(diagnostic));
  }

 private:
  [[nodiscard]] Json Result(const Diagnostic& diagnostic) const {
    Json location = Location(diagnostic.path.empty() ? diagnostic.range : kNowhere);
    if (!diagnostic.path.empty()) {
      location["logicalLocations"] = Json::array({{{"fullyQualifiedName", diagnostic.path}}});
    }
    Json result = {{"ruleId", Name(diagnostic.kind)},
                   {"ruleIndex", rules_.IndexOf(diagnostic.kind)},
                   {"level", Level(diagnostic.severity)},
                   {"message", {{"text", diagnostic.message}}},
                   {"locations", Json::array({std::move(location)})}};
    for (const Note& note : diagnostic.notes) {
      Json related = Location(note.range);
      related["message"] = {{"text", note.message}};
      result["relatedLocations"].push_back(std::move(related));
    }
    if (!diagnostic.fix_its.empty()) result["fixes"] = Json::array({Fix(diagnostic.fix_its)});
    return result;
  }

  [[nodiscard]] Json Fix(const std::vector<FixIt>& fix_its) const {
    Json replacements = Json::array();
    for (const FixIt& fix_it : fix_its) {
      replacements.push_back(
          {{"deletedRegion", Region(fix_it.range)}, {"insertedContent", {{"text", fix_it.replacement}}}});
    }
    Json change = {{"artifactLocation", {{"uri", uri_}}}, {"replacements", std::move(replacements)}};
    return {{"artifactChanges", Json::array({std::move(change)})}};
  }

  [[nodiscard]] Json Location(const SourceRange& range) const {
    Json physical = {{"artifactLocation", {{"uri", uri_}}}};
    if (range != kNowhere) physical["region"] = Region(range);
    return {{"physicalLocation", std::move(physical)}};
  }

  [[nodiscard]] Json Region(const SourceRange& range) const {
    const TextPosition& begin = places_.At(range.begin);
    const TextPosition& end = places_.At(range.end);
    return {{"startLine", begin.position.line}, {"startColumn", begin.position.column},
            {"endLine", end.position.line},     {"endColumn", end.position.column},
            {"byteOffset", begin.offset},       {"byteLength", end.offset - begin.offset}};
  }

  const Diagnostics& diagnostics_;
  const Rules& rules_;
  std::string uri_;
  Positions places_;
};

}  // namespace

std::string RenderSarif(std::span<const SourceFindings> findings) {
  const Rules rules(findings);
  Json results = Json::array();
  std::size_t suppressed = 0;
  for (const auto& [source, diagnostics] : findings) {
    SarifRenderer(diagnostics, source, rules).AppendTo(&results);
    suppressed += diagnostics.suppressed();
  }
  Json run = {{"tool", {{"driver", {{"name", "onnxc"}, {"version", ONNXC_VERSION}, {"rules", rules.List()}}}}},
              {"columnKind", "unicodeCodePoints"},
              {"results", std::move(results)},
              {"properties", {{"suppressed", suppressed}}}};
  const Json report = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                       {"version", "2.1.0"},
                       {"runs", Json::array({std::move(run)})}};
  return JsonText(report);
}

std::string RenderSarif(const Diagnostics& diagnostics, const SourceText& source) {
  const SourceFindings findings{source, diagnostics};
  return RenderSarif({&findings, 1});
}

}  // namespace onnxc
