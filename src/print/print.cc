// The entry points.
#include "print/printer.h"

namespace onnxc {

PrintResult Printer::Finish() {
  PrintResult result{.text = {}, .diagnostics = losses_.Finish()};
  if (result.diagnostics.ok()) result.text = out_.Take();
  return result;
}

PrintResult Print(const onnx::ModelProto& message, const PrintOptions& options) {
  Printer printer(options);
  printer.Model(message);
  return printer.Finish();
}

PrintResult Print(const onnx::GraphProto& message, const PrintOptions& options) {
  Printer printer(options);
  printer.Graph(message, Printer::GraphPlace::kTop);
  return printer.Finish();
}

PrintResult Print(const onnx::FunctionProto& message, const PrintOptions& options) {
  Printer printer(options);
  printer.Function(message);
  return printer.Finish();
}

PrintResult Print(const onnx::NodeProto& message, const PrintOptions& options) {
  Printer printer(options);
  printer.Node(message);
  return printer.Finish();
}

PrintResult Print(const onnx::AttributeProto& message, const PrintOptions& options) {
  Printer printer(options);
  printer.Attribute(message, Printer::AttributePlace::kNode);
  return printer.Finish();
}

PrintResult Print(const onnx::TypeProto& message, const PrintOptions& options) {
  Printer printer(options);
  printer.Type(message);
  return printer.Finish();
}

PrintResult Print(const onnx::TensorProto& message, const PrintOptions& options) {
  Printer printer(options);
  printer.Tensor(message, Printer::TensorPlace::kElsewhere);
  return printer.Finish();
}

PrintResult Print(const onnx::TensorShapeProto& message, const PrintOptions& options) {
  Printer printer(options);
  printer.LoneShape(message);
  return printer.Finish();
}

}  // namespace onnxc
