// Detects programs that also link ONNX's own library.
#pragma once

namespace onnxc {

/// Ends the program with a message if ONNX's own library is linked into it, too, unless onnxc was built to use the
/// messages of that library. Both libraries define classes with the same names, and the linker picks one of them, so
/// the behavior would be undefined.
void RefuseSecondSchema();

}  // namespace onnxc
