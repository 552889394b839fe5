// The walk over graphs and functions.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "infer/bindings.h"
#include "infer/context.h"
#include "source/message_path.h"
#include "source/named_list.h"
#include "source/names.h"
#include "source/nodes.h"

namespace onnxc::infer {

using ValueInfos = google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>;

/// What a graph says of the type of a value: in its value_info, and where it lists the value as its output. Null:
/// nothing.
struct Declaration {
  std::string_view name = {};
  const onnx::ValueInfoProto* info = nullptr;
  const onnx::ValueInfoProto* output = nullptr;
};
using Declared = NamedList<Declaration>;
[[nodiscard]] Declared DeclaredIn(const ValueInfos& values, const ValueInfos& outputs);

/// The attributes that a function takes, with their defaults; null where there is none.
using Parameters = NameMap<const onnx::AttributeProto*>;

/// A function's attributes at a call.
struct Arguments {
  const Parameters& parameters;
  std::map<std::string_view, const onnx::AttributeProto*> given = {};
  bool are_known = true;  ///< false: nothing calls the function, so each of its attributes may have any value

  /// The one that is given, or the default; null where there is neither.
  [[nodiscard]] const onnx::AttributeProto* Find(std::string_view name) const;
};

/// The names of one graph or function body, and of those around it.
struct Frame {
  const Frame* parent = nullptr;
  const Opsets& opsets;
  const Arguments* arguments = nullptr;  ///< null outside of functions
  int depth = 0;                         ///< graphs and functions around
  mutable NamedList<Value> values = {};  ///< the contents of a tensor are read when they are asked for
  Declared declared = {};
  const ValueInfos* inputs = nullptr;  ///< of the main graph; null elsewhere
  std::string_view condition = {};     ///< in the body of a loop: the output that says whether it goes on

  Frame(const Frame* around, const Opsets& imports, const Arguments* given)
      : parent(around), opsets(imports), arguments(given), depth(around == nullptr ? 0 : around->depth + 1) {}

  [[nodiscard]] Value* Find(std::string_view name) const;
  /// The symbols in the declared shapes of the inputs.
  [[nodiscard]] const NameSet& SizesOfInputs();
  void Define(std::string_view name, const Value& value);
  /// The same for a node's output. Where several nodes give one name (the checker reports it), the name keeps what
  /// holds for all of them.
  void DefineOutput(Memory& types, const HashedName& name, const Value& value);

 private:
  std::optional<NameSet> sizes_of_inputs_;  // once somebody has asked
};

/// By type variable of a signature: the type of the first input of it that is known, or null.
using BoundTypes = std::array<const Type*, kMostVariables>;

/// What types are inferred of: a model, or a graph or function alone.
struct Subject {
  const google::protobuf::Message& root;  ///< paths of findings begin here
  const onnx::GraphProto& graph;          ///< empty where there is none
  const Opsets& imports;                  ///< of the graph
  std::int64_t ir_version;
  std::vector<const onnx::FunctionProto*> functions = {};
  std::vector<const onnx::TrainingInfoProto*> trainings = {};
};

class Engine {
 public:
  /// What a graph is to the node that has it as an attribute.
  struct Role {
    Pass pass = Pass::kRun;
    bool is_loop_body = false;  ///< its first output says whether the loop goes on
  };

  Engine(Subject subject, const InferOptions& options);

  /// Infers the graph, then what it does not reach: the training graphs and uncalled functions.
  void Run();
  /// Reads the contents of small initializers that no operator needed.
  void ReadConstants();

  // ---- what nodes need
  void Report(Diagnostic finding, const Spot& spot);
  void Explain(Diagnostic* finding, std::string_view name, const Value& value) const;
  /// The outputs of a graph in an attribute of a node in `frame`, for inputs of these types.
  [[nodiscard]] std::optional<std::vector<Value>> InferSubgraph(const onnx::GraphProto& graph, const Place& place,
                                                                const Frame& frame, std::span<const Value> inputs,
                                                                Role role);
  /// The attribute of a node in `frame`, or the one that it refers to; null where there is none.
  [[nodiscard]] static const onnx::AttributeProto* FindAttribute(const onnx::NodeProto& node, std::string_view name,
                                                                 const Frame& frame);
  /// The attribute itself, or the one that it refers to.
  [[nodiscard]] static const onnx::AttributeProto* Resolve(const onnx::AttributeProto& attribute, const Frame& frame);
  [[nodiscard]] std::int64_t IrVersion() const { return subject_.ir_version; }
  /// The value is an initializer, and its data are known to be as many as its shape says. For corrections: asked
  /// seldom.
  [[nodiscard]] bool HasDataOfItsShape(const Value* value);

  /// The number of mistakes found so far, including those in trials.
  [[nodiscard]] std::size_t mistakes() const { return mistakes_; }
  /// Takes back the mistakes behind the first `count`, which are of a graph that never runs.
  void ForgetMistakes(std::size_t count) { mistakes_ = count; }

  [[nodiscard]] Memory& memory() { return *memory_; }
  [[nodiscard]] const InferOptions& options() const { return options_; }
  [[nodiscard]] std::shared_ptr<Memory> shared_memory() const { return memory_; }

  /// While it is above 0, nothing is reported and kept: types are only tried.
  int trials = 0;
  /// How many graphs that may never run are around the node.
  int branches = 0;
  /// How many of them never run for certain.
  int unreached = 0;
  Diagnostics findings;
  std::unordered_map<const void*, std::vector<InferredValue>> values;

 private:
  void DefineInputs(const onnx::GraphProto& graph, const Place& place, Frame& frame, std::span<const Value> given);
  void DefineInitializers(const onnx::GraphProto& graph, const Place& place, Frame& frame);
  void DefineInitializer(const std::string& name, Value value, const Place& place, Frame& frame);
  [[nodiscard]] Value ValueOf(int element_type, const google::protobuf::RepeatedField<std::int64_t>& dims, Kind kind,
                              const google::protobuf::Message& owner);
  void InferNodes(const Nodes& nodes, const Place& place, int field, Frame& frame);
  void InferNode(const onnx::NodeProto& node, const Place& place, Frame& frame);
  /// What it costs to look at the node once, in units of the budget.
  [[nodiscard]] std::size_t CostOfLook(const onnx::NodeProto& node, std::span<Value* const> inputs, const Frame& frame);
  /// Pays for a look at the node; false, with a finding, where the budget does not suffice.
  [[nodiscard]] bool ChargeNode(const onnx::NodeProto& node, std::span<Value* const> inputs, const Place& place,
                                const Frame& frame);
  /// Tells once that the budget is used up, at the node that the graph of the model has there.
  void ReportLimit(const Place& place);
  void ApplyOperator(const onnx::NodeProto& node, const Binding& binding, std::span<Value* const> inputs,
                     std::span<Value> outputs, const Place& place, const Frame& frame);
  /// Adds to a finding about the node the only value of one attribute with which there would be none.
  void SuggestAttribute(const onnx::NodeProto& node, const Binding& binding, std::span<Value* const> inputs,
                        const Frame& frame, Diagnostic* finding);
  /// Adds the only way to leave out inputs before the last ones with which there would be none. Returns whether there
  /// is one.
  bool SuggestOperands(const onnx::NodeProto& node, const Binding& binding, std::span<Value* const> inputs,
                       const Frame& frame, Diagnostic* finding);
  /// Whether other attributes and operands are tried at this node: they are at the first ones with a finding.
  [[nodiscard]] bool MaySuggest(const onnx::NodeProto& node);
  /// With these inputs and this attribute, which may be null, there would be no finding about the node. `names` has the
  /// names of its inputs and outputs.
  [[nodiscard]] bool Fits(const onnx::NodeProto& node, const onnx::NodeProto& names,
                          const onnx::AttributeProto* changed, const Binding& binding, std::span<Value* const> inputs,
                          const Frame& frame);
  [[nodiscard]] bool FitsWith(std::string_view attribute, std::int64_t value, const onnx::NodeProto& node,
                              const Binding& binding, std::span<Value* const> inputs, const Frame& frame);
  /// With `gap` inputs left out before input `first`.
  [[nodiscard]] bool FitsMoved(const onnx::NodeProto& node, const Binding& binding, std::span<Value* const> inputs,
                               const Frame& frame, std::size_t first, std::size_t gap);
  /// A function, and its position among those of the model; -1 for the body of an operator that a file declares.
  struct Callee {
    const onnx::FunctionProto& function;
    int index;
  };
  void Call(const Callee& callee, const onnx::NodeProto& node, std::span<Value* const> inputs, std::span<Value> outputs,
            const Place& place, const Frame& frame);
  /// The bytes that tell what the result of a call depends on. Nothing where the budget does not suffice.
  [[nodiscard]] std::optional<std::string> KeyOf(const onnx::FunctionProto& function, std::span<Value* const> inputs,
                                                 const Arguments& arguments);
  std::vector<Value> InferBody(const Callee& callee, std::span<Value* const> inputs, const Arguments& arguments,
                               int depth);
  void InferUncalledFunctions();
  [[nodiscard]] Value DeclaredValue(std::string_view name, const Frame& frame);
  /// Looks at the function once, however often it is called.
  const Parameters& ParametersOf(const onnx::FunctionProto& function);
  void ReportInDeclared(Diagnostic finding);
  /// The input that each type variable of the signature is bound by. Nothing after a mistake.
  [[nodiscard]] std::optional<BoundTypes> CheckOperands(const onnx::NodeProto& node, const Binding& binding,
                                                        std::span<Value* const> inputs, const Place& place,
                                                        const Frame& frame);
  /// `operands`: the one that is blamed, and another one.
  void ReportTypesDiffer(const onnx::NodeProto& node, const Operator& op, std::pair<std::size_t, std::size_t> operands,
                         std::span<Value* const> inputs, const Place& place);
  void DefineOutput(const onnx::NodeProto& node, int index, Value& value, const Place& place, Frame& frame);
  void CheckSymbols(const onnx::ValueInfoProto& output, const Value& value, const Spot& spot, Frame& frame);
  /// Adds what the declaration says; false, with a finding, where it contradicts what is known.
  [[nodiscard]] bool ApplyDeclared(const onnx::ValueInfoProto& declaration, const Spot& spot, bool is_condition,
                                   Value* value);
  /// Keeps the values of a graph or function, which is done.
  void Record(const google::protobuf::Message& owner, Frame& frame);
  [[nodiscard]] SourceRange RangeOf(const Spot& spot) const;

  const Subject subject_;
  const InferOptions& options_;
  std::shared_ptr<Memory> memory_;
  Bindings bindings_;
  std::map<const onnx::FunctionProto*, Parameters> parameters_;  // of functions that are called
  bool has_told_limit_ = false;
  int suggestions_ = 0;  // nodes for which other attributes were tried
  std::size_t findings_told_ = 0;
  std::size_t errors_told_ = 0;
  std::size_t mistakes_ = 0;

  // Calls, by what their results depend on.
  struct Result {
    std::vector<Value> outputs;
    bool was_trial = false;
  };
  OwnedNameMap<Result> calls_;
  std::set<const onnx::FunctionProto*> active_;    // being inferred
  std::set<const onnx::FunctionProto*> reported_;  // with an error: further calls tell nothing new
  const Place* declared_call_ = nullptr;           // the node whose operator a file declares, outermost
  const std::string* declared_where_ = nullptr;    // the place of the declaration
  std::vector<const Place*> calling_;              // the nodes that call what is being inferred
};

/// Sets each output to what the signature tells: its kind, and its element type where that is certain.
/// An input of a type that the operator does not take, or, with `other`, not together with that input.
struct TypeClash {
  std::size_t blamed = 0;
  std::optional<std::size_t> other = {};
};
/// Fills in the input that each type variable of the signature is bound by.
[[nodiscard]] std::optional<TypeClash> FindTypeClash(const Operator& op, std::span<Value* const> inputs,
                                                     BoundTypes* bound);

void ApplySignature(const Operator& op, const BoundTypes& bound, std::span<Value> outputs);

}  // namespace onnxc::infer
