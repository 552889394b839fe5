// The type and the shape of every value of a model, and what in the model contradicts them.
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

/// A size, or an element of a constant: a number, an expression of symbols, or unknown. A cheap value; the expression
/// belongs to the Inference that it came from. Two expressions that are known to be equal are the same object.
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

  /// The number; 0 where it is none.
  [[nodiscard]] constexpr std::int64_t number() const { return IsNumber() ? number_ : 0; }
  /// The expression, or null.
  [[nodiscard]] constexpr const infer::Expression* expression() const {
    return kind_ == Kind::kExpression ? expression_ : nullptr;
  }
  /// The name where it is a single symbol that the model names; else empty.
  [[nodiscard]] std::string_view symbol() const;

  /// Both are known, and the same for certain. (Two symbols that differ may still stand for equal sizes.)
  [[nodiscard]] constexpr bool Equals(const Dimension& other) const {
    if (kind_ != other.kind_) return false;
    return kind_ == Kind::kNumber ? number_ == other.number_
                                  : kind_ == Kind::kExpression && expression_ == other.expression_;
  }
  /// Both are numbers, and not the same: the only certain contradiction.
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

/// A type, as far as it is known. A cheap value; shape and inner type belong to the Inference that it came from.
struct ValueType {
  enum class Kind : std::uint8_t { kUnknown, kTensor, kSparseTensor, kSequence, kOptional, kMap, kOpaque };

  Kind kind = Kind::kUnknown;
  bool has_rank = false;                            ///< of a tensor
  int element_type = 0;                             ///< TensorProto.DataType of a tensor, of a map's key; 0: unknown
  std::span<const Dimension> shape = {};            ///< where has_rank
  const ValueType* element = nullptr;               ///< of a sequence, an optional or a map's value; null: unknown
  const onnx::TypeProto::Opaque* opaque = nullptr;  ///< of an opaque type

  [[nodiscard]] bool IsTensor() const { return kind == Kind::kTensor || kind == Kind::kSparseTensor; }
  [[nodiscard]] int rank() const { return has_rank ? static_cast<int>(shape.size()) : -1; }
};

/// The elements of a small tensor, row by row, as far as they are known.
struct ConstantValue {
  int element_type = 0;  ///< TensorProto.DataType
  std::span<const std::int64_t> shape = {};
  std::span<const Dimension> integers = {};  ///< of integers and bool (0 and 1)
  std::span<const double> reals = {};        ///< of floating-point types; all are known
};

/// What tells a type.
enum class FactSource : std::uint8_t { kUnknown, kDeclared, kInitializer, kOperator };

/// What is known of a value, and which part of the model tells it.
struct InferredValue {
  std::string_view name = {};
  ValueType type = {};
  FactSource source = FactSource::kUnknown;
  bool is_default = false;  ///< the contents come from the default of an input, which a caller may replace
  std::int16_t field = 0;   ///< the number of the field of `owner`; 0: the whole message
  std::int32_t index = 0;   ///< of the element, where the field is repeated
  const google::protobuf::Message* owner = nullptr;  ///< of the calling graph for a function's input; null: unknown
  const ConstantValue* constant = nullptr;  ///< null: not known, not small, or not needed (InferOptions::all_constants)
  const onnx::TensorProto* tensor = nullptr;  ///< of an initializer or a constant whose `constant` was not needed
};

/// The result of InferTypes. Copies share what they hold; it refers to the model, which must outlive it.
class Inference {
 public:
  /// The values of a graph or function: inputs, initializers, then the outputs of the nodes, in the model's order. Of a
  /// function: what holds for all its calls, or for any call where the model has none. Empty for a graph that was not
  /// reached.
  [[nodiscard]] std::span<const InferredValue> ValuesOf(const google::protobuf::Message& graph_or_function) const;

  /// The value of that name in the graph or function, or null. Takes time linear in the number of its values.
  [[nodiscard]] const InferredValue* Find(const google::protobuf::Message& graph_or_function,
                                          std::string_view name) const;

  /// Whether it was made of this very message. That of a copy is of another one.
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
  /// The source map that Parse() filled for this very message; may be null. With it, findings have ranges, not paths.
  const SourceMap* source_map = nullptr;
  /// Compute the contents of small constants, too; the shapes of Reshape and similar operators follow from them.
  bool data_propagation = true;
  /// Set InferredValue::constant also of small initializers and outputs whose contents no operator needed.
  bool all_constants = false;
  /// Where a declared type contradicts the computed one, the computed one holds. Otherwise the value is unknown from
  /// there on. For models whose declared types WithTypes() is to overwrite: nothing in them is contradicted then.
  bool overwrite = false;
  /// Findings reported in one run; the rest are counted.
  std::size_t max_diagnostics = 100;
  /// Operators beside those that onnxc knows.
  Operators operators = {};

  /// What a graph alone is judged by; a model and a function tell this themselves.
  std::int64_t ir_version = onnx::IR_VERSION;
  /// From the domain to its version. Empty: the newest known version of each built-in domain.
  std::map<std::string, std::int64_t> opset_imports = {};
};

/// The type of each value of each graph and function of the model, and what contradicts it. Any message is safe as
/// input. Time and memory are linear in the size of the model; where a hostile model would need more, a warning tells
/// it, and values are left unknown.
[[nodiscard]] Inference InferTypes(const onnx::ModelProto& model, const InferOptions& options = {});

/// The same for a graph or a function alone. Paths of findings begin at it. The types of a function's inputs are those
/// that its value_info declares.
[[nodiscard]] Inference InferTypes(const onnx::GraphProto& graph, const InferOptions& options = {});
[[nodiscard]] Inference InferTypes(const onnx::FunctionProto& function, const InferOptions& options = {});

/// A message with types.
template <typename Proto>
struct [[nodiscard]] Typed {
  Proto message;            ///< empty when !ok()
  Diagnostics diagnostics;  ///< an error if the inference is of another message; a warning if types were left out

  [[nodiscard]] bool ok() const { return diagnostics.ok(); }
};

/// The message with what was inferred: value_info for the outputs of nodes, in all graphs, and declared types with what
/// they lack. A declared symbol becomes a number where that is known; with `overwrite`, which belongs to
/// InferOptions::overwrite, all declared types of outputs and value_info become the inferred ones, also in functions.
/// If the types would take many times the memory of the message, the last ones are left out.
[[nodiscard]] Typed<onnx::ModelProto> WithTypes(const onnx::ModelProto& model, const Inference& inference,
                                                bool overwrite = false);
[[nodiscard]] Typed<onnx::GraphProto> WithTypes(const onnx::GraphProto& graph, const Inference& inference,
                                                bool overwrite = false);
/// Types in a function hold for all of its calls: only the value_info that it has are written.
[[nodiscard]] Typed<onnx::FunctionProto> WithTypes(const onnx::FunctionProto& function, const Inference& inference,
                                                   bool overwrite = false);

/// The same in place, with no copy of a model that is on an arena. `inference` must not be used afterwards. If the
/// model is not on an arena, neither must pointers into it, nor its source map: all of its messages are new.
[[nodiscard]] Diagnostics AddTypes(onnx::ModelProto* model, const Inference& inference, bool overwrite = false);

/// The dimension as text for people: `4`, `N`, `?`, or an expression, `(2*N + 1) / 2`. Control characters are
/// escaped, and a name of more than 256 bytes is cut.
[[nodiscard]] std::string ToString(const Dimension& dimension);

/// The same of a type: `float[N, 4]`, `seq(int64[])`; `?` where nothing is known.
[[nodiscard]] std::string ToString(const ValueType& type);
/// Appends that of a type to a text.
void AppendText(const ValueType& type, std::string* text);

/// The type as a message. What is unknown is left out, and so are dimensions that are neither numbers nor symbols.
[[nodiscard]] onnx::TypeProto ToProto(const ValueType& type);

}  // namespace onnxc
