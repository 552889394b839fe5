#include "platform/pages.h"

namespace onnxc {

void AdviseLarge(void* /*block*/, std::size_t /*size*/) {}  // the host chooses the size of pages

}  // namespace onnxc
