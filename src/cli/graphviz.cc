#include "cli/graphviz.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

#include "platform/process.h"
#include "source/report.h"

namespace onnxc::cli {
namespace {

/// A file without a name. Graphviz reads and writes such files instead of pipes, so that this process and `dot` never
/// wait for each other.
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
  if (error == ENOENT) {
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
