#include "infer/engine.h"

#include <fmt/format.h>

#include "infer/contents.h"
#include "infer/operands.h"
#include "infer/shapes.h"
#include "tables/attribute_types.h"
#include "tables/declared_operator.h"
#include "tables/signatures.h"

namespace onnxc::infer {
namespace {

using onnx::GraphProto;
using onnx::NodeProto;

constexpr int kDeepest = 100;  // nesting depth of graphs and functions

/// Returns whether the type is certainly a tensor with one element.
bool IsSingle(const Type& type) {
  return type.IsTensor() && type.has_rank && std::ranges::all_of(type.shape, [](const Dim& dim) { return dim.Is(1); });
}

bool RefersToArguments(const NodeProto& node) {
  return std::ranges::any_of(node.attribute(),
                             [](const auto& attribute) { return !attribute.ref_attr_name().empty(); });
}

/// Implements Host for one node.
class NodeHost : public Host {
 public:
  NodeHost(Engine& engine, const NodeProto& node, const Place& place, const Frame& frame)
      : engine_(engine), node_(node), place_(place), frame_(frame) {}

  void Report(Diagnostic finding, const Part& blamed, std::span<const Part> explained) override {
    for (const Part& part : explained) {
      if (part.kind != Part::Kind::kInput || part.index >= node_.input_size()) continue;
      const Value* const value = frame_.Find(node_.input(part.index));
      if (value != nullptr) engine_.Explain(&finding, node_.input(part.index), *value);
    }
    blamed_ = blamed;
    finding_ = std::move(finding);
  }

  /// Returns the finding about the node, or null. It is not reported before Tell() is called.
  [[nodiscard]] Diagnostic* finding() { return finding_ ? &*finding_ : nullptr; }

  void Tell() {
    if (!finding_) return;
    const int attribute = blamed_.kind == Part::Kind::kAttribute ? FindAttributeAt(blamed_.name) : -1;
    if (attribute < 0) return engine_.Report(*std::move(finding_), SpotOf(blamed_));
    PlaceCorrections(node_.attribute(attribute), &*finding_);
    engine_.Report(*std::move(finding_),
                   place_.Child(node_.attribute(attribute), NodeProto::kAttributeFieldNumber, attribute));
  }

  const onnx::AttributeProto* FindAttribute(std::string_view name) const override {
    return Engine::FindAttribute(node_, name, frame_);
  }

  const onnx::AttributeProto* Resolve(const onnx::AttributeProto& attribute) const override {
    return Engine::Resolve(attribute, frame_);
  }

  std::optional<std::vector<Value>> InferGraph(std::string_view attribute, std::span<const Value> inputs,
                                               Pass pass) override {
    const bool is_loop_body = attribute == "body" && node_.op_type() == "Loop";
    for (int i = 0; i < node_.attribute_size(); ++i) {
      const onnx::AttributeProto& found = node_.attribute(i);
      if (found.name() != attribute || !found.has_g()) continue;
      const Place at = place_.Child(found, NodeProto::kAttributeFieldNumber, i);
      const std::size_t before = engine_.mistakes();
      ++engine_.branches;
      engine_.unreached += pass == Pass::kNever ? 1 : 0;
      auto outputs = engine_.InferSubgraph(found.g(), at.Child(found.g(), onnx::AttributeProto::kGFieldNumber), frame_,
                                           inputs, {pass, is_loop_body});
      engine_.unreached -= pass == Pass::kNever ? 1 : 0;
      --engine_.branches;
      if (pass != Pass::kRun) engine_.ForgetMistakes(before);
      has_failed_inside_ |= pass == Pass::kRun && engine_.mistakes() != before;
      return outputs;
    }
    return std::nullopt;
  }

  bool IsTrial() const override { return engine_.trials > 0; }
  bool MayNotRun() const override { return engine_.branches > 0; }
  std::int64_t IrVersion() const override { return engine_.IrVersion(); }
  bool HasDataOfItsShape(const Value* value) override { return engine_.HasDataOfItsShape(value); }
  const SourceRange* FindText(const google::protobuf::Message& message) const override {
    const SourceMap* const map = engine_.options().source_map;
    return map == nullptr ? nullptr : map->Find(message);
  }

  /// Returns whether there was an error in a graph in an attribute of the node.
  [[nodiscard]] bool has_failed_inside() const { return has_failed_inside_; }

 private:
  /// Gives each fix-it without a range the range of the attribute's value. Removes all fix-its if the value is not in
  /// the text.
  void PlaceCorrections(const onnx::AttributeProto& attribute, Diagnostic* finding) const {
    const AttributeType* const type = FindAttributeType(attribute.type());
    const SourceMap* const map = engine_.options().source_map;
    const SourceRange* const value = map == nullptr || type == nullptr ? nullptr : map->Find(attribute, type->field);
    if (value == nullptr) return finding->fix_its.clear();
    for (FixIt& correction : finding->fix_its) {
      if (correction.range == kNowhere) correction.range = *value;
    }
  }

  [[nodiscard]] Spot SpotOf(const Part& part) const {
    switch (part.kind) {
      case Part::Kind::kNode:
      case Part::Kind::kAttribute: break;
      case Part::Kind::kInput:
        if (part.index < node_.input_size()) return {place_, NodeProto::kInputFieldNumber, part.index};
        break;
      case Part::Kind::kOutput:
        if (part.index < node_.output_size()) return {place_, NodeProto::kOutputFieldNumber, part.index};
        break;
    }
    return place_;
  }

  /// Returns the index of the attribute, or -1.
  [[nodiscard]] int FindAttributeAt(std::string_view name) const {
    for (int i = 0; i < node_.attribute_size(); ++i) {
      if (node_.attribute(i).name() == name) return i;
    }
    return -1;
  }

  Engine& engine_;
  const NodeProto& node_;
  const Place& place_;
  const Frame& frame_;
  std::optional<Diagnostic> finding_;
  Part blamed_;
  bool has_failed_inside_ = false;
};

/// Reports that a size that the operator computes is out of range. The finding is at the first output with an unknown
/// size.
void FailOverflow(NodeContext& context) {
  for (int i = 0; i < context.outputs(); ++i) {
    const std::span<const Dim> shape = context.Output(i).shape;
    const auto unknown = std::ranges::find_if(shape, &Dim::IsUnknown);
    if (unknown == shape.end()) continue;
    context.Fail(rule::kDimensionValue, Part(), {}, unknown - shape.begin(), context.Describe(Out(i)), context.name(),
                 "an overflow", "less than 2^63");
    return;
  }
}

/// Returns a lower bound of the model's size in a file. It is used because computing the exact size would take a
/// considerable part of the time of inference.
std::size_t LeastSize(const Subject& subject) {
  constexpr std::size_t kNode = 2;  // bytes of a tag and a length
  std::size_t nodes = static_cast<std::size_t>(subject.graph.node_size());
  for (const onnx::FunctionProto* const function : subject.functions) {
    nodes += static_cast<std::size_t>(function->node_size());
  }
  return kNode * nodes;
}

}  // namespace

const onnx::AttributeProto* Engine::FindAttribute(const NodeProto& node, std::string_view name, const Frame& frame) {
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.name() == name) return Resolve(attribute, frame);
  }
  return nullptr;
}

const onnx::AttributeProto* Engine::Resolve(const onnx::AttributeProto& attribute, const Frame& frame) {
  if (attribute.ref_attr_name().empty()) return &attribute;
  return frame.arguments == nullptr ? nullptr : frame.arguments->Find(attribute.ref_attr_name());
}

const onnx::AttributeProto* Arguments::Find(std::string_view name) const {
  if (const auto found = given.find(name); found != given.end()) return found->second;
  const auto found = parameters.find(name);
  return found == parameters.end() ? nullptr : found->second;
}

Engine::Engine(Subject subject, const InferOptions& options)
    : subject_(std::move(subject)),
      options_(options),
      memory_(std::make_shared<Memory>(subject_.root, LeastSize(subject_), subject_.size)),
      bindings_(subject_.functions, OperatorTable(options.operators)) {
  for (const onnx::TrainingInfoProto* const training : subject_.trainings) {
    for (const auto& binding : training->initialization_binding()) trained_.insert(binding.key());
    for (const auto& binding : training->update_binding()) trained_.insert(binding.key());
  }
}

void Engine::Run() {
  const GraphProto& graph = subject_.graph;
  const Place root{subject_.root};
  const Place place = &subject_.root == &graph ? root : root.Child(graph, onnx::ModelProto::kGraphFieldNumber);
  Frame frame(nullptr, subject_.imports, nullptr);
  const auto count = static_cast<std::size_t>(graph.node_size()) + static_cast<std::size_t>(graph.input_size()) +
                     static_cast<std::size_t>(graph.initializer_size());
  frame.values.Reserve(count);
  frame.declared = DeclaredIn(graph.value_info(), graph.output());
  frame.inputs = &graph.input();
  DefineInputs(graph, place, frame, {});
  DefineInitializers(graph, place, frame, {});
  InferNodes(graph.node(), place, GraphProto::kNodeFieldNumber, frame);
  for (std::size_t i = 0; i < subject_.trainings.size(); ++i) {
    const onnx::TrainingInfoProto& training = *subject_.trainings[i];
    const Place at = root.Child(training, onnx::ModelProto::kTrainingInfoFieldNumber, static_cast<int>(i));
    // Nodes of training graphs can read the values of the model's graph.
    if (training.has_initialization()) {
      const GraphProto& part = training.initialization();
      (void)InferSubgraph(part, at.Child(part, onnx::TrainingInfoProto::kInitializationFieldNumber), frame, {}, {});
    }
    if (training.has_algorithm()) {
      const GraphProto& part = training.algorithm();
      (void)InferSubgraph(part, at.Child(part, onnx::TrainingInfoProto::kAlgorithmFieldNumber), frame, {}, {});
    }
  }
  Record(graph, frame);
  InferUncalledFunctions();
  ReportReplaced();
}

std::optional<std::vector<Value>> Engine::InferSubgraph(const GraphProto& graph, const Place& place,
                                                        const Frame& around, std::span<const Value> inputs, Role role) {
  const int names = graph.input_size() + graph.initializer_size() + graph.sparse_initializer_size() +
                    graph.value_info_size() + graph.output_size();
  if (around.depth >= kDeepest || !memory_->Charge(static_cast<std::size_t>(names) * kCostOfValue)) return std::nullopt;
  trials += role.pass == Pass::kTrial ? 1 : 0;
  Frame frame(&around, around.opsets, around.arguments);
  if (role.is_loop_body && graph.output_size() > 0) frame.condition = graph.output(0).name();
  frame.declared = DeclaredIn(graph.value_info(), graph.output());
  DefineInputs(graph, place, frame, inputs);
  DefineInitializers(graph, place, frame, inputs);
  InferNodes(graph.node(), place, GraphProto::kNodeFieldNumber, frame);
  std::vector<Value> outputs;
  for (const auto& output : graph.output()) {
    Value* const value = frame.Find(output.name());
    outputs.push_back(value == nullptr ? Value() : *value);
    if (value != nullptr && value->tensor != nullptr) outputs.back().constant = ContentsOf(*value->tensor, *memory_);
    if (value != nullptr && value->type.kind == Kind::kUnknown)
      continue;  // after a contradiction, the declared type may be wrong
    const auto both = Unify(*memory_, outputs.back().type, FromProto(*memory_, output.type()));
    if (both) outputs.back().type = *both;
  }
  Record(graph, frame);
  trials -= role.pass == Pass::kTrial ? 1 : 0;
  return outputs;
}

void Engine::DefineInputs(const GraphProto& graph, const Place& place, Frame& frame, std::span<const Value> given) {
  for (int i = 0; i < graph.input_size(); ++i) {
    const onnx::ValueInfoProto& input = graph.input(i);
    Value value{.type = FromProto(*memory_, input.type()), .source = FactSource::kDeclared, .owner = &input};
    if (static_cast<std::size_t>(i) < given.size()) {
      const Value& actual = given[static_cast<std::size_t>(i)];
      value.constant = actual.constant;
      value.tensor = actual.tensor;
      if (const auto both = Unify(*memory_, actual.type, value.type)) {
        value.type = *both;
      } else {
        Report(MakeDiagnostic(rule::kSubgraphType, kNowhere, fmt::format("input '{}'", Quoted(input.name())),
                              fmt::format("graph '{}'", Quoted(graph.name())), "the node", ToString(value.type),
                              ToString(actual.type)),
               place.Child(input, GraphProto::kInputFieldNumber, i));
        value.type = options_.overwrite ? actual.type : Type();
      }
    }
    memory_->NameUnknown(&value.type);
    frame.Define(input.name(), value);
  }
}

void Engine::DefineInitializers(const GraphProto& graph, const Place& place, Frame& frame,
                                std::span<const Value> given) {
  NameSet given_names;
  for (int i = 0; HasConstantDefaults() && i < std::min(graph.input_size(), static_cast<int>(given.size())); ++i) {
    given_names.insert(graph.input(i).name());
  }
  for (int i = 0; i < graph.initializer_size(); ++i) {
    const onnx::TensorProto& tensor = graph.initializer(i);
    Value value = ValueOf(tensor.data_type(), tensor.dims(), Kind::kTensor, tensor);
    if (!trained_.contains(tensor.name())) value.tensor = &tensor;
    DefineInitializer(tensor.name(), value, place.Child(tensor, GraphProto::kInitializerFieldNumber, i), given_names,
                      frame);
  }
  for (int i = 0; i < graph.sparse_initializer_size(); ++i) {
    const onnx::SparseTensorProto& sparse = graph.sparse_initializer(i);
    const Value value =
        ValueOf(sparse.values().data_type(), sparse.dims(), Kind::kTensor, sparse);  // for operators, the tensor is
                                                                                     // dense
    DefineInitializer(sparse.values().name(), value, place.Child(sparse, GraphProto::kSparseInitializerFieldNumber, i),
                      given_names, frame);
  }
}

Value Engine::ValueOf(int element_type, const google::protobuf::RepeatedField<std::int64_t>& dims, Kind kind,
                      const google::protobuf::Message& owner) {
  Value value{
      .type = {.kind = kind, .element_type = element_type}, .source = FactSource::kInitializer, .owner = &owner};
  // The type is not used if it is incomplete or invalid.
  if (element_type == 0 || dims.size() > static_cast<int>(kMostRank) ||
      std::ranges::any_of(dims, [](auto dim) { return dim < 0; })) {
    return value;
  }
  const std::span<Dim> shape = memory_->NewSpan<Dim>(static_cast<std::size_t>(dims.size()));
  for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = dims[static_cast<int>(i)];
  value.type.has_rank = true;
  value.type.shape = shape;
  return value;
}

/// Defines an initializer. If an input has the same name, the initializer is its default value, and the input keeps its
/// declared type. The contents are used only if the defaults are constant, and if no node passes a value to the input.
void Engine::DefineInitializer(const std::string& name, Value value, const Place& place, const NameSet& given,
                               Frame& frame) {
  const Value* const input = frame.values.Find(HashedName(name));
  if (input == nullptr) return frame.Define(name, value);
  if (!Unify(*memory_, value.type, input->type)) {
    Diagnostic finding =
        MakeDiagnostic(rule::kDeclaredType, kNowhere, Quoted(name), ToString(input->type), ToString(value.type));
    Explain(&finding, name, *input);
    Report(std::move(finding), place);
  }
  if (!HasConstantDefaults() || given.contains(name)) return;
  value.type = input->type;
  frame.Define(name, value);
}

void Engine::InferNodes(const Nodes& nodes, const Place& place, int field, Frame& frame) {
  for (int i = 0; i < nodes.size(); ++i) InferNode(nodes[i], place.Child(nodes[i], field, i), frame);
}

void Engine::InferNode(const NodeProto& node, const Place& place, Frame& frame) {
  const Memory::Scope scope(*memory_);
  const std::span<Value*> inputs = memory_->Scratch<Value*>(static_cast<std::size_t>(node.input_size()));
  for (std::size_t i = 0; const std::string& name : node.input())
    inputs[i++] = name.empty() ? nullptr : frame.Find(name);
  const std::span<Value> outputs = memory_->Scratch<Value>(static_cast<std::size_t>(node.output_size()));
  const auto names = memory_->Scratch<std::optional<HashedName>>(outputs.size());
  for (std::size_t i = 0; const std::string& name : node.output()) {
    frame.values.Fetch(names[i++].emplace(name));
  }
  const bool may_be_any = frame.arguments != nullptr && !frame.arguments->are_known && RefersToArguments(node);
  if (ChargeNode(node, inputs, place, frame) && !may_be_any) {
    const Binding& binding = bindings_.Of(node, frame.opsets);
    if (binding.op != nullptr) {
      ApplyOperator(node, binding, inputs, outputs, place, frame);
    } else if (binding.function >= 0) {
      const auto index = static_cast<std::size_t>(binding.function);
      Call({.function = *subject_.functions[index], .index = binding.function}, node, inputs, outputs, place, frame);
    }
    if (memory_->IsUsedUp()) ReportLimit(place);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!names[i]->text.empty()) DefineOutput(node, static_cast<int>(i), *names[i], outputs[i], place, frame);
  }
}

std::size_t Engine::CostOfLook(const NodeProto& node, std::span<Value* const> inputs, const Frame& frame) {
  std::size_t cost = kCostOfNode + CostOf(node.op_type()) + CostOf(node.domain());
  for (const std::string& name : node.input()) cost += CostOf(name);
  for (const Value* const input : inputs) cost += input == nullptr ? 0 : CostOf(*input);
  for (const std::string& name : node.output()) cost += kCostOfValue + CostOf(name);
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    cost += CostOf(attribute);
    const onnx::AttributeProto* const meant = Resolve(attribute, frame);
    if (meant != &attribute && meant != nullptr) cost += CostOf(*meant);
  }
  return cost;
}

bool Engine::ChargeNode(const NodeProto& node, std::span<Value* const> inputs, const Place& place, const Frame& frame) {
  if (memory_->IsUsedUp()) return false;
  if (memory_->Charge(CostOfLook(node, inputs, frame))) return true;
  ReportLimit(place);
  return false;
}

void Engine::ApplyOperator(const NodeProto& node, const Binding& binding, std::span<Value* const> inputs,
                           std::span<Value> outputs, const Place& place, const Frame& frame) {
  const Operator& op = *binding.op;
  const Function evaluate = options_.data_propagation ? binding.evaluate : nullptr;
  const auto bound = CheckOperands(node, binding, inputs, place, frame);
  if (!bound) return;
  ApplySignature(op, *bound, outputs);
  NodeHost host(*this, node, place, frame);
  NodeContext context(node, op, binding.version, inputs, outputs, *memory_, host);
  const bool has_words = CheckChoices(context);
  const Function infer = has_words ? binding.infer : nullptr;
  (void)memory_->TakeOverflow();
  if (infer != nullptr) infer(context);
  if (op.declared != nullptr && op.declared->has_body && !context.has_failed()) {
    const bool is_outermost = declared_call_ == nullptr;
    if (is_outermost) {
      declared_call_ = &place;
      declared_where_ = &op.declared->where;
    }
    Call({.function = *op.declared->function, .index = -1}, node, inputs, outputs, place, frame);
    if (is_outermost) declared_call_ = nullptr;
  }
  if (memory_->TakeOverflow()) FailOverflow(context);
  if (context.has_failed() || host.has_failed_inside()) {
    if (host.finding() != nullptr) {
      // No other change corrects a word that an attribute does not accept.
      if (has_words && host.finding()->fix_its.empty() && MaySuggest(node) &&
          !SuggestOperands(node, binding, inputs, frame, host.finding())) {
        SuggestAttribute(node, binding, inputs, frame, host.finding());
      }
      host.Tell();
    }
    std::fill(outputs.begin(), outputs.end(), Value());
    return;
  }
  host.Tell();  // reports a problem that does not affect the types
  if (evaluate != nullptr) evaluate(context);
}

void Engine::DefineOutput(const NodeProto& node, int index, const HashedName& name, Value& value, const Place& place,
                          Frame& frame) {
  if (value.type.kind != Kind::kUnknown) {
    value.source = FactSource::kOperator;
    value.owner = &node;
    value.field = NodeProto::kOutputFieldNumber;
    value.index = index;
  }
  if (const Declaration* const found = frame.declared.Find(name)) {
    const bool is_condition = !frame.condition.empty() && name.text == frame.condition;
    for (const onnx::ValueInfoProto* const declaration : {found->info, found->output}) {
      if (declaration == nullptr) continue;
      const Spot spot(place, NodeProto::kOutputFieldNumber, index);
      if (declaration == found->output && !options_.overwrite) CheckSymbols(*declaration, value, spot, frame);
      if (ApplyDeclared(*declaration, spot, is_condition, &value)) continue;
      if (options_.overwrite) continue;
      value = {};
      break;
    }
  }
  memory_->NameUnknown(&value.type);
  frame.DefineOutput(*memory_, name, value);
}

/// Reports an output if its declared shape has a symbol of the inputs on an axis where the node always produces the
/// same number.
void Engine::CheckSymbols(const onnx::ValueInfoProto& output, const Value& value, const Spot& spot, Frame& frame) {
  const auto& dims = output.type().tensor_type().shape().dim();
  if (frame.inputs == nullptr || !value.type.IsTensor() || value.type.rank() != dims.size()) return;
  for (int i = 0; i < dims.size(); ++i) {
    const std::string& symbol = dims[i].dim_param();
    if (symbol.empty() || !value.type.shape[static_cast<std::size_t>(i)].IsNumber()) continue;
    if (!frame.SizesOfInputs().contains(symbol)) continue;
    Report(MakeDiagnostic(rule::kSymbolIsNumber, kNowhere, Quoted(output.name()),
                          ToString(FromProto(*memory_, output.type())), ToString(value.type), Quoted(symbol)),
           spot);
    return;
  }
}

bool Engine::ApplyDeclared(const onnx::ValueInfoProto& declaration, const Spot& spot, bool is_condition, Value* value) {
  const Type declared = FromProto(*memory_, declaration.type());
  const Value fact{.type = declared, .source = FactSource::kDeclared, .owner = &declaration};
  if (const auto both = Unify(*memory_, value->type, declared)) {
    if (value->type.kind == Kind::kUnknown && both->kind != Kind::kUnknown) *value = fact;
    value->type = *both;
    return true;
  }
  const std::string_view name = declaration.name();
  // Runtimes read a condition with one element, whatever its shape is.
  const bool is_harmless =
      is_condition && IsSingle(declared) && IsSingle(value->type) && declared.element_type == value->type.element_type;
  if (options_.overwrite && !is_harmless) {
    if (trials == 0) replaced_.emplace_back(name);
    return false;
  }
  const std::string is = ToString(value->type);
  Diagnostic finding = is_harmless
                           ? MakeDiagnostic(rule::kConditionShape, kNowhere, Quoted(name), ToString(declared), is)
                           : MakeDiagnostic(rule::kDeclaredType, kNowhere, Quoted(name), ToString(declared), is);
  Explain(&finding, name, fact);
  Report(std::move(finding), spot);
  return is_harmless;
}

void Engine::Record(const google::protobuf::Message& owner, Frame& frame) {
  if (trials > 0) return;
  const auto [found, is_first] = values.try_emplace(&owner);
  std::vector<Value>& recorded = found->second;
  const std::vector<Value>& now = frame.values.elements();
  if (is_first || recorded.size() != now.size()) {
    (void)memory_->Charge(CostOfBytes(now.size() * sizeof(Value)));
    recorded = frame.values.Take();
    return;
  }
  // The types of an earlier call are already stored, so only facts that are true for both calls are kept.
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const Value& other = now[i];
    const Type both = Join(*memory_, recorded[i].type, other.type);
    const bool is_of_both =
        recorded[i].owner == other.owner && recorded[i].field == other.field && recorded[i].index == other.index;
    if (!is_of_both) recorded[i] = {.name = recorded[i].name};
    recorded[i].type = both;
    recorded[i].constant = nullptr;
    if (recorded[i].tensor != other.tensor) recorded[i].tensor = nullptr;
  }
}

void Engine::ReadConstants() {
  for (auto& [owner, recorded] : values) {
    for (Value& value : recorded) {
      if (value.constant == nullptr && value.tensor != nullptr) value.constant = ContentsOf(*value.tensor, *memory_);
    }
  }
}

}  // namespace onnxc::infer
