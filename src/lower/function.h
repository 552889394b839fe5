// Lowers functions.
#pragma once

#include <onnxc/proto.h>

#include "lower/lowering.h"

namespace onnxc::lower {

// Build the parts of a function one at a time.
void BuildFormals(const Grammar::FormalsContext* tree, Lowering& lowering, onnx::FunctionProto* function);
void BuildInput(const Grammar::ValueContext* tree, Lowering& lowering, onnx::FunctionProto* function);
void BuildOutputs(const Grammar::OutputsContext* tree, Lowering& lowering, onnx::FunctionProto* function);
void BuildValue(const Grammar::ValueContext* tree, Lowering& lowering, onnx::FunctionProto* function);
void BuildNode(const Grammar::NodeContext* tree, Lowering& lowering, onnx::FunctionProto* function);

/// Builds a complete function, as the value of a field.
void BuildFunction(const Grammar::NativeContext* tree, Lowering& lowering, onnx::FunctionProto* function);

}  // namespace onnxc::lower
