#include "print/lossless/clauses.h"

#include <algorithm>
#include <string>

namespace onnxc::print {
namespace {

constexpr std::array<RowName, kRows> kRowNames = {{
    {"NodeProto", "name"},
    {"NodeProto", "domain"},
    {"NodeProto", "overload"},
    {"NodeProto", "doc_string"},
    {"AttributeProto", "name"},
    {"AttributeProto", "type"},
    {"AttributeProto", "ref_attr_name"},
    {"AttributeProto", "f"},
    {"AttributeProto", "i"},
    {"AttributeProto", "s"},
    {"AttributeProto", "doc_string"},
    {"TensorProto", "name"},
    {"TensorProto", "doc_string"},
    {"TensorProto", "data_location"},
    {"TensorProto", "raw_data"},
    {"ValueInfoProto", "name"},
    {"ValueInfoProto", "doc_string"},
    {"GraphProto", "name"},
    {"GraphProto", "doc_string"},
    {"FunctionProto", "name"},
    {"OperatorSetIdProto", "domain"},
}};

}  // namespace

void ClauseScope::Enter(std::string_view pragma) {
  std::string clauses;  // without blanks
  for (const char c : pragma.substr(pragma.find(':') + 1)) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\r';
    if (!is_blank) clauses += c;
  }
  for (std::string_view rest = clauses; !rest.empty();) {
    const std::string_view clause = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(clause.size() + 1, rest.size()));
    if (clause == "raw" || clause == "typed") raw = clause == "raw";
    for (std::size_t row = 0; row < kRows; ++row) {
      const std::string field = std::string(kRowNames[row].message).append(".").append(kRowNames[row].field);
      if (clause == "set" + field) presence[row] = Presence::kSet;
      if (clause == "unset" + field) presence[row] = Presence::kUnset;
    }
  }
}

const RowName& NameOf(Row row) { return kRowNames[static_cast<std::size_t>(row)]; }

}  // namespace onnxc::print
