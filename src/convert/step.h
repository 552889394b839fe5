// What a rule sees of a node, and the edits that it can make: the vocabulary in which the rules are written.
#pragma once

#include <fmt/format.h>
#include <onnxc/infer.h>
#include <onnxc/proto.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "convert/omissions.h"
#include "source/names.h"

namespace onnxc::convert {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

/// A graph or the body of a function, and the types of its values before the step.
struct Scope {
  const Scope* outer = nullptr;
  OwnedNameMap<const InferredValue*> values = {};

  [[nodiscard]] const InferredValue* Find(std::string_view name) const;
};

/// The names of a model's values, and how often each is read.
class Uses {
 public:
  void Count(const onnx::ModelProto& model);
  [[nodiscard]] bool IsRead(const std::string& name) const {
    const auto found = reads_.find(name);
    return found != reads_.end() && found->second > 0;
  }
  /// A node that reads the value has been removed.
  void Forget(const std::string& name) { --reads_[name]; }
  /// Returns a name that no value has, which begins with `wanted`.
  [[nodiscard]] std::string NewName(std::string wanted);

 private:
  OwnedNameMap<int> reads_;  ///< how often each value is read
  OwnedNameSet names_;
};

/// The step of a node from one version of its operator to a neighbouring one.
class Step {
 public:
  Step(onnx::NodeProto* node, const Scope& scope, Uses* uses);

  bool up = true;
  int version = 0;                       ///< the step is between this version and the one before it
  int target = 0;                        ///< the version to which the model is converted
  const Omissions* omissions = nullptr;  ///< in a function: its parameters that have no value in some call

  [[nodiscard]] onnx::NodeProto& node() { return *node_; }
  [[nodiscard]] const onnx::NodeProto& node() const { return *node_; }
  [[nodiscard]] bool Is(std::string_view op_type) const { return node_->op_type() == op_type; }
  /// The version in which the nodes are written, and the one that has to accept constants that are written now.
  [[nodiscard]] int written() const { return up ? version : version - 1; }
  [[nodiscard]] int final_version() const { return up ? target : version - 1; }

  // ---- the result
  /// The node cannot be converted. `reason` is a clause; the first one counts.
  void Refuse(std::string reason) {
    if (refusal_.empty()) refusal_ = std::move(reason);
  }
  void Warn(std::string reason) { warning_ = std::move(reason); }
  [[nodiscard]] bool ok() const { return refusal_.empty(); }
  [[nodiscard]] const std::string& refusal() const { return refusal_; }
  [[nodiscard]] const std::string& warning() const { return warning_; }
  bool sizes_may_change = false;
  bool other_sizes = false;  ///< the declared sizes of its outputs contradict the text of the new version
  bool lacks_type = false;   ///< it was refused because a type, a rank or a size is not known
  const onnx::NodeProto* incomplete_call = nullptr;  ///< it was refused because of this call of the function

  // ---- attributes; one that refers to a parameter of a function has no value, and reading it is a refusal
  [[nodiscard]] const onnx::AttributeProto* Attribute(std::string_view name) const;
  [[nodiscard]] bool HasAttribute(std::string_view name) const { return Attribute(name) != nullptr; }
  [[nodiscard]] std::int64_t Int(std::string_view name, std::int64_t otherwise);
  [[nodiscard]] float Float(std::string_view name, float otherwise);
  [[nodiscard]] std::string String(std::string_view name, std::string_view otherwise);
  [[nodiscard]] std::optional<Integers> Ints(std::string_view name);
  [[nodiscard]] std::optional<Reals> Floats(std::string_view name);
  void Remove(std::string_view name);
  onnx::AttributeProto* Add(std::string_view name, onnx::AttributeProto::AttributeType type);
  void Set(std::string_view name, std::int64_t value);
  void Set(std::string_view name, int value) { Set(name, std::int64_t{value}); }
  void Set(std::string_view name, float value);
  void Set(std::string_view name, std::string_view value);
  void Set(std::string_view name, const Integers& values);
  void Set(std::string_view name, const Reals& values);

  // ---- operands
  [[nodiscard]] bool HasInput(int i) const { return i < node_->input_size() && !node_->input(i).empty(); }
  [[nodiscard]] bool HasOutput(int i) const { return i < node_->output_size() && !node_->output(i).empty(); }
  [[nodiscard]] bool IsRead(int output) const { return HasOutput(output) && uses_->IsRead(node_->output(output)); }
  void SetInput(int i, const std::string& name);
  /// Removes an input, and the absent ones that are then last.
  void RemoveInput(int i);

  // ---- types and contents of values; `Need...` is a refusal if they are not known
  [[nodiscard]] const InferredValue* Find(std::string_view name) const { return scope_.Find(name); }
  [[nodiscard]] const InferredValue* Value(int input) const;
  [[nodiscard]] int ElementType(int input) const;
  [[nodiscard]] int Rank(int input) const;
  /// The sizes, -1 for each that is unknown; nothing if the rank is unknown.
  [[nodiscard]] std::optional<Integers> Shape(int input) const;
  [[nodiscard]] int NeedElementType(int input);
  [[nodiscard]] int NeedRank(int input);
  [[nodiscard]] std::optional<Integers> NeedSizes(int input);
  [[nodiscard]] std::optional<Integers> Constant(int input) const;
  [[nodiscard]] std::optional<Reals> RealConstant(int input) const;
  [[nodiscard]] std::optional<Integers> NeedConstant(int input, std::string_view what);
  [[nodiscard]] std::optional<Reals> NeedRealConstant(int input, std::string_view what);
  /// Whether the input is a tensor without elements, or absent.
  [[nodiscard]] bool IsEmpty(int input) const;
  void RefuseUnknown(std::string_view what, int input);

  // ---- edits
  /// Replaces the node by the statements of a text. In it, `in0`, `in1` ... and `out0`, `out1` ... are the operands of
  /// the node, `Self` is the node with its attributes, and the other names become new values.
  void Replace(std::string_view statements);
  /// Like Replace(), for a text with holes.
  template <typename... Args>
  void Expand(fmt::format_string<Args...> statements, Args&&... args) {
    Replace(fmt::format(statements, std::forward<Args>(args)...));
  }
  /// Writes a Constant node before the node, and returns the name of its value, `<output>_<name>`.
  [[nodiscard]] std::string NewConstant(std::string_view name, const std::string& tensor);
  [[nodiscard]] std::string NewConstant(std::string_view name, const Integers& list);
  /// Like NewConstant(), for a scalar with the element type of an input.
  [[nodiscard]] std::string NewScalarLike(std::string_view name, double value, int input);
  /// Writes a Constant node whose value is a parameter of the function, and returns the name of its value.
  [[nodiscard]] std::string NewConstantOf(const onnx::AttributeProto& reference, std::string_view value);
  /// Makes an attribute with a list of integers, or an integer, an input that is a list.
  void IntsToInput(std::string_view attribute, int input);
  /// Makes an input that is a constant list of integers an attribute.
  void InputToInts(std::string_view attribute, int input);

  /// Returns a name that no value has, `<output>_<name>`.
  [[nodiscard]] std::string NewName(std::string_view name) { return uses_->NewName(fmt::format("{}_{}", stem_, name)); }

  /// The nodes that replace the node, in their order; it is one of them if it stays.
  [[nodiscard]] std::vector<onnx::NodeProto*> TakeNodes();
  [[nodiscard]] bool was_replaced() const { return was_replaced_; }
  [[nodiscard]] const std::vector<onnx::NodeProto*>& nodes() const { return nodes_; }
  /// The inputs that the node no longer reads.
  std::vector<std::string> dropped;

 private:
  [[nodiscard]] onnx::NodeProto* NewNode();
  void Name(onnx::NodeProto* node, OwnedNameMap<std::string>* names);
  void Name(onnx::GraphProto* graph, OwnedNameMap<std::string>* names);
  [[nodiscard]] std::string NameOf(const std::string& word, OwnedNameMap<std::string>* names);
  /// Appends the node to the list. A Constant of a type that the final version lacks becomes one of floats, and a Cast.
  void Append(onnx::NodeProto* node, std::vector<onnx::NodeProto*>* list);

  onnx::NodeProto* node_;
  const Scope& scope_;
  Uses* uses_;
  std::string stem_;  ///< the first output, from which new names are made
  std::string refusal_;
  std::string warning_;
  std::vector<onnx::NodeProto*> before_;
  std::vector<onnx::NodeProto*> nodes_;
  bool was_replaced_ = false;
};

/// Returns a tensor in the text syntax: `float[2] {1, 2}`, or `float {1}` if it has no axes. An element type without
/// such numbers is written with the nearest ones.
[[nodiscard]] std::string TensorText(int element_type, const Integers& shape, const Reals& elements);
[[nodiscard]] std::string ListText(const Integers& list);  ///< `int64[2] {1, 2}`
[[nodiscard]] std::string ScalarText(int element_type, double value);
/// Returns whether the type has exactly this number.
[[nodiscard]] bool HasNumber(int element_type, double value);
/// Returns `[1, 2]`.
[[nodiscard]] std::string IntsText(const Integers& list);
/// Returns `1.0`, which is no integer, as the value of an attribute.
[[nodiscard]] std::string FloatText(float value);
[[nodiscard]] std::string_view KeywordOf(int element_type);

/// Returns the statement of a Constant: a scalar with the element type of the input, or a list.
[[nodiscard]] std::string Scalar(Step& step, std::string_view name, double value, int input = 0);
[[nodiscard]] std::string List(std::string_view name, const Integers& list);

/// Returns whether no other integer is read as this double.
[[nodiscard]] bool IsExact(double whole);
/// Returns the elements of a tensor of int64; none if they are not in the message.
[[nodiscard]] Integers IntegersOf(const onnx::TensorProto& tensor);
/// Returns the elements of a tensor of numbers; none if they are not in the message, or if an integer is no double.
[[nodiscard]] Reals RealsOf(const onnx::TensorProto& tensor);
/// Makes a tensor of another type one of floats, or of doubles. Returns false if these have not all of its numbers.
[[nodiscard]] bool ToFloats(onnx::TensorProto* tensor);
/// Whether Constant takes the element type before version 9.
[[nodiscard]] constexpr bool IsOldConstant(int type) {
  return type == onnx::TensorProto::FLOAT || type == onnx::TensorProto::DOUBLE || type == onnx::TensorProto::FLOAT16;
}

/// Before this version, the type of a Cast is a word, and runtimes have no Cast; constants become initializers.
inline constexpr int kFirstCastOfNumbers = 6;

using Rule = void (*)(Step&);

}  // namespace onnxc::convert
