// Contents of small tensors, as far as they are known.
#include "infer/contents.h"
#include "infer/registry.h"

namespace onnxc::infer {

void EvaluateCopy(NodeContext& context) { context.SetConstant(0, context.Constant(0)); }

}  // namespace onnxc::infer
