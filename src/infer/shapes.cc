#include "infer/shapes.h"

#include <fmt/format.h>

namespace onnxc::infer {
namespace {

std::string ShapeText(std::span<const Dim> shape) {
  std::string text = "[";
  for (const Dim& dim : shape) text += (text.size() > 1 ? ", " : "") + ToString(dim);
  return text + "]";
}

bool FailBroadcast(NodeContext& context, int input, int other, std::span<const Dim> with) {
  return context.Fail(rule::kBroadcastClash, In(input), {In(input), In(other)}, context.Describe(In(input)),
                      context.name(), ShapeText(context.Shape(input)), ShapeText(with));
}

bool AreSameOpaque(const Type& a, const Type& b) {
  return a.opaque->domain() == b.opaque->domain() && a.opaque->name() == b.opaque->name();
}

Type FromProto(Memory& memory, const onnx::TypeProto& type, int depth);

template <typename Tensor>
Type FromTensor(Memory& memory, const Tensor& tensor, Kind kind) {
  Type type{.kind = kind, .element_type = tensor.elem_type()};
  if (!tensor.has_shape() || tensor.shape().dim_size() > static_cast<int>(kMostRank) || memory.IsUsedUp()) return type;
  const auto dims = memory.NewSpan<Dim>(static_cast<std::size_t>(tensor.shape().dim_size()));
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const auto& dim = tensor.shape().dim(static_cast<int>(i));
    if (dim.has_dim_value() && dim.dim_value() >= 0) {
      dims[i] = dim.dim_value();
    } else if (dim.has_dim_param() && !dim.dim_param().empty()) {
      dims[i] = memory.Named(dim.dim_param());
    } else {
      dims[i] = memory.Fresh();
    }
  }
  type.has_rank = true;
  type.shape = dims;
  return type;
}

Type FromProto(Memory& memory, const onnx::TypeProto& type, int depth) {
  if (depth > kDeepestType) return {};
  const auto inner = [&](const onnx::TypeProto& element) { return memory.Keep(FromProto(memory, element, depth + 1)); };
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType: return FromTensor(memory, type.tensor_type(), Kind::kTensor);
    case onnx::TypeProto::kSparseTensorType: return FromTensor(memory, type.sparse_tensor_type(), Kind::kSparseTensor);
    case onnx::TypeProto::kSequenceType:
      return {.kind = Kind::kSequence, .element = inner(type.sequence_type().elem_type())};
    case onnx::TypeProto::kOptionalType:
      return {.kind = Kind::kOptional, .element = inner(type.optional_type().elem_type())};
    case onnx::TypeProto::kMapType:
      return {.kind = Kind::kMap,
              .element_type = type.map_type().key_type(),
              .element = inner(type.map_type().value_type())};
    case onnx::TypeProto::kOpaqueType: return {.kind = Kind::kOpaque, .opaque = &type.opaque_type()};
    case onnx::TypeProto::VALUE_NOT_SET: break;
  }
  return {};
}

}  // namespace

std::optional<Dim> BroadcastDims(Dim a, Dim b) {
  if (a.Is(1)) return b;
  if (b.Is(1) || a.Equals(b)) return a;
  if (a.IsNumber() && b.IsNumber()) return std::nullopt;
  // A number other than 1 is the result, whatever the other dimension is.
  if (a.IsNumber()) return a;
  if (b.IsNumber()) return b;
  return Dim();
}

bool BroadcastInto(std::span<const Dim> shape, std::span<Dim> result) {
  const std::size_t offset = result.size() - shape.size();
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::optional<Dim> dim = BroadcastDims(result[offset + axis], shape[axis]);
    if (!dim) return false;
    result[offset + axis] = *dim;
  }
  return true;
}

bool BroadcastInputs(NodeContext& context, int first_input, int inputs, int out) {
  int rank = 0;
  for (int i = first_input; i < first_input + inputs; ++i) {
    if (!context.HasRank(i)) return true;
    rank = std::max(rank, context.Rank(i));
  }
  const std::span<Dim> result = context.NewShape(rank);
  std::fill(result.begin(), result.end(), Dim(1));
  for (int i = first_input; i < first_input + inputs; ++i) {
    if (!BroadcastInto(context.Shape(i), result)) return FailBroadcast(context, i, first_input, result);
  }
  context.SetShape(out, result);
  return true;
}

bool BroadcastShapes(NodeContext& context, int left, std::span<const Dim> a, int right, std::span<const Dim> b,
                     std::span<Dim> result) {
  std::fill(result.begin(), result.end(), Dim(1));
  if (BroadcastInto(a, result) && BroadcastInto(b, result)) return true;
  return FailBroadcast(context, right, left, a);
}

bool CheckBroadcastsTo(NodeContext& context, int i, int to) {
  if (!context.HasRank(i) || !context.HasRank(to)) return true;
  const std::span<const Dim> shape = context.Shape(i);
  const std::span<const Dim> whole = context.Shape(to);
  for (std::size_t back = 1; back <= shape.size(); ++back) {
    const Dim dim = shape[shape.size() - back];
    const Dim wanted = back <= whole.size() ? whole[whole.size() - back] : Dim(1);
    if (!dim.Is(1) && dim.Contradicts(wanted)) return FailBroadcast(context, i, to, whole);
  }
  return true;
}

std::optional<int> CheckAxis(NodeContext& context, std::int64_t axis, int rank, const Part& blamed, const Part& value) {
  if (axis >= -rank && axis < rank) return static_cast<int>(axis < 0 ? axis + rank : axis);
  context.Fail(rule::kAxisRange, blamed, {value}, axis, context.Describe(value), context.name(), rank);
  return std::nullopt;
}

bool CheckRank(NodeContext& context, int i, int rank) {
  if (!context.HasRank(i) || context.Rank(i) == rank) return true;
  return context.Fail(rule::kRankClash, In(i), {In(i)}, context.Describe(In(i)), context.name(), context.Rank(i),
                      fmt::format("{}", rank));
}

bool CheckRankAtLeast(NodeContext& context, int i, int rank) {
  if (!context.HasRank(i) || context.Rank(i) >= rank) return true;
  return context.Fail(rule::kRankClash, In(i), {In(i)}, context.Describe(In(i)), context.name(), context.Rank(i),
                      fmt::format("at least {}", rank));
}

std::optional<Dim> Unify(Dim a, Dim b) {
  if (a.IsUnknown()) return b;
  if (a.Contradicts(b)) return std::nullopt;
  if (b.IsNumber() || (a.symbol().empty() && !a.IsNumber() && !b.symbol().empty())) return b;
  return a;
}

std::optional<Type> Unify(Memory& memory, const Type& a, const Type& b) {
  if (a.kind == Kind::kUnknown) return b;
  if (b.kind == Kind::kUnknown) return a;
  if (a.kind != b.kind || (a.kind == Kind::kOpaque && !AreSameOpaque(a, b))) return std::nullopt;
  Type both = a;
  if (a.element_type == 0) both.element_type = b.element_type;
  if (b.element_type != 0 && both.element_type != b.element_type) return std::nullopt;
  if (a.element != nullptr && b.element != nullptr) {
    const std::optional<Type> element = Unify(memory, *a.element, *b.element);
    if (!element) return std::nullopt;
    both.element = memory.Keep(*element);
  } else if (a.element == nullptr) {
    both.element = b.element;
  }
  if (!b.has_rank) return both;
  if (!a.has_rank) {
    both.has_rank = true;
    both.shape = b.shape;
    return both;
  }
  if (a.rank() != b.rank()) return std::nullopt;
  if (a.shape.data() == b.shape.data()) return both;
  const Memory::Scope scope(memory);
  const std::span<Dim> dims = memory.Scratch<Dim>(a.shape.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::optional<Dim> dim = Unify(a.shape[i], b.shape[i]);
    if (!dim) return std::nullopt;
    dims[i] = *dim;
  }
  memory.SetShape(&both, dims);
  return both;
}

Dim Join(Dim a, Dim b) { return a.Equals(b) ? a : Dim(); }

Type Join(Memory& memory, const Type& a, const Type& b) {
  if (a.kind != b.kind || (a.kind == Kind::kOpaque && !AreSameOpaque(a, b))) return {};
  Type either = a;
  if (a.element_type != b.element_type) either.element_type = 0;
  if (a.element != nullptr && b.element != nullptr) {
    either.element = memory.Keep(Join(memory, *a.element, *b.element));
  } else {
    either.element = nullptr;
  }
  if (!a.has_rank || !b.has_rank || a.rank() != b.rank()) {
    either.has_rank = false;
    either.shape = {};
    return either;
  }
  const auto are_same = [](Dim x, Dim y) { return x.Equals(y) || (x.IsUnknown() && y.IsUnknown()); };
  if (std::ranges::equal(a.shape, b.shape, are_same)) return either;
  const Memory::Scope scope(memory);
  const std::span<Dim> dims = memory.Scratch<Dim>(a.shape.size());
  for (std::size_t i = 0; i < dims.size(); ++i) dims[i] = Join(a.shape[i], b.shape[i]);
  memory.SetShape(&either, dims);
  return either;
}

Type FromProto(Memory& memory, const onnx::TypeProto& type) { return FromProto(memory, type, 0); }

}  // namespace onnxc::infer
