// Long calls that Ctrl-C ends.
#pragma once

#include <functional>
#include <optional>

#include "service.h"

struct _object;  // PyObject

namespace onnxc::python {

/// Runs the work in a thread of its own, without Python's lock, and looks every 20 ms whether a signal has come.
/// Returns nothing where its handler has set an exception; the work then goes on until it ends, and its answer is
/// dropped. `arguments` are kept for as long. What the work throws is thrown here. Python's lock is held before and
/// after.
[[nodiscard]] std::optional<Answer> RunInterruptibly(std::function<Answer()> work, _object* arguments);

/// Waits until the work of all interrupted calls has ended. To be called before the interpreter ends. Python's lock is
/// held before and after.
void JoinInterrupted();

}  // namespace onnxc::python
