// A module has no other processes.
#include "platform/process.h"

#include <cerrno>

namespace onnxc {

int RunProgram(const char* const* /*arguments*/, const std::array<std::FILE*, 3>& /*streams*/, int* error) {
  *error = ENOENT;
  return -1;
}

bool IsAlive(std::int64_t /*process*/) { return true; }

// An exit would be a JavaScript exception, which destructors and `catch (...)` would catch. They do not catch a trap.
void EndProcess(int /*status*/) noexcept { __builtin_trap(); }

void LoadUnwinder() {}

}  // namespace onnxc
