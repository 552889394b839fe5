#include "platform/from_chars.h"

namespace onnxc {

std::from_chars_result FromChars(const char* begin, const char* end, float* value) {
  return std::from_chars(begin, end, *value);
}

std::from_chars_result FromChars(const char* begin, const char* end, double* value) {
  return std::from_chars(begin, end, *value);
}

}  // namespace onnxc
