#include "testing/places.h"

#include <algorithm>

#include "testing/plain_message.h"

namespace onnxc::testing {
namespace {

using google::protobuf::Descriptor;

constexpr std::size_t kNearTheTop = 5;

/// Returns whether messages of this type contain graphs, or graphs contain them on the way to another graph.
bool IsOnTheWayToGraphs(const Descriptor* type) {
  return type == onnx::GraphProto::descriptor() || type == onnx::NodeProto::descriptor() ||
         type == onnx::AttributeProto::descriptor();
}

void AddPlaces(const Descriptor* type, int graphs, std::vector<const Descriptor*>* holders, Place* place,
               std::vector<Place>* places) {
  places->push_back(*place);
  holders->push_back(type);
  for (int i = 0; i < type->field_count(); ++i) {
    const auto* field = type->field(i);
    const Descriptor* member = field->message_type();
    if (member == nullptr) continue;
    const int most = IsOnTheWayToGraphs(member) ? graphs : 1;
    if (std::count(place->begin(), place->end(), field) >= most) continue;
    const auto times = std::count(holders->begin(), holders->end(), member);
    const bool is_inner_type = member == onnx::TypeProto::descriptor() && holders->size() <= kNearTheTop;
    if (times >= (is_inner_type ? 2 : most)) continue;
    place->push_back(field);
    AddPlaces(member, graphs, holders, place, places);
    place->pop_back();
  }
  holders->pop_back();
}

}  // namespace

std::vector<Place> AllPlaces(int graphs) {
  std::vector<Place> places;
  std::vector<const Descriptor*> holders;
  Place place;
  AddPlaces(onnx::ModelProto::descriptor(), graphs, &holders, &place, &places);
  return places;
}

std::string ToString(const Place& place) {
  std::string text = "model";
  for (const auto* field : place) text.append(".").append(field->name());
  return text;
}

google::protobuf::Message* MakePlace(const Place& place, onnx::ModelProto* model) {
  google::protobuf::Message* message = model;
  for (const auto* field : place) {
    MakePlain(message, field);
    const auto* reflection = message->GetReflection();
    message =
        field->is_repeated() ? reflection->AddMessage(message, field) : reflection->MutableMessage(message, field);
  }
  return message;
}

}  // namespace onnxc::testing
