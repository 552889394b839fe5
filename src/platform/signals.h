// Delays signals that would end the process while a file has a temporary name.
#pragma once

namespace onnxc {

/// During the lifetime of this object, signals do not interrupt this thread. In a program that has called
/// MakeSignalsWait(), a signal to another thread does not end the process during this time. The object must be
/// destroyed in the thread that created it.
class SignalsWait {
 public:
  SignalsWait();
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;
  ~SignalsWait();  // NOLINT(performance-trivially-destructible): only without signals, in WebAssembly
};

/// Makes signals that end the process wait until no thread has a SignalsWait. Call it at the beginning of main(). It is
/// needed because a signal that one thread blocks is delivered to another thread. Signals that are ignored or already
/// handled are not changed.
void MakeSignalsWait();

}  // namespace onnxc
