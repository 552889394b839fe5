// The protobuf messages that this library reads and writes: onnx::ModelProto and so on.
#pragma once

#ifdef ONNXC_PROTO_HEADER
#include ONNXC_PROTO_HEADER  // the build was pointed at another library's messages (CMake option ONNXC_PROTO_TARGET)
#if __has_include(<onnx/onnx-data.pb.h>)
#include <onnx/onnx-data.pb.h>  // ONNX has sequences, maps and optionals in a header of their own
#endif
#else
#include <onnxc/onnx.pb.h>
#endif
