#include "source/second_schema.h"

#include <cstdio>
#include <cstdlib>

#if defined(__ELF__) && !defined(ONNXC_PROTO_HEADER)
// The address of onnx::OpSchema::Finalize(), a function of ONNX's own library in all of its versions. It is null if
// that library is not linked.
extern "C" __attribute__((weak)) void OnnxOpSchemaFinalize() __asm__("_ZN4onnx8OpSchema8FinalizeEv");
#endif

namespace onnxc {

void RefuseSecondSchema() {
#if defined(__ELF__) && !defined(ONNXC_PROTO_HEADER)
  if (&OnnxOpSchemaFinalize == nullptr) return;
  (void)std::fputs(
      "onnxc: this program also links ONNX's own library (libonnx), which defines messages with the same names; build "
      "onnxc "
      "with the CMake option ONNXC_PROTO_TARGET to use the messages of libonnx\n",
      stderr);
  std::abort();
#endif
}

}  // namespace onnxc
