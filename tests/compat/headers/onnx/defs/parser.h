// For scripts/ci/onnx-cpp: code that includes this header of ONNX gets the names from onnxc instead.
#pragma once

#define ONNX_NAMESPACE onnx
#include <onnxc/compat.h>
