// Returns memory that the program has freed to the system. The allocator may otherwise keep it for later.
#pragma once

namespace onnxc {

/// Returns free memory to the system now.
void ReturnFreeMemory();

/// Makes the allocator return more free memory by itself, when memory is freed. It costs a little time. For programs
/// with several threads that run for a long time: ReturnFreeMemory() does not return all that other threads have freed.
void KeepLittleFreeMemory();

}  // namespace onnxc
