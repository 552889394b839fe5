// Models in old schemas, changed at random.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/targets/target.h"
#include "old/schema.h"

namespace onnxc::fuzz {

/// The schema that an input of the target `old` is in: the kind's number says which row of old::kSchemas.
[[nodiscard]] old::Schema SchemaOf(const Input& input);

/// The first byte of such an input.
[[nodiscard]] char PrefixOf(old::Schema schema, unsigned variant);

/// The message with a few fields more, less, or other; an input that is none as it is.
[[nodiscard]] std::string MutateOld(std::string_view input, std::uint64_t seed);

/// The message with a part of the other, where both are in one schema.
[[nodiscard]] std::string CrossOld(std::string_view input, std::string_view other, std::uint64_t seed);

}  // namespace onnxc::fuzz
