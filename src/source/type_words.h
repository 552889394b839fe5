// Descriptions of types and sets of types for messages.
#pragma once

#include <string>
#include <string_view>

#include "tables/signatures.h"

namespace onnxc {

/// Returns the type as a text writes it: "float", "seq(float)", "map(int64, float)".
[[nodiscard]] std::string ShownType(TypeId type);

/// Returns a short description of the set: "int32 or int64", "a float type", "a sequence". Long lists are shortened. A
/// common word for several types is used only if `refused` is clearly not one of these types.
[[nodiscard]] std::string ShownTypes(const TypeSet& types, TypeId refused);

/// Returns the element type of the set if the set contains only tensors of one element type, otherwise 0.
[[nodiscard]] int OnlyElementType(const TypeSet& types);
/// Returns the only element type of the set whose keyword is the keyword of `refused` plus one character: int32 for
/// int2. The set may also contain types that are not tensors. Returns 0 if there is no such type.
[[nodiscard]] int MisspeltElementType(const TypeSet& types, TypeId refused);

/// Returns how a value of type `refused` can be converted to a type of the set: "; OptionalGetElement returns its
/// element". Returns "" if no operator has this purpose.
[[nodiscard]] std::string_view WayToTypes(const TypeSet& types, TypeId refused);

}  // namespace onnxc
