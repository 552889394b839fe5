// Recurrent networks.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "infer/operands.h"
#include "infer/registry.h"
#include "source/words.h"

namespace onnxc::infer {
namespace {

Dim Directions(NodeContext& context) { return Choice(context, "direction") == "bidirectional" ? 2 : 1; }

/// Returns the number of gates: the weights have one row per unit for RNN, three for GRU, four for LSTM.
std::int64_t Gates(const NodeContext& context) {
  return context.name() == "LSTM" ? 4 : context.name() == "GRU" ? 3 : 1;
}

/// Returns a text that explains a number of rows that is `times` the number of units. `is_told` is as in Sizes.
std::string RowsText(std::int64_t times, bool is_told) {
  if (times == 1) return is_told ? " = hidden_size" : ", as dimension 2 of 'R'";
  return is_told ? fmt::format(" = {} * hidden_size", times) : fmt::format(", {} times dimension 2 of 'R'", times);
}

/// The sizes that several inputs have in common.
struct Sizes {
  Size sequence = {}, batch = {}, input = {}, directions = {}, units = {};
  bool batch_first = false;
  bool is_told = false;  ///< the attribute hidden_size specifies the number of units
};

/// Checks the optional inputs: biases [directions, 2 * gates * hidden], lengths [batch], states [directions, batch,
/// hidden], peepholes [directions, 3 * hidden].
bool MatchOptional(NodeContext& context, Sizes& sizes) {
  constexpr int kBiases = 3, kLengths = 4, kStates = 5, kPeepholes = 7;
  const std::int64_t biases = 2 * Gates(context);
  const auto rows = [&](int input, std::int64_t times) {
    const std::string why = RowsText(times, sizes.is_told);
    Size count{.dim = context.dims().Multiply(sizes.units.dim, times), .why = why};
    return MatchShape(context, input, {&sizes.directions, &count});
  };
  if (!rows(kBiases, biases) || !MatchShape(context, kLengths, {&sizes.batch})) return false;
  const bool is_lstm = context.name() == "LSTM";
  for (int state = kStates; state <= kStates + (is_lstm ? 1 : 0); ++state) {
    Size* const first = sizes.batch_first ? &sizes.batch : &sizes.directions;
    Size* const second = sizes.batch_first ? &sizes.directions : &sizes.batch;
    if (!MatchShape(context, state, {first, second, &sizes.units})) return false;
  }
  return !is_lstm || rows(kPeepholes, 3);
}

/// Checks that each direction has as many activation functions as the operator requires: RNN one, GRU two, LSTM three.
bool CheckActivations(NodeContext& context) {
  constexpr int kNow = 7;  // since this version of the operators, all three agree on the attribute
  const onnx::AttributeProto* const given = context.Attribute("activations");
  if (given == nullptr || given->strings().empty() || context.op().since < kNow) return true;
  const std::int64_t directions = Directions(context).number();
  const std::int64_t wanted = directions * std::max<std::int64_t>(Gates(context) - 1, 1);
  if (given->strings_size() == wanted) return true;
  return FailLength(
      context, "activations", given->strings_size(),
      fmt::format("{} {} {}", Counted(directions, "direction"), directions == 1 ? "needs" : "need", wanted));
}

}  // namespace

/// The inputs are X [sequence, batch, input], W [directions, gates * hidden, input] and R [directions, gates * hidden,
/// hidden].
void Recurrent(NodeContext& context) {
  if (!CheckActivations(context) || !CheckRank(context, 0, 3)) return;
  Sizes sizes{.directions = {.dim = Directions(context), .why = ", the number of directions"},
              .batch_first = context.Int("layout", 0) != 0,
              .is_told = context.HasAttribute("hidden_size")};
  Size& sequence = sizes.sequence;
  Size& batch = sizes.batch;
  const bool batch_first = sizes.batch_first;
  if (!MatchShape(context, 0, {batch_first ? &batch : &sequence, batch_first ? &sequence : &batch, &sizes.input}))
    return;
  if (context.has_failed()) return;
  Dim hidden = context.Int("hidden_size", -1);
  if (hidden.number() <= 0) {
    hidden = {};
    if (context.Rank(2) == 3) hidden = context.Shape(2)[2];
  }
  const std::string why = RowsText(Gates(context), sizes.is_told);
  Size gates{.dim = context.dims().Multiply(hidden, Gates(context)), .why = why};
  sizes.units = {.dim = hidden, .why = sizes.is_told ? " = hidden_size" : ""};
  if (!MatchShape(context, 1, {&sizes.directions, &gates, &sizes.input}) ||
      !MatchShape(context, 2, {&sizes.directions, &gates, &sizes.units}) || !MatchOptional(context, sizes)) {
    return;
  }
  const Dim directions = Directions(context);
  const Dim units = sizes.units.dim;
  if (batch_first) {
    context.SetShape(0, {batch.dim, sequence.dim, directions, units});
  } else {
    context.SetShape(0, {sequence.dim, directions, batch.dim, units});
  }
  for (int i = 1; i < context.outputs(); ++i) {
    if (batch_first) {
      context.SetShape(i, {batch.dim, directions, units});
    } else {
      context.SetShape(i, {directions, batch.dim, units});
    }
  }
}

}  // namespace onnxc::infer
