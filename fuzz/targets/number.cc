#include "build/number.h"

#include <cstring>
#include <vector>

#include "fuzz/targets/target.h"

namespace onnxc::fuzz {
namespace {

/// The fast ways to a number end where the standard library does, with the same bits.
template <typename Number>
bool Agrees(std::string_view text) {
  const char* const end = text.data() + text.size();
  Number expected{};
  Number number{};
  const char* const expected_end = ConvertAny(text.data(), end, &expected);
  if (Convert(text.data(), end, &number) != expected_end) return false;
  return expected_end == nullptr || std::memcmp(&number, &expected, sizeof(Number)) == 0;
}

}  // namespace

// Kinds and variants are all the same.
std::optional<Fault> RunNumber(const Input& input) {
  // At the buffer's end, so that AddressSanitizer sees a byte too many that is read.
  const std::vector<char> copy(input.bytes.begin(), input.bytes.end());
  const std::string_view text(copy.data(), copy.size());
  if (!Agrees<float>(text)) return Fault{"another float"};
  if (!Agrees<double>(text)) return Fault{"another double"};
  if (!Agrees<std::int32_t>(text)) return Fault{"another int32"};
  if (!Agrees<std::int64_t>(text)) return Fault{"another int64"};
  if (!Agrees<std::uint64_t>(text)) return Fault{"another uint64"};
  return std::nullopt;
}

}  // namespace onnxc::fuzz
