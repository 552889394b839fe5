// Calls of the functions of a model.
#include "infer/engine.h"
#include "infer/shapes.h"

namespace onnxc::infer {
namespace {

using onnx::FunctionProto;
using onnx::NodeProto;

/// A string of bytes that identifies everything on which the result of a call depends. A list begins with its length,
/// and an optional part with a flag, so different calls have different keys.
class Key {
 public:
  template <typename Part>
  void AddIfThere(const Part* part) {
    Add(std::int64_t{part != nullptr});
    if (part != nullptr) Add(*part);
  }
  void Add(const void* pointer) { AddBytes(&pointer, sizeof(pointer)); }
  void Add(std::int64_t number) { AddBytes(&number, sizeof(number)); }
  void Add(Dim dim) {
    Add(std::int64_t{dim.IsNumber()});
    dim.IsNumber() ? Add(dim.number()) : Add(static_cast<const void*>(dim.expression()));
  }
  void Add(const Type& type) {
    Add(static_cast<std::int64_t>(type.kind));
    Add(std::int64_t{type.element_type});
    Add(std::int64_t{type.rank()});
    for (const Dim& dim : type.shape) Add(dim);
    if (type.opaque != nullptr) {
      AddText(type.opaque->domain());
      AddText(type.opaque->name());
    }
    AddIfThere(type.element);
  }
  void Add(const Constant& constant) {
    AddSize(constant.shape.size());
    for (const std::int64_t size : constant.shape) Add(size);
    AddSize(constant.integers.size());
    for (const Dim& dim : constant.integers) Add(dim);
    AddSize(constant.reals.size());
    for (const double real : constant.reals) AddBytes(&real, sizeof(real));
  }
  void Add(const Value& value) {
    Add(value.type);
    Add(value.tensor);
    AddIfThere(value.constant);
  }
  /// Adds an attribute of the call. Small attribute values are compared by content; tensors, graphs and large values
  /// are compared by address.
  void Add(std::string_view name, const onnx::AttributeProto& attribute) {
    AddText(name);
    const bool is_small = !attribute.has_t() && !attribute.has_g() && attribute.tensors_size() == 0 &&
                          attribute.graphs_size() == 0 && CostOf(attribute) < 256 && attribute.ByteSizeLong() < 256;
    Add(std::int64_t{is_small});
    is_small ? AddText(attribute.SerializeAsString()) : Add(&attribute);
  }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::string Take() { return std::move(bytes_); }

 private:
  void AddSize(std::size_t size) { Add(static_cast<std::int64_t>(size)); }
  void AddText(std::string_view text) {
    AddSize(text.size());
    bytes_.append(text);
  }
  void AddBytes(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }
  std::string bytes_;
};

}  // namespace

void Engine::Call(const Callee& callee, const NodeProto& node, std::span<Value* const> inputs, std::span<Value> outputs,
                  const Place& place, const Frame& frame) {
  constexpr std::size_t kDeepestCall = 100;
  const FunctionProto& function = callee.function;
  if (active_.contains(&function) || active_.size() >= kDeepestCall) return;  // the checker reports it
  Arguments arguments{ParametersOf(function)};
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (!arguments.parameters.contains(attribute.name())) continue;
    if (const auto* const value = Resolve(attribute, frame)) arguments.given.emplace(attribute.name(), value);
  }
  std::optional<std::string> key = KeyOf(function, inputs, arguments);
  if (!key) return;
  const auto [found, is_new] = calls_.try_emplace(std::move(*key));
  Result* const result = &found->second;
  if (is_new || (result->was_trial && trials == 0)) {
    active_.insert(&function);
    calling_.push_back(&place);
    const std::uint32_t mark = memory_->Mark();
    std::vector<Value> inferred = InferBody(callee, inputs, arguments, frame.depth + 1);
    for (Value& value : inferred) {
      (void)memory_->Charge(CostOfBytes(sizeof(Value)) + CostOf(value));
      value.type = memory_->OlderThan(mark, value.type);
      // A constant may contain a symbol that exists only in this call; such a result must not be stored for other
      // calls.
      const bool is_older =
          value.constant == nullptr || std::ranges::none_of(value.constant->integers, [&](const Dim& dim) {
            return !dim.IsUnknown() && memory_->OlderThan(mark, dim).IsUnknown();
          });
      if (!is_older) value.constant = nullptr;
    }
    *result = {std::move(inferred), trials > 0};
    calling_.pop_back();
    active_.erase(&function);
  }
  for (std::size_t i = 0; i < std::min(outputs.size(), result->outputs.size()); ++i) {
    if (result->outputs[i].type.kind != Kind::kUnknown) outputs[i] = result->outputs[i];
  }
}

std::optional<std::string> Engine::KeyOf(const FunctionProto& function, std::span<Value* const> inputs,
                                         const Arguments& arguments) {
  Key key;
  std::size_t paid = 0;
  const auto pay = [&] { return memory_->Charge(CostOfBytes(key.size() - std::exchange(paid, key.size()))); };
  key.Add(&function);
  key.Add(std::int64_t{branches > 0});  // fewer errors are reported inside of a branch, so the result is stored
                                        // separately
  key.Add(std::int64_t{unreached > 0});
  for (const Value* const input : inputs) {
    key.AddIfThere(input);
    if (!pay()) return std::nullopt;
  }
  for (const auto& [name, value] : arguments.given) {
    key.Add(name, *value);
    if (!pay()) return std::nullopt;
  }
  return key.Take();
}

const Parameters& Engine::ParametersOf(const FunctionProto& function) {
  const auto [entry, is_new] = parameters_.try_emplace(&function);
  if (!is_new) return entry->second;
  for (const std::string& name : function.attribute()) entry->second.emplace(name, nullptr);
  for (const onnx::AttributeProto& standard : function.attribute_proto()) {
    entry->second.insert_or_assign(standard.name(), &standard);
  }
  return entry->second;
}

/// Returns the type that the function itself declares for its input `name`, in a value_info entry.
Value Engine::DeclaredValue(std::string_view name, const Frame& frame) {
  const Declaration* const found = frame.declared.Find(HashedName(name));
  if (found == nullptr) return {};
  const onnx::ValueInfoProto& info = *found->info;
  Value value{.type = FromProto(*memory_, info.type()), .source = FactSource::kDeclared, .owner = &info};
  memory_->NameUnknown(&value.type);
  return value;
}

std::vector<Value> Engine::InferBody(const Callee& callee, std::span<Value* const> inputs, const Arguments& arguments,
                                     int depth) {
  const FunctionProto& function = callee.function;
  const int names = function.input_size() + function.value_info_size() + function.output_size();
  if (!memory_->Charge(static_cast<std::size_t>(names) * kCostOfValue)) return {};
  Frame frame(nullptr, function.opset_import(), &arguments);
  frame.depth = depth;
  frame.declared = DeclaredIn(function.value_info(), {});
  for (std::size_t i = 0; i < static_cast<std::size_t>(function.input_size()); ++i) {
    const std::string& name = function.input(static_cast<int>(i));
    if (i < inputs.size() && inputs[i] != nullptr) {
      frame.Define(name, *inputs[i]);
    } else if (!arguments.are_known) {
      frame.Define(name, DeclaredValue(name, frame));
    }
  }
  const bool is_silent = reported_.contains(&function);
  const std::size_t before = errors_told_;
  const std::size_t mistakes_before = mistakes_;
  trials += is_silent ? 1 : 0;
  const Place root{subject_.root};
  const bool is_alone = &subject_.root == &function || callee.index < 0;
  const Place place =
      is_alone ? Place{function} : root.Child(function, onnx::ModelProto::kFunctionsFieldNumber, callee.index);
  InferNodes(function.node(), place, FunctionProto::kNodeFieldNumber, frame);
  if (errors_told_ != before) reported_.insert(&function);
  trials -= is_silent ? 1 : 0;
  std::vector<Value> outputs;
  for (const std::string& output : function.output()) {
    const Value* const value = frame.Find(output);
    // After an error in the body, the types of its outputs are uncertain.
    const bool is_known = value != nullptr && mistakes_ == mistakes_before;
    outputs.push_back(is_known ? *value : Value());
  }
  Record(function, frame);
  return outputs;
}

/// Infers the functions that were not inferred for a call. A function that another function calls comes last, because
/// most such functions are inferred for this call before their turn comes.
void Engine::InferUncalledFunctions() {
  std::set<int> callees;
  for (const FunctionProto* const function : subject_.functions) {
    if (values.contains(function)) continue;
    ForEachNode(*function, [&](const NodeProto& node) { callees.insert(bindings_.FindCallee(node)); });
  }
  for (const bool has_caller : {false, true}) {
    for (int i = 0; const FunctionProto* const function : subject_.functions) {
      const int index = i++;
      if (values.contains(function) || callees.contains(index) != has_caller) continue;
      if (memory_->IsUsedUp()) return;
      active_.insert(function);
      (void)InferBody({.function = *function, .index = index}, {},
                      {.parameters = ParametersOf(*function), .are_known = false}, 1);
      active_.erase(function);
    }
  }
}

}  // namespace onnxc::infer
