#include "fuzz/mutate/weights.h"

#include "external/external_entries.h"
#include "fuzz/mutate/message.h"
#include "fuzz/mutate/text.h"
#include "fuzz/targets/target.h"
#include "tables/raw_data.h"
#include "testing/random_values.h"
#include "weights/tensors.h"

namespace onnxc::fuzz {
namespace {

using namespace std::string_view_literals;
using onnx::TensorProto;
using testing::RandomValues;

constexpr std::string_view kGood[] = {"small.bin", "sub/inner.bin", "./small.bin", "sub/./inner.bin"};
constexpr std::string_view kBad[] = {"link",
                                     "hard",
                                     "linked/secret.bin",
                                     "linked/../small.bin",
                                     "../outside/secret.bin",
                                     "sub/../../outside/secret.bin",
                                     "sub/../small.bin",
                                     "/etc/hostname",
                                     "//etc/hostname",
                                     "/proc/self/environ",
                                     "/dev/zero",
                                     "pipe",
                                     "sub",
                                     ".",
                                     "..",
                                     "",
                                     "small.bin/",
                                     "sub//inner.bin",
                                     "small.bin\0x"sv,
                                     "#memory",
                                     "weights",
                                     "weights.safetensors",
                                     "missing"};
constexpr std::string_view kNumbers[] = {
    "0", "1", "8", "4095", "4096", "4097", "-1", "", " 1", "1e1", "0x1", "9223372036854775807", "18446744073709551615"};
constexpr std::string_view kKeys[] = {"location", "offset", "length", "checksum", "elided", "Location", ""};
constexpr int kTypes[] = {TensorProto::FLOAT, TensorProto::INT64, TensorProto::FLOAT16, TensorProto::INT4,
                          TensorProto::UINT8, TensorProto::BOOL,  TensorProto::STRING};

void AddEntry(std::string_view key, std::string_view value, TensorProto* tensor) {
  auto* entry = tensor->add_external_data();
  entry->set_key(std::string(key));
  entry->set_value(std::string(value));
}

std::string Location(RandomValues& random) {
  if (random.OneIn(20)) return random.String();
  return std::string(random.OneIn(3) ? random.Pick(kBad) : random.Pick(kGood));
}

void MakeExternal(RandomValues& random, TensorProto* tensor) {
  if (!random.OneIn(10)) ClearData(tensor);
  tensor->set_data_location(TensorProto::EXTERNAL);
  if (!random.OneIn(4)) {
    tensor->set_data_type(random.Pick(kTypes));
    tensor->clear_dims();
    for (std::size_t rank = random.Below(3); rank > 0; --rank) tensor->add_dims(static_cast<int>(random.Below(5)));
  }
  if (random.OneIn(4)) tensor->set_name(random.Name());
  AddEntry("location", Location(random), tensor);
  if (random.OneIn(2)) AddEntry("offset", random.OneIn(2) ? "8" : random.Pick(kNumbers), tensor);
  if (random.OneIn(2)) {
    const auto size = DataSize(*tensor);
    AddEntry("length", size && !random.OneIn(8) ? std::to_string(*size) : random.Pick(kNumbers), tensor);
  }
  if (random.OneIn(10)) AddEntry(random.Pick(kKeys), random.Pick(kNumbers), tensor);
}

bool IsHeader(std::string_view input) { return SplitInput(input).variant >= 2; }

}  // namespace

std::string MutateWeights(std::string_view input, std::uint64_t seed) {
  if (IsHeader(input)) return MutateText(input, seed);
  RandomValues random(seed);
  std::string changed = random.OneIn(2) ? MutateMessage(input, random.Bits()) : std::string(input);
  const Input parts = SplitInput(changed);
  const auto message = testing::NewMessage(parts.kind);
  if (!message->ParsePartialFromArray(parts.bytes.data(), static_cast<int>(parts.bytes.size()))) return changed;
  const std::size_t share = 1 + random.Below(6);
  weights::ForEachTensor(message.get(), [&](TensorProto* tensor, const Place&) {
    if (random.OneIn(share)) MakeExternal(random, tensor);
  });
  return changed.substr(0, 1) + message->SerializePartialAsString();
}

std::string CrossWeights(std::string_view input, std::string_view other, std::uint64_t seed) {
  return IsHeader(input) || IsHeader(other) ? CrossText(input, other, seed) : CrossMessages(input, other, seed);
}

}  // namespace onnxc::fuzz
