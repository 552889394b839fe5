#include "lower/list_token.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "lower/literal.h"
#include "lower/number.h"
#include "lower/packed.h"
#include "source/parallel.h"
#include "source/portions.h"
#include "tables/foreign_words.h"

namespace onnxc::lower {
namespace {

constexpr bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view Inside(const SyntaxToken& list) { return list.text.substr(1, list.text.size() - 2); }

const char* SkipSpace(const char* at, const char* end) {
  while (at != end && IsSpace(*at)) ++at;
  return at;
}

// Passes each number of a list to `write`, which writes it and returns where the next one is written. Returns the end
// of the written numbers. Returns null if the list contains anything but numbers separated by commas.
template <typename Number, typename To, typename Write>
[[gnu::flatten]] To* ReadPlain(std::string_view list, To* to, const Write& write) {
  const char* at = list.data();
  const char* const end = at + list.size();
  for (;; ++at) {
    Number value{};
    while (end - at > kLongestCommon + 1) {  // one space before the number, and the comma after it
      if (*at == ' ') ++at;
      const char* const next = ConvertCommon(at, &value);
      if (next == nullptr || *next != ',') break;
      to = write(value, to);
      at = next + 1;
    }
    at = SkipSpace(at, end);
    if (at == end || (at = Convert(at, end, &value)) == nullptr) return nullptr;
    to = write(value, to);
    at = SkipSpace(at, end);
    if (at == end) return to;
    if (*at != ',') return nullptr;
  }
}

// Like ReadPlain() above, into an array.
template <typename Number>
bool ReadPlain(std::string_view list, Number* values) {
  const auto write = [](Number value, Number* to) {
    *to = value;
    return to + 1;
  };
  return ReadPlain<Number>(list, values, write) != nullptr;
}

// Divides a list into parts of about equal size, at commas.
std::vector<std::string_view> Cut(std::string_view list, std::size_t parts) {
  std::vector<std::string_view> cut;
  while (cut.size() + 1 < parts) {
    const std::size_t comma = list.find(',', list.size() / (parts - cut.size()));
    if (comma == std::string_view::npos) break;
    cut.push_back(list.substr(0, comma));
    list.remove_prefix(comma + 1);
  }
  cut.push_back(list);
  return cut;
}

// Returns the number of commas. It counts in many counters of one byte, so that the compiler can vectorize the loop,
// and adds up the counters before they overflow.
std::size_t CountCommas(std::string_view list) {
  constexpr std::size_t kLanes = 64;
  std::size_t count = 0;
  while (list.size() >= kLanes) {
    std::array<std::uint8_t, kLanes> counts{};
    const std::size_t rounds = std::min<std::size_t>(list.size() / kLanes, UINT8_MAX);
    for (std::size_t round = 0; round < rounds; ++round) {
      const char* const bytes = list.data() + round * kLanes;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        counts[lane] = static_cast<std::uint8_t>(counts[lane] + std::uint8_t{bytes[lane] == ','});
      }
    }
    count = std::accumulate(counts.begin(), counts.end(), count);
    list.remove_prefix(rounds * kLanes);
  }
  return count + static_cast<std::size_t>(std::count(list.begin(), list.end(), ','));
}

std::size_t CountOf(std::string_view list) { return CountCommas(list) + 1; }

// Returns memory for `count` more numbers, or null if a repeated field cannot have that many.
template <typename Number>
Number* AddRoom(std::size_t count, google::protobuf::RepeatedField<Number>* values) {
  if (count > static_cast<std::size_t>(INT_MAX - values->size())) return nullptr;
  values->Reserve(values->size() + static_cast<int>(count));
  return values->AddNAlreadyReserved(static_cast<int>(count));
}

template <typename Number>
bool ReadInParallel(const std::vector<std::string_view>& parts, google::protobuf::RepeatedField<Number>* values) {
  std::vector<std::size_t> begins = {0};  // where the numbers of each part begin, and the end
  for (const std::string_view part : parts) begins.push_back(begins.back() + CountOf(part));
  Number* const numbers = AddRoom(begins.back(), values);
  if (numbers == nullptr) return false;
  std::atomic<bool> is_plain = true;
  InParallel(parts.size(), [&](std::size_t i) {
    if (!ReadPlain(parts[i], numbers + begins[i])) is_plain = false;
  });
  return is_plain;
}

// ---- lists that are serialized directly

constexpr std::size_t kPortion =
    PortionSize(std::size_t{128} << 10);  // bytes of text, so that its output fits in the processor's cache

// Returns the offset of a comma at or shortly after `at`, where the list can be divided. Returns npos if there is none.
std::size_t CommaNear(std::string_view list, std::size_t at) {
  const std::size_t comma = list.substr(at, kPortion).find(',');
  return comma == std::string_view::npos ? comma : at + comma;
}

// Returns portion `i` of a list. Returns nothing if the list cannot be divided there.
std::optional<std::string_view> PortionOf(std::string_view list, std::size_t i, std::size_t portions) {
  const std::size_t before = i == 0 ? 0 : CommaNear(list, i * kPortion);
  const std::size_t behind = i + 1 == portions ? list.size() : CommaNear(list, (i + 1) * kPortion);
  if (before == std::string_view::npos || behind == std::string_view::npos) return std::nullopt;
  const std::size_t begin = i == 0 ? 0 : before + 1;
  return list.substr(begin, behind - begin);
}

// The serialized numbers of a portion.
struct Packed {
  std::unique_ptr<char[]> room;  // sufficient for the bytes of any portion, so that it can be reused
  std::size_t size = 0;
};

// Serializes a list. Returns false if it contains anything but plain numbers.
template <typename Number>
bool Pack(std::string_view list, Packed* packed) {
  // Output bytes for each character of the text: `-1,` may need ten bytes, and `1,` needs eight bytes as a double.
  constexpr std::size_t kMostBytes = 4;
  if (packed->room == nullptr) {
    packed->room = std::make_unique_for_overwrite<char[]>(kMostBytes * (2 * kPortion + kRoomForElement));
  }
  auto* const begin = reinterpret_cast<std::uint8_t*>(packed->room.get());
  const auto write = [](Number number, std::uint8_t* to) { return WriteElement(number, to); };
  const std::uint8_t* const end = ReadPlain<Number>(list, begin, write);
  if (end == nullptr) return false;
  packed->size = static_cast<std::size_t>(end - begin);
  return true;
}

// Reports two words without a comma, or a number that contains a space: `1 e-3`, `1 2`.
void ReportGap(const SyntaxToken& list, std::string_view before, std::string_view behind, Lowering& lowering) {
  const auto offset = [&](const char* at) { return list.begin + static_cast<std::size_t>(at - list.text.data()); };
  const SourceRange range{offset(behind.data()), offset(behind.data()) + behind.size()};
  const std::size_t end = offset(before.data()) + before.size();
  const std::string joined = std::string(before) + std::string(behind);
  const bool is_number = (behind.front() | 0x20) == 'e' || (before.back() | 0x20) == 'e';
  if (is_number && IsWellFormedNumber(joined)) {
    Diagnostic diagnostic = MakeDiagnostic(diag::kMalformedNumber, {offset(before.data()), range.end},
                                           fmt::format("{} {}", Quoted(before), Quoted(behind)));
    diagnostic.message += "; a number cannot contain spaces";
    diagnostic.fix_its = {{{end, range.begin}, ""}};
    return lowering.ReportMisspelt(std::move(diagnostic), {}, {});
  }
  Diagnostic diagnostic = MakeDiagnostic(diag::kMissingComma, range, fmt::format("'{}'", Quoted(behind)));
  // In `0.25. 1` and `0. 1`, the '.' was probably meant to be the ','.
  const bool has_dot =
      before.ends_with('.') && (!IsWellFormedNumber(before) || behind.find('.') == std::string_view::npos);
  if (IsWellFormedNumber(behind)) diagnostic.fix_its = {{{end - (has_dot ? 1 : 0), end}, ","}};
  lowering.ReportMisspelt(std::move(diagnostic), {}, {});
}

}  // namespace

void ReportExtraComma(std::size_t at, Lowering& lowering) {
  Diagnostic diagnostic = MakeDiagnostic(diag::kExtraComma, {at, at + 1});
  diagnostic.fix_its = {{{at, at + 1}, ""}};
  lowering.ReportMisspelt(std::move(diagnostic), {}, {});
}

std::string_view FirstLiteral(const SyntaxToken& list) {
  std::string_view inner = Inside(list);
  inner.remove_prefix(std::min(inner.find_first_not_of(" \t\n\v\f\r"), inner.size()));
  return inner.substr(0, inner.find_first_of(", \t\n\v\f\r"));
}

bool FitsList(const SyntaxToken& list, Lowering& lowering) {
  const std::size_t count = CountOf(Inside(list));
  if (count <= INT_MAX) return true;
  lowering.Report(diag::kTooLarge, list.range(), count, "");  // each number needs at least one byte
  return false;
}

template <typename Number>
bool ReadPlainListToken(const SyntaxToken& list, const Lowering& lowering,
                        google::protobuf::RepeatedField<Number>* values) {
  const std::string_view inner = Inside(list);
  const std::size_t parts = PartsFor(inner.size(), lowering.threads());
  const int old_size = values->size();
  bool is_plain = false;
  if (parts > 1) {
    is_plain = ReadInParallel(Cut(inner, parts), values);
  } else {
    Number* const numbers = AddRoom(CountOf(inner), values);
    is_plain = numbers != nullptr && ReadPlain(inner, numbers);
  }
  if (!is_plain) values->Truncate(old_size);
  return is_plain;
}

template <typename Number>
bool WritePlainListToken(const SyntaxToken& list, const Lowering& lowering, Chunks* chunks) {
  const std::string_view inner = Inside(list);
  const std::size_t portions = std::max<std::size_t>(1, inner.size() / kPortion);
  std::atomic<bool> is_plain = true;
  const auto pack = [&](std::size_t i, Packed* packed) {
    if (!is_plain) return;
    const std::optional<std::string_view> portion = PortionOf(inner, i, portions);
    if (!portion || !Pack<Number>(*portion, packed)) is_plain = false;
  };
  InParallelOrdered<Packed>(PartsFor(inner.size(), lowering.threads()), portions, pack, [&](const Packed& packed) {
    if (is_plain) RoomFor(packed.size, chunks).append(packed.room.get(), packed.size);
  });
  if (!is_plain) chunks->clear();
  return is_plain;
}

template <typename Number>
void ReadListToken(const SyntaxToken& list, std::string_view type, Lowering& lowering,
                   google::protobuf::RepeatedField<Number>* values) {
  const std::string_view inner = Inside(list);
  const char* at = inner.data();
  const char* const end = at + inner.size();
  const auto skip_space = [&] {
    while (at != end && IsSpace(*at)) ++at;
  };
  skip_space();
  if (at == end || ReadPlainListToken(list, lowering, values) || !FitsList(list, lowering)) return;
  const ListScope members(lowering);
  for (const char* comma = nullptr;; comma = at++) {
    skip_space();
    const char* const begin = at;
    Number value{};
    at = Convert(begin, end, &value);
    // Read it again with the slow function, which reports the error.
    if (at == nullptr || (at != end && *at != ',' && !IsSpace(*at))) {
      at = std::find_if(begin, end, [](char c) { return c == ',' || IsSpace(c); });
      const std::string_view literal(begin, static_cast<std::size_t>(at - begin));
      const std::size_t offset = list.begin + static_cast<std::size_t>(begin - list.text.data());
      if (literal.empty() && comma != nullptr) {
        return ReportExtraComma(list.begin + static_cast<std::size_t>(comma - list.text.data()), lowering);
      }
      const char* const next = std::find_if_not(at, end, IsSpace);
      const bool is_gap = literal.ends_with('.') && next != end && *next != ',';  // `3. 4`: reported below
      if (!is_gap && !ReadNumber(literal, {offset, offset + literal.size()}, type, lowering, &value) &&
          !lowering.is_reporting()) {
        return;
      }
    }
    values->Add(value);
    skip_space();
    if (at == end) return;
    if (*at != ',') {
      const char* const junk_end = std::find_if(at, end, [](char c) { return c == ',' || IsSpace(c); });
      const std::string_view junk(at, static_cast<std::size_t>(junk_end - at));
      const std::string_view literal(begin, static_cast<std::size_t>(at - begin));
      return ReportGap(list, literal.substr(0, literal.find_last_not_of(" \t\n\v\f\r") + 1), junk, lowering);
    }
  }
}

template void ReadListToken(const SyntaxToken&, std::string_view, Lowering&,
                            google::protobuf::RepeatedField<std::int32_t>*);
template void ReadListToken(const SyntaxToken&, std::string_view, Lowering&,
                            google::protobuf::RepeatedField<std::int64_t>*);
template void ReadListToken(const SyntaxToken&, std::string_view, Lowering&,
                            google::protobuf::RepeatedField<std::uint64_t>*);
template void ReadListToken(const SyntaxToken&, std::string_view, Lowering&, google::protobuf::RepeatedField<float>*);
template void ReadListToken(const SyntaxToken&, std::string_view, Lowering&, google::protobuf::RepeatedField<double>*);
template bool WritePlainListToken<std::int32_t>(const SyntaxToken&, const Lowering&, Chunks*);
template bool WritePlainListToken<std::int64_t>(const SyntaxToken&, const Lowering&, Chunks*);
template bool WritePlainListToken<std::uint64_t>(const SyntaxToken&, const Lowering&, Chunks*);
template bool WritePlainListToken<float>(const SyntaxToken&, const Lowering&, Chunks*);
template bool WritePlainListToken<double>(const SyntaxToken&, const Lowering&, Chunks*);
template bool ReadPlainListToken(const SyntaxToken&, const Lowering&, google::protobuf::RepeatedField<std::int32_t>*);
template bool ReadPlainListToken(const SyntaxToken&, const Lowering&, google::protobuf::RepeatedField<std::int64_t>*);
template bool ReadPlainListToken(const SyntaxToken&, const Lowering&, google::protobuf::RepeatedField<std::uint64_t>*);
template bool ReadPlainListToken(const SyntaxToken&, const Lowering&, google::protobuf::RepeatedField<float>*);
template bool ReadPlainListToken(const SyntaxToken&, const Lowering&, google::protobuf::RepeatedField<double>*);

}  // namespace onnxc::lower
