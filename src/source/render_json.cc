#include "source/help.h"
#include "source/json.h"
#include "source/positions.h"
#include "source/report.h"

namespace onnxc {
namespace {

using Json = nlohmann::ordered_json;

class JsonRenderer {
 public:
  JsonRenderer(const Diagnostics& diagnostics, const SourceText& source)
      : diagnostics_(diagnostics), name_(source.name()), places_(diagnostics, source.text()) {}

  void AppendTo(Json* items) const {
    for (const Diagnostic& diagnostic : diagnostics_.items()) items->push_back(Item(diagnostic));
  }

 private:
  [[nodiscard]] Json Item(const Diagnostic& diagnostic) const {
    Json item = {{"file", name_}, {"kind", Name(diagnostic.kind)}};
    if (std::string address = HelpAddress(diagnostic.kind); !address.empty()) item["help"] = std::move(address);
    item["severity"] = diagnostic.severity == Severity::kError ? "error" : "warning";
    item["message"] = diagnostic.message;
    if (!diagnostic.path.empty()) {
      item["path"] = diagnostic.path;
    } else if (diagnostic.range != kNowhere) {
      item["range"] = Range(diagnostic.range);
    }
    Json notes = Json::array();
    for (const Note& note : diagnostic.notes) {
      notes.push_back({{"message", note.message}, {"range", Range(note.range)}});
    }
    Json fix_its = Json::array();
    for (const FixIt& fix_it : diagnostic.fix_its) {
      fix_its.push_back({{"range", Range(fix_it.range)}, {"replacement", fix_it.replacement}});
    }
    item["notes"] = std::move(notes);
    item["fix_its"] = std::move(fix_its);
    return item;
  }

  [[nodiscard]] Json Range(const SourceRange& range) const {
    return {{"begin", Position(range.begin)}, {"end", Position(range.end)}};
  }

  [[nodiscard]] Json Position(std::size_t offset) const {
    const TextPosition& place = places_.At(offset);
    return {{"line", place.position.line}, {"column", place.position.column}, {"offset", place.offset}};
  }

  const Diagnostics& diagnostics_;
  const std::string& name_;
  Positions places_;
};

}  // namespace

std::string RenderJson(std::span<const SourceFindings> findings) {
  Json items = Json::array();
  std::size_t suppressed = 0;
  for (const auto& [source, diagnostics] : findings) {
    JsonRenderer(diagnostics, source).AppendTo(&items);
    suppressed += diagnostics.suppressed();
  }
  const Json report = {{"diagnostics", std::move(items)}, {"suppressed", suppressed}};
  return JsonText(report);
}

std::string RenderJson(const Diagnostics& diagnostics, const SourceText& source) {
  const SourceFindings findings{source, diagnostics};
  return RenderJson({&findings, 1});
}

}  // namespace onnxc
