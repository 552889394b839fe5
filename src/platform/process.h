// Processes: runs a program, checks whether a process is alive, and ends this process.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>

namespace onnxc {

/// Runs a program without a shell and returns its exit status. The program is searched for in PATH. `arguments` ends
/// with a null pointer; `streams` are the program's standard input, output and error. Returns -1 if the program was
/// killed. If the program could not be started, sets `*error` to an error number: ENOENT if the program does not exist.
[[nodiscard]] int RunProgram(const char* const* arguments, const std::array<std::FILE*, 3>& streams, int* error);

/// Returns whether a process still exists. If `process` is 0, it is not known which process is meant, and the result is
/// true.
[[nodiscard]] bool IsAlive(std::int64_t process);

/// Ends this process without calling destructors or handlers.
[[noreturn]] void EndProcess(int status) noexcept;

/// Loads the code that throwing an exception needs, so that exceptions work even when memory is used up. Throws
/// std::bad_alloc if there is not enough memory for it.
void LoadUnwinder();

}  // namespace onnxc
