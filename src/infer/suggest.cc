// Suggests a correction if a node contradicts the types of its inputs: another value of one attribute, or empty names
// before the node's last inputs. A correction is suggested only if exactly one such change removes the contradiction.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "infer/engine.h"
#include "infer/shapes.h"
#include "source/operand_name.h"
#include "tables/attribute_types.h"
#include "tables/element_types.h"

namespace onnxc::infer {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;

constexpr int kMostNodes = 50;           // the maximum number of nodes for which changes are tried
constexpr std::size_t kMostValues = 16;  // the maximum number of values that are tried for an attribute

/// Attributes that are flags: 0 or 1.
constexpr std::string_view kFlags[] = {"transA", "transB", "keepdims", "layout"};
/// Attributes whose value is often a size of an input.
constexpr std::string_view kSizes[] = {"hidden_size", "group",        "num_heads",
                                       "q_num_heads", "kv_num_heads", "num_groups"};

template <typename Words>
bool IsOneOf(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != std::end(words);
}

/// Returns whether this other value of the attribute is certain enough for a fix-it, because two inputs, or the weights
/// of all gates, confirm it.
bool IsSure(std::string_view attribute, std::int64_t value, const Diagnostic& finding) {
  // If an axis is negative, its sign may be a mistake, or the axis may be counted from the end on purpose.
  if (attribute == "axis") return value >= 0 && finding.kind == DiagnosticKind::kDimensionClash;
  return attribute == "hidden_size" || attribute == "transA" || attribute == "transB";
}

/// Returns whether all sizes of the input are numbers. With unknown sizes, a wrong value could seem to fit.
bool IsKnown(std::span<Value* const> inputs, std::size_t input) {
  if (input >= inputs.size() || inputs[input] == nullptr || !inputs[input]->type.has_rank) return false;
  return std::ranges::all_of(inputs[input]->type.shape, &Dim::IsNumber);
}

/// Implements Host for a trial of the node, with another value of one attribute if that is given. Reports nothing.
class TrialHost : public Host {
 public:
  TrialHost(const NodeProto& node, const Frame& frame, const AttributeProto* other, std::int64_t ir_version)
      : node_(node), frame_(frame), other_(other), ir_version_(ir_version) {}

  void Report(Diagnostic, const Part&, std::span<const Part>) override {}
  const AttributeProto* FindAttribute(std::string_view name) const override {
    return IsOther(name) ? other_ : Engine::FindAttribute(node_, name, frame_);
  }
  const AttributeProto* Resolve(const AttributeProto& attribute) const override {
    return IsOther(attribute.name()) ? other_ : Engine::Resolve(attribute, frame_);
  }
  std::optional<std::vector<Value>> InferGraph(std::string_view, std::span<const Value>, Pass) override {
    return std::nullopt;
  }
  bool IsTrial() const override { return true; }
  bool MayNotRun() const override { return false; }
  std::int64_t IrVersion() const override { return ir_version_; }
  bool HasDataOfItsShape(const Value*) override { return false; }
  const SourceRange* FindText(const google::protobuf::Message&) const override { return nullptr; }

 private:
  bool IsOther(std::string_view name) const { return other_ != nullptr && name == other_->name(); }

  const NodeProto& node_;
  const Frame& frame_;
  const AttributeProto* other_;
  std::int64_t ir_version_;
};

void AddOnce(std::int64_t value, std::int64_t now, std::vector<std::int64_t>* values) {
  if (value != now && values->size() < kMostValues && std::ranges::find(*values, value) == values->end()) {
    values->push_back(value);
  }
}

/// Returns the values to try instead of `now`.
std::vector<std::int64_t> OtherValues(std::string_view attribute, std::int64_t now, std::span<Value* const> inputs) {
  std::vector<std::int64_t> values;
  if (attribute == "transA" && !IsKnown(inputs, 0)) return {};
  if (attribute == "transB" && !IsKnown(inputs, 1)) return {};
  if (IsOneOf(kFlags, attribute)) return {now == 0 ? 1 : 0};
  if (attribute == "axis" && !inputs.empty() && inputs[0] != nullptr && inputs[0]->type.has_rank) {
    const int rank = inputs[0]->type.rank();
    for (int axis = 0; axis < rank; ++axis) {
      AddOnce(now < 0 ? axis - rank : axis, now, &values);
    }
  }
  if (!IsOneOf(kSizes, attribute)) return values;
  if (attribute == "group") AddOnce(1, now, &values);
  std::int64_t channels = 0;
  for (const Value* const input : inputs) {
    if (input == nullptr || !input->type.has_rank) continue;
    for (const Dim& dim : input->type.shape) {
      if (!dim.IsNumber() || dim.number() <= 0) continue;
      AddOnce(dim.number(), now, &values);
    }
    if (input->type.rank() < 2 || !input->type.shape[1].IsNumber() || input->type.shape[1].number() <= 0) continue;
    const std::int64_t size = input->type.shape[1].number();
    if (attribute == "group" && channels > 0 && channels % size == 0) AddOnce(channels / size, now, &values);
    if (channels == 0) channels = size;
  }
  return values;
}

/// Returns whether the inferred types of the outputs contradict no declared type.
bool AgreesWithDeclared(Memory& memory, const NodeProto& node, std::span<const Value> outputs, const Frame& frame) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Declaration* const found = frame.declared.Find(HashedName(node.output(static_cast<int>(i))));
    if (found == nullptr) continue;
    for (const onnx::ValueInfoProto* const info : {found->info, found->output}) {
      if (info != nullptr && !Unify(memory, outputs[i].type, FromProto(memory, info->type()))) return false;
    }
  }
  return true;
}

/// Returns the edit that sets the attribute to the value, or nothing if the place of the edit in the text is not known.
std::optional<FixIt> EditOf(const NodeProto& node, std::string_view attribute, std::int64_t value,
                            const SourceMap* map) {
  if (map == nullptr) return std::nullopt;
  const AttributeType* const type = FindAttributeType(AttributeProto::INT);
  for (const AttributeProto& given : node.attribute()) {
    if (given.name() != attribute) continue;
    const SourceRange* const range = map->Find(given, type->field);
    if (range == nullptr || !given.ref_attr_name().empty()) return std::nullopt;
    return FixIt{*range, fmt::to_string(value)};
  }
  if (!node.attribute().empty()) {
    const SourceRange* const first = map->Find(node.attribute(0));
    if (first == nullptr) return std::nullopt;
    return FixIt{{first->begin, first->begin}, fmt::format("{} = {}, ", attribute, value)};
  }
  const SourceRange* const op = map->FindOwn(node, NodeProto::kOpTypeFieldNumber);
  if (op == nullptr) return std::nullopt;
  return FixIt{{op->end, op->end}, fmt::format(" <{} = {}>", attribute, value)};
}

/// Returns the number in an entry of external data, or -1 if there is no such entry or it is not a number.
std::int64_t NumberIn(const onnx::TensorProto& tensor, std::string_view key) {
  std::int64_t number = -1;
  for (const onnx::StringStringEntryProto& entry : tensor.external_data()) {
    if (entry.key() != key) continue;
    const char* const end = entry.value().data() + entry.value().size();
    const auto [last, error] = std::from_chars(entry.value().data(), end, number);
    if (error != std::errc() || last != end) return -1;
  }
  return number;
}

std::string_view LocationOf(const onnx::TensorProto& tensor) {
  for (const onnx::StringStringEntryProto& entry : tensor.external_data()) {
    if (entry.key() == "location") return entry.value();
  }
  return {};
}

/// Returns the number of bytes of the tensor's data, or -1 if it is not known.
std::int64_t BytesOf(const onnx::TensorProto& tensor) {
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  const ElementType* const type = FindElementType(tensor.data_type());
  std::int64_t bits = type == nullptr ? 0 : type->bits;
  for (const std::int64_t dim : tensor.dims()) {
    if (dim <= 0 || bits <= 0 || bits > kMost / dim) return -1;
    bits *= dim;
  }
  return bits > 0 ? (bits + 7) / 8 : -1;
}

}  // namespace

bool Engine::HasDataOfItsShape(const Value* value) {
  const auto* const tensor = value == nullptr || value->source != FactSource::kInitializer
                                 ? nullptr
                                 : dynamic_cast<const onnx::TensorProto*>(value->owner);
  if (tensor == nullptr || suggestions_++ >= kMostNodes) return false;
  if (tensor->data_location() != onnx::TensorProto::EXTERNAL) return true;
  const std::int64_t bytes = BytesOf(*tensor);
  if (bytes < 0) return false;
  if (NumberIn(*tensor, "length") == bytes) return true;
  const std::int64_t end = std::max<std::int64_t>(NumberIn(*tensor, "offset"), 0) + bytes;
  return std::ranges::any_of(subject_.graph.initializer(), [&](const onnx::TensorProto& other) {
    return NumberIn(other, "offset") == end && LocationOf(other) == LocationOf(*tensor);
  });
}

bool Engine::Fits(const NodeProto& node, const NodeProto& names, const AttributeProto* changed, const Binding& binding,
                  std::span<Value* const> inputs, const Frame& frame, std::uint64_t moved) {
  const Memory::Scope scope(*memory_);
  BoundTypes bound{};
  if (FindTypeClash(*binding.op, inputs, &bound)) return false;
  const std::span<Value> outputs = memory_->Scratch<Value>(static_cast<std::size_t>(node.output_size()));
  ApplySignature(*binding.op, bound, outputs);
  TrialHost host(node, frame, changed, subject_.ir_version);
  NodeContext context(names, *binding.op, binding.version, inputs, outputs, *memory_, host);
  if (binding.infer != nullptr) binding.infer(context);
  return !context.has_failed() && (moved & ~context.seen()) == 0 && AgreesWithDeclared(*memory_, node, outputs, frame);
}

bool Engine::FitsMoved(const NodeProto& node, const Binding& binding, std::span<Value* const> inputs,
                       const Frame& frame, std::size_t first, std::size_t gap) {
  constexpr std::size_t kMost = 64;  // inputs
  if (inputs.size() + gap > kMost) return false;
  NodeProto names;
  std::vector<Value*> there(inputs.size() + gap);
  std::uint64_t moved = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (i == first) {
      for (std::size_t left_out = 0; left_out < gap; ++left_out) names.add_input();
    }
    names.add_input(node.input(static_cast<int>(i)));
    there[i < first ? i : i + gap] = inputs[i];
    if (i >= first && !node.input(static_cast<int>(i)).empty()) moved |= std::uint64_t{1} << (i + gap);
  }
  names.mutable_output()->CopyFrom(node.output());
  return Fits(node, names, nullptr, binding, there, frame, moved);
}

bool Engine::SuggestOperands(const NodeProto& node, const Binding& binding, std::span<Value* const> inputs,
                             const Frame& frame, Diagnostic* finding) {
  const std::span<const Parameter> formals = Inputs(*binding.op);
  const std::size_t cost = CostOfLook(node, inputs, frame);
  std::size_t first = 0, gap = 0;  // the only change that fits: `gap` empty names before input `first`
  for (std::size_t at = 1; at < inputs.size(); ++at) {
    for (std::size_t more = 1; inputs.size() + more <= formals.size(); ++more) {
      if (formals[at + more - 1].arity != static_cast<std::uint8_t>(Arity::kOptional)) break;
      if (!memory_->Charge(cost)) return false;
      if (!FitsMoved(node, binding, inputs, frame, at, more)) continue;
      if (first > 0) return false;
      first = at;
      gap = more;
    }
  }
  if (first == 0) return false;
  finding->message +=
      fmt::format("; '{}' fits the input '{}'", node.input(static_cast<int>(first)), Word(formals[first + gap]));
  const SourceMap* const map = frame.arguments == nullptr ? options_.source_map : nullptr;
  const SourceRange* const range =
      map == nullptr ? nullptr : map->Find(node, NodeProto::kInputFieldNumber, static_cast<int>(first));
  if (range == nullptr) return true;
  finding->fix_its = {LeaveOutBefore(range->begin, gap)};
  return true;
}

bool Engine::FitsWith(std::string_view attribute, std::int64_t value, const NodeProto& node, const Binding& binding,
                      std::span<Value* const> inputs, const Frame& frame) {
  AttributeProto changed;
  changed.set_name(std::string(attribute));
  changed.set_type(AttributeProto::INT);
  changed.set_i(value);
  return Fits(node, node, &changed, binding, inputs, frame);
}

bool Engine::MaySuggest(const NodeProto& node) {
  const bool has_graphs = std::ranges::any_of(node.attribute(), [](const auto& one) { return one.has_g(); });
  return trials == 0 && unreached == 0 && !has_graphs && suggestions_++ < kMostNodes;
}

void Engine::SuggestAttribute(const NodeProto& node, const Binding& binding, std::span<Value* const> inputs,
                              const Frame& frame, Diagnostic* finding) {
  const std::size_t cost = CostOfLook(node, inputs, frame);
  std::string_view attribute;
  std::int64_t value = 0;
  int fitting = 0;
  for (const OperatorAttribute& formal : Attributes(*binding.op)) {
    const std::string_view name = Word(formal);
    if (formal.type != AttributeProto::INT) continue;
    const AttributeProto* const given = FindAttribute(node, name, frame);
    if (given == nullptr && !IsOneOf(kFlags, name) && name != "group") continue;  // its default is not known here
    const std::int64_t now = given != nullptr ? given->i() : name == "keepdims" || name == "group" ? 1 : 0;
    for (const std::int64_t other : OtherValues(name, now, inputs)) {
      if (!memory_->Charge(cost)) return;
      if (!FitsWith(name, other, node, binding, inputs, frame)) continue;
      ++fitting;
      attribute = name;
      value = other;
    }
  }
  if (fitting != 1) return;
  finding->message += fmt::format("; '{} = {}' would fit", attribute, value);
  if (!IsSure(attribute, value, *finding) || frame.arguments != nullptr) return;
  if (auto edit = EditOf(node, attribute, value, options_.source_map)) finding->fix_its = {*std::move(edit)};
}

}  // namespace onnxc::infer
