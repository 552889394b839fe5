// Derives the types of a node's outputs from the signature of its operator.
#include <bit>

#include "infer/engine.h"
#include "tables/element_types.h"

namespace onnxc::infer {
namespace {

/// Returns the only type in the set, or kNoType if there are several.
TypeId OnlyType(const TypeSet& set) {
  const int count = std::popcount(set.words[0]) + std::popcount(set.words[1]);
  if (count != 1) return kNoType;
  return static_cast<TypeId>(set.words[0] != 0 ? std::countr_zero(set.words[0]) : 64 + std::countr_zero(set.words[1]));
}

constexpr TypeSet kTensors = [] {
  TypeSet tensors{};
  for (std::size_t i = 0; i < std::size(kTypeNames); ++i) {
    if (kTypeNames[i].starts_with("tensor(")) tensors.words[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  return tensors;
}();

bool AreTensors(const TypeSet& set) {
  return (set.words[0] & ~kTensors.words[0]) == 0 && (set.words[1] & ~kTensors.words[1]) == 0;
}

/// Returns the type for a name such as "tensor(float)".
Type TensorOf(std::string_view name) {
  if (!name.starts_with("tensor(")) return {};
  const ElementType* const row = FindElementType(name.substr(7, name.size() - 8));
  return {.kind = Kind::kTensor, .element_type = row == nullptr ? 0 : row->code};
}

/// Returns the type without its shape.
Type WithoutShape(Type type) {
  if (type.kind == Kind::kSparseTensor) type.kind = Kind::kTensor;
  type.has_rank = false;
  type.shape = {};
  return type;
}

}  // namespace

void ApplySignature(const Operator& op, const BoundTypes& bound, std::span<Value> outputs) {
  const std::span<const Parameter> formals = Outputs(op);
  for (std::size_t i = 0; i < outputs.size() && !formals.empty(); ++i) {
    const Parameter& formal = formals[std::min(i, formals.size() - 1)];
    Type& type = outputs[i].type;
    if (formal.homogeneous && bound[formal.variable] != nullptr) {
      type = WithoutShape(*bound[formal.variable]);
    } else if (const TypeId only = OnlyType(Types(formal)); only != kNoType) {
      type = TensorOf(NameOf(only));
    } else if (AreTensors(Types(formal))) {
      type.kind = Kind::kTensor;
    }
  }
}

}  // namespace onnxc::infer
