// A module gets no signals.
#include "platform/signals.h"

namespace onnxc {

SignalsWait::SignalsWait() = default;
SignalsWait::~SignalsWait() = default;

void MakeSignalsWait() {}

}  // namespace onnxc
