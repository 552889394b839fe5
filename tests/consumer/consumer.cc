// Compiles a text, and looks at the result and at an error.
#include <onnxc/parser.h>

#include <cstdio>
#include <string>

int main() {
  onnx::ModelProto model;
  const onnxc::Diagnostics found = onnxc::Parse(
      R"(<ir_version: 8, opset_import: ["" : 17]> f (float[N] x) => (float[N] y) { y = Relu(x) })", &model);
  if (!found.ok() || model.graph().node_size() != 1 || model.graph().node(0).op_type() != "Relu") return 1;

  const std::string wrong = "f (float[N] x) => (float[N] y) { y = Relu(x }";
  const onnxc::Status status = onnxc::OnnxParser::Parse(model, wrong);
  if (status.IsOK() || status.ErrorMessage().empty()) return 2;
  std::puts(status.ErrorMessage().c_str());
  std::puts("consumer: ok");
  return 0;
}
