// Operators on strings.
#include <algorithm>

#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {

/// The first output has the parts of each string on an additional axis. The second output contains the number of parts
/// of each string.
void StringSplit(NodeContext& context) {
  if (!context.HasRank(0)) return;
  const std::span<Dim> result = context.NewShape(context.Rank(0) + 1);
  std::copy(context.Shape(0).begin(), context.Shape(0).end(), result.begin());
  context.SetShape(0, result);
  context.CopyShape(0, 1);
}

/// The input has the shape [C] or [1, C]. The operator may remove strings, so the size of the last axis of the output
/// is unknown.
void StringNormalizer(NodeContext& context) {
  if (!context.HasRank(0)) return;
  if (context.Rank(0) == 1) return context.SetShape(0, {Dim()});
  if (!CheckRank(context, 0, 2)) return;
  Size one{.dim = 1};
  if (Match(context, 0, 0, one)) context.SetShape(0, {one.dim, Dim()});
}

/// Converts each row of the input, [C] or [N, C], to one number for each n-gram.
void TfIdfVectorizer(NodeContext& context) {
  if (!context.HasRank(0)) return;
  const auto indexes = context.Ints("ngram_indexes");
  if (!indexes) return;
  if (indexes->empty() || *std::min_element(indexes->begin(), indexes->end()) < 0) {
    FailAttribute(context, "ngram_indexes", "empty or negative", "a list of positions");
    return;
  }
  const Dim grams = context.dims().Add(*std::max_element(indexes->begin(), indexes->end()), 1);
  if (context.Rank(0) == 1) return context.SetShape(0, {grams});
  if (CheckRank(context, 0, 2)) context.SetShape(0, {context.Shape(0)[0], grams});
}

}  // namespace onnxc::infer
