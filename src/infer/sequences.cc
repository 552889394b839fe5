// Operators on sequences and optional values.
#include <fmt/format.h>

#include "infer/operands.h"
#include "infer/registry.h"
#include "source/words.h"

namespace onnxc::infer {
namespace {

Type SequenceOf(NodeContext& context, const Type& element) { return context.dims().Nested(Kind::kSequence, element); }

/// Returns the type of the elements of a sequence in an input; it may be unknown. Reports an error and returns nothing
/// if the input is not a sequence.
std::optional<Type> ElementsOf(NodeContext& context, int input) {
  const Type& type = context.Input(input);
  if (type.kind == Kind::kUnknown) return Type();
  if (type.kind != Kind::kSequence) {
    FailKind(context, input, "a sequence");
    return std::nullopt;
  }
  return type.element == nullptr ? Type() : *type.element;
}

/// Returns the length of a sequence, or nothing unless the node that made the sequence determines the length.
std::optional<std::int64_t> LengthOfSequence(const Value* sequence) {
  if (sequence == nullptr || sequence->source != FactSource::kOperator || sequence->owner == nullptr)
    return std::nullopt;
  const auto* const maker = dynamic_cast<const onnx::NodeProto*>(sequence->owner);
  if (maker == nullptr || !(maker->domain().empty() || maker->domain() == "ai.onnx")) return std::nullopt;
  if (maker->op_type() == "SequenceEmpty") return 0;
  return maker->op_type() == "SequenceConstruct" ? std::optional(std::int64_t{maker->input_size()}) : std::nullopt;
}

/// Reports an error if the position in an input is certainly outside of the sequence in input 0. A negative position is
/// counted from the end. `behind` is the number of valid positions after the last element. Positions that may never be
/// read are not reported.
bool CheckPosition(NodeContext& context, int input, std::int64_t behind) {
  const auto length = LengthOfSequence(context.InputValue(0));
  const Dim position = context.Scalar(input);
  if (!length || !position.IsNumber() || context.host().MayNotRun()) return true;
  const std::int64_t last = *length - 1 + behind;
  if (position.number() >= -*length && position.number() <= last) return true;
  const std::string must =
      last < -*length ? "no position fits" : fmt::format("it must be from {} to {}", -*length, last);
  return context.Fail(rule::kOperandValue, In(input), {In(input), In(0)}, context.Describe(In(input)), context.name(),
                      ToString(position),
                      fmt::format("{}, as {} has {}", must, context.Describe(In(0)), Counted(*length, "element")));
}

/// Returns a tensor type with a copy of the shape.
Type TensorOf(NodeContext& context, int element, std::span<const Dim> shape) {
  Type type{.kind = Kind::kTensor, .element_type = element};
  context.dims().SetShape(&type, shape);
  return type;
}

}  // namespace

void SequenceEmpty(NodeContext& context) {
  const auto element = ElementOf(context, "dtype", onnx::TensorProto::FLOAT);
  if (element) context.SetOutput(0, SequenceOf(context, {.kind = Kind::kTensor, .element_type = *element}));
}

void SequenceConstruct(NodeContext& context) {
  Type element = context.Input(0);
  for (int i = 1; i < context.inputs(); ++i) element = Join(context.dims(), element, context.Input(i));
  if (element.kind != Kind::kUnknown) context.SetOutput(0, SequenceOf(context, element));
}

void SequenceInsert(NodeContext& context) {
  const auto elements = ElementsOf(context, 0);
  if (!elements) return;
  const Type& added = context.Input(1);
  if (elements->kind == Kind::kTensor && added.kind == Kind::kTensor && elements->element_type != 0 &&
      added.element_type != 0 && elements->element_type != added.element_type) {
    FailKind(context, 1, ToString(Type{.kind = Kind::kTensor, .element_type = elements->element_type}));
    return;
  }
  if (!CheckPosition(context, 2, 1)) return;
  const Type either = Join(context.dims(), *elements, added);
  context.SetOutput(0, SequenceOf(context, either.kind == Kind::kUnknown ? *elements : either));
}

void SequenceAt(NodeContext& context) {
  const auto elements = ElementsOf(context, 0);
  if (!elements || !CheckPosition(context, 1, 0)) return;
  if (elements->kind != Kind::kUnknown) context.SetOutput(0, *elements);
}

void SequenceErase(NodeContext& context) {
  if (CheckPosition(context, 1, 0)) context.CopyType(0, 0);
}

void SequenceLength(NodeContext& context) { context.SetShape(0, {}); }

namespace {

/// Returns the size of each part of `whole`, or an unknown size if the parts differ. Returns nothing after an error.
std::optional<Dim> PartSize(NodeContext& context, Dim whole, std::size_t axis) {
  const Constant* const split = context.Constant(1);
  const auto list = context.Integers(1);
  if (split == nullptr || !list || list->empty()) return Dim();
  const Dim first = (*list)[0];
  if (split->shape.empty()) {
    if (first.IsNumber() && first.number() <= 0) {
      FailElements(context, 1, ToString(first), "positive");
      return std::nullopt;
    }
    const bool is_even = whole.IsNumber() && first.IsNumber() && whole.number() % first.number() == 0;
    return is_even ? first : Dim();
  }
  Dim sum = 0;
  bool are_equal = true;
  for (const Dim& part : *list) {
    sum = context.dims().Add(sum, part);
    are_equal = are_equal && part.Equals(first);
  }
  if (sum.Contradicts(whole)) {
    FailDimension(context, 0, axis, fmt::format("{}, the sum of 'split'", sum.number()));
    return std::nullopt;
  }
  return are_equal ? first : Dim();
}

}  // namespace

void SplitToSequence(NodeContext& context) {
  const Type& input = context.Input(0);
  if (input.kind != Kind::kTensor) return;
  context.SetOutput(0, SequenceOf(context, {.kind = Kind::kTensor, .element_type = input.element_type}));
  if (!input.has_rank) return;
  const auto axis = AxisOf(context, "axis", 0, input.rank(), In(0));
  if (!axis) return;
  const std::size_t at = static_cast<std::size_t>(*axis);
  std::vector<Dim> shape(input.shape.begin(), input.shape.end());
  const auto size = context.HasInput(1) ? PartSize(context, shape[at], at) : Dim(1);
  if (!size) return;
  shape[at] = *size;
  if (!context.HasInput(1) && context.Int("keepdims", 1) == 0) shape.erase(shape.begin() + *axis);
  context.SetOutput(0, SequenceOf(context, TensorOf(context, input.element_type, shape)));
}

void ConcatFromSequence(NodeContext& context) {
  const auto elements = ElementsOf(context, 0);
  if (!elements || elements->kind != Kind::kTensor) return;
  if (elements->element_type != 0) context.SetElement(0, elements->element_type);
  if (!elements->has_rank) return;
  const std::int64_t stacks = context.Int("new_axis", 0);
  if (stacks != 0 && stacks != 1) {
    FailAttribute(context, "new_axis", stacks, "0 or 1");
    return;
  }
  const int rank = elements->rank() + static_cast<int>(stacks);
  const auto axis = AxisOf(context, "axis", 0, rank, Out(0));
  if (!axis) return;
  const std::span<Dim> result = context.NewShape(rank);
  std::size_t next = 0;
  for (int i = 0; i < rank; ++i) {
    if (i == *axis) {
      next += stacks == 0 ? 1 : 0;
    } else {
      result[static_cast<std::size_t>(i)] = elements->shape[next++];
    }
  }
  context.SetShape(0, result);
}

void OptionalOf(NodeContext& context) {
  const onnx::AttributeProto* const type = context.Attribute("type");
  Type element = context.Input(0);
  if (!context.HasInput(0)) {
    if (type == nullptr) {
      FailAttribute(context, "type", "missing", "given if there is no input");
      return;
    }
    element = FromProto(context.dims(), type->tp());
  }
  if (element.kind == Kind::kUnknown) return;
  context.SetOutput(0, context.dims().Nested(Kind::kOptional, element));
}

void OptionalHasElement(NodeContext& context) {
  context.SetElement(0, onnx::TensorProto::BOOL);
  context.SetShape(0, {});
}

/// Returns the value inside of the optional. A value that is not optional is returned unchanged.
void OptionalGetElement(NodeContext& context) {
  const Type& type = context.Input(0);
  if (type.kind != Kind::kOptional) return context.CopyType(0, 0);
  if (type.element != nullptr && type.element->kind != Kind::kUnknown) context.SetOutput(0, *type.element);
}

}  // namespace onnxc::infer
