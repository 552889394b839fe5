// Weights of models: in the model, in files beside it, or nowhere. And functions of other models.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "service.h"

namespace onnxc::python {

/// Where the weights of an input are, and which of them are meant.
struct WeightsRequest {
  std::string directory = {};        ///< of external data; "" is the current one
  bool allow_links = false;          ///< ExternalDataOptions::allow_links
  std::uint64_t size_threshold = 0;  ///< tensors of fewer bytes stay as they are
};

/// The message without its weights. `checksums`: what is left tells their checksums.
[[nodiscard]] Answer ElideWeights(const Input& input, const WeightsRequest& request, bool checksums);

/// The message with the data of its elided tensors, which `file` holds: onnxc::AttachWeights().
[[nodiscard]] Answer AttachWeights(const Input& input, const WeightsRequest& request, const std::string& file);

/// The message with all external data in it.
[[nodiscard]] Answer InlineWeights(const Input& input, const WeightsRequest& request);

/// Writes the model to `path`, in the format of its suffix, and its weights to the file `name` beside it. `replace`:
/// that file may exist.
[[nodiscard]] Answer ExtractWeights(const Input& input, const WeightsRequest& request, const std::string& path,
                                    const std::string& name, bool replace);

/// The model with the functions of the libraries that it calls: onnxc::Link().
[[nodiscard]] Answer LinkFunctions(const Input& input, const std::vector<Input>& libraries);

}  // namespace onnxc::python
