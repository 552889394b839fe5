// Random numbers and strings, with a preference for values that cause errors. A seed gives the same values on every
// machine.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <type_traits>

namespace onnxc::testing {

/// The seed of the last RandomValues, for the report of a crash.
inline std::atomic<std::uint64_t>& LastSeed() {
  static std::atomic<std::uint64_t> seed = 0;
  return seed;
}

class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : engine_(seed) { LastSeed() = seed; }

  std::uint64_t Bits() { return engine_(); }
  /// 0 to `count` - 1.
  std::size_t Below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
  bool OneIn(std::size_t count) { return Below(count) == 0; }
  template <typename Range>
  const auto& Pick(const Range& range) {
    return *std::next(std::begin(range), static_cast<std::ptrdiff_t>(Below(std::size(range))));
  }

  /// Integers: small numbers, the limits of their type, and any number.
  template <typename Integer>
  Integer Int() {
    using Limits = std::numeric_limits<Integer>;
    switch (Below(6)) {
      case 0: return static_cast<Integer>(Below(4));
      case 1: return static_cast<Integer>(Below(200)) - static_cast<Integer>(100);
      case 2: return OneIn(2) ? Limits::min() : Limits::max();
      case 3: return static_cast<Integer>(OneIn(2) ? Limits::min() + 1 : Limits::max() - 1);
      default: return static_cast<Integer>(Bits() >> Below(64));
    }
  }

  /// Floats: integers and decimals, the limits, denormals, infinities, -0, and NaNs with any payload.
  float Float() { return std::bit_cast<float>(FloatBits<std::uint32_t>(23)); }
  double Double() { return std::bit_cast<double>(FloatBits<std::uint64_t>(52)); }

  /// Any bytes: words of the language, unusual characters, invalid UTF-8, NUL, and rarely one megabyte.
  std::string String();
  /// Usually an identifier or a name such as exporters make; otherwise any string.
  std::string Name();
  /// `size` bytes.
  std::string Bytes(std::size_t size);

 private:
  /// `mantissa` bits, an exponent and a sign.
  template <typename Unsigned>
  Unsigned FloatBits(int mantissa) {
    using Floating = std::conditional_t<sizeof(Unsigned) == 4, float, double>;
    const auto one = Unsigned{1};
    const auto sign = static_cast<Unsigned>(Unsigned{OneIn(2)} << (sizeof(Unsigned) * 8 - 1));
    const auto exponents = std::bit_cast<Unsigned>(std::numeric_limits<Floating>::infinity());
    const auto mantissas = static_cast<Unsigned>((one << mantissa) - 1);
    const auto any = static_cast<Unsigned>(Bits());
    switch (Below(10)) {
      case 0: return sign;
      case 1: return sign | exponents;
      case 2: return sign | exponents | (one << (mantissa - 1));             // the usual NaN
      case 3: return sign | exponents | (OneIn(2) ? one : any & mantissas);  // a signalling NaN, or any
      case 4: return sign | (OneIn(2) ? one : any & mantissas);              // a denormal
      case 5: return sign | (exponents - 1);                                 // the largest finite number
      case 6:
      case 7:
        return sign |
               std::bit_cast<Unsigned>(static_cast<Floating>(Below(1000)) / static_cast<Floating>(OneIn(2) ? 1 : 8));
      case 8: return sign | std::bit_cast<Unsigned>(static_cast<Floating>(Below(100000)) / Floating{1000});
      default: return any;
    }
  }

  std::mt19937_64 engine_;
};

}  // namespace onnxc::testing
