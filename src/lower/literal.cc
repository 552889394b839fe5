#include "lower/literal.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "lower/number.h"
#include "syntax/quoted.h"
#include "syntax/syntax_errors.h"
#include "syntax/words.h"
#include "tables/foreign_words.h"
#include "tables/small_float.h"

namespace onnxc::lower {
namespace {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// ---- reasons why a literal cannot be read

// Returns whether the literal is malformed: `1e`, `1e+`, `1.2.3`, `12abc`. The scanner would split it into several
// tokens, or it has an exponent without digits.
bool IsMalformed(std::string_view literal) {
  std::size_t at = literal.front() == '-' ? 1 : 0;
  if (syntax::IsSpecialFloat(literal.substr(at))) return false;
  const auto skip_digits = [&] {
    const std::size_t first = at;
    while (at < literal.size() && IsDigit(literal[at])) ++at;
    return at > first;
  };
  if (!skip_digits()) return true;
  if (at < literal.size() && literal[at] == '.') {
    ++at;
    skip_digits();
  }
  if (at < literal.size() && (literal[at] | 0x20) == 'e') {
    ++at;
    if (at < literal.size() && (literal[at] == '+' || literal[at] == '-')) ++at;
    if (!skip_digits()) return true;
  }
  return at != literal.size();
}

bool BeginsNumber(std::string_view literal) {
  return !literal.empty() && (IsDigit(literal[0]) || (literal.size() > 1 && literal[0] == '-' && IsDigit(literal[1])));
}

// Returns an edit that inserts a missing comma between two numbers of a list, as in `0.5.0.5` and `0.50.5`. Returns
// nothing unless there is exactly one place for the comma at which both numbers have digits before and after their
// dots.
std::optional<FixIt> CommaInside(std::string_view literal, std::size_t begin) {
  if (literal.find_first_not_of("0123456789.") != std::string_view::npos || literal.ends_with('.')) return std::nullopt;
  const std::size_t first = literal.find('.');
  const std::size_t second = literal.find('.', first + 1);
  const std::size_t third = literal.find('.', second + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const bool has_gap = third != std::string_view::npos;
  if (has_gap && literal.find('.', third + 1) == std::string_view::npos && second > first + 1 && third > second + 1) {
    return FixIt{{begin + second, begin + second + 1}, ","};
  }
  if (has_gap || second != first + 3) return std::nullopt;
  return FixIt{{begin + first + 2, begin + first + 2}, ","};
}

void ReportLiteral(std::string_view literal, SourceRange range, std::string_view type, bool is_float,
                   Lowering& lowering) {
  if (!lowering.is_reporting()) return lowering.Report(diag::kWrongLiteral, range, "", "");
  const std::string found = Quoted(literal);
  if (const std::optional<NumberAdvice> advice = AdviseNumber(literal)) {
    Diagnostic diagnostic = MakeDiagnostic(diag::kMalformedNumber, range, found);
    diagnostic.message += "; " + advice->why;
    if (!advice->replacement.empty()) diagnostic.fix_its = {{range, advice->replacement}};
    return lowering.ReportMember(std::move(diagnostic), std::string_view(advice->why).substr(0, advice->why.find(':')));
  }
  if (const std::optional<std::string_view> constant = ConstantOf(literal); constant && !constant->empty()) {
    Diagnostic diagnostic =
        MakeDiagnostic(diag::kWrongLiteral, range, "a number", fmt::format("'{}'; write {}", found, *constant));
    diagnostic.fix_its = {{range, std::string(*constant)}};
    return lowering.ReportMember(std::move(diagnostic), "a constant");
  }
  if (literal.empty()) return lowering.Report(diag::kWrongLiteral, range, "a number", "none");
  const bool is_special = syntax::IsSpecialFloat(literal.front() == '-' ? literal.substr(1) : literal);
  if (!BeginsNumber(literal) && !is_special) {
    return lowering.Report(diag::kWrongLiteral, range, "a number", fmt::format("'{}'", found));
  }
  if (IsMalformed(literal)) {
    Diagnostic diagnostic = MakeDiagnostic(diag::kMalformedNumber, range, found);
    if (const std::optional<FixIt> comma = CommaInside(literal, range.begin)) {
      diagnostic.message += "; separate two numbers with ','";
      diagnostic.fix_its = {*comma};
    }
    return lowering.ReportMisspelt(std::move(diagnostic), {}, {});
  }
  if (is_float) return lowering.Report(diag::kFloatOutOfRange, range, found, type);
  if (IsInteger(literal)) return lowering.Report(diag::kIntegerOutOfRange, range, found, type);
  Diagnostic diagnostic = MakeDiagnostic(diag::kWrongLiteral, range, fmt::format("an integer for {}", type),
                                         fmt::format("the number {}", found));
  const std::string_view whole = literal.substr(0, literal.find('.'));
  const bool is_whole =
      whole.size() < literal.size() && literal.substr(whole.size()).find_first_not_of(".0") == std::string_view::npos;
  if (is_whole && range.end - range.begin == literal.size()) diagnostic.fix_its = {{range, std::string(whole)}};
  lowering.ReportMember(std::move(diagnostic), "no integer");
}

// Returns whether a literal for which from_chars() has reported "out of range" is too small (and is read as zero), not
// too large. The sign of the decimal exponent distinguishes the two cases.
bool IsTooSmall(std::string_view literal) {
  const std::string_view digits = literal.substr(0, literal.find_first_of("eE"));
  const std::size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return true;
  const std::size_t dot = std::min(digits.find('.'), digits.size());
  return DecimalExponent(literal) + static_cast<long long>(dot) - static_cast<long long>(first) < 0;
}

// Reads a NaN that is given by its bits. There must be exactly 8 or 16 hexadecimal digits, and they must be the bits of
// a NaN.
template <typename Number>
bool ReadNanBits(std::string_view literal, Number* value) {
  using Bits = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;
  const std::string_view digits = literal.substr(std::string_view("nan0x").size());
  Bits bits = 0;
  const std::from_chars_result result = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  if (digits.size() != 2 * sizeof(Number) || result.ptr != digits.data() + digits.size()) return false;
  *value = std::bit_cast<Number>(bits);
  return std::isnan(*value);
}

template <typename Number>
bool Read(std::string_view literal, SourceRange range, std::string_view type, Lowering& lowering, Number* value) {
  const char* end = literal.data() + literal.size();
  if (!literal.empty() && Convert(literal.data(), end, value) == end) return true;
  if constexpr (std::is_floating_point_v<Number>) {
    if (IsNanBits(literal)) {
      if (ReadNanBits(literal, value)) return true;
      lowering.Report(diag::kMalformedNumber, range, Quoted(literal));
      return false;
    }
    if (BeginsNumber(literal) && !IsMalformed(literal) && IsTooSmall(literal)) {
      *value = literal.front() == '-' ? -Number{0} : Number{0};
      return true;
    }
  }
  ReportLiteral(literal, range, type, std::is_floating_point_v<Number>, lowering);
  return false;
}

// Reads the byte that a C escape stands for. Returns the number of bytes of the escape after its backslash. The scanner
// has already checked the escape.
std::size_t ReadEscape(std::string_view escape, char* byte) {
  switch (escape.front()) {
    case 'n': *byte = '\n'; return 1;
    case 'r': *byte = '\r'; return 1;
    case 't': *byte = '\t'; return 1;
    case 'x': {
      unsigned value = 0;
      std::from_chars(escape.data() + 1, escape.data() + 3, value, 16);
      *byte = static_cast<char>(value);
      return 3;
    }
    default: *byte = escape.front(); return 1;
  }
}

// Returns the first backslash at or after `from`, or the end. Inside of a string, each quote follows a backslash.
std::size_t FindEscape(std::string_view inner, std::size_t from) {
  const char* const end = inner.data() + inner.size();
  return static_cast<std::size_t>(syntax::FindQuoteOrBackslash(inner.data() + from, end) - inner.data());
}

}  // namespace

void Unquote(const SyntaxToken& string, std::string* value) {
  if (string.text.empty()) return value->clear();  // recovery inserted this token, and the error is already reported
  const bool is_bytes = string.text.front() == 'b';
  const std::size_t open = is_bytes ? 2 : 1;
  const std::string_view inner = string.text.substr(open, string.text.size() - open - 1);
  std::size_t escape = FindEscape(inner, 0);
  value->assign(inner);
  char* to = value->data() + escape;  // the result is never longer than the text read so far
  while (escape != inner.size()) {
    std::size_t from = escape + 1;
    if (is_bytes) {
      from += ReadEscape(inner.substr(from), to++);
    } else {
      *to++ = inner[from++];
    }
    escape = FindEscape(inner, from);
    to = std::copy(inner.data() + from, inner.data() + escape, to);
  }
  value->resize(static_cast<std::size_t>(to - value->data()));
}

std::string Unquote(const SyntaxToken& string) {
  std::string value;
  Unquote(string, &value);
  return value;
}

void ReadName(const SyntaxToken& token, std::string* name) {
  if (token.type == Grammar::STRING) {
    Unquote(token, name);
  } else {
    name->assign(token.text);
  }
}

std::string NameOf(const SyntaxToken& token) {
  std::string name;
  ReadName(token, &name);
  return name;
}

bool IsNanBits(std::string_view literal) { return literal.starts_with("nan0x"); }

bool IsInteger(std::string_view literal) {
  return BeginsNumber(literal) && literal.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

bool ReadNumber(std::string_view literal, SourceRange range, std::string_view type, Lowering& lowering,
                std::int32_t* value) {
  return Read(literal, range, type, lowering, value);
}
bool ReadNumber(std::string_view literal, SourceRange range, std::string_view type, Lowering& lowering,
                std::int64_t* value) {
  return Read(literal, range, type, lowering, value);
}
bool ReadNumber(std::string_view literal, SourceRange range, std::string_view type, Lowering& lowering,
                std::uint64_t* value) {
  return Read(literal, range, type, lowering, value);
}
bool ReadNumber(std::string_view literal, SourceRange range, std::string_view type, Lowering& lowering, float* value) {
  return Read(literal, range, type, lowering, value);
}
bool ReadNumber(std::string_view literal, SourceRange range, std::string_view type, Lowering& lowering, double* value) {
  return Read(literal, range, type, lowering, value);
}

}  // namespace onnxc::lower
