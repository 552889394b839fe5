// The versions of the IR that operator sets require.
#pragma once

#include <cstdint>
#include <string_view>

namespace onnxc {

/// The version of the standard operators that corrections and completion write, and its IR version. Released runtimes
/// accept both; they refuse the newest IR version for some time after its release.
inline constexpr int kUsualOpset = 21;
inline constexpr int kUsualIrVersion = 10;

/// Returns the oldest IR version for a model that imports this version of a domain, like find_min_ir_version_for() of
/// the onnx package. The result is the newest IR version if the version of the domain is not known yet, and 3 for an
/// unknown domain.
[[nodiscard]] std::int64_t LeastIrVersion(std::string_view domain, std::int64_t version);

}  // namespace onnxc
