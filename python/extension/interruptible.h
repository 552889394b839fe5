// Runs long calls so that Ctrl-C ends them.
#pragma once

#include <functional>
#include <optional>

#include "service.h"

struct _object;  // PyObject

namespace onnxc::python {

/// Runs `work` in a separate thread without Python's lock, and checks every 20 ms whether a signal has arrived. Returns
/// nothing if the handler of the signal has set an exception. The thread then continues until `work` ends, and its
/// answer is dropped. The thread holds a reference to `arguments` until `work` ends. If `work` throws an exception,
/// this function throws it. The caller holds Python's lock before and after the call.
[[nodiscard]] std::optional<Answer> RunInterruptibly(std::function<Answer()> work, _object* arguments);

/// Waits until the work of all interrupted calls has ended. It must be called before the interpreter ends. The caller
/// holds Python's lock before and after the call.
void JoinInterrupted();

}  // namespace onnxc::python
