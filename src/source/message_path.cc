#include "source/message_path.h"

#include <google/protobuf/descriptor.h>

#include <cctype>
#include <string_view>
#include <vector>

#include "source/report.h"

namespace onnxc {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// Returns a view of `*scratch` or into the message.
std::string_view StringField(const Message& message, const char* field, std::string* scratch) {
  const FieldDescriptor* const descriptor = message.GetDescriptor()->FindFieldByName(field);
  if (descriptor == nullptr || descriptor->is_repeated() || descriptor->cpp_type() != FieldDescriptor::CPPTYPE_STRING) {
    return {};
  }
  return message.GetReflection()->GetStringReference(message, descriptor, scratch);
}

void AppendStep(const Message& message, int field, int index, const Message* element, std::string* path) {
  const FieldDescriptor* const descriptor = message.GetDescriptor()->FindFieldByNumber(field);
  if (descriptor == nullptr) return;
  // A finding about an element that is missing names only the field.
  const bool has_element = descriptor->is_repeated() && index < message.GetReflection()->FieldSize(message, descriptor);
  if (!has_element) return AppendStep(PathStep{.field = descriptor->name()}, path);
  const bool has_key = element != nullptr && element->GetDescriptor()->FindFieldByName("key") != nullptr;
  std::string scratch;
  const std::string_view name =
      element == nullptr ? std::string_view() : StringField(*element, has_key ? "key" : "name", &scratch);
  const bool by_name = (has_key || descriptor->name() == "attribute") && !name.empty();
  AppendStep(PathStep{.field = descriptor->name(), .index = by_name ? PathStep::kByName : index, .name = name}, path);
}

/// Returns the path for a finding about the outermost message itself: a name such as "model" or "node".
std::string RootName(const Message& message) {
  std::string name(message.GetDescriptor()->name());
  if (name.ends_with("Proto")) name.resize(name.size() - 5);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

}  // namespace

void AppendStep(const PathStep& step, std::string* path) {
  if (!path->empty()) *path += '.';
  *path += step.field;
  if (step.index == PathStep::kByName) {
    *path += "[\"" + Quoted(step.name) + "\"]";
  } else if (step.index != PathStep::kAlone) {
    *path += "[" + std::to_string(step.index) + "]";
    if (!step.name.empty()) *path += " \"" + Quoted(step.name) + "\"";
  }
}

std::string PathOf(const Spot& spot) {
  std::vector<const Place*> steps;
  for (const Place* place = &spot.place; place->parent != nullptr; place = place->parent) steps.push_back(place);
  std::string path;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    AppendStep((*step)->parent->message, (*step)->field, (*step)->index, &(*step)->message, &path);
  }
  if (spot.field != 0) AppendStep(spot.place.message, spot.field, spot.index, nullptr, &path);
  return path.empty() ? RootName(spot.place.message) : path;
}

}  // namespace onnxc
