// The elements of tensors, independent of their storage.
#pragma once

#include <onnxc/proto.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tables/element_types.h"

namespace onnxc::diff {

/// Elements in the format of raw_data.
class Elements {
 public:
  /// Returns the elements in the message. Returns nothing for strings, external data, and data that do not match type
  /// and shape.
  [[nodiscard]] static std::optional<Elements> Of(const onnx::TensorProto& tensor);

  [[nodiscard]] std::string_view bytes() const { return copy_.empty() ? bytes_ : copy_; }
  /// Return the number of numbers in all elements, and in one element: a complex element has two, any other element has
  /// one.
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t numbers_per_element() const { return type_->literal == Literal::kComplex ? 2 : 1; }
  [[nodiscard]] std::uint64_t Bits(std::size_t index) const;
  /// Returns the element as text, such as `1.5`.
  [[nodiscard]] std::string Text(std::size_t index) const;
  /// Returns the absolute value of an element, or 0 if it is infinite or NaN.
  [[nodiscard]] double Magnitude(std::size_t index) const;
  /// Returns the distance between two elements of the same type. It is infinite if exactly one of them is NaN.
  [[nodiscard]] static double Distance(const Elements& a, const Elements& b, std::size_t index);

 private:
  [[nodiscard]] double Value(std::size_t index) const;

  const ElementType* type_ = nullptr;
  int bits_ = 0;  // bits of one number
  std::size_t count_ = 0;
  std::string_view bytes_;
  std::string copy_;  // the data, if they are not stored in this format
};

}  // namespace onnxc::diff
