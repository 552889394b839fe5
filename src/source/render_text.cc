#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "source/positions.h"
#include "source/render_each.h"
#include "source/report.h"
#include "source/unicode.h"

namespace onnxc {
namespace {

constexpr std::size_t kTabWidth = 4;
constexpr std::size_t kShownBytesBefore = 80;  // bytes of a long line that are shown before the reported range
constexpr std::size_t kShownCharactersOfLine = 160;
constexpr std::size_t kShownLinesOfBlock = 10;  // lines that a correction removes or adds

constexpr std::string_view kBold = "1";
constexpr std::string_view kRed = "1;31";
constexpr std::string_view kMagenta = "1;35";
constexpr std::string_view kCyan = "1;36";
constexpr std::string_view kGreen = "1;32";

/// The part of a line that is shown.
struct Excerpt {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool cut_before = false;
  bool cut_behind = false;
};

class TextRenderer {
 public:
  TextRenderer(const Diagnostics& diagnostics, const SourceText& source, bool color)
      : diagnostics_(diagnostics),
        name_(Shown(source.name())),
        text_(source.text()),
        color_(color),
        places_(diagnostics, source.text()) {}

  std::string Render() {
    for (const Diagnostic& diagnostic : diagnostics_.items()) Add(diagnostic);
    if (const std::size_t count = diagnostics_.suppressed(); count != 0) {
      Write("{}: {}: {} more finding{} not shown\n", name_, Paint(kCyan, "note"), count, count == 1 ? " is" : "s are");
    }
    return std::move(out_);
  }

  std::vector<std::string> RenderEach(std::size_t most) {
    const std::vector<Diagnostic>& items = diagnostics_.items();
    const auto is_error = [](const Diagnostic& item) { return item.severity == Severity::kError; };
    std::size_t errors = std::min(static_cast<std::size_t>(std::ranges::count_if(items, is_error)), most);
    std::size_t warnings = most - errors;
    std::vector<std::string> shown;
    shown.reserve(items.size());
    for (const Diagnostic& item : items) {
      std::size_t& left = is_error(item) ? errors : warnings;
      if (left > 0) {
        --left;
        Add(item);
      }
      shown.push_back(std::exchange(out_, {}));
    }
    return shown;
  }

 private:
  template <typename... Args>
  void Write(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  [[nodiscard]] std::string Paint(std::string_view style, std::string_view text) const {
    return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", style, text) : std::string(text);
  }

  void Add(const Diagnostic& diagnostic) {
    const bool is_error = diagnostic.severity == Severity::kError;
    const std::string label = is_error ? Paint(kRed, "error") : Paint(kMagenta, "warning");
    const std::string message = fmt::format("{} [{}]", Shown(diagnostic.message), Name(diagnostic.kind));
    if (diagnostic.path.empty()) {
      AddFinding(diagnostic.range, label, message);
    } else {
      AddFinding(kNowhere, label, fmt::format("{}: {}", Shown(diagnostic.path), message));
    }
    AddFixedLines(diagnostic.fix_its);
    for (const Note& note : diagnostic.notes) AddFinding(note.range, Paint(kCyan, "note"), Shown(note.message));
  }

  void AddFinding(const SourceRange& range, std::string_view label, std::string_view message) {
    if (range == kNowhere) {
      Write("{}: {}: {}\n", Paint(kBold, name_), label, Paint(kBold, message));
      return;
    }
    const TextPosition& place = places_.At(range.begin);
    const std::string where = fmt::format("{}:{}:{}", name_, place.position.line, place.position.column);
    Write("{}: {}: {}\n", Paint(kBold, where), label, Paint(kBold, message));
    if (!text_.empty()) AddLine(place, range);
  }

  /// Adds the line with the range underlined.
  void AddLine(const TextPosition& place, const SourceRange& range) {
    const Excerpt excerpt = ExcerptAround(place);
    Line line(excerpt.cut_before);
    line.Append(text_.substr(excerpt.begin, place.offset - excerpt.begin));
    const std::size_t first = line.width;
    const std::size_t end = std::clamp(range.end, place.offset, excerpt.end);
    line.Append(text_.substr(place.offset, end - place.offset));
    const std::size_t marked = std::max<std::size_t>(line.width - first, 1);
    line.Append(text_.substr(end, excerpt.end - end));
    if (excerpt.cut_behind) line.shown += "...";
    AddGutter(place.position.line, '|', line.shown);
    AddGutter(0, '|', std::string(first, ' ') + Paint(kGreen, "^" + std::string(marked - 1, '~')));
  }

  /// Adds the lines as they would be with the fix-its applied. Fix-its that begin on a line that an earlier fix-it
  /// changes are applied together with it.
  void AddFixedLines(const std::vector<FixIt>& fix_its) {
    std::vector<FixIt> sorted;
    std::ranges::copy_if(fix_its, std::back_inserter(sorted), [&](const FixIt& fix_it) {
      return fix_it.range.begin <= fix_it.range.end && fix_it.range.end <= text_.size();
    });
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const FixIt& a, const FixIt& b) { return a.range.begin < b.range.begin; });
    for (auto first = sorted.begin(); first != sorted.end();) {
      const std::size_t first_line_end = LineEnd(first->range.begin);
      std::size_t line_end = first_line_end;
      auto stop = first;
      for (; stop != sorted.end() && stop->range.begin <= line_end; ++stop) {
        if (stop->range.end > line_end) line_end = LineEnd(stop->range.end);
      }
      if (line_end == first_line_end) {
        AddFixedLine({first, stop});
      } else {
        AddFixedBlock({first, stop});
      }
      first = stop;
    }
  }

  /// Adds the result of fix-its that change one line. Those that are too far behind the beginning of the line are shown
  /// only in the formats for programs.
  void AddFixedLine(std::span<const FixIt> fix_its) {
    for (auto fix_it = fix_its.begin(); fix_it != fix_its.end();) {
      const TextPosition& place = places_.At(fix_it->range.begin);
      const Excerpt excerpt = ExcerptAround(place);
      if (fix_it->range.end > excerpt.end) {
        ++fix_it;
        continue;
      }
      std::string fixed;
      std::size_t done = excerpt.begin;
      for (; fix_it != fix_its.end() && fix_it->range.end <= excerpt.end; ++fix_it) {
        fixed.append(text_.substr(done, fix_it->range.begin - done)).append(fix_it->replacement);
        done = fix_it->range.end;
      }
      fixed.append(text_.substr(done, excerpt.end - done));
      if (excerpt.cut_behind) fixed.append("...");
      AddFixed(place.position.line, excerpt.cut_before, fixed);
    }
  }

  /// Adds the lines that fix-its remove or join, and the lines that replace them.
  void AddFixedBlock(std::span<const FixIt> fix_its) {
    const TextPosition& place = places_.At(fix_its.front().range.begin);
    std::string fixed;
    std::size_t done = place.line_begin;
    for (const FixIt& fix_it : fix_its) {
      if (fix_it.range.begin < done) continue;  // it overlaps
      fixed.append(text_.substr(done, fix_it.range.begin - done)).append(fix_it.replacement);
      done = fix_it.range.end;
    }
    const bool is_of_whole_lines = text_[done - 1] == '\n' && (fixed.empty() || fixed.ends_with('\n'));
    std::size_t end = is_of_whole_lines ? done : LineEnd(done);
    if (end > done && end < text_.size() && text_[end - 1] == '\r') --end;  // the line ends with "\r\n"
    fixed.append(text_.substr(done, end - done));
    AddBlock('-', kRed, place.position.line, text_.substr(place.line_begin, end - place.line_begin));
    AddBlock('+', kGreen, place.position.line, fixed);
  }

  /// Adds the first lines of a block. Only lines of the text have numbers.
  void AddBlock(char sign, std::string_view style, std::size_t number, std::string_view block) {
    for (std::size_t count = 0; !block.empty(); ++count) {
      if (count == kShownLinesOfBlock) return AddGutter(0, sign, "...");
      const std::size_t end = std::min(block.find('\n'), block.size());
      std::string_view content = block.substr(0, end);
      if (content.ends_with('\r') && end < block.size()) content.remove_suffix(1);
      const std::string_view begin = BeginOf(content);
      Line line(false);
      line.Append(begin);
      if (begin.size() < content.size()) line.shown += "...";
      AddGutter(count == 0 || sign == '-' ? number + count : 0, sign, Paint(style, line.shown));
      block.remove_prefix(std::min(end + 1, block.size()));
    }
  }

  /// Adds the lines that replace one line. Lines after the first have no number, because they are not in the text.
  void AddFixed(std::size_t number, bool is_cut, std::string_view fixed) {
    for (bool is_first = true; is_first || !fixed.empty(); is_first = false) {
      const std::size_t end = std::min(fixed.find('\n'), fixed.size());
      std::string_view content = fixed.substr(0, end);
      if (content.ends_with('\r') && end < fixed.size()) content.remove_suffix(1);
      Line line(is_first && is_cut);
      line.Append(content);
      AddGutter(is_first ? number : 0, '+', Paint(kGreen, line.shown));
      fixed.remove_prefix(std::min(end + 1, fixed.size()));
    }
  }

  void AddGutter(std::size_t number, char separator, std::string_view content) {
    const std::string shown_number = number == 0 ? std::string() : std::to_string(number);
    std::string line = fmt::format("{:>5} {} {}", shown_number, separator, content);
    line.erase(line.find_last_not_of(' ') + 1);
    out_ += line + '\n';
  }

  [[nodiscard]] std::size_t LineEnd(std::size_t from) const { return std::min(text_.find('\n', from), text_.size()); }

  /// Returns the part of a line that is shown if nothing in the line is underlined.
  static std::string_view BeginOf(std::string_view line) {
    std::size_t end = 0;
    for (std::size_t count = 0; end < line.size() && count < kShownCharactersOfLine; ++count) {
      end += DecodeCharacter(line, end).length;
    }
    return line.substr(0, end);
  }

  [[nodiscard]] Excerpt ExcerptAround(const TextPosition& place) const {
    Excerpt excerpt{.begin = place.line_begin};
    if (place.offset - place.line_begin > kShownBytesBefore) {
      excerpt.begin = place.offset - kShownBytesBefore;
      const auto continues = [&] { return (static_cast<unsigned char>(text_[excerpt.begin]) & 0xC0) == 0x80; };
      while (excerpt.begin < place.offset && continues()) ++excerpt.begin;
      excerpt.cut_before = true;
    }
    excerpt.end = excerpt.begin;
    const auto at_line_break = [&] { return text_[excerpt.end] == '\n' || text_.substr(excerpt.end, 2) == "\r\n"; };
    for (std::size_t count = 0; excerpt.end < text_.size() && !at_line_break(); ++count) {
      if (count >= kShownCharactersOfLine) {
        excerpt.cut_behind = true;
        break;
      }
      excerpt.end += DecodeCharacter(text_, excerpt.end).length;
    }
    excerpt.end = std::max(excerpt.end, place.offset);
    return excerpt;
  }

  /// A line as it is sent to the terminal, and its width in columns.
  struct Line {
    explicit Line(bool cut_before) : shown(cut_before ? "..." : ""), width(shown.size()) {}

    void Append(std::string_view text) {
      for (std::size_t at = 0; at < text.size();) {
        const Character character = DecodeCharacter(text, at);
        const std::string_view bytes = text.substr(at, character.length);
        const std::string as_shown =
            bytes == "\t" ? std::string(kTabWidth - width % kTabWidth, ' ') : Shown(character, bytes);
        width += as_shown == bytes ? DisplayWidth(character.code) : as_shown.size();
        shown += as_shown;
        at += character.length;
      }
    }

    std::string shown;
    std::size_t width;
  };

  const Diagnostics& diagnostics_;
  std::string name_;
  std::string_view text_;
  bool color_;
  Positions places_;
  std::string out_;
};

}  // namespace

std::string RenderText(const Diagnostics& diagnostics, const SourceText& source, bool color) {
  return TextRenderer(diagnostics, source, color).Render();
}

std::vector<std::string> RenderEach(const Diagnostics& diagnostics, const SourceText& source, bool color,
                                    std::size_t most) {
  return TextRenderer(diagnostics, source, color).RenderEach(most);
}

}  // namespace onnxc
