// Gradients and optimizers. The inputs of an optimizer are a rate, a count, and then several lists with one tensor for
// each parameter of the model: the values, the gradients and the state of the optimizer.
#include <fmt/format.h>

#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {
namespace {

/// The outputs are new values for the inputs, except for the gradients. `lists` is the number of lists of tensors among
/// the inputs.
void Update(NodeContext& context, int lists) {
  const int tensors = context.inputs() - 2;
  if (tensors % lists != 0) {
    context.Fail(rule::kInputCount, Part(), {}, context.name(), fmt::format("2 inputs and a multiple of {}", lists),
                 context.inputs());
    return;
  }
  const int count = tensors / lists;
  for (int i = 0; i < count; ++i) {
    context.CopyType(2 + i, i);
    for (int list = 2; list < lists; ++list) context.CopyType(2 + list * count + i, (list - 1) * count + i);
  }
}

}  // namespace

void ThreeLists(NodeContext& context) { Update(context, 3); }

void FourLists(NodeContext& context) { Update(context, 4); }

/// Computes the derivative with respect to each of the first inputs.
void Gradient(NodeContext& context) {
  for (int i = 0; i < context.outputs(); ++i) context.CopyShape(i, i);
}

}  // namespace onnxc::infer
