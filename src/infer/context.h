// The interface between the engine and the inference function of an operator: how the function reads the node and sets
// the types of its outputs.
//
// How the stage works. The engine (engine.cc) walks over the nodes of a graph in order. For each node it finds the
// operator's signature in src/tables and its row in operators.def, which names a function `void F(NodeContext&)`.
// Before the function runs, the engine sets each output to what the signature alone determines: the kind of the type,
// and the element type if the type variable is bound by an input or has only one type. So a function only sets shapes,
// with SetShape(). It also sets an element type, with SetElement(), if an attribute determines the type (Cast,
// RandomNormal, EyeLike ...). An output that it does not set keeps its element type and has no shape.
//
// Rules for a function:
// - Anything may be unknown: an input's type, its rank, a dimension, a constant. Then Rank(i) is -1, Shape(i) is empty,
//   IsUnknown() of a Dim is true, Constant(i) is null. Set everything that is certain: even a rank alone helps (all
//   dimensions of NewShape(rank) are unknown).
// - A size in Shape(i) is never negative, but an element of a constant may be. A negative number in a shape for
//   SetShape() becomes unknown.
// - An omitted input has an unknown type; HasInput(i) tells whether the input is present. A function may also set
//   outputs that the node omits.
// - The function reports an error in the model with Fail() and returns. The outputs are then unknown, so that no
//   further errors follow from the first. Do not call Fail() if the model may still be right: symbols never contradict
//   each other, only numbers do (Dim::Contradicts). Fail() returns false, for `return context.Fail(...)` in helpers
//   that return bool.
// - Compute dimensions with dims(): Add, Subtract, Multiply, DivideExactly, FloorDivide, CeilDivide, Product. They
//   accept numbers, symbols and unknown sizes, and they never overflow.
// - Constant(i) is the known contents of a small input tensor (`integers` may contain symbols and unknown elements).
//   Integers(i) is a shortcut for lists of int32 and int64. The contents of outputs are computed in evaluate.cc. A
//   function of this stage sets contents, with SetConstant(), only if it computes them for the shape anyway.
// - Read attributes with Int("axis", 0), Float, String, and Ints("pads"), which returns nothing if the attribute is
//   missing; Attribute() is for all other types. References to a function's attributes are already resolved.
// - op().since is the version of the operator's definition; version() is the version of the operator set.
//
// A new operator needs a row in operators.def, and a function in the file of its family if no existing function fits.
// Helpers for several families are in shapes.h (broadcasting, axes, merging). The rules that Fail() names, as in
// `context.Fail(rule::kRankClash, In(0), {}, context.Describe(In(0)), context.name(), 3, "2")`, are in
// src/tables/rules.def. Each rule has a test in tests/infer/.
#pragma once

#include <onnxc/infer.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "infer/memory.h"
#include "source/report.h"
#include "tables/signatures.h"

namespace onnxc::infer {

namespace rule = diag;

using Value = InferredValue;

/// A part of a node to which a finding refers.
struct Part {
  enum class Kind : std::uint8_t { kNode, kInput, kOutput, kAttribute };
  Kind kind = Kind::kNode;
  int index = 0;
  std::string_view name = {};
};
[[nodiscard]] constexpr Part In(int index) { return {Part::Kind::kInput, index, {}}; }
[[nodiscard]] constexpr Part Out(int index) { return {Part::Kind::kOutput, index, {}}; }
[[nodiscard]] constexpr Part Attr(std::string_view name) { return {Part::Kind::kAttribute, 0, name}; }

/// Whether a graph in an attribute runs, if that is known.
enum class Pass : std::uint8_t {
  kRun,    ///< the graph may run
  kTrial,  ///< inference only tries the types: it reports and keeps nothing
  kNever,  ///< a constant shows that the graph never runs, so contradictions in it are not errors
};

/// The services that the engine offers to the function of a node's operator.
class Host {
 public:
  virtual ~Host() = default;
  virtual void Report(Diagnostic finding, const Part& blamed, std::span<const Part> explained) = 0;
  /// Returns the node's attribute of this name. If the attribute refers to an attribute of the enclosing function,
  /// returns the value of the function's attribute. Returns null if there is no attribute or no value.
  [[nodiscard]] virtual const onnx::AttributeProto* FindAttribute(std::string_view name) const = 0;
  /// Returns the given attribute of the node or, if it refers to an attribute of the enclosing function, the value of
  /// the function's attribute.
  [[nodiscard]] virtual const onnx::AttributeProto* Resolve(const onnx::AttributeProto& attribute) const = 0;
  /// Infers a graph in an attribute, for control flow operators. Returns its outputs, or nothing if the graph cannot be
  /// inferred.
  virtual std::optional<std::vector<Value>> InferGraph(std::string_view attribute, std::span<const Value> inputs,
                                                       Pass pass) = 0;
  /// Returns whether the node is in a graph that inference only tries.
  [[nodiscard]] virtual bool IsTrial() const = 0;
  /// Returns whether the node is in a graph that may never run: a branch, or the body of a loop.
  [[nodiscard]] virtual bool MayNotRun() const = 0;
  [[nodiscard]] virtual std::int64_t IrVersion() const = 0;
  /// Returns whether the value is an initializer with as many data elements as its shape requires.
  [[nodiscard]] virtual bool HasDataOfItsShape(const Value* value) = 0;
  /// Returns the range of the message in the text, or null if there is none.
  [[nodiscard]] virtual const SourceRange* FindText(const google::protobuf::Message& message) const = 0;
};

class NodeContext {
 public:
  NodeContext(const onnx::NodeProto& node, const Operator& op, int version, std::span<Value* const> inputs,
              std::span<Value> outputs, Memory& memory, Host& host)
      : node_(node), op_(op), version_(version), inputs_(inputs), outputs_(outputs), memory_(memory), host_(host) {}

  [[nodiscard]] const onnx::NodeProto& node() const { return node_; }
  [[nodiscard]] const Operator& op() const { return op_; }
  [[nodiscard]] std::string_view name() const { return Word(op_); }
  [[nodiscard]] int version() const { return version_; }
  [[nodiscard]] Memory& dims() { return memory_; }
  [[nodiscard]] Host& host() { return host_; }
  [[nodiscard]] bool has_failed() const { return has_failed_; }

  // ---- inputs
  [[nodiscard]] int inputs() const { return static_cast<int>(inputs_.size()); }
  [[nodiscard]] bool HasInput(int i) const { return i < node_.input_size() && !node_.input(i).empty(); }
  [[nodiscard]] const Type& Input(int i) const { return i < inputs() && inputs_[At(i)] ? inputs_[At(i)]->type : kNone; }
  [[nodiscard]] const Value* InputValue(int i) const { return i < inputs() ? inputs_[At(i)] : nullptr; }
  [[nodiscard]] int Element(int i) const { return Input(i).IsTensor() ? Input(i).element_type : 0; }
  [[nodiscard]] bool HasRank(int i) const { return Input(i).has_rank; }
  [[nodiscard]] int Rank(int i) const { return Seen(i).rank(); }
  [[nodiscard]] std::span<const Dim> Shape(int i) const { return Seen(i).shape; }
  /// Returns the inputs whose shapes were read by the two functions above, or whose elements by Constant(), as a set
  /// of bits. The shapes of the others were not compared with anything. Only the first 64 inputs are in the set.
  [[nodiscard]] std::uint64_t seen() const { return seen_; }
  /// Returns the known elements of a small tensor, or null if nothing is known.
  [[nodiscard]] const infer::Constant* Constant(int i);
  /// Returns the only element of an input, or an unknown size if the element is not known.
  [[nodiscard]] Dim Scalar(int i);
  /// Returns the elements of an integer list or scalar (rank 0 or 1), or nothing if they are not known.
  [[nodiscard]] std::optional<std::span<const Dim>> Integers(int i);
  /// Like Integers(), but returns nothing unless all elements are numbers.
  [[nodiscard]] std::optional<std::span<const std::int64_t>> Numbers(int i);

  // ---- attributes
  [[nodiscard]] const onnx::AttributeProto* Attribute(std::string_view name) const { return host_.FindAttribute(name); }
  [[nodiscard]] bool HasAttribute(std::string_view name) const { return Attribute(name) != nullptr; }
  [[nodiscard]] std::int64_t Int(std::string_view name, std::int64_t otherwise) const;
  [[nodiscard]] float Float(std::string_view name, float otherwise) const;
  [[nodiscard]] std::string_view String(std::string_view name, std::string_view otherwise) const;
  [[nodiscard]] std::optional<std::span<const std::int64_t>> Ints(std::string_view name) const;
  [[nodiscard]] std::optional<std::span<const float>> Floats(std::string_view name) const;

  // ---- outputs
  [[nodiscard]] int outputs() const { return static_cast<int>(outputs_.size()); }
  [[nodiscard]] bool HasOutput(int i) const { return i < node_.output_size() && !node_.output(i).empty(); }
  [[nodiscard]] const Type& Output(int i) const { return i < outputs() ? outputs_[At(i)].type : kNone; }
  void SetOutput(int i, const Type& type);
  void SetElement(int i, int element_type);  ///< the output must be a tensor
  void SetShape(int i, std::span<const Dim> shape);
  void SetShape(int i, std::initializer_list<Dim> shape) { SetShape(i, std::span(shape.begin(), shape.size())); }
  void CopyShape(int from, int to);  ///< copies the shape of an input, if it is known
  void CopyType(int from, int to);   ///< copies the complete type
  void SetConstant(int i, const infer::Constant* constant);
  /// Returns a list of unknown dimensions, which the caller fills in. SetShape() copies the list.
  [[nodiscard]] std::span<Dim> NewShape(int rank) { return New<Dim>(static_cast<std::size_t>(std::max(rank, 0))); }
  /// Returns elements that are valid until the function ends.
  template <typename T>
  [[nodiscard]] std::span<T> New(std::size_t count) {
    return memory_.Scratch<T>(count);
  }

  // ---- errors
  // Reports a finding about `blamed`, with notes that show the types of the parts in `explained` and where these types
  // come from. The arguments fill the message of the rule. Returns false.
  template <typename Rule, typename... Args>
  bool Fail(const Rule& kind, const Part& blamed, std::initializer_list<Part> explained, const Args&... args) {
    if (!std::exchange(has_failed_, true)) {
      host_.Report(MakeDiagnostic(kind, kNowhere, args...), blamed, std::span(explained.begin(), explained.size()));
    }
    return false;
  }
  /// Like Fail() above, for a complete finding. A fix-it whose range is kNowhere replaces the value of the blamed
  /// attribute.
  bool Fail(Diagnostic finding, const Part& blamed) {
    if (!std::exchange(has_failed_, true)) host_.Report(std::move(finding), blamed, {});
    return false;
  }
  /// Like Fail(), but keeps the types of the outputs. Returns true, for `return context.Mention(...)`.
  template <typename Rule, typename... Args>
  bool Mention(const Rule& kind, const Part& blamed, const Args&... args) {
    if (!has_failed_) host_.Report(MakeDiagnostic(kind, kNowhere, args...), blamed, {});
    return true;
  }
  /// Returns the name of the part as messages show it: "input 'B'", "output 'Y'", "attribute 'axis'".
  [[nodiscard]] std::string Describe(const Part& part) const;

 private:
  static constexpr std::size_t At(int i) { return static_cast<std::size_t>(i); }
  static inline const Type kNone{};
  [[nodiscard]] const Type& Seen(int i) const {
    if (i >= 0 && i < 64) seen_ |= std::uint64_t{1} << i;
    return Input(i);
  }

  const onnx::NodeProto& node_;
  const Operator& op_;
  int version_;
  std::span<Value* const> inputs_;
  std::span<Value> outputs_;
  Memory& memory_;
  Host& host_;
  bool has_failed_ = false;
  mutable std::uint64_t seen_ = 0;
};

using Function = void (*)(NodeContext&);

/// Returns the function that infers the outputs of `op`, or null if the signature determines all that can be known.
[[nodiscard]] Function FindFunction(const Operator& op);

/// Returns the function that computes the contents of the outputs from those of the inputs, or null if there is none.
[[nodiscard]] Function FindEvaluator(const Operator& op);

}  // namespace onnxc::infer
