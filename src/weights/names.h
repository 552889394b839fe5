// Names that identify a tensor anywhere in a model.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "source/message_path.h"
#include "source/names.h"

namespace onnxc::weights {

/// Returns the name of the value that a tensor defines, if it is an initializer or the output of a Constant node;
/// otherwise "".
[[nodiscard]] std::string ValueName(const Place& place);

/// Numbers that represent the names on the path to a tensor. Two tensors have the same number if the names on their
/// paths are the same. The number 0 means that the tensor cannot be identified by names: a message on the path has no
/// name, or differs from its neighbours only by its index.
struct TensorName {
  std::uint32_t exact = 0;  ///< for the path from the model: all enclosing graphs, nodes and functions count
  std::uint32_t loose = 0;  ///< for the path from the nearest graph or function
};

/// Assigns names to the tensors of several messages. A node is identified by its first output that has a name. The
/// tensor of a Constant node is named like an initializer: by the value that it defines. So a Constant with the output
/// `w` and an initializer `w` have the same name. The name of an enclosing message is computed only once, however many
/// tensors the message contains.
class TensorNames {
 public:
  [[nodiscard]] TensorName Of(const Place& place);

 private:
  /// Returns the name of a message that encloses tensors. It is computed once.
  [[nodiscard]] TensorName Around(const Place& place);
  [[nodiscard]] TensorName Below(TensorName above, const std::optional<std::string>& step);
  [[nodiscard]] std::uint32_t Number(std::uint32_t above, const std::string& step);

  std::unordered_map<const google::protobuf::Message*, TensorName> around_;
  OwnedNameMap<std::uint32_t> numbers_;  // the key contains the parent's number and the step
};

}  // namespace onnxc::weights
