#include "weights/names.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>

#include <algorithm>

namespace onnxc::weights {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

constexpr std::uint32_t kRoot = 1;
constexpr std::uint32_t kAnyGraph = 2;
constexpr std::uint32_t kFirst = 3;

template <typename Proto>
const Proto* As(const Message& message) {
  return message.GetDescriptor() == Proto::descriptor() ? static_cast<const Proto*>(&message) : nullptr;
}

std::string_view FirstOutput(const onnx::NodeProto& node) {
  const auto named = std::ranges::find_if(node.output(), [](const std::string& name) { return !name.empty(); });
  return named == node.output().end() ? std::string_view() : std::string_view(*named);
}

/// Returns the Constant node whose only value is this tensor, or null for other tensors.
const Place* ConstantOf(const Place& tensor) {
  const Place* const at = tensor.parent;
  if (at == nullptr || at->parent == nullptr) return nullptr;
  const auto* const attribute = As<onnx::AttributeProto>(at->message);
  const auto* const node = As<onnx::NodeProto>(at->parent->message);
  if (attribute == nullptr || node == nullptr || tensor.field != onnx::AttributeProto::kTFieldNumber) return nullptr;
  const bool is_constant = node->op_type() == "Constant" && (node->domain().empty() || node->domain() == "ai.onnx");
  return is_constant && attribute->name() == "value" && node->attribute_size() == 1 ? at->parent : nullptr;
}

bool IsInitializer(const Place& place) {
  return place.parent != nullptr && As<onnx::GraphProto>(place.parent->message) != nullptr &&
         place.field == onnx::GraphProto::kInitializerFieldNumber;
}

std::optional<std::string> Named(char kind, std::string_view name) {
  if (name.empty()) return std::nullopt;
  return fmt::format("{}{}", kind, name);
}

/// Returns a step that identifies a message by its field and, in a list of attribute values, by its index. Returns
/// nothing for a message in another list, unless it is the only element.
std::optional<std::string> ByField(const Place& place) {
  const FieldDescriptor* const field = place.parent->message.GetDescriptor()->FindFieldByNumber(place.field);
  if (field == nullptr) return std::nullopt;
  if (!field->is_repeated()) return fmt::format(".{}", field->name());
  const int count = place.parent->message.GetReflection()->FieldSize(place.parent->message, field);
  const bool is_value = As<onnx::AttributeProto>(place.parent->message) != nullptr;
  if (count != 1 && !is_value) return std::nullopt;
  return fmt::format(".{} {}/{}", field->name(), place.index, count);
}

/// Returns the step of a path that distinguishes a message from its neighbours, or nothing if there is none.
std::optional<std::string> Step(const Place& place) {
  const Message& message = place.message;
  if (const auto* node = As<onnx::NodeProto>(message)) return Named('n', FirstOutput(*node));
  if (const auto* attribute = As<onnx::AttributeProto>(message)) return Named('a', attribute->name());
  if (const auto* function = As<onnx::FunctionProto>(message)) {
    return "f" + JoinedKey({function->domain(), function->name(), function->overload()});
  }
  if (IsInitializer(place)) return Named('v', static_cast<const onnx::TensorProto&>(message).name());
  if (const auto* sparse = As<onnx::SparseTensorProto>(message); sparse != nullptr && place.parent != nullptr) {
    if (As<onnx::GraphProto>(place.parent->message) != nullptr) return Named('s', sparse->values().name());
  }
  if (place.parent != nullptr) return ByField(place);
  const auto* const tensor = As<onnx::TensorProto>(message);
  return tensor == nullptr ? std::nullopt : Named('v', tensor->name());
}

bool HoldsNames(const Message& message) {
  return As<onnx::GraphProto>(message) != nullptr || As<onnx::FunctionProto>(message) != nullptr;
}

}  // namespace

std::string ValueName(const Place& place) {
  if (IsInitializer(place)) return static_cast<const onnx::TensorProto&>(place.message).name();
  const Place* const constant = ConstantOf(place);
  if (constant == nullptr) return {};
  return std::string(FirstOutput(static_cast<const onnx::NodeProto&>(constant->message)));
}

TensorName TensorNames::Of(const Place& place) {
  const Place* const constant = ConstantOf(place);
  if (constant == nullptr) return Around(place);
  const TensorName graph =
      constant->parent == nullptr ? TensorName{.exact = 0, .loose = kAnyGraph} : Around(*constant->parent);
  return Below(graph, Named('v', FirstOutput(static_cast<const onnx::NodeProto&>(constant->message))));
}

TensorName TensorNames::Around(const Place& place) {
  if (const auto known = around_.find(&place.message); known != around_.end()) return known->second;
  const bool is_model = As<onnx::ModelProto>(place.message) != nullptr;
  TensorName name;
  if (place.parent != nullptr) {
    name = Below(Around(*place.parent), Step(place));
  } else if (is_model) {
    name = {.exact = kRoot, .loose = 0};
  } else {
    name = Below({.exact = 0, .loose = kAnyGraph},
                 Step(place));  // if the message is only a part of a model, its enclosing graph is unknown
  }
  if (HoldsNames(place.message)) name.loose = kAnyGraph;
  around_.emplace(&place.message, name);
  return name;
}

TensorName TensorNames::Below(TensorName above, const std::optional<std::string>& step) {
  if (!step.has_value()) return {};
  return {.exact = above.exact == 0 ? 0 : Number(above.exact, *step),
          .loose = above.loose == 0 ? 0 : Number(above.loose, *step)};
}

std::uint32_t TensorNames::Number(std::uint32_t above, const std::string& step) {
  const auto next = static_cast<std::uint32_t>(numbers_.size()) + kFirst;
  return numbers_.try_emplace(fmt::format("{} {}", above, step), next).first->second;
}

}  // namespace onnxc::weights
