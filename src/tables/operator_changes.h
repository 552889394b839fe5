// The versions in which standard operators changed their meaning, or the form of their inputs or attributes. In such a
// version, a node that was written for an older version has another meaning or is invalid. Versions that only accept
// more types, or only add attributes whose defaults keep the old behavior, are not listed.
// (onnx/version_converter/convert.h converts the same operators.)
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

namespace onnxc {

struct OperatorChange {
  std::string_view op_type;
  std::int64_t version;
};

inline constexpr OperatorChange kOperatorChanges[] = {
    {"Add", 7},
    {"And", 7},
    {"BatchNormalization", 7},
    {"BatchNormalization", 9},
    {"BatchNormalization", 14},
    {"Clip", 11},
    {"Concat", 4},
    {"DFT", 20},
    {"Div", 7},
    {"Dropout", 7},
    {"Dropout", 12},
    {"Equal", 7},
    {"Gemm", 7},
    {"Greater", 7},
    {"GridSample", 20},
    {"GroupNormalization", 21},
    {"Hardmax", 13},
    {"Less", 7},
    {"LogSoftmax", 13},
    {"Mul", 7},
    {"Or", 7},
    {"PRelu", 7},
    {"Pad", 2},
    {"Pad", 11},
    {"Pow", 7},
    {"ReduceL1", 18},
    {"ReduceL2", 18},
    {"ReduceLogSum", 18},
    {"ReduceLogSumExp", 18},
    {"ReduceMax", 18},
    {"ReduceMean", 18},
    {"ReduceMin", 18},
    {"ReduceProd", 18},
    {"ReduceSum", 13},
    {"ReduceSumSquare", 18},
    {"Reshape", 5},
    {"Resize", 11},
    {"RoiAlign", 16},
    {"Scan", 9},
    {"Scatter", 11},
    {"Slice", 10},
    {"Softmax", 13},
    {"Split", 2},
    {"Split", 13},
    {"Split", 18},
    {"Squeeze", 13},
    {"Sub", 7},
    {"Tile", 6},
    {"TopK", 10},
    {"Unsqueeze", 13},
    {"Upsample", 7},
    {"Upsample", 9},
    {"Upsample", 10},
    {"Xor", 7},
};

/// Returns whether a node of a standard operator has a different meaning in the two versions.
[[nodiscard]] constexpr bool HasOtherMeaning(std::string_view op_type, std::int64_t one, std::int64_t other) {
  const auto lies_between = [&](const OperatorChange& change) {
    return change.op_type == op_type && std::min(one, other) < change.version && change.version <= std::max(one, other);
  };
  return std::ranges::any_of(kOperatorChanges, lies_between);
}

}  // namespace onnxc
