#include "platform/free_memory.h"

namespace onnxc {

// The memory of a WebAssembly module never shrinks.
void ReturnFreeMemory() {}
void KeepLittleFreeMemory() {}

}  // namespace onnxc
