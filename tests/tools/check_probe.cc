// Checks many models. Reads a list of files from standard input or, with --stream, messages, each after its length in
// eight bytes, little-endian. Writes a line for each model: "ok" or "error", the names of the rules that are broken by
// errors, and after "/" those of the warnings; or "unreadable" if the bytes are not a model.
#include <onnxc/checker.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <string>

namespace {

void Say(const std::string& bytes, const std::string& directory) {
  onnx::ModelProto model;
  if (!model.ParseFromString(bytes)) {
    std::cout << "unreadable\n";
    return;
  }
  const onnxc::Diagnostics found = onnxc::CheckModel(model, {.directory = directory});
  std::set<std::string_view> errors;
  std::set<std::string_view> warnings;
  for (const onnxc::Diagnostic& item : found.items()) {
    (item.severity == onnxc::Severity::kError ? errors : warnings).insert(Name(item.kind));
  }
  std::cout << (found.ok() ? "ok" : "error");
  for (const std::string_view name : errors) std::cout << ' ' << name;
  std::cout << " /";
  for (const std::string_view name : warnings) std::cout << ' ' << name;
  std::cout << '\n';
}

bool ReadMessage(std::string* bytes) {
  std::uint64_t size = 0;
  if (!std::cin.read(reinterpret_cast<char*>(&size), sizeof(size))) return false;
  bytes->resize(size);
  return static_cast<bool>(std::cin.read(bytes->data(), static_cast<std::streamsize>(size)));
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  if (argc > 1 && std::strcmp(argv[1], "--stream") == 0) {
    for (std::string bytes; ReadMessage(&bytes);) Say(bytes, "");
    return 0;
  }
  for (std::string path; std::getline(std::cin, path);) {
    std::ifstream file(path, std::ios::binary);
    Say({std::istreambuf_iterator<char>(file), {}}, std::filesystem::path(path).parent_path());
  }
  return 0;
}
