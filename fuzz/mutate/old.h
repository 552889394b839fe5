// Random changes of models in old schemas.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/targets/target.h"
#include "old/schema.h"

namespace onnxc::fuzz {

/// Returns the schema of an input of the target `old`. The number of the input's kind is the index of the schema in
/// old::kSchemas.
[[nodiscard]] old::Schema SchemaOf(const Input& input);

/// Returns the first byte of an input whose message has this schema.
[[nodiscard]] char PrefixOf(old::Schema schema, unsigned variant);

/// Adds, removes or changes a few fields of the message. An input that is not a message is returned unchanged.
[[nodiscard]] std::string MutateOld(std::string_view input, std::uint64_t seed);

/// Replaces a part of the first message by a part of the other message, if both messages have the same schema.
[[nodiscard]] std::string CrossOld(std::string_view input, std::string_view other, std::uint64_t seed);

}  // namespace onnxc::fuzz
