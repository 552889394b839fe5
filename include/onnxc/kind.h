// The kinds of messages that a file may contain, with their words and types.
#pragma once

#include <onnxc/proto.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace onnxc {

enum class Kind {
  kModel,
  kGraph,
  kFunction,
  kNode,
  kAttribute,
  kType,
  kTensor,
  kShape,
  kSequence,  ///< this kind and the next two are values at run time; each value is stored in a file of its own
  kMap,
  kOptional
};

/// A row of the table of kinds.
template <typename Proto>
struct KindOf {
  using Message = Proto;
  Kind kind;
  std::string_view word;  ///< the word on the command line
};

inline constexpr std::tuple kKinds = {
    KindOf<onnx::ModelProto>{Kind::kModel, "model"},          KindOf<onnx::GraphProto>{Kind::kGraph, "graph"},
    KindOf<onnx::FunctionProto>{Kind::kFunction, "function"}, KindOf<onnx::NodeProto>{Kind::kNode, "node"},
    KindOf<onnx::AttributeProto>{Kind::kAttribute, "attr"},   KindOf<onnx::TypeProto>{Kind::kType, "type"},
    KindOf<onnx::TensorProto>{Kind::kTensor, "tensor"},       KindOf<onnx::TensorShapeProto>{Kind::kShape, "shape"},
    KindOf<onnx::SequenceProto>{Kind::kSequence, "sequence"}, KindOf<onnx::MapProto>{Kind::kMap, "map"},
    KindOf<onnx::OptionalProto>{Kind::kOptional, "optional"},
};

/// Calls `visitor` with each row.
template <typename Visitor>
constexpr void ForEachKind(Visitor&& visitor) {
  std::apply([&](const auto&... rows) { (visitor(rows), ...); }, kKinds);
}

/// Calls `visitor` with the row of `kind`.
template <typename Visitor>
constexpr void WithKind(Kind kind, Visitor&& visitor) {
  ForEachKind([&](const auto& row) {
    if (row.kind == kind) visitor(row);
  });
}

[[nodiscard]] constexpr std::string_view Name(Kind kind) {
  std::string_view word;
  WithKind(kind, [&](const auto& row) { word = row.word; });
  return word;
}

[[nodiscard]] constexpr std::optional<Kind> FindKind(std::string_view word) {
  std::optional<Kind> found;
  ForEachKind([&](const auto& row) {
    if (row.word == word) found = row.kind;
  });
  return found;
}

}  // namespace onnxc
