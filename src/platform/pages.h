// Advises the system about pages of memory.
#pragma once

#include <cstddef>

namespace onnxc {

/// Advises the system to use large pages for a large block of memory.
void AdviseLarge(void* block, std::size_t size);

}  // namespace onnxc
