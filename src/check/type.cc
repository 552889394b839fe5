// Rules for types and for value infos.
#include <algorithm>
#include <array>
#include <cctype>
#include <deque>

#include "check/corrections.h"
#include "check/missing_part.h"
#include "check/tensor_size.h"
#include "tables/foreign_words.h"
#include "tables/ir_versions.h"

namespace onnxc::check {
namespace {

using onnx::TensorProto;
using onnx::TypeProto;

constexpr std::array kMapKeys = {TensorProto::INT8,   TensorProto::INT16,  TensorProto::INT32,
                                 TensorProto::INT64,  TensorProto::UINT8,  TensorProto::UINT16,
                                 TensorProto::UINT32, TensorProto::UINT64, TensorProto::STRING};

/// Returns whether the name looks like several dimensions: letters and numbers joined by 'x', as in `Nx4` and
/// `3x224x224`, but not only two letters.
bool LooksJoined(std::string_view name) {
  int parts = 0;
  bool has_number = false;
  for (std::size_t at = 0; at <= name.size(); ++parts) {
    const std::size_t end = std::min(name.find('x', at), name.size());
    const std::string_view part = name.substr(at, end - at);
    const bool is_number = !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_number && !(part.size() == 1 && std::isalpha(static_cast<unsigned char>(part.front())) != 0)) return false;
    has_number = has_number || is_number;
    at = end + 1;
  }
  return parts > 2 || (parts == 2 && has_number);
}

/// Returns whether the name is a word for "no value" in a programming language, such as `None` or `null`.
bool IsPlaceholder(std::string_view name) {
  const auto constant = ConstantOf(name);
  return constant.has_value() && constant->empty();
}

/// Returns whether there is something to report about the dimension.
bool IsOddDimension(const onnx::TensorShapeProto::Dimension& dim) {
  if (HasUnknownDenotation(dim)) return true;
  if (!dim.has_dim_param()) return dim.dim_value() < 0;
  return LooksJoined(dim.dim_param()) || IsPlaceholder(dim.dim_param());
}

/// Walks down a type. Each level contains at most one inner type.
class TypeWalk {
 public:
  explicit TypeWalk(Run& run) : run_(run) {}

  void Check(const TypeProto& root, const Place& place) {
    places_.push_back(place);
    const TypeProto* type = &root;
    while (type != nullptr) type = Step(*type);
  }

 private:
  /// Enters a message that is in this field of the last entered message, and returns its place.
  const Place& Enter(const google::protobuf::Message& message, int field) {
    return places_.emplace_back(places_.back().Child(message, field));
  }

  const TypeProto* Inside(bool is_there, const TypeProto& type, int field) {
    if (is_there) {
      Enter(type, field);
      return &type;
    }
    run_.findings.Report(diag::kTypeIncompleteInside, places_.back(), "the type of its elements or values");
    return nullptr;
  }

  const TypeProto* Step(const TypeProto& type) {
    CheckTypeDenotation(type, places_.back(), run_);
    switch (type.value_case()) {
      case TypeProto::kTensorType: CheckTensor(type.tensor_type(), TypeProto::kTensorTypeFieldNumber); return nullptr;
      case TypeProto::kSparseTensorType:
        CheckFieldSince(*TypeProto::descriptor(), TypeProto::kSparseTensorTypeFieldNumber, places_.back(), run_);
        CheckTensor(type.sparse_tensor_type(), TypeProto::kSparseTensorTypeFieldNumber);
        return nullptr;
      case TypeProto::kSequenceType: {
        const TypeProto::Sequence& sequence = type.sequence_type();
        Enter(sequence, TypeProto::kSequenceTypeFieldNumber);
        return Inside(sequence.has_elem_type(), sequence.elem_type(), TypeProto::Sequence::kElemTypeFieldNumber);
      }
      case TypeProto::kOptionalType: return StepOptional(type.optional_type());
      case TypeProto::kMapType: return StepMap(type.map_type());
      case TypeProto::kOpaqueType: return nullptr;
      case TypeProto::VALUE_NOT_SET: break;
    }
    run_.findings.Report(diag::kTypeIncompleteInside, places_.back(), "its kind, such as tensor or sequence");
    return nullptr;
  }

  const TypeProto* StepOptional(const TypeProto::Optional& optional) {
    CheckFieldSince(*TypeProto::descriptor(), TypeProto::kOptionalTypeFieldNumber, places_.back(), run_);
    Enter(optional, TypeProto::kOptionalTypeFieldNumber);
    if (optional.elem_type().has_opaque_type()) run_.findings.Report(diag::kOptionalType, places_.back());
    return Inside(optional.has_elem_type(), optional.elem_type(), TypeProto::Optional::kElemTypeFieldNumber);
  }

  const TypeProto* StepMap(const TypeProto::Map& map) {
    const Place& place = Enter(map, TypeProto::kMapTypeFieldNumber);
    CheckMapKey(map.key_type(), {place, TypeProto::Map::kKeyTypeFieldNumber}, run_);
    return Inside(map.has_value_type(), map.value_type(), TypeProto::Map::kValueTypeFieldNumber);
  }

  template <typename Tensor>
  void CheckTensor(const Tensor& tensor, int field) {
    const Place& place = Enter(tensor, field);
    const Spot spot(place, Tensor::kElemTypeFieldNumber);
    if (!tensor.has_elem_type()) {
      run_.findings.Report(diag::kTypeIncompleteInside, place, "an element type");
    } else if (FindElementType(tensor.elem_type()) == nullptr) {
      run_.findings.Report(diag::kElementTypeUnknown, spot, tensor.elem_type());
    } else {
      CheckElementTypeSince(tensor.elem_type(), spot, run_);
    }
    for (int i = 0; i < tensor.shape().dim_size(); ++i) {
      const auto& dim = tensor.shape().dim(i);
      if (!IsOddDimension(dim)) continue;
      const Place shape = place.Child(tensor.shape(), Tensor::kShapeFieldNumber);
      const Place at = shape.Child(dim, onnx::TensorShapeProto::kDimFieldNumber, i);
      if (HasUnknownDenotation(dim)) ReportDenotation(dim, at, run_);
      if (dim.has_dim_value() && dim.dim_value() < 0) {
        CorrectWord(run_.findings.Report(diag::kNegativeShape, at, dim.dim_value()), std::to_string(dim.dim_value()),
                    "", "?");
      } else if (LooksJoined(dim.dim_param())) {
        ReportJoined(dim.dim_param(), at);
      } else if (IsPlaceholder(dim.dim_param())) {
        ReportPlaceholder(dim, at);
      }
    }
  }

  /// Reports a dimension such as `None`. A name in quotes is not reported, because the quotes show that it is intended.
  void ReportPlaceholder(const onnx::TensorShapeProto::Dimension& dim, const Place& at) {
    const std::string& name = dim.dim_param();
    const SourceMap* const places = run_.options.source_map;
    const SourceRange* const word = places == nullptr ? nullptr : places->Find(dim);
    if (word != nullptr && word->end - word->begin != name.size()) return;
    CorrectWord(run_.findings.Report(diag::kPlaceholderDimension, at, Quoted(name)), name, "", "?");
  }

  void ReportJoined(const std::string& name, const Place& at) {
    Diagnostic* const finding = run_.findings.Report(diag::kJoinedDimensions, at, Quoted(name));
    const bool is_the_word =
        finding != nullptr && finding->path.empty() && finding->range.end - finding->range.begin == name.size();
    if (!is_the_word) return;
    std::string dims;
    for (const char c : name) dims += c == 'x' ? std::string(", ") : std::string(1, c);
    Correct(finding, "", {{finding->range, dims}});
  }

  Run& run_;
  std::deque<Place> places_;  // each place refers to the place before it
};

}  // namespace

std::string_view MissingPart(const TypeProto& type) {
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      if (!type.tensor_type().has_elem_type()) return "an element type";
      return type.tensor_type().has_shape() ? "" : "a shape";
    case TypeProto::kSparseTensorType:
      if (!type.sparse_tensor_type().has_elem_type()) return "an element type";
      return type.sparse_tensor_type().has_shape() ? "" : "a shape";
    case TypeProto::kSequenceType: return type.sequence_type().has_elem_type() ? "" : "the type of its elements";
    case TypeProto::kOptionalType: return type.optional_type().has_elem_type() ? "" : "the type of its value";
    case TypeProto::kMapType:
      if (!type.map_type().has_key_type()) return "the type of its keys";
      return type.map_type().has_value_type() ? "" : "the type of its values";
    case TypeProto::kOpaqueType: return type.opaque_type().name().empty() ? "a name" : "";
    case TypeProto::VALUE_NOT_SET: return "a kind";
  }
  return "a kind";
}

std::string KeyTypeText(int type) {
  const ElementType* const row = FindElementType(type);
  return row == nullptr ? std::to_string(type) : std::string(row->keyword);
}

void CheckMapKey(int type, const Spot& spot, Run& run) {
  if (std::ranges::count(kMapKeys, type) > 0) return;
  run.findings.Report(diag::kMapKeyType, spot, KeyTypeText(type));
}

void CheckFieldSince(const google::protobuf::Descriptor& type, int field, const Spot& spot, Run& run) {
  const NewField* const row = FindNewField(*type.FindFieldByNumber(field));
  if (row == nullptr || run.ir_version >= row->since) return;
  run.findings.Report(diag::kNewerThanIrVersion, spot, row->shown, row->since, run.ir_version);
}

void CheckElementTypeSince(int element_type, const Spot& spot, Run& run) {
  const ElementType* const type = FindElementType(element_type);
  if (type == nullptr || run.ir_version >= type->since) return;
  run.findings.Report(diag::kNewerThanIrVersion, spot, type->keyword, type->since, run.ir_version);
}

void CheckTypeRules(const TypeProto& type, const Place& place, Run& run) {
  if (type.has_tensor_type() && type.tensor_type().has_elem_type() &&
      !type.has_denotation()) {  // the common case needs no walk
    const auto& tensor = type.tensor_type();
    const int code = tensor.elem_type();
    const bool is_plain = code > 0 && code < TensorProto::BFLOAT16;
    const auto& dims = tensor.shape().dim();
    if (is_plain && std::none_of(dims.begin(), dims.end(), IsOddDimension)) return;
  }
  TypeWalk(run).Check(type, place);
}

void CheckValueInfoRules(const onnx::ValueInfoProto& value, const Place& place, bool needs_type, Run& run) {
  if (value.name().empty()) {
    run.findings.Report(diag::kNameMissing, {place, onnx::ValueInfoProto::kNameFieldNumber}, "the value");
  }
  CheckMetadata(value.metadata_props(), onnx::ValueInfoProto::kMetadataPropsFieldNumber, diag::kDuplicateMetadata,
                place, run);
  if (needs_type) {
    const std::string_view missing = value.has_type() ? MissingPart(value.type()) : std::string_view();
    if (!value.has_type()) {
      run.findings.Report(diag::kTypeMissing, place, Quoted(value.name()));
    } else if (!missing.empty()) {
      run.findings.Report(diag::kTypeIncomplete, place, Quoted(value.name()), missing);
    }
    if (!missing.empty()) return;
  }
  if (value.has_type()) {
    CheckTypeRules(value.type(), place.Child(value.type(), onnx::ValueInfoProto::kTypeFieldNumber), run);
  }
}

}  // namespace onnxc::check
