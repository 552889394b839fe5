// Where the checker is in a message.
#pragma once

#include <google/protobuf/message.h>

#include <string>

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

/// A path such as `graph.node[12] "conv1".attribute["pads"]`.
[[nodiscard]] std::string PathOf(const Spot& spot);

}  // namespace onnxc
