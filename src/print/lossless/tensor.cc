// Prints dense and sparse tensors.
#include <optional>
#include <type_traits>

#include "print/lossless/printer.h"
#include "tables/data_fields.h"
#include "tables/element_count.h"
#include "tables/raw_data.h"
#include "tables/raw_elements.h"
#include "tables/small_float.h"

namespace onnxc::print {
namespace {

using Tensor = onnx::TensorProto;

/// Returns the fields that the native form of a tensor writes.
FieldSet CarriedBy(const onnx::TensorProto& tensor, const TensorForm& form, bool raw) {
  FieldSet fields = Fields(Tensor::kDimsFieldNumber, Tensor::kDataTypeFieldNumber, Tensor::kNameFieldNumber);
  if (form.is_external) return fields | Fields(Tensor::kExternalDataFieldNumber, Tensor::kDataLocationFieldNumber);
  if (form.type->storage == Storage::kString) return fields | Fields(Tensor::kStringDataFieldNumber);
  if (!raw) return fields | Fields(FieldOf(form.type->storage));
  return form.fits_raw || tensor.raw_data().empty() ? fields | Fields(Tensor::kRawDataFieldNumber) : fields;
}

/// Returns the number of elements of a literal's data, or -1 if the data are not complete elements.
std::int64_t CountElements(const onnx::TensorProto& tensor, const ElementType& type, bool raw) {
  if (!raw || type.storage == Storage::kString) return CountEntries(tensor, type.storage);
  const auto size = static_cast<std::int64_t>(tensor.raw_data().size());
  return size % (type.bits / 8) == 0 ? size / (type.bits / 8) : -1;
}

std::vector<std::int64_t> Indices(const onnx::TensorProto& tensor, bool raw) {
  std::vector<std::int64_t> values(tensor.int64_data().begin(), tensor.int64_data().end());
  if (raw) {
    for (const std::int64_t value : RawElements<std::int64_t>(tensor.raw_data())) values.push_back(value);
  }
  return values;
}

/// Returns whether all indices are inside of the dimensions. An index has one number for each dimension, or is a single
/// linear number.
bool AreInside(const std::vector<std::int64_t>& indices, const google::protobuf::RepeatedField<std::int64_t>& dims,
               bool is_linear) {
  const std::optional<std::int64_t> count = Product(dims);
  if (!count) return false;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::int64_t limit = is_linear ? *count : dims[static_cast<int>(i % static_cast<std::size_t>(dims.size()))];
    if (indices[i] < 0 || indices[i] >= limit) return false;
  }
  return true;
}

}  // namespace

void LosslessPrinter::Whole(const onnx::TensorProto& tensor) {
  const TensorForm form = FormOf(tensor);
  if (form.type == nullptr) return RecordInPlace(tensor);
  scope_ = ChooseScope(tensor, TensorRole::kElsewhere);
  Rest rest = TensorRest(tensor, form, TensorRole::kElsewhere);
  Top(scope_, rest);
  rest.clauses.clear();
  rest.storage.clear();
  Before(tensor, rest, Style::kLines);
  TensorItself(tensor, form, TensorRole::kElsewhere);
}

LosslessPrinter::Rest LosslessPrinter::TensorRest(const onnx::TensorProto& tensor, const TensorForm& form,
                                                  TensorRole place) {
  const bool changes = form.fits_raw != form.fits_typed && form.fits_raw != scope_.raw;
  const bool raw = changes ? form.fits_raw : scope_.raw;
  Rest rest = RestWithoutRows(tensor, CarriedBy(tensor, form, raw));
  VisitRows(tensor, form, place, [&](Row row, bool written, bool present, bool is_default) {
    AddRow(row, written, present, is_default, &rest);
  });
  if (changes) rest.storage.push_back(raw ? "raw" : "typed");
  return rest;
}

// If the data are raw where the current scope says typed, or typed where it says raw, they are printed as an
// annotation.
LosslessPrinter::Rest LosslessPrinter::TensorRestWithoutPragma(const onnx::TensorProto& tensor,
                                                               const TensorForm& form) {
  Rest rest = RestWithoutRows(tensor, CarriedBy(tensor, form, scope_.raw));
  VisitRows(tensor, form, TensorRole::kElsewhere, [&](Row row, bool written, bool present, bool is_default) {
    AddRow(row, written, present, is_default, &rest);
  });
  return rest;
}

bool LosslessPrinter::IsNative(const onnx::TensorProto& tensor) {
  const TensorForm form = FormOf(tensor);
  return form.type != nullptr && !TensorRestWithoutPragma(tensor, form).needs_pragma;
}

void LosslessPrinter::Tensor(const onnx::TensorProto& tensor) {
  const TensorForm form = FormOf(tensor);
  Rest rest = TensorRestWithoutPragma(tensor, form);
  ClausesToFields(tensor, &rest);
  Before(tensor, rest, Style::kInline);
  TensorItself(tensor, form, TensorRole::kElsewhere);
}

void LosslessPrinter::TensorItself(const onnx::TensorProto& tensor, const TensorForm& form, TensorRole place,
                                   std::string_view data) {
  out_.Put(form.type->keyword);
  if (!tensor.dims().empty()) {
    out_.Put('[');
    out_.List(tensor.dims(), [&](std::int64_t dim) { out_.Number(dim); });
    out_.Put(']');
  }
  const bool is_initializer = place == TensorRole::kInitializer;
  if (is_initializer || !tensor.name().empty()) {
    out_.Put(' ');
    out_.Name(tensor.name());
  }
  out_.Put(is_initializer || form.is_external ? " = " : " ");
  out_.Put(form.is_external ? '[' : '{');
  if (form.is_external) {
    const DepthGuard guard(*this);
    out_.List(tensor.external_data(), [&](const onnx::StringStringEntryProto& entry) { KeyValue(entry); });
  } else if (options_.small_float_values && form.type->bits < 8 && SharedBytes(tensor, *form.type, data)) {
    // The data are written.
  } else if (scope_.raw && form.type->storage != Storage::kString) {
    if (form.fits_raw) RawData(data.empty() ? tensor.raw_data() : data, *form.type);
  } else if (!data.empty()) {
    PackedData(data, *form.type);
  } else {
    TypedData(tensor, *form.type);
  }
  out_.Put(form.is_external ? ']' : '}');
}

// ---- elements

// Calls print(write). write(value, at) writes an element as WriteNumber() does, or as the options require for small
// floating-point types.
template <typename Number, typename Print>
void LosslessPrinter::PrintElements(const ElementType& type, const Print& print) const {
  // An entry of int32_data holds one element of a 6-bit type, but several elements of a smaller type. A number from
  // raw_data is a byte, which may hold bits of several elements.
  constexpr int kLeastBits = std::is_same_v<Number, std::int32_t> ? 6 : 8;
  const auto number = [](Number value, char* at) { return WriteNumber(value, at); };
  if constexpr (std::is_integral_v<Number> && sizeof(Number) <= sizeof(std::int32_t)) {
    const SmallFloat* const format =
        options_.small_float_values && type.literal == Literal::kBits && type.bits >= kLeastBits
            ? FindSmallFloat(type.code)
            : nullptr;
    if (format != nullptr) {
      return print([&](Number value, char* at) {
        const bool are_bits = value >= 0 && static_cast<std::uint32_t>(value) < 1u << type.bits;
        const auto literal = are_bits ? SmallFloatLiteral(*format, static_cast<std::uint32_t>(value)) : std::nullopt;
        return literal ? std::ranges::copy(*literal, at).out : WriteNumber(value, at);
      });
    }
  }
  print(number);
}

void LosslessPrinter::TypedData(const onnx::TensorProto& tensor, const ElementType& type) {
  const auto numbers = [&]<typename Number>(const google::protobuf::RepeatedField<Number>& values) {
    PrintElements<Number>(type, [&](const auto& write) {
      const auto write_at = [&](std::size_t i, char* at) { return write(values[static_cast<int>(i)], at); };
      out_.List(NumbersInMemory(static_cast<std::size_t>(values.size()), write_at), options_.threads);
    });
  };
  switch (type.storage) {
    case Storage::kInt32: return numbers(tensor.int32_data());
    case Storage::kInt64: return numbers(tensor.int64_data());
    case Storage::kUint64: return numbers(tensor.uint64_data());
    case Storage::kFloat: return numbers(tensor.float_data());
    case Storage::kDouble: return numbers(tensor.double_data());
    case Storage::kString: return out_.List(StringsInMemory(tensor.string_data()), options_.threads);
    case Storage::kNone: return;
  }
}

void LosslessPrinter::PackedData(std::string_view data, const ElementType& type) {
  const auto varints = [&]<typename Number>(std::type_identity<Number>) {
    std::atomic<bool> is_malformed = false;
    PrintElements<Number>(type, [&](const auto& write) {
      const auto write_value = [&](std::uint64_t value, char* at) { return write(static_cast<Number>(value), at); };
      out_.List(PackedVarints(data, write_value, &is_malformed), options_.threads);
    });
    if (is_malformed) is_malformed_ = true;
  };
  switch (type.storage) {
    case Storage::kInt32: return varints(std::type_identity<std::int32_t>());
    case Storage::kInt64: return varints(std::type_identity<std::int64_t>());
    case Storage::kUint64: return varints(std::type_identity<std::uint64_t>());
    case Storage::kFloat: return FixedData<float>(data, type);
    case Storage::kDouble: return FixedData<double>(data, type);
    case Storage::kString: return out_.List(StringFields(data), options_.threads);
    case Storage::kNone: return;
  }
}

template <typename Number>
void LosslessPrinter::FixedData(std::string_view data, const ElementType& type) {
  const RawElements<Number> elements(data);
  PrintElements<Number>(type, [&](const auto& write) {
    const auto write_at = [&](std::size_t i, char* at) { return write(elements[i], at); };
    out_.List(NumbersInMemory(elements.size(), write_at), options_.threads);
  });
}

void LosslessPrinter::RawData(std::string_view raw, const ElementType& type) {
  const bool is_signed = type.literal == Literal::kInteger && type.is_signed;
  switch (type.storage) {
    case Storage::kFloat: return FixedData<float>(raw, type);
    case Storage::kDouble: return FixedData<double>(raw, type);
    case Storage::kInt64: return FixedData<std::int64_t>(raw, type);
    case Storage::kUint64:
      return type.bits == 32 ? FixedData<std::uint32_t>(raw, type) : FixedData<std::uint64_t>(raw, type);
    case Storage::kInt32: break;
    case Storage::kString:
    case Storage::kNone: return;
  }
  switch (type.bits) {
    case 32: return FixedData<std::int32_t>(raw, type);
    case 16: return is_signed ? FixedData<std::int16_t>(raw, type) : FixedData<std::uint16_t>(raw, type);
    case 8: return is_signed ? FixedData<std::int8_t>(raw, type) : FixedData<std::uint8_t>(raw, type);
    default: return FixedData<std::uint8_t>(raw, type);  // packed elements: one number for each byte
  }
}

// ---- sparse tensors

// The literal of a sparse tensor implies that its values have the dims [n] and its indices the dims [n] or [n, rank],
// and that both are stored as the current scope says.
bool LosslessPrinter::IsNative(const onnx::SparseTensorProto& tensor, TensorRole place) {
  using Sparse = onnx::SparseTensorProto;
  constexpr FieldSet kFields =
      Fields(Sparse::kValuesFieldNumber, Sparse::kIndicesFieldNumber, Sparse::kDimsFieldNumber);
  const onnx::TensorProto& values = tensor.values();
  const onnx::TensorProto& indices = tensor.indices();
  const TensorForm form = FormOf(values);
  const TensorForm index_form = FormOf(indices);
  if (tensor.dims().empty() || form.type == nullptr || indices.data_type() != Tensor::INT64) return false;
  if (form.type->literal == Literal::kComplex || (form.type->bits < 8 && form.type->storage != Storage::kString))
    return false;
  if (form.is_external || index_form.is_external || !IsWhole(tensor, kFields)) return false;
  if (!indices.name().empty() || (place == TensorRole::kElsewhere && !values.name().empty())) return false;

  const auto is_plain = [&](const onnx::TensorProto& part, const TensorForm& part_form, TensorRole part_place) {
    const Rest rest = TensorRest(part, part_form, part_place);
    return rest.IsEmpty();
  };
  if (!is_plain(values, form, place) || !is_plain(indices, index_form, TensorRole::kElsewhere)) return false;

  const bool raw = scope_.raw && form.type->storage != Storage::kString;
  const std::int64_t count = CountElements(values, *form.type, raw);
  const bool is_linear = indices.dims_size() == 1;
  if (values.dims_size() != 1 || values.dims(0) != count || indices.dims().empty() || indices.dims(0) != count)
    return false;
  if (!is_linear && (count == 0 || indices.dims_size() != 2 || indices.dims(1) != tensor.dims_size())) return false;
  const std::vector<std::int64_t> numbers = Indices(indices, scope_.raw);
  const std::int64_t width = is_linear ? 1 : tensor.dims_size();
  return static_cast<std::int64_t>(numbers.size()) == count * width && AreInside(numbers, tensor.dims(), is_linear);
}

void LosslessPrinter::SparseTensor(const onnx::SparseTensorProto& tensor, TensorRole place) {
  const DepthGuard guard(*this);
  const onnx::TensorProto& values = tensor.values();
  const ElementType& type = *FindElementType(values.data_type());
  out_.Put("sparse_tensor(");
  out_.Put(type.keyword);
  out_.Put('[');
  out_.List(tensor.dims(), [&](std::int64_t dim) { out_.Number(dim); });
  out_.Put("]) ");
  if (place == TensorRole::kInitializer) {
    out_.Name(values.name());
    out_.Put(" = ");
  }
  const std::vector<std::int64_t> indices = Indices(tensor.indices(), scope_.raw);
  const auto count = static_cast<std::size_t>(tensor.indices().dims(0));
  const std::size_t width = count == 0 ? 1 : indices.size() / count;
  // Each value is printed like dense data, as a tensor with one element.
  std::vector<std::size_t> entries(count);
  for (std::size_t i = 0; i < count; ++i) entries[i] = i;
  out_.Put('{');
  out_.List(entries, [&](std::size_t i) {
    if (tensor.indices().dims_size() == 1) {
      out_.Number(indices[i]);
    } else {
      out_.Put('[');
      for (std::size_t d = 0; d < width; ++d) {
        if (d > 0) out_.Put(", ");
        out_.Number(indices[i * width + d]);
      }
      out_.Put(']');
    }
    out_.Put(": ");
    ElementAt(values, type, i);
  });
  out_.Put('}');
}

void LosslessPrinter::ElementAt(const onnx::TensorProto& tensor, const ElementType& type, std::size_t index) {
  const int i = static_cast<int>(index);
  if (type.storage == Storage::kString) return out_.String(tensor.string_data(i));
  if (scope_.raw) {
    const auto bytes = static_cast<std::size_t>(type.bits) / 8;
    return RawData(std::string_view(tensor.raw_data()).substr(index * bytes, bytes), type);
  }
  switch (type.storage) {
    case Storage::kInt32:
      return PrintElements<std::int32_t>(type, [&](const auto& write) {
        std::array<char, kRoomForNumber> buffer;
        out_.Put({buffer.data(), write(tensor.int32_data(i), buffer.data())});
      });
    case Storage::kInt64: return out_.Number(tensor.int64_data(i));
    case Storage::kUint64: return out_.Number(tensor.uint64_data(i));
    case Storage::kFloat: return out_.Number(tensor.float_data(i));
    default: return out_.Number(tensor.double_data(i));
  }
}

}  // namespace onnxc::print
