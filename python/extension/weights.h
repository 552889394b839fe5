// Moves the weights of models into the model or into separate files, or removes them. Also links functions of other
// models.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "service.h"

namespace onnxc::python {

/// Where the weights of an input are, and which of them are moved or removed.
struct WeightsRequest {
  std::string directory = {};        ///< the folder of external data; "" is the current folder
  bool allow_links = false;          ///< as in ExternalDataOptions
  std::uint64_t size_threshold = 0;  ///< tensors of fewer bytes stay as they are
};

/// Returns the message without the data of its weights. If `checksums` is true, the message contains their checksums.
[[nodiscard]] Answer ElideWeights(const Input& input, const WeightsRequest& request, bool checksums);

/// Returns the message with the data of its elided tensors, which are in `file`, like onnxc::AttachWeights().
[[nodiscard]] Answer AttachWeights(const Input& input, const WeightsRequest& request, const std::string& file);

/// Returns the message with a copy of all external data in it.
[[nodiscard]] Answer InlineWeights(const Input& input, const WeightsRequest& request);

/// Writes the model to `path` in the format of the suffix, and its weights to the file `name` in the same folder. If
/// `replace` is false, the file `name` must not exist.
[[nodiscard]] Answer ExtractWeights(const Input& input, const WeightsRequest& request, const std::string& path,
                                    const std::string& name, bool replace);

/// Returns the model with the functions of the libraries that it calls, like onnxc::Link().
[[nodiscard]] Answer LinkFunctions(const Input& input, const std::vector<Input>& libraries);

}  // namespace onnxc::python
