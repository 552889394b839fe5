// Random changes of models in old schemas.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/targets/target.h"
#include "old/schema.h"

namespace onnxc::fuzz {

/// The schema of an input of the target `old`: the number of the kind is the row of old::kSchemas.
[[nodiscard]] old::Schema SchemaOf(const Input& input);

/// Returns the first byte of an input for this schema.
[[nodiscard]] char PrefixOf(old::Schema schema, unsigned variant);

/// Adds, removes or changes a few fields of the message. An input that is not a message is returned unchanged.
[[nodiscard]] std::string MutateOld(std::string_view input, std::uint64_t seed);

/// Replaces a part of the message by a part of the other message, if both have the same schema.
[[nodiscard]] std::string CrossOld(std::string_view input, std::string_view other, std::uint64_t seed);

}  // namespace onnxc::fuzz
