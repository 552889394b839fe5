// A program that links ONNX's own library, too.
#pragma once

namespace onnxc {

/// Ends the program with a message if ONNX's own library is linked into it, too, unless this library uses the messages
/// of that one. Both have classes of the same names, of which the linker takes either: nothing that follows is defined.
void RefuseSecondSchema();

}  // namespace onnxc
