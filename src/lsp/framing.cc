#include "lsp/framing.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "lsp/spelling.h"

namespace onnxc::lsp {
namespace {

constexpr std::size_t kLongestLine = 4096;                     // bytes of a header line; a longer line is not a header
constexpr std::size_t kLongestMessage = std::size_t{1} << 30;  // bytes
constexpr std::size_t kPortion = std::size_t{1} << 20;

constexpr int kEnd = std::char_traits<char>::eof();
constexpr std::string_view kName = "content-length:";

bool IsSame(char a, char b) { return Lower(a) == Lower(b); }

/// Returns the offset of the last occurrence of the field Content-Length in the line, or the line's size if there is
/// none.
std::size_t BeginOfHeader(std::string_view line) {
  const auto found = std::find_end(line.begin(), line.end(), kName.begin(), kName.end(), &IsSame);
  return static_cast<std::size_t>(found - line.begin());
}

/// Returns the value of the field Content-Length, or nothing if the line has another field.
std::optional<std::string_view> LengthField(std::string_view line) {
  if (line.size() < kName.size() || !std::equal(kName.begin(), kName.end(), line.begin(), &IsSame)) return std::nullopt;
  line.remove_prefix(std::min(line.find_first_not_of(" \t", kName.size()), line.size()));
  return line.substr(0, line.find_last_not_of(" \t") + 1);
}

bool IsField(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos) return false;
  return std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](char c) { return c > ' ' && c < '\x7f'; });
}

}  // namespace

int FrameReader::NextByte() {
  if (given_at_ == given_back_.size()) return in_.rdbuf()->sbumpc();
  return static_cast<unsigned char>(given_back_[given_at_++]);
}

/// Returns the next line without its line break, or nothing at the end of the stream. If a line is too long, only its
/// end is returned, because a header may begin there.
std::optional<std::string> FrameReader::ReadLine() {
  if (std::exchange(has_pending_, false)) return std::move(pending_);
  std::string line;
  for (int c = NextByte(); c != kEnd; c = NextByte()) {
    if (c == '\n') {
      if (line.ends_with('\r')) line.pop_back();
      return line;
    }
    if (line.size() == 2 * kLongestLine) line.erase(0, kLongestLine);
    line += static_cast<char>(c);
  }
  if (line.empty()) return std::nullopt;
  return line;
}

void FrameReader::GiveBack(std::string content) {
  given_back_ = content.append(given_back_, given_at_);
  given_at_ = 0;
  is_lost_ = true;
}

FrameReader::Result FrameReader::Lose(std::string* content, std::string why) {
  is_lost_ = true;
  *content = std::move(why);
  return Result::kBroken;
}

FrameReader::Result FrameReader::Next(std::string* content) {
  std::optional<std::size_t> length;
  bool is_in_header = false;
  while (const std::optional<std::string> line = ReadLine()) {
    if (line->empty()) {
      if (length) return ReadContent(*length, content);
      if (is_in_header && !is_lost_) return Lose(content, "a header must have Content-Length");
      continue;
    }
    const std::optional<std::string_view> field = LengthField(*line);
    if (!field) {
      is_in_header = true;
      if (const std::size_t begin = BeginOfHeader(*line); begin < line->size()) {
        pending_ = line->substr(begin);
        has_pending_ = true;
        if (is_lost_) continue;
        return Lose(content, "there are bytes before the header of a message");
      }
      if (is_lost_ && !length) continue;
      if (!IsField(*line)) return Lose(content, "the input is not a message header");
      continue;
    }
    is_in_header = true;
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(field->data(), field->data() + field->size(), value);
    if (field->empty() || error != std::errc() || end != field->data() + field->size() || value > kLongestMessage) {
      return Lose(content, fmt::format("Content-Length must be a number from 0 to {}", kLongestMessage));
    }
    length = value;
    is_lost_ = false;
  }
  if (is_in_header && !is_lost_) return Lose(content, "the input ends inside of a header");
  return Result::kEnd;
}

// Reads the content of a message. Allocates memory only for bytes that arrive, because the length in a header may be
// wrong.
FrameReader::Result FrameReader::ReadContent(std::size_t length, std::string* content) {
  content->clear();
  while (content->size() < length) {
    const std::size_t before = content->size();
    const std::size_t most = std::min(kPortion, length - before);
    std::size_t got = std::min(most, given_back_.size() - given_at_);
    content->append(given_back_, given_at_, got);
    given_at_ += got;
    if (got == 0) {
      content->resize(before + most);
      in_.read(content->data() + before, static_cast<std::streamsize>(most));
      got = static_cast<std::size_t>(in_.gcount());
      content->resize(before + got);
    }
    if (got == 0) return Lose(content, "the input ends inside of a message");
  }
  return Result::kMessage;
}

void WriteFrameOf(std::ostream& out, std::string_view message) {
  out << fmt::format("Content-Length: {}\r\n\r\n", message.size()) << message << std::flush;
}

void WriteFrame(std::ostream& out, const Json& message) { WriteFrameOf(out, Dumped(message)); }

}  // namespace onnxc::lsp
