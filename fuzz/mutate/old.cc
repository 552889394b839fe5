#include "fuzz/mutate/old.h"

#include <algorithm>
#include <memory>

#include "testing/old_message.h"
#include "testing/random_message.h"
#include "testing/random_values.h"

namespace onnxc::fuzz {
namespace {

using google::protobuf::Message;

std::unique_ptr<Message> ReadOld(std::string_view input) {
  const Input parts = SplitInput(input);
  std::unique_ptr<Message> message = testing::NewOldMessage(SchemaOf(parts));
  if (!message->ParsePartialFromArray(parts.bytes.data(), static_cast<int>(parts.bytes.size()))) return nullptr;
  return message;
}

}  // namespace

old::Schema SchemaOf(const Input& input) {
  return old::kSchemas[static_cast<std::size_t>(input.kind) % old::kSchemas.size()].schema;
}

char PrefixOf(old::Schema schema, unsigned variant) {
  return Prefix(
      static_cast<Kind>(std::ranges::find(old::kSchemas, schema, &old::SchemaRow::schema) - old::kSchemas.begin()),
      variant);
}

std::string MutateOld(std::string_view input, std::uint64_t seed) {
  const std::unique_ptr<Message> message = ReadOld(input);
  if (input.empty() || message == nullptr) return std::string(input);
  testing::RandomValues random(seed);
  const char prefix =
      random.OneIn(20) ? Prefix(SplitInput(input).kind, static_cast<unsigned>(random.Below(4))) : input.front();
  testing::ChangeAtRandom(message.get(), random.Bits());
  return prefix + message->SerializePartialAsString();
}

std::string CrossOld(std::string_view input, std::string_view other, std::uint64_t seed) {
  const std::unique_ptr<Message> message = ReadOld(input);
  const std::unique_ptr<Message> source = ReadOld(other);
  if (input.empty() || message == nullptr || source == nullptr) return std::string(input);
  if (message->GetDescriptor() != source->GetDescriptor()) return std::string(input);
  testing::TakeAtRandom(message.get(), *source, seed);
  return input.front() + message->SerializePartialAsString();
}

}  // namespace onnxc::fuzz
