// Control flow: operators whose attributes are graphs.
#include <fmt/format.h>

#include <algorithm>

#include "infer/contents.h"
#include "infer/graph_corrections.h"
#include "infer/operands.h"
#include "infer/registry.h"
#include "source/names.h"
#include "source/words.h"

namespace onnxc::infer {
namespace {

using Values = std::vector<Value>;

constexpr int kMostPasses = 3;  // maximum number of trial passes over the body of a loop

/// Returns the type with all shapes removed, also in nested types.
Type WithoutShapes(Memory& memory, Type type) {
  type.has_rank = false;
  type.shape = {};
  if (type.element != nullptr) type.element = memory.Keep(WithoutShapes(memory, *type.element));
  return type;
}

/// Returns whether the element types, or the kinds of the types, certainly differ.
bool Clash(const Type& a, const Type& b) {
  if (a.kind == Kind::kUnknown || b.kind == Kind::kUnknown) return false;
  if (a.kind != b.kind) return true;
  if (a.element_type != 0 && b.element_type != 0 && a.element_type != b.element_type) return true;
  return a.element != nullptr && b.element != nullptr && Clash(*a.element, *b.element);
}

/// Returns whether both types are equal. Two unknown dimensions count as equal.
bool IsSame(const Type& a, const Type& b) {
  if (a.kind != b.kind || a.element_type != b.element_type || a.rank() != b.rank()) return false;
  for (std::size_t i = 0; i < a.shape.size(); ++i) {
    if (!a.shape[i].Equals(b.shape[i]) && !(a.shape[i].IsUnknown() && b.shape[i].IsUnknown())) return false;
  }
  if (a.element == nullptr || b.element == nullptr) return a.element == b.element;
  return IsSame(*a.element, *b.element);
}

/// Returns the name of the graph as messages show it, for example "the body" or "'else_branch'".
std::string GraphText(std::string_view attribute) {
  return attribute == "body" ? "the body" : fmt::format("'{}'", attribute);
}

/// Returns a description of the inputs that a body must have. `variables` is the number of values that the loop carries
/// from one iteration to the next.
std::string TakenText(std::string_view op, int wanted, int variables) {
  std::string count = Counted(wanted, "input");
  const auto carried = [](int number) { return Counted(number, "carried value"); };
  if (op == "Loop" && variables == 0) return count + ": iteration and condition";
  if (op == "Loop") return fmt::format("{}: iteration, condition, {}", count, carried(variables));
  if (op == "Scan") {
    return fmt::format("{}: {}, {}", count, carried(variables), Counted(wanted - variables, "scanned value"));
  }
  return count;
}

/// Returns a description of the outputs that the body of a loop must have.
std::string GivenText(int carried, int stacked) {
  if (stacked < 0) return "";
  std::string text = ": condition";
  if (carried > 0) text += ", " + Counted(carried, "carried value");
  if (stacked > 0) text += ", " + Counted(stacked, "stacked value");
  return text;
}

/// Returns whether all inputs of the graph from index `from` on have a default value: an initializer of the same name
/// in the same graph.
bool HaveDefaults(const onnx::GraphProto& graph, int from) {
  NameSet defaults;
  for (const onnx::TensorProto& tensor : graph.initializer()) defaults.insert(tensor.name());
  for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer()) defaults.insert(tensor.values().name());
  const auto has_default = [&](const onnx::ValueInfoProto& input) { return defaults.contains(input.name()); };
  return std::all_of(graph.input().begin() + from, graph.input().end(), has_default);
}

bool HasAsManyInputs(NodeContext& context, std::string_view graph, int wanted, int variables = 0) {
  const onnx::AttributeProto* const attribute = context.Attribute(graph);
  if (attribute == nullptr || !attribute->has_g()) return true;
  const int inputs = attribute->g().input_size();
  if (inputs == wanted) return true;
  // Before IR version 4, initializers must be inputs too.
  if (context.host().IrVersion() < 4 && inputs > wanted && HaveDefaults(attribute->g(), wanted)) return true;
  Diagnostic finding = MakeDiagnostic(rule::kSubgraphInputs, kNowhere, GraphText(graph), context.name(),
                                      TakenText(context.name(), wanted, variables), inputs);
  const bool lacks_one = context.name() == "Loop" && inputs + 1 == wanted;
  if (lacks_one) finding.fix_its = AddConditionInput(context.host(), attribute->g());
  return context.Fail(std::move(finding), Attr(graph));
}

/// Checks that all inputs of the graph have default values.
bool TakesNoInputs(NodeContext& context, std::string_view graph) {
  const onnx::AttributeProto* const attribute = context.Attribute(graph);
  if (attribute == nullptr || !attribute->has_g() || HaveDefaults(attribute->g(), 0)) return true;
  return context.Fail(rule::kSubgraphInputs, Attr(graph), {}, GraphText(graph), context.name(), "no inputs",
                      attribute->g().input_size());
}

/// Reports an error if the graph has `outputs` outputs instead of `wanted`. `why` is a part of the message that
/// explains the number `wanted`.
bool HasAsManyOutputs(NodeContext& context, std::string_view graph, std::size_t outputs, int wanted,
                      std::string_view why = {}) {
  if (outputs == static_cast<std::size_t>(wanted)) return true;
  Diagnostic finding =
      MakeDiagnostic(rule::kSubgraphOutputs, kNowhere, GraphText(graph), context.name(),
                     fmt::format("{}{}", Counted(wanted, "output"), why), static_cast<std::int64_t>(outputs));
  const onnx::AttributeProto* const attribute = context.Attribute(graph);
  const bool lacks_one = context.name() == "Loop" && outputs + 1 == static_cast<std::size_t>(wanted);
  const bool is_branch = context.name() == "If" && outputs > static_cast<std::size_t>(wanted);
  if (lacks_one) finding.fix_its = AddCondition(context.host(), attribute->g());
  if (is_branch) finding.fix_its = DropInnerOutputs(context.host(), attribute->g(), wanted);
  return context.Fail(std::move(finding), Attr(graph));
}

/// Checks that both branches have as many outputs as the node. If only one branch is wrong, the message also names the
/// branch that is right.
bool BranchesGiveAsMany(NodeContext& context, std::size_t yes, std::size_t no) {
  const int outputs = context.node().output_size();
  const auto wanted = static_cast<std::size_t>(outputs);
  if (yes == wanted && no == wanted) return true;
  if (no == wanted) {
    return HasAsManyOutputs(context, "then_branch", yes, outputs, ", as many as 'else_branch' and the node have");
  }
  if (yes == wanted) {
    return HasAsManyOutputs(context, "else_branch", no, outputs, ", as many as 'then_branch' and the node have");
  }
  return HasAsManyOutputs(context, "else_branch", no, static_cast<int>(yes), ", as many as 'then_branch' has") &&
         HasAsManyOutputs(context, "then_branch", yes, outputs, ", as many as the node has");
}

bool FailOutput(NodeContext& context, std::string_view graph, std::size_t output, const Type& is, const Type& wanted) {
  const bool is_any_tensor = wanted.kind == Kind::kTensor && wanted.element_type == 0 && !wanted.has_rank;
  return context.Fail(rule::kSubgraphType, Attr(graph), {}, fmt::format("output {}", output),
                      context.Describe(Attr(graph)), context.name(), ToString(is),
                      is_any_tensor ? "a tensor" : ToString(wanted));
}

/// Reports an error unless the input is a scalar or has exactly one element.
bool CheckSingle(NodeContext& context, int input) {
  for (int axis = 0; axis < context.Rank(input); ++axis) {
    if (context.Shape(input)[static_cast<std::size_t>(axis)].Contradicts(1)) {
      return FailDimension(context, input, static_cast<std::size_t>(axis), "1, because a single element decides");
    }
  }
  return true;
}

/// Returns the number in a scalar constant, or an unknown number.
Dim ScalarOf(const Constant* constant) {
  return constant != nullptr && constant->integers.size() == 1 ? constant->integers[0] : Dim();
}

/// Makes the shape of a loop variable unknown if the body declares a shape that contradicts the variable's first value.
/// This is not an error, because the shape may change between iterations. `before` is the number of inputs of the body
/// before the variables.
void ForgetOtherShapes(NodeContext& context, Values& variables, int before) {
  const onnx::AttributeProto* const body = context.Attribute("body");
  if (body == nullptr || !body->has_g()) return;
  for (int i = 0; i < static_cast<int>(variables.size()) && before + i < body->g().input_size(); ++i) {
    Type& type = variables[static_cast<std::size_t>(i)].type;
    const Type declared = FromProto(context.dims(), body->g().input(before + i).type());
    if (!Unify(context.dims(), type, declared)) type = WithoutShapes(context.dims(), type);
  }
}

/// Infers the body of a loop. The inputs of the body are `first`, followed by the variables. The types of the variables
/// are generalized until the outputs of the body match its inputs. Returns the outputs, or nothing if the body cannot
/// be inferred.
std::optional<Values> InferLoopBody(NodeContext& context, const Values& first, Values& variables, bool never_runs) {
  Memory& memory = context.dims();
  const auto run = [&](Pass pass) {
    Values inputs = first;
    inputs.insert(inputs.end(), variables.begin(), variables.end());
    return context.host().InferGraph("body", inputs, pass);
  };
  // In a trial pass over the body of an enclosing loop, this loop gets no trial passes of its own, so the shapes of its
  // variables stay unknown. This keeps the time for nested loops linear.
  const int passes = context.host().IsTrial() ? 0 : kMostPasses;
  bool is_stable = false;
  for (int pass = 0; pass < passes && !is_stable; ++pass) {
    const std::optional<Values> outputs = run(Pass::kTrial);
    if (!outputs) return std::nullopt;
    is_stable = true;
    for (std::size_t i = 0; i < variables.size() && i + 1 < outputs->size(); ++i) {
      const Type& given_back = (*outputs)[i + 1].type;
      const Type both = Clash(variables[i].type, given_back) ? WithoutShapes(memory, variables[i].type)
                                                             : Join(memory, variables[i].type, given_back);
      if (both.kind == Kind::kUnknown || IsSame(both, variables[i].type)) continue;
      variables[i].type = both;
      is_stable = false;
    }
  }
  if (!is_stable) {
    for (Value& variable : variables) variable.type = WithoutShapes(memory, variable.type);
  }
  return run(never_runs ? Pass::kNever : Pass::kRun);
}

/// Sets the outputs that contain the final values of a loop's variables. They have the types with which the body was
/// inferred.
bool SetLoopVariables(NodeContext& context, const Values& variables, const Values& outputs) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Type& given_back = outputs[i + 1].type;
    // The first value may be an optional although the body produces the value that the optional contains.
    const Type& first = variables[i].type;
    const bool is_inside =
        first.kind == Kind::kOptional && first.element != nullptr && given_back.kind != Kind::kOptional;
    const Type& wanted = is_inside ? *first.element : first;
    if (Clash(wanted, given_back)) return FailOutput(context, "body", i + 1, given_back, wanted);
    const auto type = Unify(context.dims(), wanted, WithoutShapes(context.dims(), given_back));
    if (type) context.SetOutput(static_cast<int>(i), *type);
  }
  return true;
}

/// Returns whether a constant shows that the loop has no iteration.
bool NeverRuns(NodeContext& context) {
  const Dim trips = context.Scalar(0);
  return (trips.IsNumber() && trips.number() <= 0) || context.Scalar(1).Is(0);
}

/// Sets the variables to their first values, for a loop without iterations.
void SetFirstValues(NodeContext& context, int variables) {
  for (int i = 0; i < variables; ++i) {
    context.SetOutput(i, context.Input(i + 2));
    if (const auto* const contents = context.Constant(i + 2)) context.SetConstant(i, contents);
  }
}

/// Returns the type of an output of a loop that stacks an output of the body along `axis`. `each` is the type of the
/// body's output, and `count` is the number of iterations. Symbols newer than `mark` exist only in the body. A size
/// with such a symbol may differ between iterations, so it becomes unknown.
Type Stacked(NodeContext& context, Type each, Dim count, std::size_t axis, std::uint32_t mark) {
  if (!each.has_rank) return each;
  const Memory::Scope scope(context.dims());
  const std::span<Dim> dims = context.NewShape(each.rank() + 1);
  for (std::size_t i = 0, from = 0; i < dims.size(); ++i) {
    dims[i] = i == axis ? count : context.dims().OlderThan(mark, each.shape[from++]);
  }
  context.dims().SetShape(&each, dims);
  return each;
}

}  // namespace

void If(NodeContext& context) {
  if (!CheckSingle(context, 0)) return;
  if (!TakesNoInputs(context, "then_branch") || !TakesNoInputs(context, "else_branch")) return;
  const Dim condition = context.Scalar(0);
  const auto yes = context.host().InferGraph("then_branch", {}, condition.Is(0) ? Pass::kNever : Pass::kRun);
  const auto no = context.host().InferGraph("else_branch", {},
                                            condition.IsNumber() && !condition.Is(0) ? Pass::kNever : Pass::kRun);
  if (!yes || !no) return;
  if (!BranchesGiveAsMany(context, yes->size(), no->size())) return;
  for (std::size_t i = 0; i < yes->size(); ++i) {
    const Value& a = (*yes)[i];
    const Value& b = (*no)[i];
    if (Clash(a.type, b.type)) {
      const int at = static_cast<int>(i);
      const std::string name =
          context.HasOutput(at) ? fmt::format("'{}'", Quoted(context.node().output(at))) : fmt::format("output {}", at);
      context.Fail(rule::kBranchesDiffer, Out(at), {}, name, context.name(), ToString(a.type), ToString(b.type));
      return;
    }
    const int output = static_cast<int>(i);
    if (condition.IsNumber()) {
      const Value& taken = condition.Is(0) ? b : a;
      context.SetOutput(output, taken.type);
      context.SetConstant(output, taken.constant);
    } else {
      context.SetOutput(output, Join(context.dims(), a.type, b.type));
    }
  }
}

void Loop(NodeContext& context) {
  if (!CheckSingle(context, 0) || !CheckSingle(context, 1)) return;
  if (!HasAsManyInputs(context, "body", std::max(context.inputs(), 2), std::max(context.inputs() - 2, 0))) return;
  Memory& memory = context.dims();
  const std::uint32_t mark = memory.Mark();
  const std::int64_t yes = 1;
  Values first(2);
  first[0].type = {.kind = Kind::kTensor, .element_type = onnx::TensorProto::INT64};
  first[1].type = {.kind = Kind::kTensor, .element_type = onnx::TensorProto::BOOL};
  const Dim truth(yes);  // an iteration runs only if the condition is true
  first[1].constant = NewConstant(memory, onnx::TensorProto::BOOL, {}, std::span(&truth, 1));
  Values variables;
  for (int i = 2; i < context.inputs(); ++i) {
    variables.push_back({.type = context.Input(i)});
  }
  ForgetOtherShapes(context, variables, 2);
  const bool never_runs = NeverRuns(context);
  const auto outputs = InferLoopBody(context, first, variables, never_runs);
  const int carried = static_cast<int>(variables.size());
  const int given = context.node().output_size();
  if (!outputs) return;
  if (outputs->size() != static_cast<std::size_t>(given) + 1) {
    (void)HasAsManyOutputs(context, "body", outputs->size(), given + 1, GivenText(carried, given - carried));
    return;
  }
  if (variables.size() >= outputs->size()) return;
  if (never_runs) {
    SetFirstValues(context, static_cast<int>(variables.size()));
  } else if (!SetLoopVariables(context, variables, *outputs)) {
    return;
  }
  const bool is_counted = (!context.HasInput(1) || ScalarOf(context.Constant(1)).Is(1)) &&
                          ScalarOf((*outputs)[0].constant).Is(1) && context.HasInput(0);
  Dim count = is_counted ? ScalarOf(context.Constant(0)) : Dim();
  if (never_runs || (count.IsNumber() && count.number() < 0)) count = Dim(0);
  for (std::size_t i = variables.size() + 1; i < outputs->size(); ++i) {
    Type each = (*outputs)[i].type;
    if (each.kind != Kind::kUnknown && each.kind != Kind::kTensor) {
      FailOutput(context, "body", i, each, {.kind = Kind::kTensor});
      return;
    }
    context.SetOutput(static_cast<int>(i - 1), Stacked(context, each, count, 0, mark));
  }
}

namespace {

/// Returns the axes of the scanned inputs or outputs; 0 is the default.
std::optional<std::vector<std::int64_t>> ScanAxes(NodeContext& context, std::string_view attribute, std::size_t count) {
  const auto given = context.Ints(attribute);
  if (!given) return std::vector<std::int64_t>(count, 0);
  if (given->size() == count) return std::vector<std::int64_t>(given->begin(), given->end());
  const std::string_view what = attribute == "scan_input_axes" ? "scanned input" : "scanned output";
  FailLength(context, attribute, static_cast<std::int64_t>(given->size()),
             fmt::format("the node has {}", Counted(static_cast<std::int64_t>(count), what)));
  return std::nullopt;
}

/// Returns the type without one axis. The size of the axis is merged into `length`.
std::optional<Type> Unstacked(NodeContext& context, int input, std::int64_t axis, Dim& length) {
  Type type = context.Input(input);
  if (!type.has_rank) return type;
  const auto at = CheckAxis(context, axis, type.rank(), Attr("scan_input_axes"), In(input));
  if (!at) return std::nullopt;
  const std::optional<Dim> both = Unify(length, type.shape[static_cast<std::size_t>(*at)]);
  if (!both) {
    context.Fail(rule::kDimensionValue, In(input), {In(input)}, *at, context.Describe(In(input)), context.name(),
                 ToString(type.shape[static_cast<std::size_t>(*at)]),
                 ToString(length) + ", as in the other scanned inputs");
    return std::nullopt;
  }
  length = *both;
  const Memory::Scope scope(context.dims());
  const std::span<Dim> dims = context.NewShape(type.rank() - 1);
  for (std::size_t i = 0, to = 0; i < type.shape.size(); ++i) {
    if (i != static_cast<std::size_t>(*at)) dims[to++] = type.shape[i];
  }
  context.dims().SetShape(&type, dims);
  return type;
}

/// Checks the types of Scan's variables against the body's inputs. Unlike in Loop, the shape of a variable must not
/// change.
bool CheckVariables(NodeContext& context, const Values& variables, int first_input) {
  const onnx::AttributeProto* const body = context.Attribute("body");
  if (body == nullptr || !body->has_g()) return true;
  for (int i = 0; i < static_cast<int>(variables.size()) && i < body->g().input_size(); ++i) {
    const Type& type = variables[static_cast<std::size_t>(i)].type;
    const Type declared = FromProto(context.dims(), body->g().input(i).type());
    if (Unify(context.dims(), type, declared)) continue;
    return context.Fail(rule::kSubgraphType, Attr("body"), {In(first_input + i)}, fmt::format("input {}", i),
                        context.Describe(Attr("body")), context.name(), ToString(declared), ToString(type));
  }
  return true;
}

/// Checks that the body returns each variable with its type unchanged.
bool KeepVariables(NodeContext& context, Values& variables, const Values& outputs) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const auto both = Unify(context.dims(), variables[i].type, outputs[i].type);
    if (!both) return FailOutput(context, "body", i, outputs[i].type, variables[i].type);
    variables[i].type = *both;
  }
  return true;
}

/// Returns the type without its first axis, which is the batch axis of version 8.
Type Unbatched(Type type) {
  if (type.has_rank && type.rank() > 0) type.shape = type.shape.subspan(1);
  return type;
}

struct Scanned {
  Values variables;
  Values elements;
  Dim length;
  Dim batch;
};

std::optional<Scanned> ScanInputs(NodeContext& context, int first, int variables) {
  const bool has_batch = context.op().since < 9;
  const auto count = static_cast<std::size_t>(context.inputs() - first - variables);
  const auto axes = has_batch ? std::vector<std::int64_t>(count, 1) : ScanAxes(context, "scan_input_axes", count);
  if (!axes) return std::nullopt;
  Scanned result;
  for (int i = first; i < first + variables; ++i) {
    result.variables.push_back({.type = has_batch ? Unbatched(context.Input(i)) : context.Input(i)});
  }
  for (std::size_t i = 0; i < count; ++i) {
    const int input = first + variables + static_cast<int>(i);
    const auto type = Unstacked(context, input, (*axes)[i], result.length);
    if (!type) return std::nullopt;
    if (has_batch && context.Rank(input) > 0) result.batch = context.Shape(input)[0];
    result.elements.push_back({.type = has_batch ? Unbatched(*type) : *type});
  }
  return result;
}

}  // namespace

void Scan(NodeContext& context) {
  const bool has_batch = context.op().since < 9;
  const int first = has_batch ? 1 : 0;
  const std::int64_t scanned = context.Int("num_scan_inputs", 0);
  const int given = context.inputs() - first;
  const int variables = scanned < 1 || scanned > given ? -1 : given - static_cast<int>(scanned);
  if (variables < 0 || variables > context.outputs()) {
    const std::string wanted =
        variables < 0 ? std::string("positive, and not greater than the number of inputs")
                      : fmt::format("at least {}: {} inputs would be state variables, but the node has {}",
                                    given - context.outputs(), variables, Counted(context.outputs(), "output"));
    context.Fail(rule::kAttributeRange, Attr("num_scan_inputs"), {}, context.Describe(Attr("num_scan_inputs")),
                 context.name(), std::to_string(scanned), wanted);
    return;
  }
  if (!HasAsManyInputs(context, "body", given, variables)) return;
  auto inputs = ScanInputs(context, first, variables);
  if (!inputs) return;
  const auto count = static_cast<std::size_t>(context.outputs() - variables);
  const auto axes = ScanAxes(context, "scan_output_axes", count);
  if (!axes) return;
  if (!CheckVariables(context, inputs->variables, first)) return;
  const std::uint32_t mark = context.dims().Mark();
  Values entering = inputs->variables;
  entering.insert(entering.end(), inputs->elements.begin(), inputs->elements.end());
  const Pass pass = inputs->length.Is(0) ? Pass::kNever : Pass::kRun;
  const auto outputs = context.host().InferGraph("body", entering, pass);
  if (!outputs || !HasAsManyOutputs(context, "body", outputs->size(), context.node().output_size())) return;
  if (!KeepVariables(context, inputs->variables, *outputs)) return;
  for (int i = 0; i < variables; ++i) {
    const Type type = context.dims().OlderThan(mark, inputs->variables[static_cast<std::size_t>(i)].type);
    context.SetOutput(i, has_batch ? Stacked(context, type, inputs->batch, 0, mark) : type);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const int output = variables + static_cast<int>(i);
    Type each = (*outputs)[static_cast<std::size_t>(output)].type;
    if (each.kind != Kind::kTensor) continue;
    std::optional<int> axis = 0;
    if (each.has_rank) {
      axis = CheckAxis(context, (*axes)[i], each.rank() + 1, Attr("scan_output_axes"), Out(output));
      if (!axis) return;
    }
    Type stacked = Stacked(context, each, inputs->length, static_cast<std::size_t>(*axis), mark);
    if (has_batch) stacked = Stacked(context, stacked, inputs->batch, 0, context.dims().Mark());
    context.SetOutput(output, stacked);
  }
}

void SequenceMap(NodeContext& context) {
  if (!HasAsManyInputs(context, "body", context.inputs())) return;
  const std::uint32_t mark = context.dims().Mark();
  Values inputs;
  for (int i = 0; i < context.inputs(); ++i) {
    const Type& type = context.Input(i);
    const bool is_sequence = type.kind == Kind::kSequence;
    inputs.push_back({.type = !is_sequence ? type : type.element == nullptr ? Type() : *type.element});
  }
  const auto outputs = context.host().InferGraph("body", inputs, Pass::kRun);
  if (!outputs || !HasAsManyOutputs(context, "body", outputs->size(), context.node().output_size())) return;
  for (std::size_t i = 0; i < outputs->size(); ++i) {
    const Type element = context.dims().OlderThan(mark, (*outputs)[i].type);
    context.SetOutput(static_cast<int>(i), context.dims().Nested(Kind::kSequence, element));
  }
}

namespace {

/// Infers a graph in an attribute that changes the scores. The graph must return scores of the same shape and element
/// type; the element type is the one in which the softmax is computed.
bool InferModifier(NodeContext& context, std::string_view graph, std::span<const Dim> shape) {
  if (!context.HasAttribute(graph)) return true;
  if (!HasAsManyInputs(context, graph, 1)) return false;
  const bool is_double = context.Element(0) == onnx::TensorProto::DOUBLE;
  const auto precision =
      ElementOf(context, "softmax_precision", is_double ? onnx::TensorProto::DOUBLE : onnx::TensorProto::FLOAT);
  if (!precision) return false;
  Value scores;
  scores.type = {.kind = Kind::kTensor, .element_type = *precision};
  context.dims().SetShape(&scores.type, shape);
  const auto outputs = context.host().InferGraph(graph, std::span(&scores, 1), Pass::kRun);
  if (!outputs) return true;
  if (!HasAsManyOutputs(context, graph, outputs->size(), 1)) return false;
  const Type& changed = (*outputs)[0].type;
  return Unify(context.dims(), changed, scores.type) || FailOutput(context, graph, 0, changed, scores.type);
}

}  // namespace

/// Attention in which graphs in attributes change the scores.
void FlexAttention(NodeContext& context) {
  Size batch, query_heads, key_heads, length, keys, size, value_size;
  if (!MatchShape(context, 0, {&batch, &query_heads, &length, &size}) ||
      !MatchShape(context, 1, {&batch, &key_heads, &keys, &size}) ||
      !MatchShape(context, 2, {&batch, &key_heads, &keys, &value_size})) {
    return;
  }
  const Dim many = query_heads.dim;
  const Dim few = key_heads.dim;
  if (many.IsNumber() && few.IsNumber() && many.number() != few.number() &&
      (few.number() <= 0 || many.number() % few.number() != 0)) {
    FailDimension(context, 0, 1, fmt::format("a multiple of {}, the heads of the keys", few.number()));
    return;
  }
  const Dim scores[] = {batch.dim, many, length.dim, keys.dim};
  if (!InferModifier(context, "score_mod", scores) || !InferModifier(context, "prob_mod", scores)) return;
  if (context.HasRank(0)) context.SetShape(0, {batch.dim, many, length.dim, value_size.dim});
}

}  // namespace onnxc::infer
