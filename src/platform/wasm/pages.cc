#include "platform/pages.h"

namespace onnxc {

void AdviseLarge(void* /*block*/, std::size_t /*size*/) {}  // the host chooses

}  // namespace onnxc
