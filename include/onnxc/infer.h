// Infers the type and the shape of every value of a model, and finds contradictions in the model.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/operators.h>
#include <onnxc/proto.h>
#include <onnxc/source_map.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace onnxc {

namespace infer {
class Expression;
}

/// A size, or an element of a constant: a number, an expression of symbols, or unknown. It is cheap to copy; the
/// expression belongs to the Inference from which the dimension was obtained. Two expressions that are known to be
/// equal are the same object.
class Dimension {
 public:
  constexpr Dimension() = default;
  template <std::integral Number>
  constexpr Dimension(Number number)  // NOLINT(google-explicit-constructor): a number is a dimension
      : kind_(Kind::kNumber), number_(static_cast<std::int64_t>(number)) {}
  constexpr explicit Dimension(const infer::Expression* expression)
      : kind_(expression == nullptr ? Kind::kUnknown : Kind::kExpression), expression_(expression) {}

  [[nodiscard]] constexpr bool IsUnknown() const { return kind_ == Kind::kUnknown; }
  [[nodiscard]] constexpr bool IsNumber() const { return kind_ == Kind::kNumber; }
  [[nodiscard]] constexpr bool Is(std::int64_t number) const { return IsNumber() && number_ == number; }

  /// Returns the number, or 0 if the dimension is not a number.
  [[nodiscard]] constexpr std::int64_t number() const { return IsNumber() ? number_ : 0; }
  /// Returns the expression, or null.
  [[nodiscard]] constexpr const infer::Expression* expression() const {
    return kind_ == Kind::kExpression ? expression_ : nullptr;
  }
  /// Returns the name if the dimension is a single symbol with a name in the model, otherwise "".
  [[nodiscard]] std::string_view symbol() const;

  /// Returns whether both dimensions are known and certainly equal. (Two different symbols may still stand for equal
  /// sizes.)
  [[nodiscard]] constexpr bool Equals(const Dimension& other) const {
    if (kind_ != other.kind_) return false;
    return kind_ == Kind::kNumber ? number_ == other.number_
                                  : kind_ == Kind::kExpression && expression_ == other.expression_;
  }
  /// Returns whether both dimensions are numbers and differ. Only then is it certain that the sizes differ.
  [[nodiscard]] constexpr bool Contradicts(const Dimension& other) const {
    return IsNumber() && other.IsNumber() && number_ != other.number_;
  }

 private:
  enum class Kind : std::uint8_t { kUnknown, kNumber, kExpression };

  Kind kind_ = Kind::kUnknown;
  union {
    std::int64_t number_ = 0;
    const infer::Expression* expression_;
  };
};

/// A type, which may be partly unknown. It is cheap to copy; the shape and the inner type belong to the Inference from
/// which the type was obtained.
struct ValueType {
  enum class Kind : std::uint8_t { kUnknown, kTensor, kSparseTensor, kSequence, kOptional, kMap, kOpaque };

  Kind kind = Kind::kUnknown;
  bool has_rank = false;                            ///< for a tensor: the rank is known
  int element_type = 0;                             ///< TensorProto.DataType of a tensor, or of a map's key; 0 if
                                                    ///< unknown
  std::span<const Dimension> shape = {};            ///< valid if has_rank
  const ValueType* element = nullptr;               ///< element type of a sequence or optional, or value type of a map;
                                                    ///< null if unknown
  const onnx::TypeProto::Opaque* opaque = nullptr;  ///< for an opaque type

  [[nodiscard]] bool IsTensor() const { return kind == Kind::kTensor || kind == Kind::kSparseTensor; }
  [[nodiscard]] int rank() const { return has_rank ? static_cast<int>(shape.size()) : -1; }
};

/// The elements of a small tensor in row-major order. Some of them may be unknown.
struct ConstantValue {
  int element_type = 0;  ///< TensorProto.DataType
  std::span<const std::int64_t> shape = {};
  std::span<const Dimension> integers = {};  ///< for integers and bool (0 and 1)
  std::span<const double> reals = {};        ///< for floating-point types; all elements are known
};

/// The part of a model that determines a type.
enum class FactSource : std::uint8_t { kUnknown, kDeclared, kInitializer, kOperator };

/// What is known about a value, and which part of the model determines it.
struct InferredValue {
  std::string_view name = {};
  ValueType type = {};
  FactSource source = FactSource::kUnknown;
  std::int16_t field = 0;                            ///< the field number in `owner`; 0 for the whole message
  std::int32_t index = 0;                            ///< the index of the element if the field is repeated
  const google::protobuf::Message* owner = nullptr;  ///< the message that defines the value; for a function's input,
                                                     ///< the graph that calls the function; null if unknown
  const ConstantValue* constant = nullptr;           ///< null if the contents are unknown, not small, or not needed
                                                     ///< (InferOptions::all_constants)
  const onnx::TensorProto* tensor = nullptr;  ///< the tensor of an initializer, or of a Constant node whose contents
                                              ///< were not needed
};

/// The result of InferTypes(). Copies share their contents. The result refers to the model, which must outlive it.
class Inference {
 public:
  /// Returns the values of a graph or function in the order of the model: inputs, initializers, then the outputs of
  /// nodes. For a function, the types hold for all calls in the model, or for any possible call if the model has none.
  /// Returns an empty list for a graph that inference did not reach.
  [[nodiscard]] std::span<const InferredValue> ValuesOf(const google::protobuf::Message& graph_or_function) const;

  /// Returns the value of this name in the graph or function, or null. Takes time linear in the number of its values.
  [[nodiscard]] const InferredValue* Find(const google::protobuf::Message& graph_or_function,
                                          std::string_view name) const;

  /// Returns whether this is the inference of exactly this message, not of a copy.
  [[nodiscard]] bool IsOf(const google::protobuf::Message& message) const { return root_ == &message; }

  [[nodiscard]] bool ok() const { return diagnostics.ok(); }

  Diagnostics diagnostics;

 private:
  friend class InferenceBuilder;
  const google::protobuf::Message* root_ = nullptr;
  std::shared_ptr<const void> memory_;
  std::unordered_map<const void*, std::vector<InferredValue>> values_;
};

struct InferOptions {
  /// The source map that Parse() filled for this very message; may be null. With it, findings have ranges instead of
  /// paths.
  const SourceMap* source_map = nullptr;
  /// Also compute the contents of small constants, which determine the shapes of Reshape and similar operators.
  bool data_propagation = true;
  /// Also set InferredValue::constant for small initializers and for small outputs of nodes, even if no operator needed
  /// their contents.
  bool all_constants = false;
  /// Use the contents of an initializer with the name of an input, although it is only the default value of the input,
  /// which a caller may replace. The `onnx` package does so. Before IR version 4, such an initializer is a constant.
  bool constant_defaults = false;
  /// If a declared type contradicts the computed type, use the computed one, and let one warning list all such values.
  /// By default this is an error, and the value becomes unknown. Set this if WithTypes() will overwrite the declared
  /// types of the model.
  bool overwrite = false;
  /// The maximum number of findings that are reported in one run; further findings are only counted.
  std::size_t max_diagnostics = 100;
  /// Operators in addition to those that onnxc knows.
  Operators operators = {};

  /// The IR version of a graph or function that is not part of a model. A model specifies its own version.
  std::int64_t ir_version = onnx::IR_VERSION;
  /// The version of each domain, for a graph that is not part of a model. Empty: the newest known version of each
  /// built-in domain.
  std::map<std::string, std::int64_t> opset_imports = {};
};

/// Infers the type of each value of each graph and function of the model, and finds contradictions. Every message is
/// safe as input. Time and memory are linear in the size of the model. If a hostile model would need more, a warning
/// reports it, and the remaining values are unknown.
[[nodiscard]] Inference InferTypes(const onnx::ModelProto& model, const InferOptions& options = {});

/// Like InferTypes() above, for a graph or function that is not part of a model. Paths in findings begin at the graph
/// or function. The types of a function's inputs are taken from its value_info.
[[nodiscard]] Inference InferTypes(const onnx::GraphProto& graph, const InferOptions& options = {});
[[nodiscard]] Inference InferTypes(const onnx::FunctionProto& function, const InferOptions& options = {});

/// A message to which inferred types were added.
template <typename Proto>
struct [[nodiscard]] Typed {
  Proto message;            ///< empty if !ok()
  Diagnostics diagnostics;  ///< an error if the inference is of another message; a warning if types were left out

  [[nodiscard]] bool ok() const { return diagnostics.ok(); }
};

/// Returns the message with the inferred types: all graphs get value_info for the outputs of nodes, and incomplete
/// declared types are completed. A declared symbol becomes a number if the number is known. With `overwrite` (see
/// InferOptions::overwrite), all declared types of outputs and value_info are replaced by the inferred types, also in
/// functions. If the types would need many times the memory of the message, types are added in the order of the model
/// until a limit is reached.
[[nodiscard]] Typed<onnx::ModelProto> WithTypes(const onnx::ModelProto& model, const Inference& inference,
                                                bool overwrite = false);
[[nodiscard]] Typed<onnx::GraphProto> WithTypes(const onnx::GraphProto& graph, const Inference& inference,
                                                bool overwrite = false);
/// Like WithTypes() above, but adds no value_info, because the types in a function must apply to all of its calls; only
/// existing entries are changed.
[[nodiscard]] Typed<onnx::FunctionProto> WithTypes(const onnx::FunctionProto& function, const Inference& inference,
                                                   bool overwrite = false);

/// Like WithTypes(), but changes the model in place, without a copy if the model is on an arena. Do not use `inference`
/// afterwards. If the model is not on an arena, its source map and pointers to its messages become invalid, too,
/// because all of its messages are replaced.
[[nodiscard]] Diagnostics AddTypes(onnx::ModelProto* model, const Inference& inference, bool overwrite = false);

/// Returns the dimension as text for people: `4`, `N`, `?`, or an expression such as `(2*N + 1) / 2`. Control
/// characters are escaped, and a name of more than 256 bytes is shortened.
[[nodiscard]] std::string ToString(const Dimension& dimension);

/// Returns the type as text for people: `float[N, 4]`, `seq(int64[])`, or `?` if nothing is known.
[[nodiscard]] std::string ToString(const ValueType& type);
/// Appends the text of a type as ToString() returns it.
void AppendText(const ValueType& type, std::string* text);

/// Returns the type as a message. Unknown parts are left out, and so are dimensions that are neither numbers nor
/// symbols.
[[nodiscard]] onnx::TypeProto ToProto(const ValueType& type);

}  // namespace onnxc
