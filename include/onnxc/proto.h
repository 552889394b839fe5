// The protobuf messages that this library reads and writes: onnx::ModelProto and so on.
#pragma once

#ifdef ONNXC_PROTO_HEADER
#include ONNXC_PROTO_HEADER  // set by the CMake option ONNXC_PROTO_TARGET, to use the messages of another library
#if __has_include(<onnx/onnx-data.pb.h>)
#include <onnx/onnx-data.pb.h>  // ONNX declares sequences, maps and optionals in a separate header
#endif
#else
#include <onnxc/onnx.pb.h>
#endif
