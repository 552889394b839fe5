// The functions that operators.def names.
#pragma once

#include "infer/context.h"

namespace onnxc::infer {

/// Infers the outputs of a node whose operator a file declares.
void InferDeclared(NodeContext& context);

#define ONNXC_INFER(domain, name, first, last, function) void function(NodeContext& context);
#include "infer/operators.def"
#undef ONNXC_INFER

#define ONNXC_EVALUATE(name, function) void function(NodeContext& context);
#include "infer/evaluators.def"
#undef ONNXC_EVALUATE

}  // namespace onnxc::infer
