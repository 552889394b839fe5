#include "old/torch_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "source/report.h"
#include "tables/element_count.h"
#include "tables/element_types.h"
#include "tables/raw_data.h"

namespace onnxc::old {
namespace {

namespace pb = google::protobuf;
using OldTensor = torch_2018::TensorProto;

const OldTensor& OldTensorAt(const Place& place) { return static_cast<const OldTensor&>(place.message); }

bool HasData(const OldTensor& tensor) {
  return tensor.has_raw_data() || tensor.float_data_size() + tensor.int32_data_size() + tensor.string_data_size() +
                                          tensor.int64_data_size() + tensor.double_data_size() +
                                          tensor.uint64_data_size() >
                                      0;
}

/// Returns the size of a copy of the data in bytes.
std::size_t BytesOfData(const OldTensor& tensor) {
  std::size_t bytes =
      tensor.raw_data().size() + 4 * static_cast<std::size_t>(tensor.float_data_size()) +
      4 * static_cast<std::size_t>(tensor.int32_data_size()) + 8 * static_cast<std::size_t>(tensor.int64_data_size()) +
      8 * static_cast<std::size_t>(tensor.double_data_size()) +
      8 * static_cast<std::size_t>(tensor.uint64_data_size()) + 8 * static_cast<std::size_t>(tensor.dims_size());
  for (const std::string& text : tensor.string_data()) bytes += text.size() + sizeof(std::string);
  return bytes;
}

void CopyData(const OldTensor& from, onnx::TensorProto* to) {
  if (from.has_raw_data()) to->set_raw_data(from.raw_data());
  *to->mutable_float_data() = from.float_data();
  *to->mutable_int32_data() = from.int32_data();
  *to->mutable_string_data() = from.string_data();
  *to->mutable_int64_data() = from.int64_data();
  *to->mutable_double_data() = from.double_data();
  *to->mutable_uint64_data() = from.uint64_data();
  if (to->dims().empty()) *to->mutable_dims() = from.dims();
  if (!to->has_data_type() && from.has_data_type()) to->set_data_type(from.data_type());
}

// ---- strides

/// Walks over the elements of a tensor of these dimensions in the current order, in which the last index changes
/// fastest.
class Walk {
 public:
  Walk(const pb::RepeatedField<std::int64_t>& dims, const pb::RepeatedField<std::int64_t>& strides) {
    for (int i = 0; i < dims.size(); ++i) {
      // Without this condition, each element would take time linear in the number of dimensions.
      if (dims[i] != 1) axes_.push_back({.dim = dims[i], .stride = strides[i]});
    }
  }

  /// Returns the index of the current element in the data.
  [[nodiscard]] std::int64_t at() const { return at_; }

  void Next() {
    for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
      at_ += axis->stride;
      if (++axis->index < axis->dim) return;
      at_ -= axis->stride * axis->dim;
      axis->index = 0;
    }
  }

 private:
  struct Axis {
    std::int64_t dim;
    std::int64_t stride;
    std::int64_t index = 0;
  };
  std::vector<Axis> axes_;  ///< axes with more than one element; strides of other axes are arbitrary
  std::int64_t at_ = 0;
};

/// Returns where the last element is in the data, according to the strides. Returns nothing if a stride is negative, if
/// a dimension is less than 1, or if the index overflows.
std::optional<std::int64_t> LastPlace(const OldTensor& tensor) {
  std::int64_t last = 0;
  for (int axis = 0; axis < tensor.dims_size(); ++axis) {
    std::int64_t span = 0;
    if (tensor.strides(axis) < 0 || tensor.dims(axis) < 1 ||
        __builtin_mul_overflow(tensor.strides(axis), tensor.dims(axis), &span) ||
        __builtin_add_overflow(last, span - tensor.strides(axis), &last)) {
      return std::nullopt;
    }
  }
  return last;
}

/// Returns whether the strides, one for each dimension, are those of the current order.
bool AreOfToday(const OldTensor& tensor) {
  if (tensor.strides_size() != tensor.dims_size()) return false;
  std::int64_t expected = 1;
  for (int axis = tensor.dims_size() - 1; axis >= 0; --axis) {
    if (tensor.dims(axis) != 1 && tensor.strides(axis) != expected) return false;
    if (__builtin_mul_overflow(expected, tensor.dims(axis), &expected)) return false;
  }
  return true;
}

/// The elements of a tensor, and the number of entries of its data field that form one element.
struct Entries {
  std::int64_t count = 0;       ///< number of elements
  std::size_t per_element = 1;  ///< bytes of raw_data, or entries of a list
};

Entries EntriesOf(const onnx::TensorProto& tensor, const ElementType& type) {
  if (tensor.has_raw_data()) {
    const auto bytes = static_cast<std::size_t>(type.bits) / 8;
    return bytes == 0 ? Entries{} : Entries{static_cast<std::int64_t>(tensor.raw_data().size() / bytes), bytes};
  }
  const int per_element = type.literal == Literal::kComplex ? 2 : 1;
  return {CountEntries(tensor, type.storage) / per_element, static_cast<std::size_t>(per_element)};
}

/// Returns whether there are more data than the dimensions need, so that the tensor is a view of the first elements.
bool HasMoreData(const onnx::TensorProto& tensor) {
  const ElementType* const type = FindElementType(tensor.data_type());
  const std::optional<std::int64_t> elements = Product(tensor.dims());
  return type != nullptr && elements && EntriesOf(tensor, *type).count > *elements;
}

/// Returns the maximum size of an element, without the text of strings.
std::size_t BytesOfElement(const onnx::TensorProto& tensor, const ElementType& type, const Entries& entries) {
  if (tensor.has_raw_data()) return entries.per_element;
  return type.storage == Storage::kString ? sizeof(std::string) + sizeof(void*) : 8 * entries.per_element;
}

/// Subtracts the bytes of the strings from the limit, because one string may become many elements. Returns false if the
/// limit is exceeded.
bool SpendStrings(Conversion& conversion, const OldTensor& old_tensor, std::int64_t count,
                  const onnx::TensorProto& tensor) {
  Walk walk(old_tensor.dims(), old_tensor.strides());
  for (std::int64_t i = 0; i < count && tensor.string_data_size() > 0; ++i, walk.Next()) {
    if (!conversion.Spend(tensor.string_data(static_cast<int>(walk.at())).size())) return false;
  }
  return true;
}

template <typename List>
void Permute(const OldTensor& old_tensor, std::int64_t count, std::size_t per_element, List* list) {
  List ordered;
  ordered.Reserve(static_cast<int>(count) * static_cast<int>(per_element));
  Walk walk(old_tensor.dims(), old_tensor.strides());
  for (std::int64_t i = 0; i < count; ++i, walk.Next()) {
    for (std::size_t k = 0; k < per_element; ++k) {
      *ordered.Add() = (*list)[static_cast<int>(walk.at()) * static_cast<int>(per_element) + static_cast<int>(k)];
    }
  }
  list->Swap(&ordered);
}

void PermuteRaw(const OldTensor& old_tensor, std::int64_t count, std::size_t bytes, std::string* raw) {
  std::string ordered;
  ordered.reserve(static_cast<std::size_t>(count) * bytes);
  Walk walk(old_tensor.dims(), old_tensor.strides());
  for (std::int64_t i = 0; i < count; ++i, walk.Next()) {
    ordered.append(*raw, static_cast<std::size_t>(walk.at()) * bytes, bytes);
  }
  raw->swap(ordered);
}

void PermuteData(const OldTensor& old_tensor, std::int64_t count, const Entries& entries, const ElementType& type,
                 onnx::TensorProto* tensor) {
  const auto permute = [&](auto* list) { Permute(old_tensor, count, entries.per_element, list); };
  if (tensor->has_raw_data()) return PermuteRaw(old_tensor, count, entries.per_element, tensor->mutable_raw_data());
  switch (type.storage) {
    case Storage::kInt32: return permute(tensor->mutable_int32_data());
    case Storage::kInt64: return permute(tensor->mutable_int64_data());
    case Storage::kUint64: return permute(tensor->mutable_uint64_data());
    case Storage::kFloat: return permute(tensor->mutable_float_data());
    case Storage::kDouble: return permute(tensor->mutable_double_data());
    case Storage::kString: return permute(tensor->mutable_string_data());
    case Storage::kNone: return;
  }
}

/// Reorders the data according to the current order. Returns what is wrong with the strides, or "".
std::string ApplyStrides(Conversion& conversion, const OldTensor& old_tensor, onnx::TensorProto* tensor) {
  const std::optional<std::int64_t> count = Product(tensor->dims());
  const std::optional<std::int64_t> last = LastPlace(old_tensor);
  const ElementType* const type = FindElementType(tensor->data_type());
  if (!count || !last || type == nullptr || CountDataFields(*tensor) != 1) return "the strides do not fit the tensor";
  const Entries entries = EntriesOf(*tensor, *type);
  if (*last >= entries.count) {
    return fmt::format("the strides lead to element {}, but the data have {}", *last, entries.count);
  }
  constexpr std::int64_t kMost = std::numeric_limits<int>::max() / 16;
  const std::size_t bytes = static_cast<std::size_t>(*count) * BytesOfElement(*tensor, *type, entries);
  const bool fits = *count <= kMost && conversion.Spend(bytes);
  if (!fits || !SpendStrings(conversion, old_tensor, *count, *tensor)) {
    return conversion.TooMuch(fmt::format("the {} elements that the strides produce", *count));
  }
  PermuteData(old_tensor, *count, entries, *type, tensor);
  return "";
}

}  // namespace

bool IsChunk(const OldTensor& tensor) { return tensor.segment().chuck_num() > 1; }

bool IsSameTensor(const OldTensor& alias, const OldTensor& aliased) {
  return !HasData(alias) && alias.strides().empty() && !alias.has_external_data() && !alias.has_segment() &&
         (alias.dims().empty() || std::ranges::equal(alias.dims(), aliased.dims())) &&
         (!alias.has_data_type() || alias.data_type() == aliased.data_type());
}

constexpr int kLongestChain = 8;

const OldTensor* FindAliased(Conversion& conversion, const Place& alias, bool* is_too_long) {
  const OldTensor* tensor = &OldTensorAt(alias);
  for (int links = 0; tensor->has_alias(); ++links) {
    const OldTensor* next = nullptr;
    for (const Place* around = alias.parent; around != nullptr && next == nullptr; around = around->parent) {
      if (around->message.GetDescriptor() != torch_2018::GraphProto::descriptor()) continue;
      const auto& tensors = conversion.TensorsOf(static_cast<const torch_2018::GraphProto&>(around->message));
      const auto found = tensors.find(tensor->alias());
      if (found != tensors.end()) next = found->second;
    }
    const bool is_end = links == kLongestChain;
    if (is_too_long != nullptr) *is_too_long = next != nullptr && is_end;
    if (next == nullptr || is_end) return nullptr;
    tensor = next;
  }
  return tensor;
}

std::string KeywordOfElement(int code) {
  const ElementType* const type = FindElementType(code);
  return type == nullptr ? std::to_string(code) : std::string(type->keyword);
}

/// Returns whether the model's own graph has an initializer of this name, but `from` is in a method, which cannot refer
/// to it.
bool IsOutsideOfMethod(Conversion& conversion, const Place& from, std::string_view name) {
  const Place* root = &from;
  while (root->parent != nullptr) root = root->parent;
  if (root->message.GetDescriptor() != torch_2018::ModelProto::descriptor()) return false;
  return conversion.TensorsOf(static_cast<const torch_2018::ModelProto&>(root->message).graph()).contains(name);
}

/// Returns why the alias cannot share the data of `aliased`, or "" if it can. If the alias has strides, it may have any
/// shape, because ApplyStrides() checks later that the elements of the alias exist in the data.
std::string ViewProblem(const OldTensor& alias, const OldTensor& aliased) {
  const std::string name = Quoted(alias.alias());
  if (alias.has_data_type() && alias.data_type() != aliased.data_type()) {
    return fmt::format("it is of type {}, but '{}' is of type {}", KeywordOfElement(alias.data_type()), name,
                       KeywordOfElement(aliased.data_type()));
  }
  if (!alias.strides().empty() || alias.dims().empty() || std::ranges::equal(alias.dims(), aliased.dims())) return "";
  const std::optional<std::int64_t> elements = Product(alias.dims());
  if (!elements || elements != Product(aliased.dims())) {
    return fmt::format("it is of another shape than '{}', with a different number of elements", name);
  }
  const bool is_in_order = aliased.strides().empty() || AreOfToday(aliased);
  return is_in_order ? "" : fmt::format("it is of another shape than '{}', which has strides", name);
}

void MapAlias(Conversion& conversion, const Place& from, pb::Message* to) {
  const OldTensor& alias = OldTensorAt(from);
  bool is_too_long = false;
  const OldTensor* const aliased = FindAliased(conversion, from, &is_too_long);
  const Spot spot(from, OldTensor::kAliasFieldNumber);
  if (is_too_long) {
    return conversion.Refuse(spot, fmt::format("more than {} aliases form a chain that begins at '{}'", kLongestChain,
                                               Quoted(alias.alias())));
  }
  if (aliased == nullptr) {
    const bool is_outside = IsOutsideOfMethod(conversion, from, alias.alias());
    return conversion.Refuse(
        spot, fmt::format("'{}' is {}", Quoted(alias.alias()),
                          is_outside ? "an initializer of the model's graph, and a function sees only its own values"
                                     : "no initializer with data"));
  }
  const bool is_initializer =
      from.parent != nullptr && from.parent->message.GetDescriptor() == torch_2018::GraphProto::descriptor();
  if (is_initializer && IsSameTensor(alias, *aliased)) return;  // MapInitializers() converts it to a node
  if (HasData(alias)) return conversion.Lose(spot, "alias", "the tensor has data of its own");
  if (aliased->has_external_data() || IsChunk(*aliased)) {
    return conversion.Lose(spot, "alias", "the data are not in one tensor of the model");
  }
  if (const std::string problem = ViewProblem(alias, *aliased); !problem.empty()) {
    return conversion.Refuse(spot, problem);
  }
  if (!conversion.MayCopy() || !conversion.Spend(BytesOfData(*aliased))) {
    return conversion.Refuse(spot, conversion.TooMuch("the copies of the data"));
  }
  auto* const tensor = static_cast<onnx::TensorProto*>(to);
  CopyData(*aliased, tensor);
  if (!alias.strides().empty() || aliased->strides().empty() || aliased->strides_size() != aliased->dims_size()) return;
  if (AreOfToday(*aliased) && !HasMoreData(*tensor)) return;
  const std::string problem = ApplyStrides(conversion, *aliased, tensor);
  if (!problem.empty()) conversion.Refuse(spot, problem);
}

void MapStrides(Conversion& conversion, const Place& from, pb::Message* to) {
  const OldTensor& old_tensor = OldTensorAt(from);
  conversion.AddMetadata(from, OldTensor::kStridesFieldNumber);
  const Spot spot(from, OldTensor::kStridesFieldNumber);
  if (old_tensor.strides_size() != old_tensor.dims_size()) {
    return conversion.Refuse(
        spot, fmt::format("there are {} strides for {} dimensions", old_tensor.strides_size(), old_tensor.dims_size()));
  }
  const bool is_empty = std::ranges::find(old_tensor.dims(), 0) != old_tensor.dims().end();
  const bool is_elsewhere = old_tensor.has_external_data() || IsChunk(old_tensor);
  auto* const tensor = static_cast<onnx::TensorProto*>(to);
  if (is_empty || (AreOfToday(old_tensor) && (is_elsewhere || !HasMoreData(*tensor)))) return;
  if (is_elsewhere) {
    return conversion.Lose(spot, "strides", "the data are not in one tensor of the model");
  }
  const std::string problem = ApplyStrides(conversion, old_tensor, tensor);
  if (!problem.empty()) conversion.Refuse(spot, problem);
}

namespace {

/// Removes `:NUMBER` from the end of the text and returns the number. Returns nothing if the text has no such end.
std::optional<std::uint64_t> TakeNumber(std::string_view* text) {
  const std::size_t colon = text->rfind(':');
  const std::string_view digits = colon == std::string_view::npos ? "" : text->substr(colon + 1);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  text->remove_suffix(digits.size() + 1);
  return number;
}

/// A range of bytes of a file.
struct Extent {
  std::optional<std::uint64_t> offset;
  std::optional<std::uint64_t> length;
};

/// Sets the extent to the bytes of the segment. Returns why that is not possible, or "".
std::string TakeSegment(const OldTensor::Segment& segment, Extent* extent) {
  if (segment.begin() < 0 || segment.end() < segment.begin()) {
    return fmt::format("the segment from {} to {} is not a part of a file", segment.begin(), segment.end());
  }
  const auto offset = static_cast<std::uint64_t>(segment.begin());
  const std::uint64_t length = static_cast<std::uint64_t>(segment.end()) - offset;
  if (extent->offset && *extent->offset != offset) {
    return fmt::format("the segment begins at {}, but external_data says {}", offset, *extent->offset);
  }
  if (extent->length && *extent->length != length) {
    return fmt::format("the segment has {} bytes, but the tensor takes {}", length, *extent->length);
  }
  *extent = {offset, length};
  return "";
}

void AddEntry(std::string_view key, std::string value, onnx::TensorProto* tensor) {
  onnx::StringStringEntryProto* const entry = tensor->add_external_data();
  entry->set_key(std::string(key));
  entry->set_value(std::move(value));
}

}  // namespace

/// Reads `LOCATION`, `LOCATION:OFFSET` or `LOCATION:OFFSET:LENGTH`. A segment of the tensor can also give the offset
/// and the length; then it must not contradict this text.
void MapExternalData(Conversion& conversion, const Place& from, pb::Message* to) {
  const OldTensor& old_tensor = OldTensorAt(from);
  std::string_view location = old_tensor.external_data();
  const Spot spot(from, OldTensor::kExternalDataFieldNumber);
  if (!location.empty() && location.find_first_not_of("0123456789") == std::string_view::npos) {
    return conversion.Lose(spot, "external_data", "it is the number of a record in PyTorch's archive, not a file");
  }
  auto& tensor = static_cast<onnx::TensorProto&>(*to);
  const std::optional<std::uint64_t> last = TakeNumber(&location);
  const std::optional<std::uint64_t> first = last ? TakeNumber(&location) : std::nullopt;
  if (location.empty()) return conversion.Lose(spot, "external_data", "it names no file");
  Extent extent{.offset = first ? first : last, .length = first ? last : DataSize(tensor)};
  if (old_tensor.has_segment() && !IsChunk(old_tensor)) {
    const std::string problem = TakeSegment(old_tensor.segment(), &extent);
    if (!problem.empty()) return conversion.Refuse({from, OldTensor::kSegmentFieldNumber}, problem);
    tensor.clear_segment();
  }
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  AddEntry("location", std::string(location), &tensor);
  if (extent.offset) AddEntry("offset", std::to_string(*extent.offset), &tensor);
  if (extent.length) AddEntry("length", std::to_string(*extent.length), &tensor);
}

}  // namespace onnxc::old
