// Computes the contents of small tensors: operators that copy, select or convert elements. The shapes of the results
// were already inferred by the operators' functions.
#include <cmath>
#include <numeric>

#include "infer/contents.h"
#include "infer/registry.h"
#include "tables/element_count.h"
#include "tables/element_types.h"

namespace onnxc::infer {
namespace {

/// Returns the shape of an output if it is completely known and small, otherwise nothing.
std::optional<std::span<const std::int64_t>> KnownShape(NodeContext& context, int output) {
  const Type& type = context.Output(output);
  if (!type.has_rank || !std::ranges::all_of(type.shape, &Dim::IsNumber)) return std::nullopt;
  const std::span<std::int64_t> shape = context.New<std::int64_t>(type.shape.size());
  std::ranges::transform(type.shape, shape.begin(), &Dim::number);
  const std::optional<std::int64_t> count = Product(shape);
  if (!count || *count > static_cast<std::int64_t>(kMostElements)) return std::nullopt;
  return shape;
}

/// Sets output `out` to the elements of `from` at `positions`.
void SetElements(NodeContext& context, int out, const Constant& from, std::span<const std::size_t> positions) {
  const auto shape = KnownShape(context, out);
  if (!shape || Product(*shape) != static_cast<std::int64_t>(positions.size())) return;
  if (!from.reals.empty()) {
    const std::span<double> reals = context.New<double>(positions.size());
    std::ranges::transform(positions, reals.begin(), [&](std::size_t position) { return from.reals[position]; });
    return context.SetConstant(out, NewConstant(context.dims(), from.element_type, *shape, reals));
  }
  const std::span<Dim> integers = context.New<Dim>(positions.size());
  std::ranges::transform(positions, integers.begin(), [&](std::size_t position) { return from.integers[position]; });
  context.SetConstant(out, NewConstant(context.dims(), from.element_type, *shape, integers));
}

std::size_t SizeOf(const Constant& constant) { return std::max(constant.integers.size(), constant.reals.size()); }

std::vector<std::size_t> Iota(std::size_t count, std::size_t first = 0) {
  std::vector<std::size_t> positions(count);
  std::iota(positions.begin(), positions.end(), first);
  return positions;
}

std::optional<std::int64_t> Truncated(double real) {
  if (!(std::abs(real) < 9e18)) return std::nullopt;
  return static_cast<std::int64_t>(real);
}

/// Returns the number that has the lowest bits of this number, as many as the type has.
Dim Wrapped(Dim dim, int element_type) {
  const ElementType* const type = FindElementType(element_type);
  if (!dim.IsNumber() || type->bits >= 64 || element_type == onnx::TensorProto::BOOL) return dim;
  const int unused = 64 - type->bits;
  const std::uint64_t bits = static_cast<std::uint64_t>(dim.number()) << unused;
  return type->is_signed ? Dim(static_cast<std::int64_t>(bits) >> unused) : Dim(bits >> unused);
}

}  // namespace

void EvaluateSame(NodeContext& context) {
  const Constant* const from = context.Constant(0);
  if (from == nullptr) return;
  const auto shape = KnownShape(context, 0);
  if (!shape || Product(*shape) != static_cast<std::int64_t>(SizeOf(*from))) return;
  context.SetConstant(0, Reshaped(context.dims(), *from, *shape));
}

void EvaluateCast(NodeContext& context) {
  const Constant* const from = context.Constant(0);
  const int to = context.Output(0).element_type;
  if (from == nullptr || (!IsInteger(to) && !IsReal(to))) return;
  if (IsInteger(to)) {
    std::vector<Dim> integers(from->integers.begin(), from->integers.end());
    for (Dim& dim : integers) dim = Wrapped(dim, to);
    for (const double real : from->reals) {
      if (to == onnx::TensorProto::BOOL) {
        integers.emplace_back(real != 0 ? 1 : 0);
        continue;
      }
      const auto whole = Truncated(real);
      integers.push_back(whole ? Dim(*whole) : Dim());
    }
    if (to == onnx::TensorProto::BOOL) {
      for (Dim& dim : integers) dim = dim.IsNumber() ? Dim(dim.number() != 0 ? 1 : 0) : Dim();
    }
    return context.SetConstant(0, NewConstant(context.dims(), to, from->shape, integers));
  }
  std::vector<double> reals(from->reals.begin(), from->reals.end());
  for (const Dim& dim : from->integers) {
    if (!dim.IsNumber()) return;
    reals.push_back(static_cast<double>(dim.number()));
  }
  context.SetConstant(0, NewConstant(context.dims(), to, from->shape, reals));
}

void EvaluateTranspose(NodeContext& context) {
  const Constant* const from = context.Constant(0);
  if (from == nullptr || (from->integers.empty() && from->reals.empty())) return;
  const std::size_t rank = from->shape.size();
  std::vector<std::size_t> permutation = Iota(rank);
  std::reverse(permutation.begin(), permutation.end());
  if (const auto given = context.Ints("perm")) permutation.assign(given->begin(), given->end());
  if (permutation.size() != rank) return;
  std::vector<std::size_t> strides(rank, 1);
  for (std::size_t i = rank; i-- > 1;) strides[i - 1] = strides[i] * static_cast<std::size_t>(from->shape[i]);
  std::vector<std::size_t> positions = {0};
  for (const std::size_t axis : permutation) {
    if (axis >= rank) return;
    std::vector<std::size_t> next;
    for (const std::size_t position : positions) {
      for (std::int64_t i = 0; i < from->shape[axis]; ++i) {
        next.push_back(position + static_cast<std::size_t>(i) * strides[axis]);
      }
    }
    positions = std::move(next);
  }
  if (positions.size() == SizeOf(*from)) SetElements(context, 0, *from, positions);
}

void EvaluateGather(NodeContext& context) {
  const Constant* const data = context.Constant(0);
  const Constant* const indices = context.Constant(1);
  if (data == nullptr || indices == nullptr || data->shape.size() != 1) return;
  const auto size = static_cast<std::int64_t>(SizeOf(*data));
  std::vector<std::size_t> positions;
  for (const Dim& index : indices->integers) {
    if (!index.IsNumber() || index.number() < -size || index.number() >= size) return;
    positions.push_back(static_cast<std::size_t>(index.number() < 0 ? index.number() + size : index.number()));
  }
  SetElements(context, 0, *data, positions);
}

void EvaluateSlice(NodeContext& context) {
  const Constant* const data = context.Constant(0);
  if (data == nullptr || data->shape.size() != 1) return;
  // Returns the only element of a list in an attribute or, since version 10, in an input.
  const auto only = [&](std::string_view attribute, int input) -> std::optional<std::int64_t> {
    if (const auto list = context.Ints(attribute)) return list->size() == 1 ? std::optional((*list)[0]) : std::nullopt;
    const auto list = context.Numbers(input);
    return list && list->size() == 1 ? std::optional((*list)[0]) : std::nullopt;
  };
  const auto start = only("starts", 1);
  const auto end = only("ends", 2);
  const auto step = context.HasInput(4) ? only("steps", 4) : 1;
  if (!start || !end || !step || *step == 0 || *step == INT64_MIN) return;
  const auto size = static_cast<std::int64_t>(SizeOf(*data));
  const auto clamp = [&](std::int64_t at) {
    const std::int64_t from_front = at < 0 ? at + size : at;
    return *step > 0 ? std::clamp<std::int64_t>(from_front, 0, size)
                     : std::clamp<std::int64_t>(from_front, -1, size - 1);
  };
  const std::int64_t last = clamp(*end);
  std::vector<std::size_t> positions;
  for (std::int64_t i = clamp(*start); *step > 0 ? i < last : i > last;) {
    positions.push_back(static_cast<std::size_t>(i));
    if (__builtin_add_overflow(i, *step, &i)) break;
  }
  SetElements(context, 0, *data, positions);
}

void EvaluateConcat(NodeContext& context) {
  std::vector<Dim> integers;
  std::vector<double> reals;
  for (int i = 0; i < context.inputs(); ++i) {
    const Constant* const part = context.Constant(i);
    if (part == nullptr || part->shape.size() != 1) {
      // An input with unknown contents becomes a list of unknown elements, so that the elements of the other inputs are
      // not lost.
      if (context.Rank(i) != 1 || !context.Shape(i)[0].IsNumber() || !IsInteger(context.Element(i))) return;
      const auto count = static_cast<std::size_t>(context.Shape(i)[0].number());
      if (count > kMostElements - integers.size()) return;
      integers.resize(integers.size() + count);
      continue;
    }
    integers.insert(integers.end(), part->integers.begin(), part->integers.end());
    reals.insert(reals.end(), part->reals.begin(), part->reals.end());
    if (integers.size() + reals.size() > kMostElements || (!integers.empty() && !reals.empty())) return;
  }
  const std::int64_t size = static_cast<std::int64_t>(std::max(integers.size(), reals.size()));
  const int element = context.Output(0).element_type;
  const std::span shape(&size, 1);
  context.SetConstant(0, reals.empty() ? NewConstant(context.dims(), element, shape, integers)
                                       : NewConstant(context.dims(), element, shape, reals));
}

void EvaluateSplit(NodeContext& context) {
  const Constant* const data = context.Constant(0);
  if (data == nullptr || data->shape.size() != 1) return;
  std::size_t first = 0;
  for (int i = 0; i < context.outputs(); ++i) {
    const auto shape = KnownShape(context, i);
    if (!shape || shape->size() != 1) return;
    const auto count = static_cast<std::size_t>((*shape)[0]);
    if (first + count > SizeOf(*data)) return;
    SetElements(context, i, *data, Iota(count, first));
    first += count;
  }
}

void EvaluateExpand(NodeContext& context) {
  const Constant* const data = context.Constant(0);
  const auto shape = KnownShape(context, 0);
  if (data == nullptr || SizeOf(*data) != 1 || !shape) return;
  SetElements(context, 0, *data, std::vector<std::size_t>(static_cast<std::size_t>(*Product(*shape)), 0));
}

void EvaluateConstantOfShape(NodeContext& context) {
  const auto shape = KnownShape(context, 0);
  if (!shape) return;
  const auto count = static_cast<std::size_t>(*Product(*shape));
  const onnx::AttributeProto* const value = context.Attribute("value");
  if (value == nullptr || !value->has_t()) {
    const std::vector<double> zeros(count, 0);
    return context.SetConstant(0, NewConstant(context.dims(), onnx::TensorProto::FLOAT, *shape, zeros));
  }
  const Constant* const element = ContentsOf(value->t(), context.dims());
  if (element == nullptr || SizeOf(*element) != 1) return;
  SetElements(context, 0, *element, std::vector<std::size_t>(count, 0));
}

void EvaluateRange(NodeContext& context) {
  const auto shape = KnownShape(context, 0);
  const auto start = context.Integers(0);
  const auto delta = context.Integers(2);
  if (!shape || !start || !delta || start->size() != 1 || delta->size() != 1) return;
  std::vector<Dim> integers;
  Dim next = (*start)[0];
  for (std::int64_t i = 0; i < *Product(*shape); ++i) {
    integers.push_back(next);
    next = context.dims().Add(next, (*delta)[0]);
  }
  context.SetConstant(0, NewConstant(context.dims(), context.Output(0).element_type, *shape, integers));
}

}  // namespace onnxc::infer
