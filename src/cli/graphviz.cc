#include "cli/graphviz.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

#include "source/report.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every libc's headers

namespace onnxc::cli {
namespace {

/// A file without a name. Unlike with pipes, neither side ever has to wait for the other.
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
File TemporaryFile() { return {std::tmpfile(), &std::fclose}; }

Diagnostics CannotDraw(std::string_view reason) {
  Diagnostics found;
  found.Add(MakeDiagnostic(diag::kCannotWrite, kNowhere, reason));
  return found;
}

std::string ReadAll(std::FILE* file) {
  std::string content;
  std::rewind(file);
  std::array<char, 65536> buffer;
  for (std::size_t size; (size = std::fread(buffer.data(), 1, buffer.size(), file)) > 0;) {
    content.append(buffer.data(), size);
  }
  return content;
}

/// Runs a program without a shell and returns its exit status. The program is searched in PATH. Returns -1 if the
/// program was killed. Sets `*error` if it could not be started.
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
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

Diagnostics RunGraphviz(const std::string& format, std::string* picture) {
  const File input = TemporaryFile();
  const File output = TemporaryFile();
  const File messages = TemporaryFile();
  if (input == nullptr || output == nullptr || messages == nullptr) return CannotDraw(std::strerror(errno));
  const bool is_written = std::fwrite(picture->data(), 1, picture->size(), input.get()) == picture->size();
  if (!is_written || std::fflush(input.get()) != 0) return CannotDraw(std::strerror(errno));
  std::rewind(input.get());

  const std::string option = "-T" + format;
  const std::array<const char*, 3> arguments = {"dot", option.c_str(), nullptr};
  int error = 0;
  const int status = RunProgram(arguments.data(), {input.get(), output.get(), messages.get()}, &error);
  // The status with which some libraries report, in the child, that the program does not exist.
  constexpr int kNotFound = 127;
  if (error == ENOENT || status == kNotFound) {
    return CannotDraw("the program 'dot' was not found; install Graphviz, or write a .dot file");
  }
  if (error != 0) return CannotDraw(fmt::format("the program 'dot' cannot be started: {}", std::strerror(error)));
  *picture = ReadAll(output.get());
  if (status == 0 && !picture->empty()) return {};
  const std::string text = ReadAll(messages.get());
  const std::string_view reason = std::string_view(text).substr(0, text.find('\n'));
  return CannotDraw(fmt::format("the program 'dot' failed{}{}", reason.empty() ? "" : ": ", Quoted(reason)));
}

}  // namespace onnxc::cli
