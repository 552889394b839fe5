// The public functions of the printer.
#include "print/lossless/printer.h"
#include "print/reference/printer.h"

namespace onnxc {

using print::GraphParts;
using print::LosslessPrinter;
using print::Printer;
using print::PrintParts;

namespace {

/// Returns the message as it will be read back from its bytes.
template <typename Proto>
Proto ReadBack(const Proto& message) {
  Proto back;
  (void)back.ParsePartialFromString(message.SerializePartialAsString());
  return back;
}

PrintResult EndLine(PrintResult result, const PrintOptions& options) {
  if (options.final_line_break && result.ok() && !result.text.ends_with('\n')) result.text += '\n';
  return result;
}

/// Prints in the dialect of the options. `reference` passes the message to the printer of the reference dialect.
template <typename Proto, typename Reference>
PrintResult PrintIn(const Proto& message, const PrintOptions& options, Reference reference) {
  if (options.dialect == Dialect::kReference) {
    Printer printer(options);
    reference(printer);
    return printer.Finish();
  }
  LosslessPrinter printer(options);
  printer.Whole(message);
  if (!printer.is_malformed()) return EndLine(printer.Finish(), options);
  LosslessPrinter again(options);
  again.Whole(ReadBack(message));
  return EndLine(again.Finish(), options);
}

}  // namespace

PrintResult Print(const onnx::ModelProto& message, const PrintOptions& options) {
  if (options.dialect == Dialect::kOnnxc) {
    std::optional<PrintResult> result = PrintParts(message, GraphParts(message.graph()), options, nullptr);
    if (result) return EndLine(*std::move(result), options);
    const onnx::ModelProto back = ReadBack(message);
    return EndLine(PrintParts(back, GraphParts(back.graph()), options, nullptr).value_or(PrintResult()), options);
  }
  Printer printer(options);
  printer.Model(message, GraphParts(message.graph()));
  return printer.Finish();
}

PrintResult Print(const onnx::GraphProto& message, const PrintOptions& options) {
  return PrintIn(message, options, [&](Printer& printer) { printer.Graph(message, Printer::GraphRole::kTop); });
}

PrintResult Print(const onnx::FunctionProto& message, const PrintOptions& options) {
  return PrintIn(message, options, [&](Printer& printer) { printer.Function(message); });
}

PrintResult Print(const onnx::NodeProto& message, const PrintOptions& options) {
  return PrintIn(message, options, [&](Printer& printer) { printer.Node(message); });
}

PrintResult Print(const onnx::AttributeProto& message, const PrintOptions& options) {
  return PrintIn(message, options,
                 [&](Printer& printer) { printer.Attribute(message, Printer::AttributeRole::kNode); });
}

PrintResult Print(const onnx::TypeProto& message, const PrintOptions& options) {
  return PrintIn(message, options, [&](Printer& printer) { printer.Type(message); });
}

PrintResult Print(const onnx::TensorProto& message, const PrintOptions& options) {
  return PrintIn(message, options, [&](Printer& printer) { printer.Tensor(message, print::TensorRole::kElsewhere); });
}

PrintResult Print(const onnx::TensorShapeProto& message, const PrintOptions& options) {
  return PrintIn(message, options, [&](Printer& printer) { printer.LoneShape(message); });
}

PrintResult Print(const onnx::SequenceProto& message, const PrintOptions& options) {
  return PrintIn(message, options, [](Printer& printer) { printer.RunValue("a sequence"); });
}

PrintResult Print(const onnx::MapProto& message, const PrintOptions& options) {
  return PrintIn(message, options, [](Printer& printer) { printer.RunValue("a map"); });
}

PrintResult Print(const onnx::OptionalProto& message, const PrintOptions& options) {
  return PrintIn(message, options, [](Printer& printer) { printer.RunValue("an optional"); });
}

}  // namespace onnxc
