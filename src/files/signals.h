// Signals that would end the process while a file has a name that is not its own.
#pragma once

namespace onnxc {

/// While it lives, this thread is not interrupted; in a program that has called MakeSignalsWait(), no other thread ends
/// the process either. To end in the thread in which it began.
class SignalsWait {
 public:
  SignalsWait();
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;
  ~SignalsWait();
};

/// For the main() of a program: signals that end it wait until no thread has a SignalsWait. (What one thread blocks
/// goes to another.) Those that are ignored, or handled already, stay so.
void MakeSignalsWait();

}  // namespace onnxc
