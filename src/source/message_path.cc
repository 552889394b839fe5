#include "source/message_path.h"

#include <google/protobuf/descriptor.h>

#include <cctype>
#include <vector>

#include "source/report.h"

namespace onnxc {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

std::string StringField(const Message& message, const char* field) {
  const FieldDescriptor* const descriptor = message.GetDescriptor()->FindFieldByName(field);
  if (descriptor == nullptr || descriptor->is_repeated() || descriptor->cpp_type() != FieldDescriptor::CPPTYPE_STRING) {
    return {};
  }
  return message.GetReflection()->GetString(message, descriptor);
}

/// `node[12]`, or `attribute["pads"]` where the elements of a list are told apart by name.
void AppendStep(const Message& message, int field, int index, const Message* element, std::string* path) {
  const FieldDescriptor* const descriptor = message.GetDescriptor()->FindFieldByNumber(field);
  if (descriptor == nullptr) return;
  if (!path->empty()) *path += '.';
  *path += descriptor->name();
  if (!descriptor->is_repeated()) return;

  const bool has_key = element != nullptr && element->GetDescriptor()->FindFieldByName("key") != nullptr;
  const std::string label = element == nullptr ? std::string() : StringField(*element, has_key ? "key" : "name");
  const bool by_name = has_key || descriptor->name() == "attribute";
  if (by_name && !label.empty()) {
    *path += "[\"" + Quoted(label) + "\"]";
    return;
  }
  *path += "[" + std::to_string(index) + "]";
  if (!label.empty()) *path += " \"" + Quoted(label) + "\"";
}

/// What a root is called when it is blamed itself: "model", "node".
std::string RootName(const Message& message) {
  std::string name = message.GetDescriptor()->name();
  if (name.ends_with("Proto")) name.resize(name.size() - 5);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

}  // namespace

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
