#include "syntax/tree_arena.h"

#include <algorithm>

namespace onnxc::syntax {

void TreeArena::Grow(std::vector<antlr4::tree::ParseTree*>* children) {
  children->reserve(std::max<std::size_t>(3, 2 * children->size()));  // malloc() uses 32 bytes for up to 3 pointers
}

}  // namespace onnxc::syntax
