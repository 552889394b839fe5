#include "tables/ir_versions.h"

#include <onnxc/proto.h>

#include <algorithm>
#include <iterator>

namespace onnxc {
namespace {

struct IrVersionRow {
  std::string_view domain;
  std::int64_t newest;  ///< the newest version of the domain's operators that the IR version supports
  std::int64_t ir_version;
};
constexpr IrVersionRow kIrVersions[] = {
#include "tables/operators/ir_versions.inc"
};
constexpr std::int64_t kFirstWithImports = 3;

constexpr std::int64_t Least(std::string_view domain, std::int64_t version) {
  bool is_known = false;
  for (const IrVersionRow& row : kIrVersions) {  // the rows of a domain are in the order of the versions
    if (row.domain != domain) continue;
    if (version <= row.newest) return row.ir_version;
    is_known = true;
  }
  return is_known ? std::int64_t{onnx::IR_VERSION} : kFirstWithImports;
}
static_assert(Least("", kUsualOpset) == kUsualIrVersion);

}  // namespace

std::int64_t LeastIrVersion(std::string_view domain, std::int64_t version) { return Least(domain, version); }

const NewField* FindNewField(const google::protobuf::FieldDescriptor& field) {
  const auto* const row = std::ranges::find_if(kNewFields, [&](const NewField& each) {
    return each.name == field.name() && each.message == field.containing_type()->name();
  });
  return row == std::end(kNewFields) ? nullptr : row;
}

}  // namespace onnxc
