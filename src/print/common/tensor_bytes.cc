#include "print/common/tensor_bytes.h"

#include <string>

#include "print/common/forms.h"
#include "tables/data_fields.h"
#include "wire/wire.h"

namespace onnxc::print {
namespace {

using Tensor = onnx::TensorProto;

bool IsData(int field) { return field == Tensor::kRawDataFieldNumber || StorageIn(field) != Storage::kNone; }

bool AreVarints(int field) {
  const Storage storage = StorageIn(field);
  return storage == Storage::kInt32 || storage == Storage::kInt64 || storage == Storage::kUint64;
}

/// The data of a tensor, if they are in one place.
struct Data {
  int field = 0;  ///< 0 if there are no data, or if they are in several places
  std::string_view before;
  std::string_view fields;  ///< one field, or the consecutive fields of strings
  std::string_view behind;
  std::string_view value;  ///< value of the first field
};

Data FindData(std::string_view bytes) {
  Data data;
  for (std::string_view rest = bytes; !rest.empty();) {
    const char* const begin = rest.data();
    const wire::WireField field = wire::TakeField(&rest);
    if (field.number == 0) return {};
    if (!IsData(field.number)) continue;
    if (!field.is_delimited) return {};
    if (data.field == 0) {
      data = {field.number, {bytes.data(), begin}, {begin, rest.data()}, rest, field.value};
    } else if (field.number == data.field && field.number == Tensor::kStringDataFieldNumber &&
               data.behind.data() == begin) {
      data.fields = {data.fields.data(), rest.data()};
      data.behind = rest;
    } else {
      return {};
    }
  }
  return data;
}

/// Returns a field that is shorter than the fields of the data and can take their place: it has the first string, or
/// the beginning of a value. If the value consists of complete elements, so does this beginning.
std::string Abridged(const Data& data) {
  constexpr std::size_t kEnough = 64;
  constexpr std::size_t kWidest = 16;
  std::string_view value = data.value;
  if (data.field != Tensor::kStringDataFieldNumber && value.size() >= kEnough + kWidest) {
    value = value.substr(0, kEnough + value.size() % kWidest);
    while (AreVarints(data.field) && !value.empty() && static_cast<unsigned char>(value.back()) >= 0x80) {
      value.remove_suffix(1);
    }
  }
  return wire::Tag(data.field, value.size()).append(value);
}

/// Returns the field that the tensor's literal writes.
int WrittenField(const Tensor& tensor) {
  const TensorForm form = FormOf(tensor);
  if (form.type == nullptr || form.is_external) return 0;
  return form.fits_raw ? Tensor::kRawDataFieldNumber : FieldOf(form.type->storage);
}

}  // namespace

bool ReadTensor(std::string_view bytes, Tensor* tensor, std::string_view* data) {
  *data = {};
  const Data found = FindData(bytes);
  const std::string abridged = Abridged(found);
  if (found.field != 0 && abridged.size() < found.fields.size()) {
    if (!tensor->ParseFromString(std::string(found.before).append(abridged).append(found.behind))) return false;
    if (WrittenField(*tensor) == found.field) {
      *data = found.field == Tensor::kStringDataFieldNumber ? found.fields : found.value;
      return true;
    }
  }
  return tensor->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace onnxc::print
