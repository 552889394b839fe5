// Names of inputs in messages, and an edit for omitted inputs.
#pragma once

#include <onnxc/proto.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

#include "source/report.h"
#include "tables/signatures.h"

namespace onnxc {

/// Returns the name that the operator gives to the input. For an input of a variadic parameter, returns the name of its
/// value, because all inputs of such a parameter share one name.
[[nodiscard]] inline std::string OperandName(const onnx::NodeProto& node, std::span<const Parameter> formals,
                                             std::size_t input) {
  if (formals.empty()) return "?";
  const Parameter& formal = formals[std::min(input, formals.size() - 1)];
  const bool is_of_list = formal.arity == static_cast<std::uint8_t>(Arity::kVariadic);
  const int i = static_cast<int>(input);
  const bool has_name = i < node.input_size() && !node.input(i).empty();
  return is_of_list && has_name ? Quoted(node.input(i)) : std::string(Word(formal));
}

/// Returns, for example, "'indices' of Gather", or "an input of Concat" for a variadic parameter.
[[nodiscard]] inline std::string FormalText(const onnx::NodeProto& node, std::span<const Parameter> formals,
                                            std::size_t input) {
  const std::string op = Quoted(node.op_type());
  if (formals.empty()) return "an input of " + op;
  const Parameter& formal = formals[std::min(input, formals.size() - 1)];
  const bool is_of_list = formal.arity == static_cast<std::uint8_t>(Arity::kVariadic);
  return is_of_list ? "an input of " + op : "'" + std::string(Word(formal)) + "' of " + op;
}

/// Returns, for example, "'starts' and 'ends'", or "the inputs" if both belong to a variadic parameter.
[[nodiscard]] inline std::string FormalsText(std::span<const Parameter> formals, std::size_t one, std::size_t other) {
  if (formals.empty() || std::min(one, formals.size() - 1) == std::min(other, formals.size() - 1)) return "the inputs";
  const auto name = [&](std::size_t i) {
    return "'" + std::string(Word(formals[std::min(i, formals.size() - 1)])) + "'";
  };
  return name(std::min(one, other)) + " and " + name(std::max(one, other));
}

/// Returns an edit that inserts `count` omitted inputs before the input that begins at `begin`.
[[nodiscard]] inline FixIt LeaveOutBefore(std::size_t begin, std::size_t count) {
  std::string commas;
  for (std::size_t i = 0; i < count; ++i) commas += ", ";
  return {{begin, begin}, commas};
}

/// Returns the name of the input's value in quotes: "'ids'".
[[nodiscard]] inline std::string ValueText(const onnx::NodeProto& node, std::size_t input) {
  const int i = static_cast<int>(input);
  return i < node.input_size() ? "'" + Quoted(node.input(i)) + "'" : "the input";
}

}  // namespace onnxc
