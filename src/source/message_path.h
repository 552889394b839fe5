// Where the checker is in a message.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

namespace onnxc {

/// A message on the way from the root to the one that is being checked. Positions live on the stack, each pointing to
/// the one around it; words are made of them only when there is a finding.
struct Place {
  const google::protobuf::Message& message;
  const Place* parent = nullptr;
  int field = 0;  ///< of the parent's message, that holds this one
  int index = 0;  ///< in that field, where it is a list

  [[nodiscard]] Place Child(const google::protobuf::Message& child, int in_field, int at = 0) const {
    return {child, this, in_field, at};
  }
};

/// What a finding blames: a message (field 0), or an element of one of its fields.
struct Spot {
  Spot(const Place& at) : place(at) {}  // NOLINT(google-explicit-constructor): most findings blame a whole message
  Spot(const Place& at, int in_field, int position = 0) : place(at), field(in_field), index(position) {}

  const Place& place;
  int field = 0;
  int index = 0;
};

/// One step of a path: a field, and the element in it where it is a list.
struct PathStep {
  static constexpr int kAlone = -1;   ///< for `index`: the field is no list
  static constexpr int kByName = -2;  ///< the same: its elements are told apart by `name`

  std::string_view field;
  int index = kAlone;
  std::string_view name = {};  ///< of the element; "" where it has none
};

/// Appends `.node[12] "conv1"` or `.attribute["pads"]`, without the dot at the beginning of a path.
void AppendStep(const PathStep& step, std::string* path);

/// A path such as `graph.node[12] "conv1".attribute["pads"]`.
[[nodiscard]] std::string PathOf(const Spot& spot);

}  // namespace onnxc
