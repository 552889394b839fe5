#include "testing/random_values.h"

#include <string_view>

namespace onnxc::testing {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kOddStrings[] = {
    // words with a meaning somewhere in the language
    "inf"sv, "nan"sv, "-inf"sv, "float"sv, "int64"sv, "undefined"sv, "seq"sv, "map"sv, "optional"sv, "opaque"sv,
    "sparse_tensor"sv, "tensor"sv, "graph"sv, "type_proto"sv, "floats"sv, "ir_version"sv, "domain"sv, "true"sv,
    "false"sv, "unknown_fields"sv, "nan0x7fc00001"sv, "b"sv, "e"sv, "_"sv,
    // no identifiers
    ""sv, " "sv, "a b"sv, "a.b"sv, ".a"sv, "a."sv, "a..b"sv, "my-domain"sv, "aten::add"sv, "@x"sv, "#c"sv,
    "# onnxc: raw"sv, "a/b:0"sv, "1abc"sv, "0"sv, "-1"sv, "1.5"sv, "1e5"sv, "=>"sv, "{"sv, "}"sv, "["sv, "]"sv, "<"sv,
    ">"sv, "("sv, ")"sv, ","sv, ":"sv, "="sv, "?"sv, "'"sv, "b\"x\""sv, "\xc3\xa9"sv, "\xe6\x97\xa5\xe6\x9c\xac"sv,
    "\xf0\x9f\x98\x80"sv,
    // quotes, escapes, control characters
    "\""sv, "\\"sv, "\\\""sv, "say \"hi\""sv, "C:\\dir\\"sv, "\\n"sv, "\\x41"sv, "\n"sv, "two\nlines"sv, "\r\n"sv,
    "\r"sv, "\t"sv, "\0"sv, "a\0b"sv, "\x1b[31m"sv, "\x7f"sv, "\xe2\x80\xae"sv, "\xef\xbb\xbf"sv, "\xe2\x80\xa8"sv,
    "\xc2\x85"sv,
    // white space at the end of a line
    " \n"sv, "two  \nlines\t\n"sv, "a\xc2\xa0\n"sv, "\xe2\x80\x83\n "sv, "a \r\n"sv,
    // no UTF-8
    "\xff"sv, "\xff\xfe"sv, "\xc3("sv, "\xc0\x80"sv, "\xed\xa0\x80"sv, "\xe6\x97"sv, "a\xf5z"sv, "\x80 01"sv};

constexpr std::string_view kNames[] = {"x"sv,
                                       "y"sv,
                                       "z"sv,
                                       "w"sv,
                                       "weight"sv,
                                       "bias"sv,
                                       "conv1"sv,
                                       "Relu_0"sv,
                                       "N"sv,
                                       "batch"sv,
                                       "input_1"sv,
                                       "_x"sv,
                                       "alpha"sv,
                                       "layer1.0.conv1.weight"sv,
                                       "/model/Add_output_0"sv,
                                       "onnx::Gemm_7"sv,
                                       "tf.op"sv,
                                       "123"sv,
                                       "a"sv,
                                       "axis"sv};

}  // namespace

std::string RandomValues::String() {
  switch (Below(8)) {
    case 0: return Bytes(Below(12));
    case 1:
    case 2: return std::string(Pick(kNames));
    case 3: return std::string(Pick(kOddStrings)) + std::string(Pick(kOddStrings));
    case 4:
      if (OneIn(10'000)) return Bytes(1 << 20);
      if (OneIn(500)) return Bytes(Below(5000));
      return std::string(Below(150), OneIn(2) ? 'a' : ' ');
    default: return std::string(Pick(kOddStrings));
  }
}

std::string RandomValues::Name() { return OneIn(16) ? String() : std::string(Pick(kNames)); }

std::string RandomValues::Bytes(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < size; ++i) {
    bits = i % 8 == 0 ? Bits() : bits >> 8;
    bytes[i] = static_cast<char>(bits);
  }
  return bytes;
}

}  // namespace onnxc::testing
