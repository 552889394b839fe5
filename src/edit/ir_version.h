// Gives a model another IR version.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>
#include <onnxc/source_map.h>

#include <cstdint>

namespace onnxc::edit {

/// Sets the IR version. It is an error if the version is too old for an operator set that the model imports, or for
/// something else in the model; everything that is too new is reported. `places` may be null. Time and memory are
/// linear in the model.
[[nodiscard]] Diagnostics SetIrVersion(onnx::ModelProto* model, std::int64_t version, const SourceMap* places);

}  // namespace onnxc::edit
