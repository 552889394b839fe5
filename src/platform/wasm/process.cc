// A module has no other processes.
#include "platform/process.h"

#include <cerrno>

namespace onnxc {

int RunProgram(const char* const* /*arguments*/, const std::array<std::FILE*, 3>& /*streams*/, int* error) {
  *error = ENOENT;
  return -1;
}

bool IsAlive(std::int64_t /*process*/) { return true; }

// exit() would throw a JavaScript exception, which runs destructors and `catch (...)`. A trap does not.
void EndProcess(int /*status*/) noexcept { __builtin_trap(); }

void LoadUnwinder() {}

}  // namespace onnxc
