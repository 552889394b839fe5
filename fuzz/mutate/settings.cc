#include "fuzz/mutate/settings.h"

#include <onnxc/diagnostic.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <vector>

namespace onnxc::fuzz {
namespace {

constexpr std::string_view kWords[] = {"[warnings]\n",
                                       "[warnings.all]\n",
                                       "[.warnings]\n",
                                       "[[warnings]]\n",
                                       "warnings = {",
                                       "warnings.",
                                       "all",
                                       "[",
                                       "[[",
                                       "]",
                                       "]]",
                                       "{",
                                       "}",
                                       ".",
                                       " = ",
                                       ",",
                                       "#",
                                       "\n",
                                       "\r\n",
                                       "\r",
                                       "\t",
                                       "\"off\"",
                                       "'warning'",
                                       "\"error\"",
                                       "\"",
                                       "'",
                                       "\"\"\"",
                                       "'''",
                                       "\\u0000",
                                       "\\U0010FFFF",
                                       "\\",
                                       "_",
                                       "0x",
                                       "0b1",
                                       "1e400",
                                       "-9223372036854775809",
                                       "1_000",
                                       "nan",
                                       "-inf",
                                       "true",
                                       "false",
                                       "1979-05-27T07:32:00Z",
                                       "07:32:00.999999999999",
                                       "1979-05-27",
                                       "\xef\xbb\xbf",
                                       "\xc3\xa4",
                                       "\xff",
                                       "\x01",
                                       "\v",
                                       "a.b.c"};

/// These words are inserted many times in a row.
constexpr std::string_view kNests[] = {"[", "{a=", "a.", "[a.", "[[", "'a'.", ". ", "\"\"\"\n"};

}  // namespace

std::string_view SettingsWord(std::uint64_t number) {
  const std::vector<DiagnosticKind>& kinds = AllDiagnosticKinds();
  number %= std::size(kWords) + kinds.size();
  return number < std::size(kWords) ? kWords[number] : Name(kinds[number - std::size(kWords)]);
}

std::string MutateSettings(std::string_view input, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  std::string text(input.empty() ? "0" : input);
  for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
    const std::size_t at = 1 + below(text.size());  // the prefix is kept
    const std::size_t size = std::min(below(12), text.size() - at);
    switch (below(6)) {
      case 0: text.erase(at, size); break;
      case 1: text.insert(at, text.substr(at, size)); break;
      case 2: std::rotate(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(at), text.end()); break;
      case 3: {
        const std::string_view nest = kNests[below(std::size(kNests))];
        for (std::size_t count = below(200); count > 0; --count) text.insert(at, nest);
        break;
      }
      default: text.insert(at, SettingsWord(random())); break;
    }
  }
  return text;
}

}  // namespace onnxc::fuzz
