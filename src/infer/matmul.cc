// Products of matrices.
#include <algorithm>
#include <optional>

#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {
namespace {

/// An input that is a matrix or a batch of matrices. Its last two axes may be transposed before the multiplication.
struct Factor {
  int input;
  bool is_transposed = false;

  /// Returns the axis of the input that is the last but one (`from_end` = 2) or the last (1) after the transposition.
  [[nodiscard]] int Axis(int rank, int from_end) const { return rank - (is_transposed ? 3 - from_end : from_end); }
};

/// Multiplies [..., m, k] by [..., k, n]. A list on the left is treated as a row, and a list on the right as a column.
/// The axis of size 1 that a list gets in this way is not in the output.
void Multiply(NodeContext& context, Factor left_factor, Factor right_factor) {
  const int left = left_factor.input;
  const int right = right_factor.input;
  if (!CheckRankAtLeast(context, left, 1) || !CheckRankAtLeast(context, right, 1)) return;
  if (!context.HasRank(left) || !context.HasRank(right)) return;
  const std::span<const Dim> a = context.Shape(left);
  const std::span<const Dim> b = context.Shape(right);
  if ((a.size() == 1 && left_factor.is_transposed) || (b.size() == 1 && right_factor.is_transposed)) return;
  Size inner;
  const int left_axis = left_factor.Axis(context.Rank(left), 1);
  const int right_axis = b.size() == 1 ? 0 : right_factor.Axis(context.Rank(right), 2);
  if (!Match(context, left, left_axis, inner) || !Match(context, right, right_axis, inner)) return;
  const std::size_t batch_a = a.size() < 2 ? 0 : a.size() - 2;
  const std::size_t batch_b = b.size() < 2 ? 0 : b.size() - 2;
  const std::size_t batch = std::max(batch_a, batch_b);
  const std::span<Dim> result = context.NewShape(static_cast<int>(batch + (a.size() > 1) + (b.size() > 1)));
  if (!BroadcastShapes(context, left, a.first(batch_a), right, b.first(batch_b), result.first(batch))) return;
  std::size_t next = batch;
  const auto size_at = [](std::span<const Dim> shape, int axis) { return shape[static_cast<std::size_t>(axis)]; };
  if (a.size() > 1) result[next++] = size_at(a, left_factor.Axis(context.Rank(left), 2));
  if (b.size() > 1) result[next] = size_at(b, right_factor.Axis(context.Rank(right), 1));
  context.SetShape(0, result);
}

}  // namespace

void MatMul(NodeContext& context) { Multiply(context, {0}, {1}); }

/// Leaves the shape of the output unknown if an attribute exchanges the batch axes with the rows.
void FusedMatMul(NodeContext& context) {
  if (context.Int("transBatchA", 0) != 0 || context.Int("transBatchB", 0) != 0) return;
  Multiply(context, {0, context.Int("transA", 0) != 0}, {1, context.Int("transB", 0) != 0});
}

/// A zero point is one number, or one number for each row of A and for each column of B.
void IntegerMatMul(NodeContext& context) {
  for (const int side : {0, 1}) {
    const int zero_points = 2 + side;
    if (context.Rank(zero_points) != 1 || MayBeSingle(context, zero_points)) continue;
    Size each;
    if (context.Rank(side) == 1) each = {.dim = 1};
    const int axis = side == 0 ? context.Rank(side) - 2 : context.Rank(side) - 1;
    if (context.Rank(side) > 1 && !Match(context, side, axis, each)) return;
    if (!Match(context, zero_points, 0, each)) return;
  }
  Multiply(context, {0}, {1});
}

void QuantizedMatMul(NodeContext& context) {
  constexpr bool kApart = true;
  if (!MatchScales(context, 1, 2, kApart) || !MatchScales(context, 4, 5, kApart)) return;
  if (MatchScales(context, 6, 7, kApart)) Multiply(context, {0}, {3});
}

namespace {

/// The sizes m and n of the product of [m, k] by [k, n].
struct MatrixSizes {
  Size rows;
  Size columns;
};

/// Multiplies two matrices, each of which may be transposed by an attribute. Returns nothing after an error.
std::optional<MatrixSizes> MultiplyMatrices(NodeContext& context, int left, int right) {
  const bool turns_left = context.Int("transA", 0) != 0;
  const bool turns_right = context.Int("transB", 0) != 0;
  Size rows, inner, columns;
  if (!MatchShape(context, left, {turns_left ? &inner : &rows, turns_left ? &rows : &inner}) ||
      !MatchShape(context, right, {turns_right ? &columns : &inner, turns_right ? &inner : &columns})) {
    return std::nullopt;
  }
  return MatrixSizes{rows, columns};
}

}  // namespace

namespace {

/// Multiplies A [m, k] by B [k, n], each of which may be transposed, and adds C. If `broadcasts` is set, C broadcasts
/// to [m, n].
void MultiplyAndAdd(NodeContext& context, bool broadcasts) {
  const auto product = MultiplyMatrices(context, 0, 1);
  if (!product) return;
  const auto& [rows, columns] = *product;
  Dim result[] = {rows.dim, columns.dim};
  if (context.HasRank(2) && broadcasts) {
    if (context.Rank(2) > 2) {
      (void)CheckRank(context, 2, 2);
      return;
    }
    for (int i = 0; i < context.Rank(2); ++i) {
      const Dim size = context.Shape(2)[static_cast<std::size_t>(context.Rank(2) - 1 - i)];
      Size wanted = i == 0 ? columns : rows;
      if (!size.Is(1) && !Match(context, 2, context.Rank(2) - 1 - i, wanted)) return;
    }
  }
  context.SetShape(0, result);
}

}  // namespace

void Gemm(NodeContext& context) { MultiplyAndAdd(context, context.op().since >= 7); }

void FusedGemm(NodeContext& context) { MultiplyAndAdd(context, true); }

/// The inputs are the matrices of Gemm, each followed by its scale and zero point. The output has the element type of
/// its zero point or, if the node has no zero point for the output, is float.
void QuantizedGemm(NodeContext& context) {
  constexpr int kOutputZeroPoint = 8;
  context.SetElement(0,
                     context.HasInput(kOutputZeroPoint) ? context.Element(kOutputZeroPoint) : onnx::TensorProto::FLOAT);
  if (const auto product = MultiplyMatrices(context, 0, 3)) {
    context.SetShape(0, {product->rows.dim, product->columns.dim});
  }
}

namespace {

/// The attributes K and N are the sizes of the packed weights. The output gets the shape of input 0 with N as the last
/// size. Returns false after an error.
bool MultiplyPacked(NodeContext& context) {
  Size inner{.dim = context.Int("K", 0), .why = " = K"};
  if (!CheckRankAtLeast(context, 0, 1)) return false;
  if (!context.HasRank(0)) return true;
  if (!Match(context, 0, context.Rank(0) - 1, inner)) return false;
  const std::span<Dim> result = context.NewShape(context.Rank(0));
  std::ranges::copy(context.Shape(0), result.begin());
  result.back() = context.Int("N", 0);
  context.SetShape(0, result);
  return true;
}

}  // namespace

/// The weights have the shape [N, blocks, bytes of a block]. Each block has `block_size` numbers of `bits` bits, and
/// one scale.
void BlockedMatMul(NodeContext& context) {
  const std::int64_t block = context.Int("block_size", 0);
  if (block < 16 || (block & (block - 1)) != 0) {
    FailAttribute(context, "block_size", block, "a power of 2, and at least 16");
    return;
  }
  if (!MultiplyPacked(context) || context.Int("weight_prepacked", 0) != 0) return;
  Memory& dims = context.dims();
  const Dim blocks = dims.CeilDivide(context.Int("K", 0), block);
  const Dim bytes = dims.FloorDivide(dims.Multiply(block, context.Int("bits", 4)), 8);
  Size rows{.dim = context.Int("N", 0), .why = " = N"};
  Size row{.dim = blocks, .why = ", the blocks of K"};
  Size size{.dim = bytes, .why = " = block_size * bits / 8"};
  if (!MatchShape(context, 1, {&rows, &row, &size})) return;
  Size scales{.dim = dims.Multiply(rows.dim, blocks), .why = ", one for each block"};
  (void)MatchCount(context, 2, scales);
}

/// The weights are one list of blocks.
void ListedMatMul(NodeContext& context) { (void)MultiplyPacked(context); }

/// Multiplies [..., k] by [k, n]. Scales, zero points and a bias follow.
void ScaledMatMul(NodeContext& context) { Multiply(context, {0}, {1}); }

/// The bias has one element for each column.
void DynamicMatMul(NodeContext& context) {
  constexpr int kWeights = 1, kBias = 4;
  Size columns;
  if (context.Rank(kWeights) > 0 && !Match(context, kWeights, context.Rank(kWeights) - 1, columns)) return;
  if (context.HasInput(kBias) && !MatchCount(context, kBias, columns)) return;
  ScaledMatMul(context);
}

}  // namespace onnxc::infer
