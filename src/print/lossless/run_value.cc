// Prints values that exist only when a model runs: sequences, maps and optionals are printed as records, and the
// tensors in them in their native form.
#include "print/lossless/printer.h"

namespace onnxc::print {

template <typename Proto>
void LosslessPrinter::RunValue(const Proto& value) {
  Top(ChooseScope(value), {});
  RecordInPlace(value);
}

void LosslessPrinter::Whole(const onnx::SequenceProto& sequence) { RunValue(sequence); }
void LosslessPrinter::Whole(const onnx::MapProto& map) { RunValue(map); }
void LosslessPrinter::Whole(const onnx::OptionalProto& optional) { RunValue(optional); }

}  // namespace onnxc::print
