// The order in which the usual keys of a header are printed. Which keys there are, the descriptor says.
#pragma once

#include <array>
#include <string_view>

namespace onnxc {

inline constexpr std::array<std::string_view, 9> kHeaderKeys = {
    "ir_version",    "opset_import", "producer_name",  "producer_version", "domain",
    "model_version", "overload",     "doc_string",     "metadata_props"};

}  // namespace onnxc
