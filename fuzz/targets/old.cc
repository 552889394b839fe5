#include "fuzz/mutate/old.h"

#include "fuzz/targets/findings.h"
#include "fuzz/targets/target.h"
#include "old/convert.h"
#include "testing/proto.h"

namespace onnxc::fuzz {
namespace {

constexpr std::size_t kMostGrowth = 100;  // bytes of the new model for each byte of the old model

old::ConvertOptions OptionsFor(old::Schema schema, unsigned variant) {
  old::ConvertOptions options{.allow_loss = variant % 2 == 1};
  const bool has_types = schema == old::Schema::kOnnx01 && variant >= 2;
  if (has_types) options.input_types["x"].mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  return options;
}

/// Checks that current readers accept the converted model: its bytes and its text must be readable.
std::optional<Fault> CheckMessage(const onnx::ModelProto& model) {
  const std::string bytes = testing::Bytes(model);
  onnx::ModelProto back;
  const Diagnostics read = Decode(bytes, Format::kBinary, &back);
  if (!read.ok())
    return Fault{"the model is not read: " + RenderText(read, SourceText("model", "")), model.DebugString()};
  if (testing::Bytes(back) != bytes) return Fault{"the model is read as another", model.DebugString()};
  return testing::FindLoss(model);
}

}  // namespace

// Losses are allowed in variants 1 and 3. The input "x" gets a type in variants 2 and 3 if the schema is the oldest
// one.
std::optional<Fault> RunOld(const Input& input) {
  const old::Schema schema = SchemaOf(input);
  (void)old::FindSchema(input.bytes);  // any result is correct
  const old::ConvertOptions options = OptionsFor(schema, input.variant);
  onnx::ModelProto model;
  const Diagnostics found = old::Convert(input.bytes, schema, options, &model);
  if (auto fault = CheckFindings(found, SourceText("input", input.bytes, nullptr))) return fault;
  if (!found.ok()) {
    return model.ByteSizeLong() == 0 ? std::nullopt : std::optional(Fault{"a model is left of bytes that are wrong"});
  }
  if (model.ByteSizeLong() > kMostGrowth * (input.bytes.size() + 1)) return Fault{"the model grew too much"};
  if (auto fault = CheckMessage(model)) return fault;
  if (options.allow_loss) return std::nullopt;
  old::ConvertOptions lossy = options;
  lossy.allow_loss = true;
  onnx::ModelProto same;
  const Diagnostics again = old::Convert(input.bytes, schema, lossy, &same);
  if (!again.ok() || testing::Bytes(same) != testing::Bytes(model))
    return Fault{"another model where losses are allowed"};
  return std::nullopt;
}

}  // namespace onnxc::fuzz
