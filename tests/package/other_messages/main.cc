// Uses onnxc to fill a message of another library.
#include <onnx/onnx-ml.pb.h>
#include <onnxc/parser.h>

int main() {
  onnx::ModelProto model;
  if (!onnxc::Parse("<ir_version: 8> f (float[N] x) => (float[N] y) { y = Relu(x) }", &model).ok()) return 1;
  if (model.graph().node(0).op_type() != "Relu") return 2;
  return onnx::ModelProto::descriptor()->file()->name() == "onnx/onnx-ml.proto" ? 0 : 3;
}
