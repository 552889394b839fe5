#include "fuzz/mutate/message.h"

#include <memory>

#include "fuzz/targets/target.h"
#include "testing/random_message.h"
#include "testing/random_values.h"

namespace onnxc::fuzz {
namespace {

using google::protobuf::Message;

std::unique_ptr<Message> Read(std::string_view input) {
  const Input parts = SplitInput(input);
  auto message = testing::NewMessage(parts.kind);
  if (!message->ParsePartialFromArray(parts.bytes.data(), static_cast<int>(parts.bytes.size()))) return nullptr;
  return message;
}

}  // namespace

std::string MutateMessage(std::string_view input, std::uint64_t seed) {
  if (input.empty()) return "0";
  testing::RandomValues random(seed);
  char prefix = input.front();
  if (random.OneIn(50)) prefix = static_cast<char>(0x20 + random.Below(96));
  std::unique_ptr<Message> message = Read(input);
  if (message == nullptr || prefix != input.front() || random.OneIn(50)) {
    message = testing::NewMessage(SplitInput({&prefix, 1}).kind);
    testing::FillAtRandom(message.get(), random.Bits());
  } else {
    testing::ChangeAtRandom(message.get(), random.Bits());
  }
  return prefix + message->SerializePartialAsString();
}

std::string CrossMessages(std::string_view input, std::string_view other, std::uint64_t seed) {
  const std::unique_ptr<Message> message = Read(input);
  const std::unique_ptr<Message> source = Read(other);
  if (input.empty() || message == nullptr || source == nullptr) return std::string(input);
  testing::TakeAtRandom(message.get(), *source, seed);
  return input.front() + message->SerializePartialAsString();
}

}  // namespace onnxc::fuzz
