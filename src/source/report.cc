#include "source/report.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <ostream>
#include <tuple>

#include "source/second_schema.h"
#include "source/unicode.h"

namespace onnxc {
namespace {

/// Runs before protobuf registers its messages. Otherwise protobuf would find the duplicate messages first, and end the
/// program with an obscure error.
[[gnu::constructor(101)]] void CheckAtStart() { RefuseSecondSchema(); }

enum class Authority { kReference, kFullCheck, kSpecification, kAdvice, kOptional };

constexpr auto kInfos = std::to_array<DiagnosticInfo>({
// clang does not compile this table as a std::array.
#define ONNXC_DIAGNOSTIC(enumerator, name, severity, message, ...) {name, Severity::severity, message, "", false},
#define ONNXC_RULE(enumerator, name, severity, authority, sentence, message, ...) \
  {name, Severity::severity, message, sentence, Authority::authority == Authority::kOptional},
#include "tables/diagnostics.def"
#undef ONNXC_RULE
#undef ONNXC_DIAGNOSTIC
});

/// Findings about a message have no place in a text. They follow the others and keep their order.
auto Place(const Diagnostic& diagnostic) {
  return diagnostic.path.empty() ? std::tuple(0, diagnostic.range.begin, diagnostic.range.end)
                                 : std::tuple(1, std::size_t{0}, std::size_t{0});
}

bool SameFinding(const Diagnostic& a, const Diagnostic& b) {
  return a.kind == b.kind && a.range == b.range && a.path == b.path && a.message == b.message;
}

/// Shortens a message with long names to a length that people can read.
std::string Cut(std::string message) {
  constexpr std::size_t kLongest = 1000;  // bytes
  if (message.size() <= kLongest) return message;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0) == 0x80) --end;
  message.resize(end);
  return message.append("...");
}

}  // namespace

const DiagnosticInfo& Info(DiagnosticKind kind) {
  static constexpr DiagnosticInfo kUser = {"user", Severity::kError, "{}", "", false};
  return kind == kUserFinding ? kUser : kInfos[static_cast<std::size_t>(kind)];
}

std::string_view UsualLevel(DiagnosticKind kind) {
  if (Info(kind).is_optional) return "off";
  return Info(kind).severity == Severity::kError ? "error" : "warning";
}

std::string_view Name(DiagnosticKind kind) { return Info(kind).name; }

std::optional<DiagnosticKind> FindDiagnosticKind(std::string_view name) {
  if (name == Name(kUserFinding)) return kUserFinding;
  const auto row = std::ranges::find(kInfos, name, &DiagnosticInfo::name);
  if (row == kInfos.end()) return std::nullopt;
  return static_cast<DiagnosticKind>(row - kInfos.begin());
}

const std::vector<DiagnosticKind>& AllDiagnosticKinds() {
  static const std::vector<DiagnosticKind> kinds = [] {
    std::vector<DiagnosticKind> all;
    for (std::size_t i = 0; i < kInfos.size(); ++i) all.push_back(static_cast<DiagnosticKind>(i));
    return all;
  }();
  return kinds;
}

void Diagnostics::Add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::kError) ok_ = false;
  items_.push_back(std::move(diagnostic));
}

void Diagnostics::Append(Diagnostics other) {
  std::move(other.items_.begin(), other.items_.end(), std::back_inserter(items_));
  suppressed_ += other.suppressed_;
  suppressed_errors_ += other.suppressed_errors_;
  ok_ = ok_ && other.ok_;
}

void Suppress(Severity severity, Diagnostics* found) {
  if (severity == Severity::kError) {
    found->ok_ = false;
    ++found->suppressed_errors_;
  }
  ++found->suppressed_;
}

void Diagnostics::Finish(std::size_t limit) {
  std::stable_sort(items_.begin(), items_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return Place(a) < Place(b); });
  items_.erase(std::unique(items_.begin(), items_.end(), SameFinding), items_.end());
  if (items_.size() <= limit) return;

  const auto errors = static_cast<std::size_t>(std::count_if(
      items_.begin(), items_.end(), [](const Diagnostic& item) { return item.severity == Severity::kError; }));
  std::size_t errors_left = std::min(errors, limit);
  std::size_t warnings_left = limit - errors_left;
  suppressed_ += items_.size() - limit;
  suppressed_errors_ += errors - errors_left;
  std::erase_if(items_, [&](const Diagnostic& item) {
    std::size_t& left = item.severity == Severity::kError ? errors_left : warnings_left;
    if (left == 0) return true;
    --left;
    return false;
  });
}

Diagnostics Diagnostics::ErrorsOnly() const {
  Diagnostics errors = *this;
  std::erase_if(errors.items_, [](const Diagnostic& item) { return item.severity != Severity::kError; });
  errors.suppressed_ = suppressed_errors_;
  return errors;
}

std::string ToString(const Diagnostic& diagnostic) {
  std::string place = Shown(diagnostic.path);
  if (place.empty() && diagnostic.range != kNowhere) {
    place = fmt::format("bytes {}-{}", diagnostic.range.begin, diagnostic.range.end);
  }
  return fmt::format("{}{}{}: {} [{}]", place, place.empty() ? "" : ": ",
                     diagnostic.severity == Severity::kError ? "error" : "warning", Shown(diagnostic.message),
                     Name(diagnostic.kind));
}

std::ostream& operator<<(std::ostream& stream, const Diagnostic& diagnostic) { return stream << ToString(diagnostic); }

std::ostream& operator<<(std::ostream& stream, const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.items()) stream << diagnostic << '\n';
  const std::size_t count = diagnostics.suppressed();
  if (count > 0) stream << fmt::format("{} more finding{} not shown\n", count, count == 1 ? " is" : "s are");
  return stream;
}

Diagnostic MakeDiagnostic(DiagnosticKind kind, Severity severity, SourceRange range, std::string message) {
  return {.kind = kind, .severity = severity, .message = Cut(std::move(message)), .range = range};
}

std::string Quoted(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string quoted;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size(); ++characters) {
    if (characters == kLongest) return quoted + "...";
    const Character character = DecodeCharacter(text, at);
    quoted += Shown(character, text.substr(at, character.length));
    at += character.length;
  }
  return quoted;
}

}  // namespace onnxc
