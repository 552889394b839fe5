// A WebAssembly module has one thread. Callers that get no helper thread do the work themselves.
#include "platform/helper_thread.h"

#include <system_error>

namespace onnxc {

// NOLINTNEXTLINE(performance-unnecessary-value-param): a system with threads moves the function
HelperThread::HelperThread(std::function<void()> /*work*/) {
  throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
}

void HelperThread::Join() {}

bool HasThreads() { return false; }

unsigned CoreCount() { return 1; }

}  // namespace onnxc
