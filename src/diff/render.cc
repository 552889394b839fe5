#include <fmt/format.h>
#include <onnxc/differ.h>

#include <iterator>
#include <map>
#include <tuple>

#include "source/json.h"
#include "source/unicode.h"

namespace onnxc::diff {
namespace {

using Kind = Difference::Kind;

/// How the differences of one kind are shown.
struct KindStyle {
  std::string_view word;
  char mark;
  std::string_view color;
};
constexpr std::array<KindStyle, 4> kStyles = {{
    {"added", '+', "32"},
    {"removed", '-', "31"},
    {"changed", '~', "33"},
    {"renamed", '>', "36"},
}};

const KindStyle& StyleOf(Kind kind) { return kStyles[static_cast<std::size_t>(kind)]; }
std::string_view WordOf(Aspect aspect) { return kAspectWords[static_cast<std::size_t>(aspect)]; }

/// Describes the change without its place.
std::string Change(const Difference& difference) {
  std::string text;
  if (difference.kind == Kind::kAdded) text = difference.after;
  if (difference.kind == Kind::kRemoved) text = difference.before;
  if (text.empty() && !(difference.before.empty() && difference.after.empty())) {
    const auto shown = [](const std::string& value) { return value.empty() ? "\"\"" : value; };
    text = fmt::format("{} -> {}", shown(difference.before), shown(difference.after));
  }
  if (difference.detail.empty()) return text;
  return text.empty() ? difference.detail : text + "; " + difference.detail;
}

/// The class of a difference. If there are many differences of the same class, they are combined in one line.
using Class = std::tuple<Aspect, Kind, std::string, std::string>;

class LineRenderer {
 public:
  LineRenderer(const std::vector<Difference>& differences, bool color) : differences_(differences), color_(color) {}

  std::string Render() {
    std::map<Class, std::size_t> counts;
    for (const Difference& difference : differences_) ++counts[ClassOf(difference)];
    for (const Difference& difference : differences_) {
      std::size_t& count = counts[ClassOf(difference)];
      if (count == 0) continue;  // reported together with the first one of its class
      const bool is_one_line = CanBeOneLine(difference) && count > kMost;
      AddLine(difference, is_one_line ? count - 1 : 0);
      if (is_one_line) count = 0;
    }
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kMost = 8;  // differences of a class that are reported separately

  static bool CanBeOneLine(const Difference& difference) {
    return difference.aspect == Aspect::kNames || difference.aspect == Aspect::kStorage;
  }

  static Class ClassOf(const Difference& difference) {
    const bool is_storage = difference.aspect == Aspect::kStorage;
    return {difference.aspect, difference.kind, is_storage ? difference.before : "",
            is_storage ? difference.after : ""};
  }

  [[nodiscard]] std::string Paint(std::string_view color, std::string_view text) const {
    return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", color, text) : std::string(text);
  }

  void AddLine(const Difference& difference, std::size_t others) {
    const KindStyle& style = StyleOf(difference.kind);
    const std::string change = Shown(Change(difference));
    out_ += Paint(style.color, fmt::format("{} {}", style.mark, Shown(difference.path)));
    if (!change.empty()) out_ += ": " + change;
    if (others != 0) out_ += fmt::format(", and {} more like this in {}", others, WordOf(difference.aspect));
    if (!difference.subject.empty() && others == 0) out_ += Paint("2", "  # " + Shown(difference.subject));
    out_ += '\n';
  }

  const std::vector<Difference>& differences_;
  const bool color_;
  std::string out_;
};

}  // namespace

}  // namespace onnxc::diff

namespace onnxc {

std::string RenderText(const std::vector<Difference>& differences, bool color) {
  return diff::LineRenderer(differences, color).Render();
}

std::string RenderJson(const std::vector<Difference>& differences) {
  using Json = nlohmann::ordered_json;
  Json items = Json::array();
  for (const Difference& difference : differences) {
    Json item = {{"kind", diff::StyleOf(difference.kind).word},
                 {"aspect", diff::WordOf(difference.aspect)},
                 {"path", difference.path}};
    if (!difference.before.empty() || difference.kind == diff::Kind::kRenamed) item["before"] = difference.before;
    if (!difference.after.empty() || difference.kind == diff::Kind::kRenamed) item["after"] = difference.after;
    if (!difference.detail.empty()) item["detail"] = difference.detail;
    if (!difference.subject.empty()) item["subject"] = difference.subject;
    items.push_back(std::move(item));
  }
  return JsonText({{"differences", std::move(items)}});
}

}  // namespace onnxc
