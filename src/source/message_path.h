// The checker's place in a message, from which paths are made.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

namespace onnxc {

/// A message on the way from the outermost message to the one that is being checked. Places live on the stack, and each
/// points to the enclosing place. They are converted to text only when there is a finding.
struct Place {
  const google::protobuf::Message& message;
  const Place* parent = nullptr;
  int field = 0;  ///< the field of the parent message that contains this message
  int index = 0;  ///< the index in that field if it is repeated

  [[nodiscard]] Place Child(const google::protobuf::Message& child, int in_field, int at = 0) const {
    return {child, this, in_field, at};
  }
};

/// The subject of a finding: a message (field 0), or an element of one of its fields.
struct Spot {
  Spot(const Place& at) : place(at) {}  // NOLINT(google-explicit-constructor): most findings blame a whole message
  Spot(const Place& at, int in_field, int position = 0) : place(at), field(in_field), index(position) {}

  const Place& place;
  int field = 0;
  int index = 0;
};

/// One step of a path: a field, and the element in it if the field is repeated.
struct PathStep {
  static constexpr int kAlone = -1;   ///< value of `index`: the field is not repeated
  static constexpr int kByName = -2;  ///< value of `index`: elements of the field are identified by `name`

  std::string_view field;
  int index = kAlone;
  std::string_view name = {};  ///< name of the element; "" if it has none
};

/// Appends `.node[12] "conv1"` or `.attribute["pads"]`. The dot is left out at the beginning of a path.
void AppendStep(const PathStep& step, std::string* path);

/// Returns a path such as `graph.node[12] "conv1".attribute["pads"]`.
[[nodiscard]] std::string PathOf(const Spot& spot);

}  // namespace onnxc
