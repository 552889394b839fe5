// The elements of tensors, however they are stored.
#pragma once

#include <onnxc/proto.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tables/element_types.h"

namespace onnxc::diff {

/// Elements as they stand in raw_data.
class Elements {
 public:
  /// The elements in the message. Nothing where they are strings, stand in a file, or do not fit type and shape.
  [[nodiscard]] static std::optional<Elements> Of(const onnx::TensorProto& tensor);

  [[nodiscard]] std::string_view bytes() const { return copy_.empty() ? bytes_ : copy_; }
  /// Of numbers; a complex element has two.
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t numbers_per_element() const { return type_->literal == Literal::kComplex ? 2 : 1; }
  [[nodiscard]] std::uint64_t Bits(std::size_t index) const;
  /// `1.5`
  [[nodiscard]] std::string Text(std::size_t index) const;
  /// The absolute value of an element; 0 where it is infinite or no number.
  [[nodiscard]] double Magnitude(std::size_t index) const;
  /// Between two elements of the same type; infinite where one of them only is no number.
  [[nodiscard]] static double Distance(const Elements& a, const Elements& b, std::size_t index);

 private:
  [[nodiscard]] double Value(std::size_t index) const;

  const ElementType* type_ = nullptr;
  int bits_ = 0;  // of one
  std::size_t count_ = 0;
  std::string_view bytes_;
  std::string copy_;  // where they are not stored like this
};

}  // namespace onnxc::diff
