// Types as messages call them: as a text writes them, and sets of them in few words.
#pragma once

#include <string>
#include <string_view>

#include "tables/signatures.h"

namespace onnxc {

/// As a text writes it: "float", "seq(float)", "map(int64, float)".
[[nodiscard]] std::string ShownType(TypeId type);

/// "int32 or int64", "a float type", "a sequence"; long lists are cut. A word for several types is taken only where
/// `refused` is clearly none of them.
[[nodiscard]] std::string ShownTypes(const TypeSet& types, TypeId refused);

/// The only element type of tensors in the set; 0 where it has others, or other types.
[[nodiscard]] int OnlyElementType(const TypeSet& types);
/// The only one of them, all tensors or not, whose word has one character more than that of a tensor of type `refused`:
/// int32 for int2. 0 where there is none.
[[nodiscard]] int MisspeltElementType(const TypeSet& types, TypeId refused);

/// How a value of type `refused` becomes one that the set has: "; OptionalGetElement returns its element". "" where no
/// operator is made for that.
[[nodiscard]] std::string_view WayToTypes(const TypeSet& types, TypeId refused);

}  // namespace onnxc
