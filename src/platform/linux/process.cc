#include "platform/process.h"

#if __has_include(<execinfo.h>)
#include <execinfo.h>
#endif
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill() is not in <csignal>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <new>

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every libc's headers

namespace onnxc {

int RunProgram(const char* const* arguments, const std::array<std::FILE*, 3>& streams, int* error) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int stream = 0; stream < 3; ++stream) {
    posix_spawn_file_actions_adddup2(&actions, ::fileno(streams[static_cast<std::size_t>(stream)]), stream);
  }
  pid_t child = 0;
  *error = posix_spawnp(&child, arguments[0], &actions, nullptr, const_cast<char* const*>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (*error != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  constexpr int kNotFound =
      127;  // with some C libraries, the child exits with this status if the program does not exist
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound) *error = ENOENT;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool IsAlive(std::int64_t process) {
  if (process <= 0 || process > std::numeric_limits<pid_t>::max()) return true;
  return ::kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH;
}

void EndProcess(int status) noexcept { ::_exit(status); }

/// An exception that passes through a function of the C library, such as pthread_once(), makes the C library load its
/// unwinder. Without free memory this fails and aborts the process, so backtrace() loads it now. A C library without
/// backtrace(), such as musl, loads no unwinder.
void LoadUnwinder() {
#if __has_include(<execinfo.h>)
  void* unused = nullptr;
  if (::backtrace(&unused, 1) == 0) throw std::bad_alloc();
#endif
}

}  // namespace onnxc
