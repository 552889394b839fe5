#include "platform/from_chars.h"

#include "platform/wasm/strtod.h"

namespace onnxc {

std::from_chars_result FromChars(const char* begin, const char* end, float* value) {
  return wasm::FromCharsByStrtod(begin, end, value);
}

std::from_chars_result FromChars(const char* begin, const char* end, double* value) {
  return wasm::FromCharsByStrtod(begin, end, value);
}

}  // namespace onnxc
