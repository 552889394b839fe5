// Infers operators that files declare. The shapes of the inputs determine the values of the symbols in the declaration.
// The shapes of the outputs are computed from these values.
#include <algorithm>
#include <map>
#include <string>

#include "infer/registry.h"
#include "infer/shapes.h"
#include "tables/declared_operator.h"

namespace onnxc::infer {
namespace {

/// The size that a symbol of the declaration has at this node, and the input that determines it.
struct BoundSize {
  Dim size;
  int input;
  std::size_t axis;
};

class DeclaredTypes {
 public:
  explicit DeclaredTypes(NodeContext& context) : context_(context), declared_(*context.op().declared) {}

  void Apply() {
    const std::size_t inputs = context_.op().inputs;
    for (int i = 0; i < context_.inputs() && inputs > 0; ++i) {
      const auto formal = std::min(static_cast<std::size_t>(i), inputs - 1);
      if (const auto& type = declared_.formals[formal].type; type && type->has_tensor_type() && !Bind(i, *type)) return;
    }
    const std::size_t outputs = context_.op().outputs;
    for (int i = 0; i < context_.outputs() && outputs > 0; ++i) {
      const DeclaredFormal& formal = declared_.formals[inputs + std::min(static_cast<std::size_t>(i), outputs - 1)];
      if (formal.type) Set(i, formal);
    }
  }

 private:
  bool Bind(int input, const onnx::TypeProto& type) {
    const onnx::TypeProto::Tensor& tensor = type.tensor_type();
    if (!tensor.has_shape() || !context_.HasRank(input)) return true;
    const auto& dims = tensor.shape().dim();
    if (!CheckRank(context_, input, dims.size())) return false;
    const std::span<const Dim> shape = context_.Shape(input);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const auto& dim = dims[static_cast<int>(axis)];
      if (dim.has_dim_value() && shape[axis].Contradicts(dim.dim_value())) {
        return context_.Fail(rule::kDimensionValue, In(input), {In(input)}, axis, context_.Describe(In(input)),
                             context_.name(), ToString(shape[axis]), std::to_string(dim.dim_value()));
      }
      if (dim.has_dim_param() && !dim.dim_param().empty() && !BindSymbol(dim.dim_param(), shape[axis], input, axis)) {
        return false;
      }
    }
    return true;
  }

  bool BindSymbol(const std::string& symbol, Dim size, int input, std::size_t axis) {
    if (size.IsUnknown()) return true;
    const auto [bound, is_new] = symbols_.try_emplace(symbol, BoundSize{size, input, axis});
    BoundSize& first = bound->second;
    if (size.Contradicts(first.size)) {
      return context_.Fail(rule::kDimensionClash, In(input), {In(first.input), In(input)}, axis,
                           context_.Describe(In(input)), context_.name(), ToString(size), first.axis,
                           context_.Describe(In(first.input)), ToString(first.size));
    }
    if (!first.size.IsNumber() && size.IsNumber()) first = {size, input, axis};
    return true;
  }

  void Set(int output, const DeclaredFormal& formal) {
    if (!formal.type->has_tensor_type()) return context_.SetOutput(output, FromProto(context_.dims(), *formal.type));
    const onnx::TypeProto::Tensor& tensor = formal.type->tensor_type();
    if (!formal.has_variable) context_.SetElement(output, tensor.elem_type());
    if (!tensor.has_shape() || !context_.Output(output).IsTensor()) return;
    const std::span<Dim> shape = context_.NewShape(tensor.shape().dim_size());
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const auto& dim = tensor.shape().dim(static_cast<int>(axis));
      if (dim.has_dim_value()) shape[axis] = dim.dim_value();
      const auto bound = dim.has_dim_param() ? symbols_.find(dim.dim_param()) : symbols_.end();
      if (bound != symbols_.end()) shape[axis] = bound->second.size;
    }
    context_.SetShape(output, shape);
  }

  NodeContext& context_;
  const DeclaredOperator& declared_;
  std::map<std::string_view, BoundSize> symbols_;
};

}  // namespace

void InferDeclared(NodeContext& context) { DeclaredTypes(context).Apply(); }

}  // namespace onnxc::infer
