// Models with names in every place where the schema allows a string. What each string means is written here once more,
// from the documentation of the schema, so that tests do not depend on the table of the code that they test.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "testing/places.h"

namespace onnxc::testing {

/// What a string is.
enum class Meaning : std::uint8_t { kValue, kNode, kFunction, kDimension, kDomain, kOther };

/// A string field of a message that can be in a model.
struct StringPlace {
  Place place;
  const google::protobuf::FieldDescriptor* field = nullptr;
  Meaning meaning = Meaning::kOther;
};
[[nodiscard]] std::string ToString(const StringPlace& place);

/// Returns what a string field means in the message at the place. Reports a field whose meaning is not known here.
[[nodiscard]] Meaning MeaningOf(const Place& place, const google::protobuf::FieldDescriptor* field);

/// Returns all string fields in all places; `graphs` is that of AllPlaces().
[[nodiscard]] std::vector<StringPlace> AllStringPlaces(int graphs = 1);

/// The name that a model uses for each meaning.
using NamesByMeaning = std::map<Meaning, std::string>;

/// Returns a model with a value, a node, a function, a dimension and a domain that have these names.
[[nodiscard]] onnx::ModelProto ModelWithNames(const NamesByMeaning& names);

/// Adds the messages of a place to the model, and sets the string there to the name. Where the name can be that of a
/// parameter or a function only if there is one, it is added. `domain` is the domain of the functions.
void AddString(const StringPlace& place, const std::string& name, const std::string& domain, onnx::ModelProto* model);

}  // namespace onnxc::testing
