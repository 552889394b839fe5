// What names a tensor, wherever it is.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "source/message_path.h"
#include "source/names.h"

namespace onnxc::weights {

/// The name of the value that a tensor gives: of an initializer, or of the output of a Constant; "" for others.
[[nodiscard]] std::string ValueName(const Place& place);

/// A number for all names that lead to a tensor: two tensors have the same one where the same names lead to them. 0:
/// something on the way has no name, or is told apart from others by its position only.
struct TensorName {
  std::uint32_t exact = 0;  ///< from the root of the model on: graphs, nodes and functions around it count
  std::uint32_t loose = 0;  ///< from the nearest graph or function on
};

/// Names the tensors of several messages. A node is called by its first output that has a name, and a Constant is what
/// an initializer of that name would be. Takes time linear in the names, however many tensors stand below one.
class TensorNames {
 public:
  [[nodiscard]] TensorName Of(const Place& place);

 private:
  /// That of a message around tensors, which is found out once.
  [[nodiscard]] TensorName Around(const Place& place);
  [[nodiscard]] TensorName Below(TensorName above, const std::optional<std::string>& step);
  [[nodiscard]] std::uint32_t Number(std::uint32_t above, const std::string& step);

  std::unordered_map<const google::protobuf::Message*, TensorName> around_;
  OwnedNameMap<std::uint32_t> numbers_;  // by the number above and the step
};

}  // namespace onnxc::weights
