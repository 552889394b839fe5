// Finds the files that contain the weights of a model.
#pragma once

#include <onnxc/file.h>
#include <onnxc/proto.h>

#include <string>

namespace onnxc {

/// Adds the files to which the message refers. `path` is the path from which the message was read.
void AddWeightFiles(const google::protobuf::Message& message, const std::string& path, WeightFiles* files);

}  // namespace onnxc
