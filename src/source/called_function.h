// Names of functions on a command line.
#pragma once

#include <onnxc/proto.h>

#include <string>
#include <string_view>

namespace onnxc {

/// Returns whether the name stands for the function: "gelu", "act.gelu" or "act:gelu", perhaps with ":overload".
[[nodiscard]] inline bool IsNamed(const onnx::FunctionProto& function, std::string_view name) {
  for (const char* const between : {"", ".", ":"}) {
    const std::string domain = *between == '\0' ? "" : function.domain() + between;
    const std::string called = domain + function.name();
    if (name == called || name == called + ":" + function.overload()) return true;
  }
  return false;
}

}  // namespace onnxc
