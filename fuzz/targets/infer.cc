#include <google/protobuf/arena.h>
#include <onnxc/arena.h>
#include <onnxc/infer.h>

#include "fuzz/targets/findings.h"
#include "fuzz/targets/target.h"

namespace onnxc::fuzz {
namespace {

/// Checks that inferred types are written into the message itself as they are written into a copy (`typed`).
std::optional<Fault> RunInPlace(const onnx::ModelProto& model, const InferOptions& options,
                                const onnx::ModelProto& typed) {
  google::protobuf::Arena arena;
  auto* const placed = NewIn<onnx::ModelProto>(&arena);
  *placed = model;
  (void)AddTypes(placed, InferTypes(*placed, options));
  if (placed->SerializePartialAsString() == typed.SerializePartialAsString()) return std::nullopt;
  return Fault{"AddTypes() differs from WithTypes()", ""};
}

std::optional<Fault> RunModel(std::string_view bytes, bool data_propagation) {
  onnx::ModelProto model;
  if (!model.ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  const InferOptions options = {.data_propagation = data_propagation};
  const Inference inference = InferTypes(model, options);
  if (auto fault = CheckFindings(inference.diagnostics, SourceText("message", ""))) return fault;
  if (!inference.diagnostics.ok()) return std::nullopt;
  const onnx::ModelProto typed = WithTypes(model, inference).message;
  if (auto fault = RunInPlace(model, options, typed)) return fault;
  const Inference again = InferTypes(typed, options);
  if (again.diagnostics.ok()) return std::nullopt;
  return Fault{"the types that were written contradict the model", again.diagnostics.items().front().message};
}

}  // namespace

// The second variant does not use the contents of constants.
std::optional<Fault> RunInfer(const Input& input) {
  return input.kind == Kind::kModel ? RunModel(input.bytes, input.variant != 1) : std::nullopt;
}

}  // namespace onnxc::fuzz
