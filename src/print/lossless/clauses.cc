#include "print/lossless/clauses.h"

#include <algorithm>
#include <functional>

namespace onnxc {
namespace {

using google::protobuf::RepeatedPtrField;

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

const AttributeType* TypeOfValue(const onnx::AttributeProto& attribute) {
  const auto* const type =
      std::ranges::find_if(kAttributeTypes, [&](const AttributeType& row) { return HasValue(attribute, row); });
  return type == kAttributeTypes.end() ? nullptr : type;
}

/// What must be a message cannot be left out.
bool MayBeAbsent(const AttributeType& type) {
  return type.is_list || type.code == onnx::AttributeProto::FLOAT || type.code == onnx::AttributeProto::INT ||
         type.code == onnx::AttributeProto::STRING;
}

int CountTyped(const onnx::TensorProto& tensor, Storage storage) {
  switch (storage) {
    case Storage::kInt32: return tensor.int32_data_size();
    case Storage::kInt64: return tensor.int64_data_size();
    case Storage::kUint64: return tensor.uint64_data_size();
    case Storage::kFloat: return tensor.float_data_size();
    case Storage::kDouble: return tensor.double_data_size();
    default: return 0;  // strings are in one place only
  }
}

/// Written as `key: value`; a newer schema's entries may have more fields.
bool IsPair(const onnx::StringStringEntryProto& entry) {
  return entry.GetDescriptor()->field_count() == 2 && entry.has_key() && entry.has_value() &&
         entry.GetReflection()->GetUnknownFields(entry).empty();
}

/// Counts how many messages each choice would make an exception of.
class Census {
 public:
  void Count(const onnx::ModelProto& model) {
    for (const auto& import : model.opset_import()) Count(import);
    if (model.has_graph()) Count(model.graph());
    for (const auto& training : model.training_info()) {
      if (training.has_initialization()) Count(training.initialization());
      if (training.has_algorithm()) Count(training.algorithm());
    }
    for (const auto& function : model.functions()) Count(function);
  }
  void Count(const onnx::OperatorSetIdProto& import) { VisitRows(import, std::ref(tallies_)); }
  void Count(const onnx::GraphProto& graph) {
    VisitRows(graph, std::ref(tallies_));
    for (const auto& tensor : graph.initializer()) Count(tensor, TensorPlace::kInitializer);
    for (const auto* values : {&graph.input(), &graph.output(), &graph.value_info()}) Count(*values);
    for (const auto& node : graph.node()) Count(node);
  }
  void Count(const onnx::FunctionProto& function) {
    VisitRows(function, std::ref(tallies_));
    for (const auto& import : function.opset_import()) Count(import);
    for (const auto& attribute : function.attribute_proto()) Count(attribute);
    Count(function.value_info());
    for (const auto& node : function.node()) Count(node);
  }
  void Count(const onnx::NodeProto& node) {
    VisitRows(node, std::ref(tallies_));
    for (const auto& attribute : node.attribute()) Count(attribute);
  }
  void Count(const onnx::AttributeProto& attribute) {
    const AttributeForm form = FormOf(attribute);
    if (form.kind == AttributeForm::Kind::kRecord) return;
    VisitRows(attribute, form, std::ref(tallies_));
    if (attribute.has_t()) Count(attribute.t(), TensorPlace::kElsewhere);
    for (const auto& tensor : attribute.tensors()) Count(tensor, TensorPlace::kElsewhere);
    if (depth_ == kMaxDepth) return;
    ++depth_;
    if (attribute.has_g()) Count(attribute.g());
    for (const auto& graph : attribute.graphs()) Count(graph);
    --depth_;
  }
  void Count(const onnx::TensorProto& tensor, TensorPlace place) {
    const TensorForm form = FormOf(tensor);
    if (form.type == nullptr) return;
    VisitRows(tensor, form, place, std::ref(tallies_));
    if (form.fits_raw && !form.fits_typed) ++raw_;
    if (form.fits_typed && !form.fits_raw) ++typed_;
  }

  [[nodiscard]] ClauseScope Choose() const {
    ClauseScope scope;
    scope.raw = raw_ > typed_;
    for (std::size_t row = 0; row < kRows; ++row) {
      const Tally& tally = tallies_.rows[row];
      const auto pays = [](std::size_t without, std::size_t with) { return with < without; };
      if (pays(tally.present_unwritten, tally.absent_unwritten)) scope.presence[row] = Presence::kSet;
      if (pays(tally.absent_written, tally.present_default)) scope.presence[row] = Presence::kUnset;
    }
    return scope;
  }

 private:
  static constexpr int kMaxDepth = 100;

  void Count(const RepeatedPtrField<onnx::ValueInfoProto>& values) {
    for (const auto& value : values) VisitRows(value, std::ref(tallies_));
  }

  struct Tally {
    std::size_t present_unwritten = 0;  // exceptions where nothing is said
    std::size_t absent_unwritten = 0;   // exceptions from `set`
    std::size_t absent_written = 0;     // exceptions where nothing is said
    std::size_t present_default = 0;    // exceptions from `unset`
  };
  struct Tallies {
    void operator()(Row row, bool written, bool present, bool is_default) {
      Tally& tally = rows[static_cast<std::size_t>(row)];
      if (!written) {
        ++(present ? tally.present_unwritten : tally.absent_unwritten);
      } else if (!present) {
        ++tally.absent_written;
      } else if (is_default) {
        ++tally.present_default;
      }
    }
    std::array<Tally, kRows> rows{};
  };

  Tallies tallies_;
  std::size_t raw_ = 0;
  std::size_t typed_ = 0;
  int depth_ = 0;
};

template <typename... Args>
ClauseScope Chosen(const Args&... args) {
  Census census;
  census.Count(args...);
  return census.Choose();
}

}  // namespace

bool HasValue(const onnx::AttributeProto& attribute, const AttributeType& type) {
  switch (type.code) {
    case onnx::AttributeProto::FLOAT: return attribute.has_f();
    case onnx::AttributeProto::INT: return attribute.has_i();
    case onnx::AttributeProto::STRING: return attribute.has_s();
    case onnx::AttributeProto::TENSOR: return attribute.has_t();
    case onnx::AttributeProto::GRAPH: return attribute.has_g();
    case onnx::AttributeProto::SPARSE_TENSOR: return attribute.has_sparse_tensor();
    case onnx::AttributeProto::TYPE_PROTO: return attribute.has_tp();
    case onnx::AttributeProto::FLOATS: return !attribute.floats().empty();
    case onnx::AttributeProto::INTS: return !attribute.ints().empty();
    case onnx::AttributeProto::STRINGS: return !attribute.strings().empty();
    case onnx::AttributeProto::TENSORS: return !attribute.tensors().empty();
    case onnx::AttributeProto::GRAPHS: return !attribute.graphs().empty();
    case onnx::AttributeProto::SPARSE_TENSORS: return !attribute.sparse_tensors().empty();
    case onnx::AttributeProto::TYPE_PROTOS: return !attribute.type_protos().empty();
    default: return false;
  }
}

const RowName& NameOf(Row row) { return kRowNames[static_cast<std::size_t>(row)]; }

int FieldOf(Storage storage) {
  switch (storage) {
    case Storage::kInt32: return onnx::TensorProto::kInt32DataFieldNumber;
    case Storage::kInt64: return onnx::TensorProto::kInt64DataFieldNumber;
    case Storage::kUint64: return onnx::TensorProto::kUint64DataFieldNumber;
    case Storage::kFloat: return onnx::TensorProto::kFloatDataFieldNumber;
    case Storage::kDouble: return onnx::TensorProto::kDoubleDataFieldNumber;
    case Storage::kString: return onnx::TensorProto::kStringDataFieldNumber;
    case Storage::kNone: break;
  }
  return 0;
}

AttributeForm FormOf(const onnx::AttributeProto& attribute) {
  using Kind = AttributeForm::Kind;
  const AttributeType* type = FindAttributeType(attribute.type());
  const bool is_typeless = type == nullptr && attribute.type() == onnx::AttributeProto::UNDEFINED;
  if (attribute.has_ref_attr_name() && (!attribute.ref_attr_name().empty() || TypeOfValue(attribute) == nullptr)) {
    return {is_typeless || type != nullptr ? Kind::kReference : Kind::kRecord, type};
  }
  if (!attribute.has_type()) type = TypeOfValue(attribute);
  if (type == nullptr || (!MayBeAbsent(*type) && !HasValue(attribute, *type))) return {};
  return {Kind::kValue, type};
}

TensorForm FormOf(const onnx::TensorProto& tensor) {
  TensorForm form{.type = FindElementType(tensor.data_type())};
  if (form.type == nullptr) return form;
  form.is_external = tensor.data_location() == onnx::TensorProto::EXTERNAL && !tensor.external_data().empty() &&
                     std::ranges::all_of(tensor.external_data(), IsPair);
  if (form.is_external || form.type->storage == Storage::kString) return form;
  const auto bytes = static_cast<std::size_t>(std::max(form.type->bits, 8)) / 8;
  form.fits_raw = !tensor.raw_data().empty() && tensor.raw_data().size() % bytes == 0;
  form.fits_typed = CountTyped(tensor, form.type->storage) > 0;
  return form;
}

ClauseScope ChooseScope(const onnx::ModelProto& model) { return Chosen(model); }
ClauseScope ChooseScope(const onnx::GraphProto& graph) { return Chosen(graph); }
ClauseScope ChooseScope(const onnx::FunctionProto& function) { return Chosen(function); }
ClauseScope ChooseScope(const onnx::NodeProto& node) { return Chosen(node); }
ClauseScope ChooseScope(const onnx::AttributeProto& attribute) { return Chosen(attribute); }
ClauseScope ChooseScope(const onnx::TensorProto& tensor) { return Chosen(tensor, TensorPlace::kElsewhere); }

}  // namespace onnxc
