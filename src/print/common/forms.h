// How attributes and tensors are written, as far as their fields decide it.
#pragma once

#include <onnxc/proto.h>

#include "tables/attribute_types.h"
#include "tables/element_types.h"

namespace onnxc::print {

/// How an attribute is written: `k = @p`, `k = value`, or as a record.
struct AttributeForm {
  enum class Kind { kRecord, kReference, kValue } kind = Kind::kRecord;
  const AttributeType* type = nullptr;  ///< of the value; of the reference where it has one
};
[[nodiscard]] AttributeForm FormOf(const onnx::AttributeProto& attribute);

/// Where a tensor's data are, as far as its literal goes.
struct TensorForm {
  const ElementType* type = nullptr;  ///< null: no literal
  bool is_external = false;
  bool fits_raw = false;    ///< there are data, and `raw` lets the literal stand for them
  bool fits_typed = false;  ///< the same for `typed`
};
[[nodiscard]] TensorForm FormOf(const onnx::TensorProto& tensor);

enum class TensorRole { kInitializer, kElsewhere };

}  // namespace onnxc::print
