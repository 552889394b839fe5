// Islands: lists of numbers that are one token, NUMBERS or DATA.
#pragma once

#include <google/protobuf/repeated_field.h>

#include <string_view>

#include "build/lowering.h"

namespace onnxc {

/// Reads all numbers of an island, one of which may be `nan` and the like. `type` is what they are to be, as messages
/// call it. Instances: int32, int64, uint64, float, double.
template <typename Number>
void ReadIsland(const SyntaxToken& island, std::string_view type, Lowering& lowering,
                google::protobuf::RepeatedField<Number>* values);

/// The same where all are plain numbers in range; otherwise false, nothing is reported, and no value added.
template <typename Number>
[[nodiscard]] bool ReadPlainIsland(const SyntaxToken& island, const Lowering& lowering,
                                   google::protobuf::RepeatedField<Number>* values);

/// The first literal of an island, "" where it has none.
[[nodiscard]] std::string_view FirstLiteral(const SyntaxToken& island);

}  // namespace onnxc
