// A libFuzzer program for the target ONNXC_FUZZ_TARGET.
#include <sys/random.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "fuzz/targets/target.h"
#include "source/protobuf_compat.h"

using onnxc::fuzz::Target;

namespace {

const Target& TheTarget() {
  static const Target* const target = onnxc::fuzz::FindTarget(ONNXC_FUZZ_TARGET);
  if (target == nullptr) std::abort();
  return *target;
}

std::string_view View(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Copies the input to `data`. Returns 0 if the input exceeds the limit; libFuzzer then uses its own mutations.
std::size_t Give(const std::string& input, std::uint8_t* data, std::size_t max_size) {
  if (input.size() > max_size) return 0;
  std::memcpy(data, input.data(), input.size());
  return input.size();
}

}  // namespace

extern "C" {

/// Replaces the system's function, so that names have the same hashes in each run. Otherwise a seed would not always
/// give the same inputs.
ssize_t getrandom(void* bytes, std::size_t size, unsigned) {
  std::memset(bytes, 0, size);
  return static_cast<ssize_t>(size);
}

std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

int LLVMFuzzerInitialize(int*, char***) {
  onnxc::protobuf::SilenceLog();
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::optional<onnxc::fuzz::Fault> fault = RunTarget(TheTarget(), View(data, size));
  if (!fault) return 0;
  std::fprintf(stderr, "== FAULT: %s\n-- text\n%s\n", fault->what.c_str(), fault->text.c_str());
  std::abort();
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  std::size_t mutated = 0;
  if (seed % 4 != 0) mutated = Give(TheTarget().mutate(View(data, size), seed), data, max_size);
  return mutated != 0 ? mutated : LLVMFuzzerMutate(data, size, max_size);
}

std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data, std::size_t size, const std::uint8_t* other,
                                      std::size_t other_size, std::uint8_t* out, std::size_t max_size, unsigned seed) {
  return Give(TheTarget().cross(View(data, size), View(other, other_size), seed), out, max_size);
}
}
