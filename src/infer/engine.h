// Infers the types of graphs and functions by walking over their nodes.
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

/// The type that a graph declares for a value: in value_info and in the list of outputs. A null pointer means that
/// there is no entry.
struct Declaration {
  std::string_view name = {};
  const onnx::ValueInfoProto* info = nullptr;
  const onnx::ValueInfoProto* output = nullptr;
};
using Declared = NamedList<Declaration>;
[[nodiscard]] Declared DeclaredIn(const ValueInfos& values, const ValueInfos& outputs);

/// The attributes of a function with their defaults; null for an attribute without a default.
using Parameters = NameMap<const onnx::AttributeProto*>;

/// The values of a function's attributes in a call.
struct Arguments {
  const Parameters& parameters;
  std::map<std::string_view, const onnx::AttributeProto*> given = {};
  bool are_known = true;  ///< false if nothing calls the function, so that its attributes may have any value

  /// Returns the value in the call, or the default. Returns null if there is neither.
  [[nodiscard]] const onnx::AttributeProto* Find(std::string_view name) const;
};

/// The names that one graph or function body defines, with a link to the enclosing body.
struct Frame {
  const Frame* parent = nullptr;
  const Opsets& opsets;
  const Arguments* arguments = nullptr;  ///< null outside of functions
  int depth = 0;                         ///< number of enclosing graphs and functions
  mutable NamedList<Value> values = {};  ///< mutable because the contents of a tensor are read when they are first
                                         ///< needed
  Declared declared = {};
  const ValueInfos* inputs = nullptr;  ///< inputs of the main graph; null elsewhere
  std::string_view condition = {};     ///< in the body of a loop: the output that decides whether the loop goes on

  Frame(const Frame* around, const Opsets& imports, const Arguments* given)
      : parent(around), opsets(imports), arguments(given), depth(around == nullptr ? 0 : around->depth + 1) {}

  [[nodiscard]] Value* Find(std::string_view name) const;
  /// Returns the symbols in the declared shapes of the inputs.
  [[nodiscard]] const NameSet& SizesOfInputs();
  void Define(std::string_view name, const Value& value);
  /// Defines an output of a node. If several nodes define the same name (the checker reports it), the name keeps only
  /// the facts that are true for all of them.
  void DefineOutput(Memory& types, const HashedName& name, const Value& value);

 private:
  std::optional<NameSet> sizes_of_inputs_;  // computed when first needed
};

/// For each type variable of a signature: the first known type of an input that uses it, or null.
using BoundTypes = std::array<const Type*, kMostVariables>;

/// The message whose types are inferred: a model, or a separate graph or function.
struct Subject {
  const google::protobuf::Message& root;  ///< paths in findings begin here
  const onnx::GraphProto& graph;          ///< empty if there is no graph
  const Opsets& imports;                  ///< imports of the graph
  std::int64_t ir_version;
  std::vector<const onnx::FunctionProto*> functions = {};
  std::vector<const onnx::TrainingInfoProto*> trainings = {};
  std::size_t size = 0;  ///< size of the root in its file, or 0 if it is not known
};

class Engine {
 public:
  /// How a node uses a graph in its attribute.
  struct Role {
    Pass pass = Pass::kRun;
    bool is_loop_body = false;  ///< the first output of the graph decides whether the loop goes on
  };

  Engine(Subject subject, const InferOptions& options);

  /// Infers the graph, and then the training graphs and the functions that the graph does not call.
  void Run();
  /// Reads the contents of small initializers that no operator has needed.
  void ReadConstants();

  // ---- what nodes need
  void Report(Diagnostic finding, const Spot& spot);
  void Explain(Diagnostic* finding, std::string_view name, const Value& value) const;
  /// Infers a graph in an attribute of a node, with the given inputs. `frame` is the node's frame. Returns the outputs,
  /// or nothing if the graph cannot be inferred.
  [[nodiscard]] std::optional<std::vector<Value>> InferSubgraph(const onnx::GraphProto& graph, const Place& place,
                                                                const Frame& frame, std::span<const Value> inputs,
                                                                Role role);
  /// Returns the attribute of this name of a node in `frame`, as Resolve() returns it. Returns null if the node has no
  /// such attribute.
  [[nodiscard]] static const onnx::AttributeProto* FindAttribute(const onnx::NodeProto& node, std::string_view name,
                                                                 const Frame& frame);
  /// Returns the attribute or, if it refers to an attribute of the function in `frame`, the value of the function's
  /// attribute. This value may be null.
  [[nodiscard]] static const onnx::AttributeProto* Resolve(const onnx::AttributeProto& attribute, const Frame& frame);
  [[nodiscard]] std::int64_t IrVersion() const { return subject_.ir_version; }
  /// Returns whether the value is an initializer with as many data elements as its shape requires. The result is used
  /// only to decide whether a correction is certain.
  [[nodiscard]] bool HasDataOfItsShape(const Value* value);

  /// Returns the number of errors found so far, including those in trials.
  [[nodiscard]] std::size_t mistakes() const { return mistakes_; }
  /// Sets the number of errors back to `count`. Used after a graph that never runs, whose errors do not count.
  void ForgetMistakes(std::size_t count) { mistakes_ = count; }

  [[nodiscard]] Memory& memory() { return *memory_; }
  [[nodiscard]] const InferOptions& options() const { return options_; }
  [[nodiscard]] std::shared_ptr<Memory> shared_memory() const { return memory_; }

  /// The number of enclosing trials. In a trial, nothing is reported or kept.
  int trials = 0;
  /// Number of enclosing graphs that may never run.
  int branches = 0;
  /// Number of enclosing graphs that certainly never run.
  int unreached = 0;
  Diagnostics findings;
  std::unordered_map<const void*, std::vector<InferredValue>> values;

 private:
  void DefineInputs(const onnx::GraphProto& graph, const Place& place, Frame& frame, std::span<const Value> given);
  /// Returns whether callers do not replace the default values of inputs. Before IR version 4, each initializer has an
  /// input, so an initializer with the name of an input is a constant.
  [[nodiscard]] bool HasConstantDefaults() const { return subject_.ir_version < 4 || options_.constant_defaults; }
  /// `given` contains the values that a node passes to the graph's first inputs.
  void DefineInitializers(const onnx::GraphProto& graph, const Place& place, Frame& frame,
                          std::span<const Value> given);
  void DefineInitializer(const std::string& name, Value value, const Place& place, const NameSet& given, Frame& frame);
  [[nodiscard]] Value ValueOf(int element_type, const google::protobuf::RepeatedField<std::int64_t>& dims, Kind kind,
                              const google::protobuf::Message& owner);
  void InferNodes(const Nodes& nodes, const Place& place, int field, Frame& frame);
  void InferNode(const onnx::NodeProto& node, const Place& place, Frame& frame);
  /// Returns the cost of inferring the node once, in units of the budget.
  [[nodiscard]] std::size_t CostOfLook(const onnx::NodeProto& node, std::span<Value* const> inputs, const Frame& frame);
  /// Charges the cost of inferring the node. Returns false and reports a finding if the budget is used up.
  [[nodiscard]] bool ChargeNode(const onnx::NodeProto& node, std::span<Value* const> inputs, const Place& place,
                                const Frame& frame);
  /// Reports, only once, that the budget is used up. The finding is at the node of the model's graph that is being
  /// inferred.
  void ReportLimit(const Place& place);
  /// Reports the declared types that will be overwritten because they are contradictory.
  void ReportReplaced();
  void ApplyOperator(const onnx::NodeProto& node, const Binding& binding, std::span<Value* const> inputs,
                     std::span<Value> outputs, const Place& place, const Frame& frame);
  /// If exactly one change of an attribute would remove the finding about the node, adds this change to the finding.
  void SuggestAttribute(const onnx::NodeProto& node, const Binding& binding, std::span<Value* const> inputs,
                        const Frame& frame, Diagnostic* finding);
  /// Suggests inserting empty names before the node's last inputs, if exactly one such change removes the finding.
  /// Returns whether it made a suggestion.
  bool SuggestOperands(const onnx::NodeProto& node, const Binding& binding, std::span<Value* const> inputs,
                       const Frame& frame, Diagnostic* finding);
  /// Returns whether corrections are tried at this node. They are tried only at the first nodes with a finding, because
  /// each trial takes time.
  [[nodiscard]] bool MaySuggest(const onnx::NodeProto& node);
  /// Returns whether the node would have no finding with these inputs and the attribute `changed`, which may be null.
  /// `names` has the names of the node's inputs and outputs. `moved` are the inputs that are in other places than in
  /// the text, as a set of bits: they fit only if the operator's function has looked at their shapes there.
  [[nodiscard]] bool Fits(const onnx::NodeProto& node, const onnx::NodeProto& names,
                          const onnx::AttributeProto* changed, const Binding& binding, std::span<Value* const> inputs,
                          const Frame& frame, std::uint64_t moved = 0);
  [[nodiscard]] bool FitsWith(std::string_view attribute, std::int64_t value, const onnx::NodeProto& node,
                              const Binding& binding, std::span<Value* const> inputs, const Frame& frame);
  /// Like Fits(), with `gap` empty names inserted before input `first`.
  [[nodiscard]] bool FitsMoved(const onnx::NodeProto& node, const Binding& binding, std::span<Value* const> inputs,
                               const Frame& frame, std::size_t first, std::size_t gap);
  /// A called function. `index` is its index in the model, or -1 if the function is the body of an operator that a file
  /// declares.
  struct Callee {
    const onnx::FunctionProto& function;
    int index;
  };
  void Call(const Callee& callee, const onnx::NodeProto& node, std::span<Value* const> inputs, std::span<Value> outputs,
            const Place& place, const Frame& frame);
  /// Returns a key of everything on which the result of the call depends, or nothing if the budget is used up.
  [[nodiscard]] std::optional<std::string> KeyOf(const onnx::FunctionProto& function, std::span<Value* const> inputs,
                                                 const Arguments& arguments);
  std::vector<Value> InferBody(const Callee& callee, std::span<Value* const> inputs, const Arguments& arguments,
                               int depth);
  void InferUncalledFunctions();
  [[nodiscard]] Value DeclaredValue(std::string_view name, const Frame& frame);
  /// Returns the attributes of the function with their defaults. They are read only once, even if the function is
  /// called several times.
  const Parameters& ParametersOf(const onnx::FunctionProto& function);
  void ReportInDeclared(Diagnostic finding);
  /// Returns the type to which each type variable of the signature is bound, or nothing after an error.
  [[nodiscard]] std::optional<BoundTypes> CheckOperands(const onnx::NodeProto& node, const Binding& binding,
                                                        std::span<Value* const> inputs, const Place& place,
                                                        const Frame& frame);
  /// Reports that the types of two operands conflict. `operands` contains the index of the operand that is reported,
  /// then the index of the other operand.
  void ReportTypesDiffer(const onnx::NodeProto& node, const Operator& op, std::pair<std::size_t, std::size_t> operands,
                         std::span<Value* const> inputs, const Place& place);
  void DefineOutput(const onnx::NodeProto& node, int index, const HashedName& name, Value& value, const Place& place,
                    Frame& frame);
  void CheckSymbols(const onnx::ValueInfoProto& output, const Value& value, const Spot& spot, Frame& frame);
  /// Merges the declared type into the type of the value. Returns false and reports a finding if these types contradict
  /// each other.
  [[nodiscard]] bool ApplyDeclared(const onnx::ValueInfoProto& declaration, const Spot& spot, bool is_condition,
                                   Value* value);
  /// Stores the values of a graph or function that is completely inferred, for the result.
  void Record(const google::protobuf::Message& owner, Frame& frame);
  [[nodiscard]] SourceRange RangeOf(const Spot& spot) const;

  const Subject subject_;
  const InferOptions& options_;
  std::shared_ptr<Memory> memory_;
  Bindings bindings_;
  NameSet trained_;  // initializers to which training steps assign: their contents are no constants
  std::map<const onnx::FunctionProto*, Parameters> parameters_;  // attributes of the functions that are called
  bool has_told_limit_ = false;
  std::vector<std::string> replaced_;  // values whose declared types are contradictory and will be overwritten
  int suggestions_ = 0;                // number of nodes for which other attributes were tried
  std::size_t findings_told_ = 0;
  std::size_t errors_told_ = 0;
  std::size_t mistakes_ = 0;

  // The results of calls, by the key of the call.
  struct Result {
    std::vector<Value> outputs;
    bool was_trial = false;
  };
  OwnedNameMap<Result> calls_;
  std::set<const onnx::FunctionProto*> active_;    // functions that are being inferred
  std::set<const onnx::FunctionProto*> reported_;  // functions with a reported error, which further calls would only
                                                   // repeat
  const Place* declared_call_ = nullptr;           // the outermost node whose operator a file declares
  const std::string* declared_where_ = nullptr;    // the place of that operator's declaration
  std::vector<const Place*> calling_;              // the nodes whose calls are being inferred, outermost first
};

/// A contradiction between the inputs and the signature. If `other` is not set, the operator does not accept the type
/// of input `blamed`. If it is set, the signature requires the same type for the inputs `blamed` and `other`.
struct TypeClash {
  std::size_t blamed = 0;
  std::optional<std::size_t> other = {};
};
/// Sets `*bound` to the types to which the inputs bind the type variables of the signature. Returns the first clash if
/// there is one.
[[nodiscard]] std::optional<TypeClash> FindTypeClash(const Operator& op, std::span<Value* const> inputs,
                                                     BoundTypes* bound);

void ApplySignature(const Operator& op, const BoundTypes& bound, std::span<Value> outputs);

}  // namespace onnxc::infer
