// Determines how attributes and tensors are written, depending on the fields that they have.
#pragma once

#include <onnxc/proto.h>

#include "tables/attribute_types.h"
#include "tables/element_types.h"

namespace onnxc::print {

/// How an attribute is written: `k = @p`, `k = value`, or as a record.
struct AttributeForm {
  enum class Kind { kRecord, kReference, kValue } kind = Kind::kRecord;
  const AttributeType* type = nullptr;  ///< type of the value, or of the reference if there is one
};
[[nodiscard]] AttributeForm FormOf(const onnx::AttributeProto& attribute);

/// Says where a tensor stores its data, if they can be written as a literal.
struct TensorForm {
  const ElementType* type = nullptr;  ///< null if the tensor has no literal
  bool is_external = false;
  bool fits_raw = false;    ///< there are data, and with the clause `raw` the literal describes them exactly
  bool fits_typed = false;  ///< like fits_raw, but for the clause `typed`
};
[[nodiscard]] TensorForm FormOf(const onnx::TensorProto& tensor);

enum class TensorRole { kInitializer, kElsewhere };

}  // namespace onnxc::print
