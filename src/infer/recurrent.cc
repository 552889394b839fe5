// Recurrent nets.
#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {
namespace {

Dim Directions(NodeContext& context) { return Choice(context, "direction") == "bidirectional" ? 2 : 1; }

/// The rows that the weights have for each unit: one for RNN, three for GRU, four for LSTM.
std::int64_t Gates(const NodeContext& context) {
  return context.name() == "LSTM" ? 4 : context.name() == "GRU" ? 3 : 1;
}

/// Where the number of those rows comes from.
std::string_view GatesText(const NodeContext& context, bool is_told) {
  if (context.name() == "LSTM") return is_told ? " = 4 * hidden_size" : ", 4 times dimension 2 of 'R'";
  if (context.name() == "GRU") return is_told ? " = 3 * hidden_size" : ", 3 times dimension 2 of 'R'";
  return is_told ? " = hidden_size" : ", as dimension 2 of 'R'";
}

}  // namespace

/// X [sequence, batch, input], W [directions, gates * hidden, input], R [directions, gates * hidden, hidden].
void Recurrent(NodeContext& context) {
  if (!CheckRank(context, 0, 3)) return;
  const bool batch_first = context.Int("layout", 0) != 0;
  Size sequence, batch, input;
  if (!MatchShape(context, 0, {batch_first ? &batch : &sequence, batch_first ? &sequence : &batch, &input})) return;
  const Dim directions = Directions(context);
  if (context.has_failed()) return;
  Dim hidden = context.Int("hidden_size", -1);
  if (hidden.number() <= 0) {
    hidden = {};
    if (context.Rank(2) == 3) hidden = context.Shape(2)[2];
  }
  const bool is_told = context.HasAttribute("hidden_size");
  Size given_directions{.dim = directions, .why = ", the number of directions"};
  Size gates{.dim = context.dims().Multiply(hidden, Gates(context)), .why = GatesText(context, is_told)};
  Size units{.dim = hidden, .why = is_told ? " = hidden_size" : ""};
  if (!MatchShape(context, 1, {&given_directions, &gates, &input}) ||
      !MatchShape(context, 2, {&given_directions, &gates, &units})) {
    return;
  }
  if (batch_first) {
    context.SetShape(0, {batch.dim, sequence.dim, directions, units.dim});
  } else {
    context.SetShape(0, {sequence.dim, directions, batch.dim, units.dim});
  }
  for (int i = 1; i < context.outputs(); ++i) {
    if (batch_first) {
      context.SetShape(i, {batch.dim, directions, units.dim});
    } else {
      context.SetShape(i, {directions, batch.dim, units.dim});
    }
  }
}

}  // namespace onnxc::infer
