#include "print/lossless/tensor_bytes.h"

#include <algorithm>
#include <array>
#include <string>

#include "io/wire.h"
#include "print/lossless/clauses.h"

namespace onnxc {
namespace {

using Tensor = onnx::TensorProto;

bool IsData(int field) {
  constexpr std::array kFields = {Tensor::kFloatDataFieldNumber,  Tensor::kInt32DataFieldNumber,
                                  Tensor::kStringDataFieldNumber, Tensor::kInt64DataFieldNumber,
                                  Tensor::kRawDataFieldNumber,    Tensor::kDoubleDataFieldNumber,
                                  Tensor::kUint64DataFieldNumber};
  return std::ranges::find(kFields, field) != kFields.end();
}

bool AreVarints(int field) {
  return field == Tensor::kInt32DataFieldNumber || field == Tensor::kInt64DataFieldNumber ||
         field == Tensor::kUint64DataFieldNumber;
}

/// The data of a tensor, where they are one field's value.
struct Data {
  int field = 0;  ///< 0: there are none, or they are in several fields
  std::string_view value;
  std::string_view before;  ///< the bytes before the field, and behind it
  std::string_view behind;
};

Data FindData(std::string_view bytes) {
  Data data;
  for (std::string_view rest = bytes; !rest.empty();) {
    const char* const begin = rest.data();
    const WireField field = TakeField(&rest);
    if (field.number == 0) return {};
    if (!IsData(field.number)) continue;
    if (data.field != 0 || !field.is_delimited) return {};
    data = {field.number, field.value, {bytes.data(), begin}, rest};
  }
  return data;
}

/// The beginning of a field's value: whole elements, if the value is, whatever their width.
std::string_view Beginning(int field, std::string_view value) {
  constexpr std::size_t kEnough = 64;
  constexpr std::size_t kWidest = 16;
  if (value.size() < kEnough + kWidest) return value;
  std::string_view beginning = value.substr(0, kEnough + value.size() % kWidest);
  while (AreVarints(field) && !beginning.empty() && static_cast<unsigned char>(beginning.back()) >= 0x80) {
    beginning.remove_suffix(1);
  }
  return beginning;
}

/// The field that the tensor's literal writes.
int DataField(const Tensor& tensor) {
  const TensorForm form = FormOf(tensor);
  if (form.type == nullptr || form.is_external) return 0;
  return form.fits_raw ? Tensor::kRawDataFieldNumber : FieldOf(form.type->storage);
}

}  // namespace

bool ReadTensor(std::string_view bytes, Tensor* tensor, std::string_view* data) {
  *data = {};
  const Data found = FindData(bytes);
  const std::string_view beginning = Beginning(found.field, found.value);
  if (beginning.size() < found.value.size() && found.field != Tensor::kStringDataFieldNumber) {
    std::string abridged(found.before);
    abridged.append(Tag(found.field, beginning.size())).append(beginning).append(found.behind);
    if (!tensor->ParseFromString(abridged)) return false;
    *data = found.value;
    if (DataField(*tensor) == found.field) return true;
    *data = {};
  }
  return tensor->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace onnxc
