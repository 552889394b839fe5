// Checks at compile time that the messages are suitable, which is uncertain if they are those of another library (CMake
// option ONNXC_PROTO_TARGET).
#include <onnxc/proto.h>

#include <type_traits>

namespace {

template <typename Message>
constexpr bool kHasReflection = std::is_base_of_v<google::protobuf::Message, Message>;

// The fields are looked up through template parameters, so that a missing field makes the result false instead of
// causing a separate error.
template <typename Model, typename Node, typename Tensor>
constexpr bool kIsNewEnough = requires(Model model, Node node) {
  model.configuration();
  node.device_configurations();
  Tensor::FLOAT4E2M1;
  Tensor::FLOAT8E8M0;
  Tensor::INT2;
};

static_assert(kHasReflection<onnx::ModelProto>,
              "the messages of ONNXC_PROTO_TARGET are of protobuf's lite runtime and have no reflection: generate them "
              "with `protoc --cpp_out=speed:...` or without `optimize_for = LITE_RUNTIME`");
static_assert(
    kIsNewEnough<onnx::ModelProto, onnx::NodeProto, onnx::TensorProto>,
    "the messages of ONNXC_PROTO_TARGET are too old: onnxc needs those of IR version 13 (ONNX 1.20) or newer");

}  // namespace
