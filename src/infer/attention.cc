// Attention and related operators of transformers.
#include <fmt/format.h>

#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {
namespace {

/// The sizes that the inputs of Attention determine. An input has the shape [batch, sequence, heads * size] or [batch,
/// heads, sequence, size].
struct Heads {
  Size batch = {};
  Dim query_heads = {};
  Dim query_length = {};
  Size heads = {};       ///< number of heads of keys and values
  Size length = {};      ///< length of keys and values
  Size key_size = {};    ///< number of elements of each head of the queries and keys
  Size value_size = {};  ///< number of elements of each head of the values
};

std::optional<std::int64_t> HeadCount(NodeContext& context, std::string_view attribute) {
  if (!context.HasAttribute(attribute)) {
    FailAttribute(context, attribute, "missing", "given for inputs of rank 3");
    return std::nullopt;
  }
  const std::int64_t count = context.Int(attribute, 0);
  if (count > 0) return count;
  FailAttribute(context, attribute, count, "positive");
  return std::nullopt;
}

/// Returns the number of heads of the queries, and the number of heads of the keys and values. The first number must be
/// a multiple of the second, because several query heads share one head of keys and values. Returns nothing after an
/// error.
std::optional<std::pair<std::int64_t, std::int64_t>> HeadCounts(NodeContext& context) {
  const auto query = HeadCount(context, "q_num_heads");
  const auto keys = query ? HeadCount(context, "kv_num_heads") : std::nullopt;
  if (!keys) return std::nullopt;
  if (*query % *keys == 0) return std::pair(*query, *keys);
  FailAttribute(context, "q_num_heads", *query, fmt::format("a multiple of 'kv_num_heads', {}", *keys));
  return std::nullopt;
}

bool CheckRanks(NodeContext& context) {
  for (int i = 0; i < 3; ++i) {
    if (!CheckRank(context, i, context.Rank(0) == 3 ? 3 : 4)) return false;
  }
  if (context.op().since >= 25 && context.Rank(0) == 4) {
    for (const std::string_view attribute : {"q_num_heads", "kv_num_heads"}) {
      if (context.HasAttribute(attribute))
        return FailAttribute(context, attribute, "given", "left out for inputs of rank 4");
    }
  }
  return true;
}

/// Returns the number of elements of one head, given the packed dimension heads * size. Returns nothing after an error.
std::optional<Dim> HeadSize(NodeContext& context, int input, std::int64_t heads) {
  if (context.Rank(input) != 3) return Dim();
  const Dim packed = context.Shape(input)[2];
  if (packed.IsNumber() && packed.number() % heads != 0) {
    FailDimension(context, input, 2,
                  fmt::format("a multiple of {} = {}", heads, input == 0 ? "q_num_heads" : "kv_num_heads"));
    return std::nullopt;
  }
  return context.dims().FloorDivide(packed, heads);
}

/// Reports an error if the size of a head in a packed input contradicts the known size.
bool MatchHead(NodeContext& context, int input, Dim size, Size& known) {
  const std::optional<Dim> both = Unify(known.dim, size);
  if (!both) return FailDimension(context, input, 2, fmt::format("{} for each head", ToString(known.dim)));
  known.dim = *both;
  return true;
}

bool ReadPacked(NodeContext& context, Heads* heads) {
  const auto counts = HeadCounts(context);
  if (!counts) return false;
  const auto [query, keys] = *counts;
  const auto size = HeadSize(context, 0, query);
  const auto key_size = size ? HeadSize(context, 1, keys) : std::nullopt;
  const auto value_size = key_size ? HeadSize(context, 2, keys) : std::nullopt;
  if (!value_size || !MatchHead(context, 0, *size, heads->key_size) ||
      !MatchHead(context, 1, *key_size, heads->key_size)) {
    return false;
  }
  heads->query_heads = query;
  heads->heads = {.dim = keys, .why = " = kv_num_heads"};
  heads->query_length = context.Shape(0)[1];
  heads->value_size.dim = *value_size;
  return true;
}

bool ReadUnpacked(NodeContext& context, Heads* heads) {
  if (!Match(context, 0, 3, heads->key_size) || !Match(context, 1, 3, heads->key_size) ||
      !Match(context, 2, 3, heads->value_size) || !Match(context, 1, 1, heads->heads) ||
      !Match(context, 2, 1, heads->heads)) {
    return false;
  }
  heads->query_heads = context.Shape(0)[1];
  heads->query_length = context.Shape(0)[2];
  const Dim keys = heads->heads.dim;
  const bool is_known = heads->query_heads.IsNumber() && keys.IsNumber() && keys.number() > 0;
  return !is_known || heads->query_heads.number() % keys.number() == 0 ||
         FailDimension(context, 0, 1, fmt::format("a multiple of {}, the number of heads of the keys", keys.number()));
}

std::optional<Heads> ReadHeads(NodeContext& context) {
  if (!CheckRanks(context)) return std::nullopt;
  Heads heads;
  const bool is_packed = context.Rank(0) == 3;
  const int length_axis = is_packed ? 1 : 2;
  for (int i = 0; i < 3; ++i) {
    if (!Match(context, i, 0, heads.batch)) return std::nullopt;
    const bool has_length = i > 0 && context.Rank(i) == context.Rank(0);
    if (has_length && !Match(context, i, length_axis, heads.length)) return std::nullopt;
  }
  const bool is_read = is_packed ? ReadPacked(context, &heads) : ReadUnpacked(context, &heads);
  return is_read ? std::optional(heads) : std::nullopt;
}

/// Checks that the past keys and values have the shapes of the new ones. Only their length may differ.
bool CheckPast(NodeContext& context, Heads* heads) {
  Size past;
  return MatchShape(context, 4, {&heads->batch, &heads->heads, &past, &heads->key_size}) &&
         MatchShape(context, 5, {&heads->batch, &heads->heads, &past, &heads->value_size});
}

/// Checks that the mask broadcasts to the scores [batch, heads, length of the queries, length of the keys]. Since
/// version 24 the mask may be shorter than the keys; the keys after the end of the mask are then ignored.
bool CheckMask(NodeContext& context, const Heads& heads, Dim total) {
  struct Axis {
    Dim size;
    std::string_view name;
  };
  const Axis scores[] = {{heads.batch.dim, "the size of the batch"},
                         {heads.query_heads, "the number of heads"},
                         {heads.query_length, "the length of the queries"},
                         {total, "the length of the keys"}};
  const std::span<const Dim> mask = context.Shape(3);
  if (mask.size() > std::size(scores)) return CheckRank(context, 3, static_cast<int>(std::size(scores)));
  const std::size_t first = std::size(scores) - mask.size();
  for (std::size_t i = 0; i < mask.size(); ++i) {
    const Axis& axis = scores[first + i];
    if (mask[i].Is(1) || !mask[i].Contradicts(axis.size)) continue;
    const bool is_last = i + 1 == mask.size();
    if (is_last && context.op().since >= 24 && mask[i].number() < axis.size.number()) continue;
    return FailDimension(context, 3, i, fmt::format("1 or {}, {}", ToString(axis.size), axis.name));
  }
  return true;
}

/// Sets an output to keys or values whose heads are on a separate axis.
void SetUnpacked(NodeContext& context, int input, int output) {
  if (context.Rank(input) == 4) return context.CopyShape(input, output);
  const std::int64_t heads = context.Int("kv_num_heads", 0);
  if (context.Rank(input) != 3 || heads <= 0) return;
  const std::span<const Dim> shape = context.Shape(input);
  context.SetShape(output, {shape[0], heads, shape[1], context.dims().FloorDivide(shape[2], heads)});
}

/// Sets the outputs that contain the past keys or values, followed by the new ones. Returns the length of these
/// outputs. `length` is the number of new keys; it is returned if the node has no past keys.
Dim SetPresent(NodeContext& context, Dim length) {
  Memory& dims = context.dims();
  Dim total = length;
  for (int i = 0; i < 2; ++i) {
    const int past = 4 + i;
    if (!context.HasInput(past)) {
      SetUnpacked(context, 1 + i, 1 + i);
      continue;
    }
    if (context.Element(past) != 0) context.SetElement(1 + i, context.Element(past));
    if (context.Rank(past) != 4) {
      total = {};
      continue;
    }
    const std::span<const Dim> shape = context.Shape(past);
    total = dims.Add(length, shape[2]);
    context.SetShape(1 + i, {shape[0], shape[1], total, shape[3]});
  }
  return total;
}

bool CheckCache(NodeContext& context) {
  if (context.op().since < 25) return true;
  if (context.HasInput(4) != context.HasInput(5)) {
    return FailElements(context, context.HasInput(4) ? 4 : 5, "given alone",
                        "given together with the other input of the cache");
  }
  if (context.HasInput(6) && (context.HasInput(4) || context.HasOutput(1))) {
    return FailElements(context, 6, "given", "left out if past or present keys and values are used");
  }
  if (context.HasOutput(1) != context.HasOutput(2)) {
    const Part alone = Out(context.HasOutput(1) ? 1 : 2);
    return context.Fail(rule::kOperandValue, alone, {}, context.Describe(alone), context.name(), "listed alone",
                        "it must be listed together with the other output of the cache");
  }
  for (const std::string_view attribute : {"left_window_size", "right_window_size"}) {
    if (context.Int(attribute, -1) < -1) {
      return FailAttribute(context, attribute, context.Int(attribute, -1), "at least -1");
    }
  }
  return true;
}

}  // namespace

void Attention(NodeContext& context) {
  if (!CheckRank(context, 4, 4) || !CheckRank(context, 5, 4) || !CheckCache(context)) return;
  if (!context.HasRank(0)) return;
  auto heads = ReadHeads(context);
  if (!heads || !CheckPast(context, &*heads)) return;
  const Dim batch = heads->batch.dim;
  const bool is_packed = context.Rank(0) == 3;
  if (is_packed) {
    const Dim packed = context.dims().Multiply(heads->query_heads, heads->value_size.dim);
    context.SetShape(0, {batch, heads->query_length, packed});
  } else {
    context.SetShape(0, {batch, heads->query_heads, heads->query_length, heads->value_size.dim});
  }
  const Dim total = SetPresent(context, heads->length.dim);
  if (!CheckMask(context, *heads, total)) return;
  context.SetShape(3, {batch, heads->query_heads, heads->query_length, total});
}

namespace {

/// Returns half of the number of rotated elements of a head, which is the width of the caches. All elements are rotated
/// unless the attribute gives another number.
std::optional<Dim> HalfOfHead(NodeContext& context) {
  const std::int64_t part = context.Int("rotary_embedding_dim", 0);
  if (part > 0) return part / 2;
  if (context.Rank(0) == 4) return context.dims().FloorDivide(context.Shape(0)[3], 2);
  const std::int64_t heads = context.Int("num_heads", 0);
  const Dim packed = context.Shape(0)[2];
  if (heads <= 0) {
    FailAttribute(context, "num_heads", heads, "positive");
    return std::nullopt;
  }
  if (packed.IsNumber() && packed.number() % heads != 0) {
    FailDimension(context, 0, 2, fmt::format("a multiple of {} = num_heads", heads));
    return std::nullopt;
  }
  return context.dims().FloorDivide(packed, 2 * heads);
}

/// Checks the cosine and sine caches: [positions, half] if there are positions [batch, sequence], otherwise [batch,
/// sequence, half].
bool CheckCaches(NodeContext& context) {
  constexpr int kCosines = 1, kSines = 2, kPositions = 3;
  const auto of_head = HalfOfHead(context);
  if (!of_head) return false;
  const bool is_told = context.Int("rotary_embedding_dim", 0) > 0;
  Size batch, sequence, rows;
  Size half{.dim = *of_head, .why = is_told ? " = rotary_embedding_dim / 2" : ", half of the size of a head"};
  if (!Match(context, 0, 0, batch) || !Match(context, 0, context.Rank(0) == 3 ? 1 : 2, sequence)) return false;
  if (context.HasInput(kPositions)) {
    return MatchShape(context, kCosines, {&rows, &half}) && MatchShape(context, kSines, {&rows, &half}) &&
           MatchShape(context, kPositions, {&batch, &sequence});
  }
  Size each;  // 1 if all sequences share the caches, or the size of the batch
  if (!MatchShape(context, kCosines, {&each, &sequence, &half})) return false;
  if (!MatchShape(context, kSines, {&each, &sequence, &half})) return false;
  return each.dim.Is(1) || Match(context, kCosines, 0, batch);
}

}  // namespace

void RotaryEmbedding(NodeContext& context) {
  context.CopyShape(0, 0);
  if (!context.HasRank(0)) return;
  if (context.Rank(0) != 4 && !CheckRank(context, 0, 3)) return;
  if (context.Rank(0) == 3 && !context.HasAttribute("num_heads")) {
    FailAttribute(context, "num_heads", "missing", "given for an input of rank 3");
    return;
  }
  (void)CheckCaches(context);
}

/// The second output keeps the last elements of the input, as the state for the next call.
void CausalConvolution(NodeContext& context) {
  context.CopyShape(0, 0);
  Size batch, channels, length, one{.dim = 1}, kernel, kept;
  if (!MatchShape(context, 0, {&batch, &channels, &length}) || !MatchShape(context, 1, {&channels, &one, &kernel}) ||
      !MatchShape(context, 2, {&channels}) || !MatchShape(context, 3, {&batch, &channels, &kept})) {
    return;
  }
  const Dim rest = context.dims().Subtract(kernel.dim, 1);
  if (kernel.dim.IsNumber() && kernel.dim.number() < 1) {
    FailDimension(context, 1, 2, "positive");
    return;
  }
  if (rest.Contradicts(kept.dim)) {
    FailDimension(context, 3, 2, fmt::format("{}, one less than the window", rest.number()));
    return;
  }
  context.SetShape(1, {batch.dim, channels.dim, rest.IsUnknown() ? kept.dim : rest});
}

namespace {

/// The optional inputs that an update rule of LinearAttention requires.
struct UpdateRule {
  std::string_view name;
  bool decay;
  bool beta;
};
constexpr UpdateRule kUpdateRules[] = {
    {"gated_delta", true, true}, {"linear", false, false}, {"gated", true, false}, {"delta", false, true}};

bool CheckUpdateRule(NodeContext& context) {
  const std::string_view name = Choice(context, "update_rule");
  for (const UpdateRule& row : kUpdateRules) {
    if (row.name != name) continue;
    if (context.HasInput(4) != row.decay) {
      return FailClash(context, "update_rule", "input 'decay'",
                       row.decay ? "the input must be given" : "the input must be left out");
    }
    if (context.HasInput(5) != row.beta) {
      return FailClash(context, "update_rule", "input 'beta'",
                       row.beta ? "the input must be given" : "the input must be left out");
    }
  }
  return true;
}

/// Checks the last dimension of the decay and of beta: each has one number for each head, or one number for each
/// element of a key.
bool CheckGates(NodeContext& context, std::int64_t heads, Dim key_size) {
  if (context.Rank(4) == 3) {
    const Dim last = context.Shape(4)[2];
    const Dim all = context.dims().Multiply(heads, key_size);
    const bool fits = !last.IsNumber() || last.Is(heads) || !last.Contradicts(all);
    if (!fits) return FailDimension(context, 4, 2, fmt::format("{} or {}", heads, ToString(all)));
  }
  if (context.Rank(5) == 3) {
    const Dim last = context.Shape(5)[2];
    if (last.IsNumber() && !last.Is(1) && !last.Is(heads)) {
      return FailDimension(context, 5, 2, fmt::format("1 or {}", heads));
    }
  }
  return true;
}

}  // namespace

void LinearAttention(NodeContext& context) {
  const auto counts = HeadCounts(context);
  if (!counts) return;
  const auto [query_count, key_count] = *counts;
  if (!CheckUpdateRule(context)) return;
  if (context.HasInput(3) && context.Element(3) != 0) {
    context.SetElement(1, context.Element(3));
  } else if (context.Element(0) != 0) {
    context.SetElement(1, context.Element(0));
  }
  Size batch, length, query, key, value, heads{.dim = key_count}, key_size, value_size, decay, beta;
  if (!MatchShape(context, 0, {&batch, &length, &query}) || !MatchShape(context, 1, {&batch, &length, &key}) ||
      !MatchShape(context, 2, {&batch, &length, &value}) ||
      !MatchShape(context, 3, {&batch, &heads, &key_size, &value_size}) ||
      !MatchShape(context, 4, {&batch, &length, &decay}) || !MatchShape(context, 5, {&batch, &length, &beta})) {
    return;
  }
  const auto from_query = HeadSize(context, 0, query_count);
  const auto from_key = from_query ? HeadSize(context, 1, key_count) : std::nullopt;
  const auto from_value = from_key ? HeadSize(context, 2, key_count) : std::nullopt;
  if (!from_value || !MatchHead(context, 0, *from_query, key_size) || !MatchHead(context, 1, *from_key, key_size) ||
      !MatchHead(context, 2, *from_value, value_size) || !CheckGates(context, key_count, key_size.dim)) {
    return;
  }
  context.SetShape(0, {batch.dim, length.dim, context.dims().Multiply(value_size.dim, query_count)});
  context.SetShape(1, {batch.dim, key_count, key_size.dim, value_size.dim});
}

/// Both inputs must have the same shape, because they do not broadcast.
void SwiGlu(NodeContext& context) {
  if (!context.HasRank(0) || !context.HasRank(1)) return;
  const int rank = context.Rank(0);
  if (!CheckRank(context, 1, rank)) return;
  const std::span<Dim> result = context.NewShape(rank);
  for (int i = 0; i < rank; ++i) {
    Size size;
    if (!Match(context, 0, i, size) || !Match(context, 1, i, size)) return;
    result[static_cast<std::size_t>(i)] = size.dim;
  }
  context.SetShape(0, result);
}

}  // namespace onnxc::infer
