// Infers the types of many models. Reads messages, each after its length in eight bytes, little-endian. Writes for each
// message the length of the model with its types, the length of a JSON list of findings, the model, and the list. The
// findings are those of the checker and of inference.
#include <onnxc/checker.h>
#include <onnxc/infer.h>

#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

namespace {

bool ReadMessage(std::string* bytes) {
  std::uint64_t size = 0;
  if (!std::cin.read(reinterpret_cast<char*>(&size), sizeof(size))) return false;
  bytes->resize(size);
  return static_cast<bool>(std::cin.read(bytes->data(), static_cast<std::streamsize>(size)));
}

void AddFindings(const onnxc::Diagnostics& findings, nlohmann::json& list) {
  for (const onnxc::Diagnostic& item : findings.items()) {
    list.push_back({{"severity", item.severity == onnxc::Severity::kError ? "error" : "warning"},
                    {"rule", Name(item.kind)},
                    {"message", item.message}});
  }
}

void Answer(const std::string& bytes) {
  onnx::ModelProto model;
  nlohmann::json findings = nlohmann::json::array();
  std::string typed;
  if (model.ParseFromString(bytes)) {
    AddFindings(onnxc::CheckModel(model), findings);
    const onnxc::Inference inference = onnxc::InferTypes(model);
    AddFindings(inference.diagnostics, findings);
    typed = onnxc::WithTypes(model, inference).message.SerializeAsString();
  } else {
    findings.push_back({{"severity", "error"}, {"rule", "unreadable"}, {"message", "no model"}});
  }
  const std::string list = findings.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::uint64_t sizes[] = {typed.size(), list.size()};
  std::cout.write(reinterpret_cast<const char*>(sizes), sizeof(sizes)) << typed << list;
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string bytes; ReadMessage(&bytes);) Answer(bytes);
  return 0;
}
