// Rules for tensors: the storage, number and values of the elements.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "check/corrections.h"
#include "check/tensor_size.h"
#include "source/words.h"
#include "tables/data_fields.h"
#include "tables/element_types.h"
#include "tables/entry_range.h"
#include "tables/raw_data.h"
#include "tables/small_float.h"

namespace onnxc::check {
namespace {

using onnx::TensorProto;

/// Returns the last field that holds typed data, or null.
const DataField* FindTypedField(const TensorProto& tensor) {
  const DataField* last = nullptr;
  for (const DataField& field : kDataFields) {
    if (CountEntries(tensor, field.storage) != 0) last = &field;
  }
  return last;
}

/// Returns the type as text, such as `float[2, 3]`, or "the shape" if the text would be long.
std::string TypeText(const TensorProto& tensor, const ElementType& type) {
  constexpr int kMost = 8;
  if (tensor.dims_size() > kMost) return "the shape";
  if (tensor.dims_size() == 0) return "a scalar";
  return fmt::format("{}[{}]", type.keyword, fmt::join(tensor.dims(), ", "));
}

/// The number of entries or bytes of the data in `field`, which must be from `least` to `most`.
struct Measured {
  std::string_view unit;
  int field;
  std::int64_t size;
  std::optional<std::int64_t> least;
  std::optional<std::int64_t> most;
};

/// Reports a wrong number of entries. In a text, the finding is at the first superfluous entry, or at the closing
/// bracket if entries are missing; lower/elements.cc has recorded this place.
void CompareSize(const TensorProto& tensor, const ElementType& type, const Measured& data, const Place& place,
                 Run& run) {
  const bool is_bytes = data.field == TensorProto::kRawDataFieldNumber;
  const Spot whole = is_bytes ? Spot(place, data.field) : Spot(place);
  if (!data.least.has_value() || !data.most.has_value()) {
    run.findings.Report(diag::kTensorSize, whole);
    return;
  }
  if (data.size >= *data.least && data.size <= *data.most) return;
  const bool is_few = data.size < *data.least;
  const std::int64_t index = std::min(data.size, *data.most);
  const bool has_elements = !is_bytes && run.options.source_map != nullptr;
  const Spot spot = has_elements ? Spot(place, data.field, static_cast<int>(index)) : whole;
  run.findings.Report(is_few ? diag::kTensorTooFew : diag::kTensorTooMany, spot, TypeText(tensor, type),
                      Counted(is_few ? *data.least : *data.most, data.unit), data.size);
}

/// Warns about `float16[2] {1, 2}`: the integers are the bit patterns of the elements, and small integers mean tiny
/// values.
void CheckSmallFloats(const TensorProto& tensor, const SmallFloat& format, const Place& place, Run& run) {
  const auto& bits = tensor.int32_data();
  const int largest_subnormal = (1 << format.mantissa_bits) - 1;
  const auto is_tiny = [&](std::int32_t value) { return value >= 0 && value <= largest_subnormal; };
  // The parser has recorded a place only for integers in a text. Values with a dot, and data of a binary model, are not
  // ambiguous.
  if (FindText(run, tensor, TensorProto::kInt32DataFieldNumber) == nullptr) return;
  if (!format.has_subnormals || !std::all_of(bits.begin(), bits.end(), is_tiny)) return;
  const auto first = std::find_if(bits.begin(), bits.end(), [](std::int32_t value) { return value != 0; });
  if (first == bits.end()) return;
  run.findings.Report(diag::kSmallFloatBits, {place, TensorProto::kInt32DataFieldNumber}, *first,
                      fmt::format("{}", DecodeSmallFloat(format, static_cast<std::uint32_t>(*first))));
}

/// Reports a string that is not UTF-8, begins with a byte order mark, or ends with a zero byte.
void CheckStrings(const TensorProto& tensor, const Place& place, Run& run) {
  const auto mark_of = [](std::string_view text) -> std::string_view {
    if (text.ends_with('\0')) return "end with a zero byte";
    return text.starts_with("\xEF\xBB\xBF") ? "begin with a byte order mark" : "";
  };
  for (int i = 0; i < tensor.string_data_size(); ++i) {
    const std::string_view mark = mark_of(tensor.string_data(i));
    if (mark.empty()) continue;
    run.findings.Report(diag::kStringMark, {place, TensorProto::kStringDataFieldNumber, i}, i, mark);
    return;  // one finding is enough
  }
}

/// Checks the segment of a tensor that is stored in several parts.
void CheckSegment(const TensorProto& tensor, const Place& place, Run& run) {
  const TensorProto::Segment& segment = tensor.segment();
  const std::optional<std::int64_t> elements = Product(tensor.dims());
  if (!elements || (segment.begin() >= 0 && segment.begin() <= segment.end() && segment.end() <= *elements)) return;
  run.findings.Report(diag::kTensorSegment, {place, TensorProto::kSegmentFieldNumber}, segment.begin(), segment.end(),
                      Counted(*elements, "element"));
}

void CheckElements(const TensorProto& tensor, const ElementType& type, const Place& place, Run& run) {
  if (type.storage == Storage::kString) return CheckStrings(tensor, place, run);
  if (tensor.int32_data_size() > 0 && type.bits > 4) {
    if (const SmallFloat* const format = FindSmallFloat(type.code)) CheckSmallFloats(tensor, *format, place, run);
  }
  const auto range = EntryRange(type);
  if (!range) return;
  const auto look = [&](const auto& entries, int field) {
    const int outside = FindOutside(entries, *range);
    if (outside < 0) return;
    const Spot spot(place, field, outside);
    if (type.bits == 6) {
      run.findings.Report(diag::kTensorPadding, spot);
    } else {
      run.findings.Report(diag::kElementRange, spot, fmt::to_string(entries[outside]), type.keyword);
    }
  };
  if (type.storage == Storage::kInt32) look(tensor.int32_data(), TensorProto::kInt32DataFieldNumber);
  if (type.storage == Storage::kUint64) look(tensor.uint64_data(), TensorProto::kUint64DataFieldNumber);
}

void CheckRawData(const TensorProto& tensor, const ElementType* type, std::int64_t elements, const Place& place,
                  Run& run) {
  const Spot spot(place, TensorProto::kRawDataFieldNumber);
  if (tensor.data_type() == TensorProto::STRING) {
    run.findings.Report(diag::kTensorStringsRaw, spot);
    return;
  }
  if (type == nullptr) {
    run.findings.Report(diag::kElementTypeUnknown, {place, TensorProto::kDataTypeFieldNumber}, tensor.data_type());
    return;
  }
  const std::string& data = tensor.raw_data();
  const std::optional<std::int64_t> bytes = ByteSize(*type, elements);
  CompareSize(tensor, *type, {"byte", spot.field, static_cast<std::int64_t>(data.size()), bytes, bytes}, place, run);
  if (!bytes.has_value() || *bytes == 0 || static_cast<std::int64_t>(data.size()) < *bytes) return;
  if (type->bits == 6 && elements * 6 % 8 != 0) {
    const auto last = static_cast<unsigned char>(data[static_cast<std::size_t>(*bytes) - 1]);
    if (last >> (elements * 6 % 8) != 0) run.findings.Report(diag::kTensorPadding, spot);
  }
  if (type->code == TensorProto::BOOL) {
    const auto bad = std::find_if(data.begin(), data.end(), [](char c) { return (c & ~1) != 0; });
    if (bad != data.end()) {
      run.findings.Report(diag::kElementRange, spot, fmt::to_string(static_cast<unsigned char>(*bad)), "bool");
    }
  }
}

/// Corrects `int4[4] {1, 2, 3, 4}`, in which each entry is wrongly one element: in `{...}`, an entry is a byte with
/// several elements, and only in `{{...}}` is each entry one element.
void ReportOneByOne(const TensorProto& tensor, const ElementType& type, const Place& place, Run& run) {
  const std::int64_t most = MostEntriesFor(type, tensor.int32_data_size()).value_or(0);
  Diagnostic* const finding = run.findings.Report(diag::kTensorTooMany, place, TypeText(tensor, type),
                                                  Counted(most, "entry"), tensor.int32_data_size());
  const SourceRange* const data = FindText(run, tensor, TensorProto::kInt32DataFieldNumber);
  std::vector<FixIt> fix_its;
  if (data != nullptr) fix_its = {{{data->begin, data->begin}, "{"}, {{data->end, data->end}, "}"}};
  Correct(finding, fmt::format("separate elements of {} are written in '{{{{...}}}}'", type.keyword),
          std::move(fix_its));
}

void CheckTypedData(const TensorProto& tensor, const ElementType* type, std::int64_t elements, const Place& place,
                    Run& run) {
  if (type == nullptr) {
    run.findings.Report(diag::kTensorTypeUnknown, {place, TensorProto::kDataTypeFieldNumber}, tensor.data_type());
    return;
  }
  if (elements == 0) return;
  const auto field = std::find_if(kDataFields.begin(), kDataFields.end(),
                                  [&](const DataField& row) { return row.storage == type->storage; });
  const std::int64_t size = CountEntries(tensor, type->storage);
  if (size == 0) {
    const DataField* const other = FindTypedField(tensor);
    if (other == nullptr) return;  // there are no data, which was already reported
    run.findings.Report(diag::kTensorField, {place, other->number}, type->keyword, field->name, other->name);
    return;
  }
  if (type->bits <= 4 && size == elements && size > MostEntriesFor(*type, elements).value_or(size)) {
    return ReportOneByOne(tensor, *type, place, run);
  }
  const std::optional<std::int64_t> least = EntriesFor(*type, elements);
  CompareSize(tensor, *type,
              {least == elements ? "element" : "entry", field->number, size, least, MostEntriesFor(*type, elements)},
              place, run);
  CheckElements(tensor, *type, place, run);
}

}  // namespace

std::optional<std::int64_t> CountElements(const TensorProto& tensor, const Place& place, Run& run) {
  std::int64_t elements = 1;
  for (int i = 0; i < tensor.dims_size(); ++i) {
    const Spot spot(place, TensorProto::kDimsFieldNumber, i);
    if (tensor.dims(i) < 0) {
      run.findings.Report(diag::kTensorDims, spot, tensor.dims(i));
      return std::nullopt;
    }
    const auto product = Multiply(elements, tensor.dims(i));
    if (!product.has_value()) {
      run.findings.Report(diag::kTensorElements, spot);
      return std::nullopt;
    }
    elements = *product;
  }
  return elements;
}

void CheckTensorRules(const TensorProto& tensor, const Place& place, Run& run) {
  CheckMetadata(tensor.metadata_props(), TensorProto::kMetadataPropsFieldNumber, diag::kDuplicateMetadata, place, run);
  if (tensor.data_type() == TensorProto::UNDEFINED) {
    run.findings.Report(diag::kTensorTypeMissing, {place, TensorProto::kDataTypeFieldNumber});
    return;
  }
  CheckElementTypeSince(tensor.data_type(), {place, TensorProto::kDataTypeFieldNumber}, run);
  if (tensor.has_segment()) CheckSegment(tensor, place, run);
  const int fields = CountDataFields(tensor);
  if (tensor.data_location() == TensorProto::EXTERNAL) {
    if (fields > 0) run.findings.Report(diag::kExternalWithData, place);
    CheckExternalData(tensor, place, run);
    return;
  }
  if (tensor.external_data_size() > 0) {
    run.findings.Report(diag::kExternalUnused, {place, TensorProto::kExternalDataFieldNumber});
  }
  const std::optional<std::int64_t> elements = CountElements(tensor, place, run);
  if (!elements.has_value()) return;
  const ElementType* const type = FindElementType(tensor.data_type());
  if (*elements == 0 && fields != 0) {
    run.findings.Report(diag::kTensorEmptyWithData, place);
  } else if (*elements != 0 && fields != 1) {
    Diagnostic finding = MakeDiagnostic(diag::kTensorData, kNowhere, fields);
    if (fields == 0) finding.message = fmt::format("the tensor has no data; its shape needs {} elements", *elements);
    run.findings.Report(std::move(finding), place);
  } else if (!tensor.raw_data().empty()) {
    CheckRawData(tensor, type, *elements, place, run);
  } else {
    CheckTypedData(tensor, type, *elements, place, run);
  }
}

}  // namespace onnxc::check
