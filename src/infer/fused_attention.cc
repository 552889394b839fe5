// ONNX Runtime's fused attention operators and related ones: complete layers in one operator.
#include <fmt/format.h>

#include <algorithm>

#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {
namespace {

/// Returns the number in the attribute, which must be positive. Returns nothing after an error.
std::optional<std::int64_t> PositiveOf(NodeContext& context, std::string_view attribute) {
  const std::int64_t count = context.Int(attribute, 0);
  if (count > 0) return count;
  FailAttribute(context, attribute, count, "positive");
  return std::nullopt;
}

/// Returns the size of each of `heads` equal parts of a dimension. Returns nothing after an error: the number of heads
/// must divide the dimension.
std::optional<Dim> PartOf(NodeContext& context, int input, std::size_t axis, std::int64_t heads) {
  const Dim all = context.Shape(input)[axis];
  if (all.IsNumber() && all.number() % heads != 0) {
    FailDimension(context, input, axis, fmt::format("a multiple of {}", heads));
    return std::nullopt;
  }
  return context.dims().FloorDivide(all, heads);
}

/// Returns the size of the values of all heads together, for operators in which one matrix of weights computes queries,
/// keys and values.
std::optional<Dim> ValueSize(NodeContext& context, Dim packed) {
  const auto sizes = context.Ints("qkv_hidden_sizes");
  if (!sizes) {
    if (packed.IsNumber() && packed.number() % 3 != 0) {
      FailDimension(context, 1, 1, "a multiple of 3: queries, keys and values");
      return std::nullopt;
    }
    return context.dims().FloorDivide(packed, 3);
  }
  if (sizes->size() != 3) {
    FailLength(context, "qkv_hidden_sizes", static_cast<std::int64_t>(sizes->size()), "it needs 3");
    return std::nullopt;
  }
  return (*sizes)[2];
}

/// Sets the shape of the output that contains past and new keys and values: [2, batch, heads, length, size of a head].
void SetPackedPresent(NodeContext& context, int past, std::int64_t heads, Dim batch, Dim length, Dim value_size) {
  if (context.HasInput(past)) {
    if (context.Int("past_present_share_buffer", 0) != 0) return context.CopyShape(past, 1);
    if (context.Rank(past) != 5) return;
    const std::span<const Dim> shape = context.Shape(past);
    return context.SetShape(1, {2, batch, heads, context.dims().Add(shape[3], length), shape[4]});
  }
  context.SetShape(1, {2, batch, heads, length, context.dims().FloorDivide(value_size, heads)});
}

/// Infers operators in which one matrix of weights computes queries, keys and values from the input.
void AttendPacked(NodeContext& context, int past) {
  const auto heads = PositiveOf(context, "num_heads");
  Size batch, length, hidden, packed;
  if (!heads || !MatchShape(context, 0, {&batch, &length, &hidden}) || !MatchShape(context, 1, {&hidden, &packed}) ||
      !MatchShape(context, 2, {&packed})) {
    return;
  }
  const auto value_size = ValueSize(context, packed.dim);
  if (!value_size) return;
  if (value_size->IsNumber() && value_size->number() % *heads != 0) {
    FailAttribute(context, "num_heads", *heads,
                  fmt::format("a divisor of {}, the size of the values", value_size->number()));
    return;
  }
  if (past >= 0 && context.Rank(past) >= 0 && !CheckRank(context, past, 5)) return;
  context.SetShape(0, {batch.dim, length.dim, *value_size});
  if (past >= 0) SetPackedPresent(context, past, *heads, batch.dim, length.dim, *value_size);
}

}  // namespace

void FusedAttention(NodeContext& context) { AttendPacked(context, 4); }

void QuantizedAttention(NodeContext& context) { AttendPacked(context, 8); }

/// The tokens of all sequences follow each other without padding.
void PackedAttention(NodeContext& context) {
  Size tokens, hidden, packed;
  if (!MatchShape(context, 0, {&tokens, &hidden}) || !MatchShape(context, 1, {&hidden, &packed}) ||
      !MatchShape(context, 2, {&packed})) {
    return;
  }
  if (const auto value_size = ValueSize(context, packed.dim)) context.SetShape(0, {tokens.dim, *value_size});
}

namespace {

/// The length of the values, and the total size of a value for all heads.
struct ValueSizes {
  Dim length;
  Dim size;
};

/// Reads the sizes of the values. An input of rank 5 contains queries, keys and values, or keys and values.
std::optional<ValueSizes> ReadValues(NodeContext& context, std::int64_t heads) {
  constexpr int kQuery = 0, kKey = 1, kValue = 2;
  const bool is_packed = context.Rank(kQuery) == 5;  // [batch, length, heads, 3, size of a head]
  const int source = is_packed ? kQuery : context.Rank(kKey) == 5 ? kKey : kValue;
  if (!context.HasRank(source)) return ValueSizes{};
  const std::span<const Dim> shape = context.Shape(source);
  Memory& dims = context.dims();
  if (source != kValue) return ValueSizes{shape[1], dims.Multiply(shape[2], shape[4])};
  if (context.HasRank(kKey) && !CheckRank(context, kKey, context.Rank(kValue))) return std::nullopt;
  Size length;
  const int axis = shape.size() == 4 ? 2 : 1;
  if (shape.size() > 2 && (!Match(context, kKey, axis, length) || !Match(context, kValue, axis, length))) {
    return std::nullopt;
  }
  if (shape.size() == 4) return ValueSizes{shape[2], dims.Multiply(shape[1], shape[3])};
  if (shape.size() != 3) {
    (void)CheckRank(context, kValue, 3);
    return std::nullopt;
  }
  if (!PartOf(context, kValue, 2, heads)) return std::nullopt;
  return ValueSizes{shape[1], shape[2]};
}

/// Sets an output to the past keys or values followed by the new ones: [batch, heads, length, size of a head].
void SetCache(NodeContext& context, int past, int output, std::int64_t heads, Dim batch, Dim length, Dim size) {
  const bool is_shared = context.Int("past_present_share_buffer", 0) != 0 || context.HasInput(8);
  if (context.HasInput(past)) {
    if (context.Rank(past) != 4) return;
    const std::span<const Dim> shape = context.Shape(past);
    const Dim total = is_shared ? Dim() : context.dims().Add(shape[2], length);
    return context.SetShape(output, {shape[0], shape[1], total, shape[3]});
  }
  context.SetShape(output, {batch, heads, length, size});
}

}  // namespace

namespace {

/// Reports an error unless keys and values are given together, and past keys and past values are given together. But
/// keys of rank 5 already contain the values.
bool CheckPairs(NodeContext& context) {
  const auto check = [&](int key, int value) {
    const bool is_right = context.HasInput(key) == context.HasInput(value);
    const int given = context.HasInput(key) ? key : value;
    return is_right || FailElements(context, given, "given alone", "given together with the other input of the pair");
  };
  const bool may_hold_both = context.HasInput(1) && (context.Rank(1) == 5 || !context.HasRank(1));
  return (may_hold_both || check(1, 2)) && check(6, 7);
}

}  // namespace

void MultiHeadAttention(NodeContext& context) {
  constexpr int kQuery = 0, kPastKey = 6, kPastValue = 7;
  if (!CheckPairs(context)) return;
  const auto heads = PositiveOf(context, "num_heads");
  if (!heads || !context.HasRank(kQuery)) return;
  if (context.Rank(kQuery) != 5 && !CheckRank(context, kQuery, 3)) return;
  if (context.Rank(kQuery) == 3 && !PartOf(context, kQuery, 2, *heads)) return;
  Size batch;
  for (int i = 0; i < 3; ++i) {
    if (!Match(context, i, 0, batch)) return;
  }
  if (context.Rank(0) == 3 && context.Rank(1) == 3) {
    Size hidden;
    if (!Match(context, 0, 2, hidden) || !Match(context, 1, 2, hidden)) return;
  }
  const auto values = ReadValues(context, *heads);
  if (!values) return;
  const std::span<const Dim> query = context.Shape(kQuery);
  context.SetShape(0, {query[0], query[1], values->size});
  Memory& dims = context.dims();
  const Dim key_size = query.size() == 5 ? query[4] : dims.FloorDivide(query[2], *heads);
  SetCache(context, kPastKey, 1, *heads, query[0], values->length, key_size);
  SetCache(context, kPastValue, 2, *heads, query[0], values->length, dims.FloorDivide(values->size, *heads));
}

/// Several heads of the queries share one head of the keys and values. Queries, keys and values may be packed in one
/// input.
void GroupQueryAttention(NodeContext& context) {
  const auto heads = PositiveOf(context, "num_heads");
  const auto shared = heads ? PositiveOf(context, "kv_num_heads") : std::nullopt;
  if (!shared) return;
  if (*heads % *shared != 0) {
    FailAttribute(context, "num_heads", *heads, fmt::format("a multiple of 'kv_num_heads', {}", *shared));
    return;
  }
  if (!context.HasRank(0) || !CheckRank(context, 0, 3)) return;
  const std::span<const Dim> query = context.Shape(0);
  const bool is_packed = !context.HasInput(1);
  const auto head_size = PartOf(context, 0, 2, is_packed ? *heads + 2 * *shared : *heads);
  if (!head_size) return;
  context.SetShape(0, {query[0], query[1], context.dims().Multiply(*head_size, *heads)});
  Size batch{.dim = query[0], .input = 0, .axis = 0};
  Size keys{.dim = context.dims().Multiply(*head_size, *shared), .why = " = kv_num_heads * the size of a head"};
  for (const int input : {1, 2}) {
    Size length;
    if (!is_packed && !MatchShape(context, input, {&batch, &length, &keys})) return;
    const int past = input + 2;
    const Dim size = context.Rank(past) == 4 ? context.Shape(past)[3] : *head_size;
    const bool is_known = !context.HasInput(past) || context.Rank(past) == 4;
    if (!context.HasInput(past) && context.Element(0) != 0) context.SetElement(input, context.Element(0));
    if (is_known) context.SetShape(input, {query[0], *shared, Dim(), size});
  }
}

/// The input is either tokens [tokens, hidden size], or packed queries, keys and values [tokens, heads, 3, size of a
/// head].
void PackedMultiHeadAttention(NodeContext& context) {
  if (context.Rank(0) == 4) {
    const std::span<const Dim> shape = context.Shape(0);
    return context.SetShape(0, {shape[0], context.dims().Multiply(shape[1], shape[3])});
  }
  if (context.Rank(0) == 2 && context.Rank(2) == 2) context.SetShape(0, {context.Shape(0)[0], context.Shape(2)[1]});
}

/// The cosines and sines of the angles are in two tables with one row for each position. A row is half as long as the
/// part of a head that is rotated, which may be the whole head.
void IndexedRotation(NodeContext& context) {
  constexpr int kPositions = 1, kCosines = 2, kSines = 3;
  context.CopyShape(0, 0);
  const auto heads = CountOf(context, "num_heads", 0);
  const auto rotated = heads ? CountOf(context, "rotary_embedding_dim", 0) : std::nullopt;
  if (!rotated || !context.HasRank(0)) return;
  if (context.Rank(0) != 4 && !CheckRank(context, 0, 3)) return;
  Size rows, half;
  if (*rotated > 0) {
    half = {.dim = *rotated / 2, .why = " = rotary_embedding_dim / 2"};
  } else if (context.Rank(0) == 4 || *heads > 0) {
    const auto size = context.Rank(0) == 4 ? std::optional(context.Shape(0)[3]) : PartOf(context, 0, 2, *heads);
    if (!size) return;
    half = {.dim = context.dims().FloorDivide(*size, 2), .why = ", half of the size of a head"};
  }
  if (!MatchShape(context, kCosines, {&rows, &half}) || !MatchShape(context, kSines, {&rows, &half})) return;
  if (context.Rank(kPositions) != 2) return;  // one number: the position where the sequence begins
  Size batch{.dim = context.Shape(0)[0], .input = 0, .axis = 0};
  Size sequence{
      .dim = context.Shape(0)[context.Rank(0) == 3 ? 1 : 2], .input = 0, .axis = context.Rank(0) == 3 ? 1 : 2};
  (void)MatchShape(context, kPositions, {&batch, &sequence});
}

/// The outputs, rotated queries and keys, have the shapes of the inputs.
void PairedRotation(NodeContext& context) {
  context.CopyShape(1, 0);
  context.CopyShape(3, 1);
}

/// The output has the shape [batch or 1, heads, length of the queries, length of the keys]; inputs specify the lengths.
void RelativePositionBias(NodeContext& context) {
  Size buckets, heads;
  if (!MatchShape(context, 0, {&buckets, &heads})) return;
  const auto length = [&](int input) {
    const auto number = NumberOf(context, input);
    return number ? Dim(*number) : Dim();
  };
  context.SetShape(0, {1, heads.dim, length(1), length(2)});
}

/// Removes the padding from [batch, sequence, hidden]; the result is a list of tokens.
void RemovePadding(NodeContext& context) {
  Size batch, sequence, hidden;
  if (!MatchShape(context, 0, {&batch, &sequence, &hidden}) || !MatchShape(context, 1, {&batch})) return;
  context.SetShape(0, {Dim(), hidden.dim});
  context.SetShape(1, {batch.dim, sequence.dim});
  context.SetShape(2, {context.dims().Add(batch.dim, 1)});
  context.SetShape(3, {1});
}

/// Adds the padding to a list of tokens again.
void RestorePadding(NodeContext& context) {
  Size tokens, hidden, batch, sequence;
  if (!MatchShape(context, 0, {&tokens, &hidden}) || !MatchShape(context, 1, {&batch, &sequence})) return;
  context.SetShape(0, {batch.dim, sequence.dim, hidden.dim});
}

}  // namespace onnxc::infer
