// Computes the contents of small tensors: arithmetic, comparisons and reductions.
#include <cmath>
#include <functional>

#include "infer/contents.h"
#include "infer/registry.h"
#include "tables/element_count.h"
#include "tables/element_types.h"

namespace onnxc::infer {
namespace {

using Sizes = std::vector<std::int64_t>;

/// Returns the shape to which all constants broadcast, or nothing if they do not broadcast or the shape is not small.
std::optional<Sizes> CommonShape(std::span<const Constant* const> constants) {
  Sizes result;
  for (const Constant* const constant : constants) {
    if (constant->shape.size() > result.size())
      result.insert(result.begin(), constant->shape.size() - result.size(), 1);
    const std::size_t offset = result.size() - constant->shape.size();
    for (std::size_t i = 0; i < constant->shape.size(); ++i) {
      std::int64_t& size = result[offset + i];
      if (size == 1) size = constant->shape[i];
      if (constant->shape[i] != 1 && constant->shape[i] != size) return std::nullopt;
    }
  }
  const std::optional<std::int64_t> count = Product(result);
  if (!count || *count > static_cast<std::int64_t>(kMostElements)) return std::nullopt;
  return result;
}

/// Returns the index of the constant's element that is at `position` after the constant was broadcast to `shape`.
std::size_t PositionIn(const Constant& constant, const Sizes& shape, std::size_t position) {
  std::size_t result = 0;
  std::size_t stride = 1;
  const std::size_t offset = shape.size() - constant.shape.size();
  for (std::size_t i = shape.size(); i-- > 0;) {
    const auto size = static_cast<std::size_t>(shape[i]);
    const std::size_t at = position % size;
    position /= size;
    if (i < offset) continue;
    const auto own = static_cast<std::size_t>(constant.shape[i - offset]);
    if (own != 1) result += at * stride;
    stride *= own;
  }
  return result;
}

/// Returns the contents of all inputs from `first` on, or nothing if the contents of one input are not known.
std::optional<std::vector<const Constant*>> Operands(NodeContext& context, int first = 0) {
  std::vector<const Constant*> constants;
  for (int i = first; i < context.inputs(); ++i) {
    const Constant* const constant = context.Constant(i);
    if (constant == nullptr) return std::nullopt;
    constants.push_back(constant);
  }
  if (constants.empty()) return std::nullopt;
  return constants;
}

using OnIntegers = Dim (*)(Memory&, Dim, Dim);
using OnReals = double (*)(double, double);

/// Combines all inputs with a binary function, from left to right.
void Combine(NodeContext& context, OnIntegers on_integers, OnReals on_reals) {
  const auto operands = Operands(context);
  if (!operands) return;
  const auto shape = CommonShape(*operands);
  if (!shape) return;
  const int element = context.Output(0).element_type;
  const auto count = static_cast<std::size_t>(*Product(*shape));
  if (IsReal((*operands)[0]->element_type)) {
    std::vector<double> result(count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < operands->size(); ++j) {
        const Constant& operand = *(*operands)[j];
        if (operand.reals.empty()) return;
        const double value = operand.reals[PositionIn(operand, *shape, i)];
        result[i] = j == 0 ? value : on_reals(result[i], value);
      }
    }
    return context.SetConstant(0, NewConstant(context.dims(), element, *shape, result));
  }
  std::vector<Dim> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < operands->size(); ++j) {
      const Constant& operand = *(*operands)[j];
      if (operand.integers.empty()) return;
      const Dim value = operand.integers[PositionIn(operand, *shape, i)];
      result[i] = j == 0 ? value : on_integers(context.dims(), result[i], value);
    }
  }
  context.SetConstant(0, NewConstant(context.dims(), element, *shape, result));
}

/// Sets the contents of the output to an element-wise comparison or logical operation of two inputs.
template <typename Compare>
void CompareInputs(NodeContext& context, const Compare& compare) {
  const auto operands = Operands(context);
  if (!operands || operands->size() != 2) return;
  const auto shape = CommonShape(*operands);
  if (!shape) return;
  const Constant& a = *(*operands)[0];
  const Constant& b = *(*operands)[1];
  std::vector<Dim> result(static_cast<std::size_t>(*Product(*shape)));
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!a.reals.empty() && !b.reals.empty()) {
      result[i] = Dim(compare(a.reals[PositionIn(a, *shape, i)], b.reals[PositionIn(b, *shape, i)]) ? 1 : 0);
    } else if (!a.integers.empty() && !b.integers.empty()) {
      const Dim x = a.integers[PositionIn(a, *shape, i)];
      const Dim y = b.integers[PositionIn(b, *shape, i)];
      if (x.IsNumber() && y.IsNumber()) {
        result[i] = Dim(compare(x.number(), y.number()) ? 1 : 0);
      } else if (x.Equals(y)) {
        result[i] = Dim(compare(0, 0) ? 1 : 0);
      }
    }
  }
  context.SetConstant(0, NewConstant(context.dims(), onnx::TensorProto::BOOL, *shape, result));
}

/// Applies a function to each element of the only input.
template <typename OnInteger, typename OnReal>
void Each(NodeContext& context, const OnInteger& on_integer, const OnReal& on_real) {
  const Constant* const from = context.Constant(0);
  if (from == nullptr) return;
  const int element = context.Output(0).element_type;
  if (!from->reals.empty()) {
    std::vector<double> reals;
    for (const double real : from->reals) reals.push_back(on_real(real));
    return context.SetConstant(0, NewConstant(context.dims(), element, from->shape, reals));
  }
  std::vector<Dim> integers;
  for (const Dim& dim : from->integers) integers.push_back(on_integer(dim));
  context.SetConstant(0, NewConstant(context.dims(), element, from->shape, integers));
}

/// Reduces all elements of a list to one.
void ReduceAll(NodeContext& context, OnIntegers on_integers) {
  const Constant* const from = context.Constant(0);
  if (from == nullptr || from->shape.size() > 1 || from->integers.empty()) return;
  if (context.Output(0).rank() != 0 && !(context.Output(0).rank() == 1 && context.Output(0).shape[0].Is(1))) return;
  if (from->shape.size() == 1 && context.Output(0).rank() == 1 && context.Int("keepdims", 1) == 0) return;
  Dim result = from->integers[0];
  for (std::size_t i = 1; i < from->integers.size(); ++i) {
    result = on_integers(context.dims(), result, from->integers[i]);
  }
  const Sizes shape(static_cast<std::size_t>(context.Output(0).rank()), 1);
  context.SetConstant(0, NewConstant(context.dims(), from->element_type, shape, std::span<const Dim>(&result, 1)));
}

Dim Least(Memory&, Dim a, Dim b) {
  if (a.Equals(b)) return a;
  return a.IsNumber() && b.IsNumber() ? Dim(std::min(a.number(), b.number())) : Dim();
}
Dim Greatest(Memory&, Dim a, Dim b) {
  if (a.Equals(b)) return a;
  return a.IsNumber() && b.IsNumber() ? Dim(std::max(a.number(), b.number())) : Dim();
}
Dim Sum(Memory& memory, Dim a, Dim b) { return memory.Add(a, b); }
Dim Times(Memory& memory, Dim a, Dim b) { return memory.Multiply(a, b); }

/// Returns the quotient, rounded towards zero, or an unknown size if the result is uncertain.
Dim Quotient(Memory& memory, Dim a, Dim b) {
  if (!a.IsNumber() || !b.IsNumber()) {
    // A symbol is a size, so it is not negative. A sum may have negative terms, so its sign is not known.
    const bool is_size = !a.symbol().empty() || !memory.DivideExactly(a, b).IsUnknown();
    return is_size && !b.Is(0) ? memory.FloorDivide(a, b) : Dim();
  }
  if (b.Is(0)) return {};
  return b.Is(-1) ? memory.Multiply(a, b) : Dim(a.number() / b.number());
}

/// Returns the remainder of a / b, or an unknown size. The remainder has the sign of the divisor `b` or, if `fmod` is
/// set, the sign of the dividend `a`.
Dim Remainder(Dim a, Dim b, bool fmod) {
  if (!a.IsNumber() || !b.IsNumber() || b.Is(0)) return {};
  if (b.Is(-1)) return Dim(0);
  const std::int64_t rest = a.number() % b.number();
  return Dim(!fmod && rest != 0 && (rest < 0) != (b.number() < 0) ? rest + b.number() : rest);
}

}  // namespace

void EvaluateAdd(NodeContext& context) {
  Combine(context, &Sum, [](double a, double b) { return a + b; });
}
void EvaluateSub(NodeContext& context) {
  Combine(
      context, [](Memory& memory, Dim a, Dim b) { return memory.Subtract(a, b); },
      [](double a, double b) { return a - b; });
}
void EvaluateMul(NodeContext& context) {
  Combine(context, &Times, [](double a, double b) { return a * b; });
}
void EvaluateDiv(NodeContext& context) {
  Combine(context, &Quotient, [](double a, double b) { return a / b; });
}
void EvaluateMod(NodeContext& context) {
  if (context.Int("fmod", 0) != 0) {
    return Combine(
        context, [](Memory&, Dim a, Dim b) { return Remainder(a, b, true); },
        [](double a, double b) { return std::fmod(a, b); });
  }
  if (context.Constant(0) == nullptr || !context.Constant(0)->reals.empty()) return;
  Combine(
      context, [](Memory&, Dim a, Dim b) { return Remainder(a, b, false); },
      [](double a, double b) { return std::fmod(a, b); });
}
void EvaluateMin(NodeContext& context) {
  Combine(context, &Least, [](double a, double b) { return std::min(a, b); });
}
void EvaluateMax(NodeContext& context) {
  Combine(context, &Greatest, [](double a, double b) { return std::max(a, b); });
}
void EvaluateNeg(NodeContext& context) {
  Each(
      context, [&](Dim dim) { return context.dims().Multiply(dim, Dim(-1)); }, std::negate<>());
}
void EvaluateAbs(NodeContext& context) {
  Each(
      context,
      [](Dim dim) {
        if (!dim.symbol().empty()) return dim;  // a size is not negative
        return dim.IsNumber() && dim.number() != INT64_MIN ? Dim(std::abs(dim.number())) : Dim();
      },
      [](double real) { return std::abs(real); });
}
void EvaluateFloor(NodeContext& context) {
  Each(
      context, [](Dim) { return Dim(); }, [](double real) { return std::floor(real); });
}
void EvaluateCeil(NodeContext& context) {
  Each(
      context, [](Dim) { return Dim(); }, [](double real) { return std::ceil(real); });
}
void EvaluateSqrt(NodeContext& context) {
  Each(
      context, [](Dim) { return Dim(); }, [](double real) { return std::sqrt(real); });
}
void EvaluateNot(NodeContext& context) {
  Each(
      context, [](Dim dim) { return dim.IsNumber() ? Dim(dim.Is(0) ? 1 : 0) : Dim(); },
      [](double real) { return real; });
}
void EvaluateAnd(NodeContext& context) {
  CompareInputs(context, [](auto a, auto b) { return a != 0 && b != 0; });
}
void EvaluateOr(NodeContext& context) {
  CompareInputs(context, [](auto a, auto b) { return a != 0 || b != 0; });
}
void EvaluateEqual(NodeContext& context) { CompareInputs(context, std::equal_to<>()); }
void EvaluateLess(NodeContext& context) { CompareInputs(context, std::less<>()); }
void EvaluateLessOrEqual(NodeContext& context) { CompareInputs(context, std::less_equal<>()); }
void EvaluateGreater(NodeContext& context) { CompareInputs(context, std::greater<>()); }
void EvaluateGreaterOrEqual(NodeContext& context) { CompareInputs(context, std::greater_equal<>()); }

void EvaluateWhere(NodeContext& context) {
  const auto operands = Operands(context);
  if (!operands || operands->size() != 3) return;
  const auto shape = CommonShape(*operands);
  const Constant& condition = *(*operands)[0];
  const Constant& yes = *(*operands)[1];
  const Constant& no = *(*operands)[2];
  if (!shape || condition.integers.empty() || yes.integers.empty() || no.integers.empty()) return;
  std::vector<Dim> result(static_cast<std::size_t>(*Product(*shape)));
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Dim chosen = condition.integers[PositionIn(condition, *shape, i)];
    const Dim x = yes.integers[PositionIn(yes, *shape, i)];
    const Dim y = no.integers[PositionIn(no, *shape, i)];
    if (chosen.IsNumber()) {
      result[i] = chosen.Is(0) ? y : x;
    } else if (x.Equals(y)) {
      result[i] = x;
    }
  }
  context.SetConstant(0, NewConstant(context.dims(), context.Output(0).element_type, *shape, result));
}

void EvaluateReduceProd(NodeContext& context) { ReduceAll(context, &Times); }
void EvaluateReduceSum(NodeContext& context) { ReduceAll(context, &Sum); }
void EvaluateReduceMin(NodeContext& context) { ReduceAll(context, &Least); }
void EvaluateReduceMax(NodeContext& context) { ReduceAll(context, &Greatest); }

}  // namespace onnxc::infer
