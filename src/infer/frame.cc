// The values of a graph or function during the inference of its types.
#include "infer/engine.h"
#include "infer/shapes.h"

namespace onnxc::infer {

Declared DeclaredIn(const ValueInfos& values, const ValueInfos& outputs) {
  Declared declared;
  declared.Reserve(static_cast<std::size_t>(values.size()) + static_cast<std::size_t>(outputs.size()));
  for (const auto& value : values) {
    const HashedName name(value.name());
    if (declared.Find(name) == nullptr) declared.Add(name, {.info = &value});
  }
  for (const auto& output : outputs) {
    const HashedName name(output.name());
    Declaration* const found = declared.Find(name);
    Declaration& declaration = found != nullptr ? *found : declared.Add(name, {});
    if (declaration.output == nullptr) declaration.output = &output;
  }
  return declared;
}

Value* Frame::Find(std::string_view text) const {
  const HashedName name(text);
  for (const Frame* frame = this; frame != nullptr; frame = frame->parent) {
    if (Value* const found = frame->values.Find(name)) return found;
  }
  return nullptr;
}

const NameSet& Frame::SizesOfInputs() {
  if (sizes_of_inputs_) return *sizes_of_inputs_;
  sizes_of_inputs_.emplace();
  for (const onnx::ValueInfoProto& input : *inputs) {
    for (const auto& dim : input.type().tensor_type().shape().dim()) sizes_of_inputs_->insert(dim.dim_param());
  }
  return *sizes_of_inputs_;
}

void Frame::Define(std::string_view text, const Value& value) {
  const HashedName name(text);
  Value* const defined = values.Find(name);
  if (defined == nullptr) {
    values.Add(name, value);
  } else {
    *defined = value;
    defined->name = text;
  }
}

void Frame::DefineOutput(Memory& types, const HashedName& name, const Value& value) {
  Value* const defined = values.Find(name);
  if (defined == nullptr) {
    values.Add(name, value);
  } else {
    *defined = {.name = name.text, .type = Join(types, defined->type, value.type), .source = value.source};
  }
}

}  // namespace onnxc::infer
