#include "print/lossless/clauses.h"

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

const RowName& NameOf(Row row) { return kRowNames[static_cast<std::size_t>(row)]; }

}  // namespace onnxc::print
