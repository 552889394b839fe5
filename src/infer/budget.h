// Limits the cost of one run of inference, so that it is linear in the size of the model.
//
// Function calls, loops and shared shapes can make even a short model expensive. So all work is charged before it is
// done: each node with its inputs, outputs and attributes, each graph or call that is entered, and all memory that is
// kept. When the budget is used up, no further node is inferred, and a finding reports it.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/infer.h>

#include <cstddef>
#include <string_view>

namespace onnxc::infer {

/// The budget that a message gets, in units that the user of this class defines.
struct Allowance {
  std::size_t some = 0;           ///< for each message, so that small messages do not reach the limit
  std::size_t for_each_byte = 0;  ///< for each byte of the serialized message
};

class Budget {
 public:
  /// The message must outlive the budget.
  Budget(const google::protobuf::Message& message, const Allowance& allowance)
      : message_(message), for_each_byte_(allowance.for_each_byte), left_(allowance.some) {}

  /// Subtracts the cost of the next piece of work. If less than that is left, returns false, and nothing is left
  /// afterwards.
  bool Charge(std::size_t units) {
    if (units > left_ && !Raise(units)) return false;
    left_ -= units;
    return true;
  }
  [[nodiscard]] bool IsUsedUp() const { return is_used_up_; }
  /// Sets a lower bound of the message's size. In most cases the exact size then need not be computed.
  void TakeLeastSize(std::size_t size);
  /// Computes the size of the message now, because the message is about to change.
  void TakeSize();
  /// Like TakeSize() above, for a size that is already known.
  void TakeSize(std::size_t size);

 private:
  /// Adds the part of the budget that depends on the message's size. This part is added only when it is needed, because
  /// computing the size takes time and most models do not need it.
  [[nodiscard]] bool Raise(std::size_t units);

  const google::protobuf::Message& message_;
  std::size_t for_each_byte_;
  std::size_t left_;
  std::size_t taken_ = 0;  ///< bytes of the message that are already counted
  bool is_raised_ = false;
  bool is_used_up_ = false;
};

/// A unit is about ten nanoseconds of work or two bytes of memory.
inline constexpr Allowance kInferenceAllowance = {.some = 4'000'000, .for_each_byte = 64};

// ---- the cost of reading something once, in units

[[nodiscard]] std::size_t CostOf(std::string_view name);
[[nodiscard]] std::size_t CostOf(const ValueType& type);
[[nodiscard]] std::size_t CostOf(const ConstantValue& constant);
[[nodiscard]] std::size_t CostOf(const InferredValue& value);
/// Returns the cost of reading the lists in an attribute: an attribute of a node, or the attribute of a function to
/// which the node's attribute refers. A graph in the attribute costs nothing here.
[[nodiscard]] std::size_t CostOf(const onnx::AttributeProto& attribute);

/// Returns the cost of memory that is kept.
[[nodiscard]] constexpr std::size_t CostOfBytes(std::size_t bytes) { return bytes / 2; }

inline constexpr std::size_t kCostOfNode = 32;
inline constexpr std::size_t kCostOfValue = 16;  ///< the cost of defining a value when a graph or call is inferred

}  // namespace onnxc::infer
