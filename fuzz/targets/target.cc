#include "fuzz/targets/target.h"

#include <algorithm>
#include <iterator>

#include "fuzz/mutate/calls.h"
#include "fuzz/mutate/message.h"
#include "fuzz/mutate/old.h"
#include "fuzz/mutate/settings.h"
#include "fuzz/mutate/text.h"
#include "fuzz/mutate/weights.h"

namespace onnxc::fuzz {
namespace {

// clang-format off
constexpr Target kTargets[] = {  // one line each, because scripts/fuzz reads them
    {"text", &RunText, &MutateText, &CrossText},
    {"binary", &RunBinary, &MutateMessage, &CrossMessages},
    {"check", &RunCheck, &MutateMessage, &CrossMessages},
    {"infer", &RunInfer, &MutateCalls, &CrossMessages},
    {"written", &RunWritten, &MutateText, &CrossText},
    {"codec", &RunCodec, &MutateText, &CrossText},
    {"format", &RunFormat, &MutateText, &CrossText},
    {"number", &RunNumber, &MutateText, &CrossText},
    {"weights", &RunWeights, &MutateWeights, &CrossWeights},
    {"old", &RunOld, &MutateOld, &CrossOld},
    {"settings", &RunSettings, &MutateSettings, &CrossText},
    {"lsp", &RunLsp, &MutateText, &CrossText},
};
// clang-format on

constexpr unsigned kDigits = 2;  // maps '0' to '7' to the first variant
constexpr unsigned kMoreKinds = 0x40;
constexpr unsigned kKindCount = std::tuple_size_v<decltype(kKinds)>;

}  // namespace

Input SplitInput(std::string_view input) {
  if (input.empty()) return {};
  const auto byte = static_cast<unsigned char>(input.front());
  const unsigned kind = (byte & 7u) + ((byte & kMoreKinds) != 0 ? 8u : 0u);
  return {
      .kind = static_cast<Kind>(kind % kKindCount), .variant = (byte >> 3 & 3u) ^ kDigits, .bytes = input.substr(1)};
}

char Prefix(Kind kind, unsigned variant) {
  const auto row = static_cast<unsigned>(kind);
  return static_cast<char>(0x20u | (row < 8 ? 0u : kMoreKinds) | (variant ^ kDigits) << 3 | (row & 7u));
}

std::span<const Target> Targets() { return kTargets; }

const Target* FindTarget(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kTargets), std::end(kTargets), [&](const Target& target) { return target.name == name; });
  return found == std::end(kTargets) ? nullptr : found;
}

std::optional<Fault> RunTarget(const Target& target, std::string_view input) { return target.run(SplitInput(input)); }

}  // namespace onnxc::fuzz
