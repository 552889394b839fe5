#include <onnxc/infer.h>

#include "fuzz/targets/findings.h"
#include "fuzz/targets/target.h"

namespace onnxc::fuzz {
namespace {

std::optional<Fault> RunModel(std::string_view bytes, bool data_propagation) {
  onnx::ModelProto model;
  if (!model.ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  const InferOptions options = {.data_propagation = data_propagation};
  const Inference inference = InferTypes(model, options);
  if (auto fault = CheckFindings(inference.findings, SourceText("message", ""))) return fault;
  if (!inference.findings.ok()) return std::nullopt;
  const onnx::ModelProto typed = WithTypes(model, inference);
  const Inference again = InferTypes(typed, options);
  if (again.findings.ok()) return std::nullopt;
  return Fault{"the types that were written contradict the model", again.findings.items().front().message};
}

}  // namespace

// The second variant does not look at the contents of constants.
std::optional<Fault> RunInfer(const Input& input) {
  return input.kind == Kind::kModel ? RunModel(input.bytes, input.variant != 1) : std::nullopt;
}

}  // namespace onnxc::fuzz
