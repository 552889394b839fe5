// Operators that make tensors from attributes, shapes or random numbers.
#include <fmt/format.h>

#include <cmath>

#include "infer/contents.h"
#include "infer/operands.h"
#include "infer/registry.h"
#include "tables/element_types.h"

namespace onnxc::infer {
namespace {

/// Sets the element type of the output to the type in the attribute 'dtype' or, if there is no such attribute, to
/// `otherwise`, which may be unknown. Reports a type that the operator cannot produce.
void SetDtype(NodeContext& context, int otherwise) {
  const bool is_given = context.HasAttribute("dtype");
  const auto element = is_given ? ElementOf(context, "dtype", onnx::TensorProto::FLOAT) : std::optional(otherwise);
  const ElementType* const type = element ? FindElementType(*element) : nullptr;
  if (type == nullptr) return;
  if (!Types(Outputs(context.op())[0]).Has(TensorType(*element))) {
    FailAttribute(context, "dtype", is_given ? type->keyword : "missing",
                  is_given ? "a type that the operator can produce"
                           : fmt::format("given, because the operator cannot produce the default {}", type->keyword));
    return;
  }
  context.SetElement(0, *element);
}

bool IsWholeNumbers(int element) {
  return element == onnx::TensorProto::INT16 || element == onnx::TensorProto::INT32 ||
         element == onnx::TensorProto::INT64;
}

/// Returns whether the dimension is a symbol. A symbol is a size, so it is certainly not negative.
bool IsSize(Dim dim) { return !dim.symbol().empty(); }

}  // namespace

void RandomOfShape(NodeContext& context) {
  SetDtype(context, onnx::TensorProto::FLOAT);
  const auto shape = context.Ints("shape");
  if (!shape) return;
  if (!ListOf(context, "shape", shape->size(), 0, 0)) return;
  context.SetShape(0, std::vector<Dim>(shape->begin(), shape->end()));
}

void RandomLike(NodeContext& context) {
  context.CopyShape(0, 0);
  SetDtype(context, context.Element(0));
}

void EyeLike(NodeContext& context) {
  if (CheckRank(context, 0, 2)) RandomLike(context);
}

void Multinomial(NodeContext& context) {
  const std::int64_t element = context.Int("dtype", onnx::TensorProto::INT32);
  if (element != onnx::TensorProto::INT32 && element != onnx::TensorProto::INT64) {
    FailAttribute(context, "dtype", element, "6 (int32) or 7 (int64)");
    return;
  }
  context.SetElement(0, static_cast<int>(element));
  if (!CheckRank(context, 0, 2)) return;
  const Dim batch = context.HasRank(0) ? context.Shape(0)[0] : Dim();
  if (const auto samples = CountOf(context, "sample_size", 1)) context.SetShape(0, {batch, *samples});
}

void ConstantOfShape(NodeContext& context) {
  context.SetElement(0, onnx::TensorProto::FLOAT);
  if (const onnx::AttributeProto* const value = context.Attribute("value")) {
    if (value->t().dims_size() != 1) {
      FailAttribute(context, "value", fmt::format("of rank {}", value->t().dims_size()), "a list of one");
      return;
    }
    if (value->t().dims(0) != 1) {
      FailAttribute(context, "value", fmt::format("a list of {}", value->t().dims(0)), "a list of one");
      return;
    }
    context.SetElement(0, value->t().data_type());
  }
  if (!CheckRank(context, 0, 1)) return;
  const auto length = LengthOf(context, 0);
  if (!length) return;
  const std::span<Dim> result = context.NewShape(*length);
  if (const auto sizes = context.Integers(0)) {
    if (!CheckSizes(context, 0, *sizes)) return;
    std::copy(sizes->begin(), sizes->end(), result.begin());
  }
  context.SetShape(0, result);
}

namespace {

Dim RangeLength(NodeContext& context) {
  const Constant* const start = context.Constant(0);
  const Constant* const limit = context.Constant(1);
  const Constant* const delta = context.Constant(2);
  if (start == nullptr || limit == nullptr || delta == nullptr) return {};
  if (IsWholeNumbers(start->element_type)) {
    if (start->integers.size() != 1 || limit->integers.size() != 1 || delta->integers.size() != 1) return {};
    const Dim room = context.dims().Subtract(limit->integers[0], start->integers[0]);
    const Dim step = delta->integers[0];
    if (!step.IsNumber() || step.Is(0) || step.Is(INT64_MIN)) return {};
    if (!room.IsNumber()) return step.Is(1) && IsSize(room) ? room : Dim();
    if (room.Is(INT64_MIN)) return {};
    const Dim length = step.number() > 0 ? context.dims().CeilDivide(room, step)
                                         : context.dims().CeilDivide(context.dims().Subtract(0, room), -step.number());
    return std::max<std::int64_t>(length.number(), 0);
  }
  // For 16-bit floats, the number of elements depends on the rounding of the runtime.
  if (start->element_type != onnx::TensorProto::FLOAT && start->element_type != onnx::TensorProto::DOUBLE) return {};
  if (start->reals.size() != 1 || limit->reals.size() != 1 || delta->reals.size() != 1) return {};
  const double length = std::ceil((limit->reals[0] - start->reals[0]) / delta->reals[0]);
  if (!(length < 1e15)) return {};
  return static_cast<std::int64_t>(std::max(length, 0.0));
}

}  // namespace

namespace {

/// Reports an error if the step is known to be 0.
bool CheckStep(NodeContext& context) {
  const Constant* const step = context.Constant(2);
  if (step == nullptr || context.host().MayNotRun()) return true;
  const bool is_zero = (step->integers.size() == 1 && step->integers[0].Is(0)) ||
                       (step->reals.size() == 1 && std::fpclassify(step->reals[0]) == FP_ZERO);
  return !is_zero || FailElements(context, 2, "0", "a number other than 0");
}

}  // namespace

void Range(NodeContext& context) {
  for (int i = 0; i < 3; ++i) {
    const Constant* const constant = context.Constant(i);
    if (constant != nullptr && constant->shape.size() > 1) {  // a list with one element is accepted as a scalar
      (void)CheckRank(context, i, 0);
      return;
    }
  }
  if (CheckStep(context)) context.SetShape(0, {RangeLength(context)});
}

namespace {

/// An attribute of Constant that holds its value, and the element type of this value.
struct ConstantForm {
  std::string_view attribute;
  int element;
  bool is_list;
};

constexpr ConstantForm kConstantForms[] = {
    {"value_float", onnx::TensorProto::FLOAT, false},   {"value_floats", onnx::TensorProto::FLOAT, true},
    {"value_int", onnx::TensorProto::INT64, false},     {"value_ints", onnx::TensorProto::INT64, true},
    {"value_string", onnx::TensorProto::STRING, false}, {"value_strings", onnx::TensorProto::STRING, true},
};

int ListSize(const onnx::AttributeProto& attribute) {
  return std::max({attribute.ints_size(), attribute.floats_size(), attribute.strings_size()});
}

void SetTensor(NodeContext& context, int element, const google::protobuf::RepeatedField<std::int64_t>& sizes) {
  context.SetElement(0, element);
  std::vector<Dim> shape;
  for (const std::int64_t size : sizes) shape.push_back(size < 0 ? Dim() : Dim(size));
  context.SetShape(0, shape);
}

/// If the attribute is a number or a list of numbers, sets the contents of the output to its elements.
void KeepNumbers(NodeContext& context, const onnx::AttributeProto& attribute, const ConstantForm& form) {
  const std::int64_t count = form.is_list ? ListSize(attribute) : 1;
  if (count > static_cast<std::int64_t>(kMostElements)) return;
  const std::span<const std::int64_t> shape(&count, form.is_list ? 1 : 0);
  if (form.element == onnx::TensorProto::INT64) {
    std::vector<Dim> numbers(attribute.ints().begin(), attribute.ints().end());
    if (!form.is_list) numbers.assign(1, Dim(attribute.i()));
    context.SetConstant(0, NewConstant(context.dims(), form.element, shape, numbers));
  } else if (form.element == onnx::TensorProto::FLOAT) {
    std::vector<double> numbers(attribute.floats().begin(), attribute.floats().end());
    if (!form.is_list) numbers.assign(1, attribute.f());
    context.SetConstant(0, NewConstant(context.dims(), form.element, shape, numbers));
  }
}

}  // namespace

void ConstantTensor(NodeContext& context) {
  const onnx::AttributeProto* const value = context.Attribute("value");
  const onnx::AttributeProto* const sparse = context.Attribute("sparse_value");
  int given = (value != nullptr) + (sparse != nullptr);
  for (const ConstantForm& form : kConstantForms) {
    const onnx::AttributeProto* const attribute = context.Attribute(form.attribute);
    if (attribute == nullptr) continue;
    ++given;
    context.SetElement(0, form.element);
    if (form.is_list) {
      context.SetShape(0, {ListSize(*attribute)});
    } else {
      context.SetShape(0, {});
    }
    KeepNumbers(context, *attribute, form);
  }
  if (given != 1) {
    FailClash(context, "value", "'sparse_value' and 'value_...'",
              fmt::format("exactly one of them must be given, not {}", given));
    return;
  }
  if (value != nullptr) {
    SetTensor(context, value->t().data_type(), value->t().dims());
    context.SetConstant(0, ContentsOf(value->t(), context.dims()));
  }
  if (sparse != nullptr) {
    SetTensor(context, sparse->sparse_tensor().values().data_type(), sparse->sparse_tensor().dims());
  }
}

void ShapeOf(NodeContext& context) {
  const int rank = context.Rank(0);
  if (rank < 0) return context.SetShape(0, {Dim()});
  const auto clamp = [&](std::int64_t axis) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank));
  };
  const std::size_t start = clamp(context.Int("start", 0));
  const std::size_t end = std::max(start, clamp(context.Int("end", rank)));
  context.SetShape(0, {Dim(static_cast<std::int64_t>(end - start))});
  context.SetConstant(0, NewList(context.dims(), context.Shape(0).subspan(start, end - start)));
}

void SizeOf(NodeContext& context) {
  context.SetShape(0, {});
  const Dim count = context.HasRank(0) ? context.dims().Product(context.Shape(0)) : Dim();
  if (count.IsUnknown()) return;
  context.SetConstant(0, NewConstant(context.dims(), onnx::TensorProto::INT64, {}, std::span<const Dim>(&count, 1)));
}

}  // namespace onnxc::infer
