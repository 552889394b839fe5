// What the function of an operator sees of a node, and how it tells the types of the node's outputs.
//
// How the stage works. The engine (engine.cc) walks over the nodes of a graph in order. For each node it finds the
// operator's signature in src/tables and its row in operators.def, which names a function `void F(NodeContext&)`.
// Before the function runs, the engine has set each output to what the signature alone tells: the kind of the type, and
// the element type where the type variable is bound by an input or has one type only. So a function sets shapes with
// SetShape(), and element types with SetElement() only where an attribute decides (Cast, RandomNormal, EyeLike ...).
// An output that it does not touch keeps its element type and has no shape.
//
// Rules for a function:
// - Anything may be unknown: an input's type, its rank, a dimension, a constant. Rank(i) is -1, Shape(i) empty, a Dim
//   IsUnknown(), Constant(i) null. Say as much as is certain: a rank alone is a fact (NewShape(rank) is all unknown).
// - A size in Shape(i) is never below 0, an element of a constant may be. A negative number given to SetShape() becomes
//   unknown.
// - Inputs that are left out have an unknown type; HasInput(i) tells. Outputs that are left out may be set all the
// same.
// - A mistake of the model is told with Fail(), and the function returns. The outputs are then unknown, so that nothing
//   that follows is blamed for it. Never Fail() on what may still be right: a symbol contradicts nothing, only numbers
//   do (Dim::Contradicts). Fail() returns false, for `return context.Fail(...)` in helpers that return bool.
// - Dimensions are computed with dims(): Add, Subtract, Multiply, DivideExactly, FloorDivide, CeilDivide, Product. They
//   take numbers, symbols and unknowns, and never overflow.
// - Constant(i) is what is known of a small input tensor (`integers` may hold symbols and unknowns); Integers(i) is a
//   short form for lists of int32 and int64. The contents of outputs are computed by evaluate.cc, not here, unless they
//   are a by-product (SetConstant).
// - Attributes: Int("axis", 0), Float, String, Ints("pads") (nothing where it is left out), Attribute() for the rest.
//   References to a function's attributes are resolved already.
// - op().since is the version of the definition; version() the version of the operator set.
//
// A new operator: its row in operators.def, and a function in the file of its family where none fits. What many
// families share is in shapes.h (broadcasting, axes, merging). The rules that Fail() names, as in
// `context.Fail(rule::kRankClash, In(0), {}, context.Describe(In(0)), context.name(), 3, "2")`, are in
// src/tables/rules.def; each has a test in tests/infer/.
#pragma once

#include <onnxc/infer.h>

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

/// A part of a node, that a finding blames or mentions.
struct Part {
  enum class Kind : std::uint8_t { kNode, kInput, kOutput, kAttribute };
  Kind kind = Kind::kNode;
  int index = 0;
  std::string_view name = {};
};
[[nodiscard]] constexpr Part In(int index) { return {Part::Kind::kInput, index, {}}; }
[[nodiscard]] constexpr Part Out(int index) { return {Part::Kind::kOutput, index, {}}; }
[[nodiscard]] constexpr Part Attr(std::string_view name) { return {Part::Kind::kAttribute, 0, name}; }

/// How often a graph in an attribute runs, where that is known.
enum class Pass : std::uint8_t {
  kRun,    ///< it may run
  kTrial,  ///< only its types are tried: nothing is reported and kept
  kNever,  ///< a constant says that it never runs: what contradicts in it is no mistake of the model
};

/// What the engine does for a node's function.
class Host {
 public:
  virtual ~Host() = default;
  virtual void Report(Diagnostic finding, const Part& blamed, std::span<const Part> explained) = 0;
  /// The attribute, or the one that it refers to; null where there is none.
  [[nodiscard]] virtual const onnx::AttributeProto* FindAttribute(std::string_view name) const = 0;
  /// The attribute of the node itself, or the one that it refers to.
  [[nodiscard]] virtual const onnx::AttributeProto* Resolve(const onnx::AttributeProto& attribute) const = 0;
  /// Infers a graph in an attribute, for control flow. Returns its outputs; nothing where it cannot be entered.
  virtual std::optional<std::vector<Value>> InferGraph(std::string_view attribute, std::span<const Value> inputs,
                                                       Pass pass) = 0;
  /// The node stands in a graph that is being tried.
  [[nodiscard]] virtual bool IsTrial() const = 0;
  /// The node stands in a graph that may never run: a branch, or the body of a loop.
  [[nodiscard]] virtual bool MayNotRun() const = 0;
  [[nodiscard]] virtual std::int64_t IrVersion() const = 0;
  /// The value is an initializer whose data are known to be as many as its shape says.
  [[nodiscard]] virtual bool HasDataOfItsShape(const Value* value) = 0;
  /// Where the text has the message; null where it has not.
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
  [[nodiscard]] int Rank(int i) const { return Input(i).rank(); }
  [[nodiscard]] std::span<const Dim> Shape(int i) const { return Input(i).shape; }
  /// What is known of the elements of a small tensor; null where nothing is.
  [[nodiscard]] const infer::Constant* Constant(int i);
  /// The only element of an input, where the model says for certain what it is: not by the default of an input, which
  /// who runs the model may replace; else unknown.
  [[nodiscard]] Dim CertainScalar(int i);
  /// The elements of an integer list or scalar (rank 0 or 1).
  [[nodiscard]] std::optional<std::span<const Dim>> Integers(int i);
  /// The same where all of them are numbers.
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
  void SetElement(int i, int element_type);  ///< of a tensor
  void SetShape(int i, std::span<const Dim> shape);
  void SetShape(int i, std::initializer_list<Dim> shape) { SetShape(i, std::span(shape.begin(), shape.size())); }
  void CopyShape(int from, int to);  ///< of an input to an output, where it is known
  void CopyType(int from, int to);   ///< the whole type
  void SetConstant(int i, const infer::Constant* constant);
  /// Unknown dimensions, to be filled and given to SetShape, which copies them.
  [[nodiscard]] std::span<Dim> NewShape(int rank) { return New<Dim>(static_cast<std::size_t>(std::max(rank, 0))); }
  /// Elements that last as long as the function runs.
  template <typename T>
  [[nodiscard]] std::span<T> New(std::size_t count) {
    return memory_.Scratch<T>(count);
  }

  // ---- mistakes
  /// The finding blames `blamed`; notes tell what the parts in `explained` are and where that comes from. The arguments
  /// fill the message of the rule. Returns false.
  template <typename Rule, typename... Args>
  bool Fail(const Rule& kind, const Part& blamed, std::initializer_list<Part> explained, const Args&... args) {
    if (!std::exchange(has_failed_, true)) {
      host_.Report(MakeDiagnostic(kind, kNowhere, args...), blamed, std::span(explained.begin(), explained.size()));
    }
    return false;
  }
  /// The same for a finding that is made already. A correction in it stands for the value of the attribute that is
  /// blamed, whatever its range.
  bool Fail(Diagnostic finding, const Part& blamed) {
    if (!std::exchange(has_failed_, true)) host_.Report(std::move(finding), blamed, {});
    return false;
  }
  /// The same of what leaves the types of the outputs as they are. Returns true, for `return context.Mention(...)`.
  template <typename Rule, typename... Args>
  bool Mention(const Rule& kind, const Part& blamed, const Args&... args) {
    if (!has_failed_) host_.Report(MakeDiagnostic(kind, kNowhere, args...), blamed, {});
    return true;
  }
  /// "input 'B'", "output 'Y'", "attribute 'axis'", as messages call them.
  [[nodiscard]] std::string Describe(const Part& part) const;

 private:
  static constexpr std::size_t At(int i) { return static_cast<std::size_t>(i); }
  static inline const Type kNone{};

  const onnx::NodeProto& node_;
  const Operator& op_;
  int version_;
  std::span<Value* const> inputs_;
  std::span<Value> outputs_;
  Memory& memory_;
  Host& host_;
  bool has_failed_ = false;
};

using Function = void (*)(NodeContext&);

/// The function that infers the outputs of `op`; null where the signature tells all there is.
[[nodiscard]] Function FindFunction(const Operator& op);

/// The function that computes the contents of the outputs from those of the inputs; null where there is none.
[[nodiscard]] Function FindEvaluator(const Operator& op);

}  // namespace onnxc::infer
