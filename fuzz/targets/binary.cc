#include "fuzz/targets/target.h"

namespace onnxc::fuzz {

std::optional<Fault> RunBinary(const Input& input) {
  if (input.kind == Kind::kModel) {
    if (std::optional<Fault> fault = testing::FindOtherTextOfBytes(input.bytes)) return fault;
  }
  const auto message = testing::NewMessage(input.kind);
  if (!message->ParsePartialFromArray(input.bytes.data(), static_cast<int>(input.bytes.size()))) return std::nullopt;
  if (std::optional<Fault> fault = testing::FindLoss(*message)) return fault;
  return testing::FindSilentLoss(*message);
}

}  // namespace onnxc::fuzz
