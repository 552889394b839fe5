// Detects programs that also link ONNX's own library.
#pragma once

namespace onnxc {

/// Ends the program with a message if ONNX's own library is linked into it, too, unless this library uses its messages.
/// Both libraries define classes with the same names, and the linker picks either, so the behavior would be undefined.
void RefuseSecondSchema();

}  // namespace onnxc
