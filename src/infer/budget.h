// What one run of inference may cost, so that it stays linear in the size of the model.
//
// Calls of functions, loops, and values that share a shape let a short model ask for much work. So all work is paid
// for before it is done: each node that is looked at, with its inputs, outputs and attributes, each graph and call that
// is entered, and whatever is kept. When the budget is used up, no node is looked at any more, and a finding tells it.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/infer.h>

#include <cstddef>
#include <string_view>

namespace onnxc::infer {

/// What a message may ask for, in units that who charges chooses.
struct Allowance {
  std::size_t some = 0;           ///< for each message, so that small ones do not meet the limit
  std::size_t for_each_byte = 0;  ///< of the message, as it is in a file
};

class Budget {
 public:
  /// The message must outlive the budget.
  Budget(const google::protobuf::Message& message, const Allowance& allowance)
      : message_(message), for_each_byte_(allowance.for_each_byte), left_(allowance.some) {}

  /// Takes the price of what is to be done. False where less is left; then nothing is left.
  bool Charge(std::size_t units) {
    if (units > left_ && !Raise(units)) return false;
    left_ -= units;
    return true;
  }
  [[nodiscard]] bool IsUsedUp() const { return is_used_up_; }
  /// The message takes so many bytes for certain: that may save a look at its size.
  void TakeLeastSize(std::size_t size);
  /// Looks at the size of the message now, which is about to change.
  void TakeSize();
  /// The same where the size is known.
  void TakeSize(std::size_t size);

 private:
  /// Adds what the size of the message allows, which takes time to find: most models do not need it.
  [[nodiscard]] bool Raise(std::size_t units);

  const google::protobuf::Message& message_;
  std::size_t for_each_byte_;
  std::size_t left_;
  std::size_t taken_ = 0;  ///< bytes of the message that count already
  bool is_raised_ = false;
  bool is_used_up_ = false;
};

/// A unit is about ten nanoseconds of work, or two bytes of memory.
inline constexpr Allowance kInferenceAllowance = {.some = 4'000'000, .for_each_byte = 64};

// ---- what it costs to look at something once, in units

[[nodiscard]] std::size_t CostOf(std::string_view name);
[[nodiscard]] std::size_t CostOf(const ValueType& type);
[[nodiscard]] std::size_t CostOf(const ConstantValue& constant);
[[nodiscard]] std::size_t CostOf(const InferredValue& value);
/// Of a list that stands there, or that a function's attribute stands for. Of a graph only the mention.
[[nodiscard]] std::size_t CostOf(const onnx::AttributeProto& attribute);

/// Bytes that are kept.
[[nodiscard]] constexpr std::size_t CostOfBytes(std::size_t bytes) { return bytes / 2; }

inline constexpr std::size_t kCostOfNode = 32;
inline constexpr std::size_t kCostOfValue = 16;  ///< to define one while a graph or a call is inferred

}  // namespace onnxc::infer
