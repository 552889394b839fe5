#include "convert/rules.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <vector>

namespace onnxc::convert {
namespace {

constexpr StepRow kRows[] = {
#define ONNXC_STEP(op_type, version, up, down) {"", #op_type, version, up, down},
#define ONNXC_STEP_OF(attribute, op_type, version, up, down) {"", #op_type, version, up, down, #attribute},
#define ONNXC_ML_STEP(op_type, version, up, down) {"ai.onnx.ml", #op_type, version, up, down},
#define ONNXC_NEW(op_type, version, down) {"", #op_type, version, Same, down},
#include "tables/steps.def"
#undef ONNXC_STEP
#undef ONNXC_STEP_OF
#undef ONNXC_ML_STEP
#undef ONNXC_NEW
};

auto Key(const StepRow& row) { return std::tie(row.op_type, row.version, row.domain); }

}  // namespace

const StepRow* FindRow(std::string_view domain, std::string_view op_type, int version) {
  static const auto kSorted = [] {
    std::vector<StepRow> rows(std::begin(kRows), std::end(kRows));
    std::ranges::sort(rows, {}, Key);
    return rows;
  }();
  const auto row = std::ranges::lower_bound(kSorted, std::tie(op_type, version, domain), {}, Key);
  const bool is_found =
      row != kSorted.end() && row->op_type == op_type && row->version == version && row->domain == domain;
  return is_found ? &*row : nullptr;
}

}  // namespace onnxc::convert
