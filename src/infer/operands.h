// What the functions of operators ask of attributes and operands: each check fails with its finding.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "infer/shapes.h"

namespace onnxc::infer {

/// They last as long as the function of the operator runs.
using Numbers = std::span<const std::int64_t>;

// ---- findings; each returns false

bool FailAttribute(NodeContext& context, std::string_view attribute, std::string_view value, std::string_view must);
bool FailAttribute(NodeContext& context, std::string_view attribute, std::int64_t value, std::string_view must);
bool FailClash(NodeContext& context, std::string_view attribute, std::string_view other, std::string_view why);
/// `other`: the input whose shape says so.
bool FailDimension(NodeContext& context, int input, std::size_t axis, std::string_view must,
                   std::optional<int> other = std::nullopt);
bool FailElements(NodeContext& context, int input, std::string_view holds, std::string_view must);
bool FailCount(NodeContext& context, int input, std::size_t count, std::size_t wanted);
/// `why`: "it needs 2", or what the length follows from.
bool FailLength(NodeContext& context, std::string_view attribute, std::int64_t length, std::string_view why);
bool FailKind(NodeContext& context, int input, std::string_view wanted);

// ---- attributes

/// Fails where an attribute that is a choice of words holds another one.
[[nodiscard]] bool CheckChoices(NodeContext& context);

/// The word in an attribute that is a choice, or its default; empty where the operator has no such choice.
[[nodiscard]] std::string_view Choice(NodeContext& context, std::string_view attribute);

/// The list in the attribute, or `count` times `otherwise`. Fails where it has another length, or a number below
/// `least`. `spatial`: the dimensions that the length follows from, for messages; 0 where it is one of its own.
[[nodiscard]] std::optional<Numbers> ListOf(NodeContext& context, std::string_view attribute, std::size_t count,
                                            std::int64_t otherwise, std::int64_t least, std::size_t spatial = 0);

/// The number in the attribute, or `otherwise`. Fails if it is below 0.
[[nodiscard]] std::optional<std::int64_t> CountOf(NodeContext& context, std::string_view attribute,
                                                  std::int64_t otherwise);

/// The element type in the attribute, or `otherwise`, which may be 0, if there is no such attribute. Fails if the
/// number is no element type.
[[nodiscard]] std::optional<int> ElementOf(NodeContext& context, std::string_view attribute, int otherwise);

// ---- axes

/// The axis of `value` in the attribute, counted from 0.
[[nodiscard]] std::optional<int> AxisOf(NodeContext& context, std::string_view attribute, std::int64_t otherwise,
                                        int rank, const Part& value);

/// The axes, counted from 0 and in the order given. Fails where one is out of range, or, if `distinct`, stands twice.
[[nodiscard]] std::optional<std::span<const int>> CheckAxes(NodeContext& context, std::span<const std::int64_t> axes,
                                                            int rank, const Part& blamed, const Part& value,
                                                            bool distinct);

/// The axes of a value of that rank, in order; none where the rank is unknown.
[[nodiscard]] Numbers AllAxes(NodeContext& context, int rank);

/// How many elements an input that is a list has, where that is known.
[[nodiscard]] std::optional<int> LengthOf(NodeContext& context, int input);

/// Fails if one of the sizes that `input` holds is known to be below 0.
[[nodiscard]] bool CheckSizes(NodeContext& context, int input, std::span<const Dim> sizes);

/// The number in an input that is a scalar or a list of one.
[[nodiscard]] std::optional<std::int64_t> NumberOf(NodeContext& context, int input);

/// Fails if an element of `input` that is known is no position on the axis of input `data`, counted from its start or
/// its end. `first` and `step` choose the elements: rows of positions have one for each axis. Positions that may never
/// be read, in a branch or the body of a loop, are no mistake.
[[nodiscard]] bool CheckPositions(NodeContext& context, int input, int data, std::size_t axis, std::size_t first = 0,
                                  std::size_t step = 1);

// ---- sizes that several inputs share

struct Size {
  Dim dim = {};
  int input = -1;  ///< where it was first known
  int axis = 0;
  std::string_view why = {};  ///< where it is known otherwise: " = 4 * hidden_size"
};

/// Fails where the dimension contradicts what the size is elsewhere. Says nothing of an unknown rank.
[[nodiscard]] bool Match(NodeContext& context, int input, int axis, Size& size);

/// Nothing says that the input has other than one element.
[[nodiscard]] bool MayBeSingle(NodeContext& context, int input);

/// Fails where the input, of any rank, has another number of elements than `count`.
[[nodiscard]] bool MatchCount(NodeContext& context, int input, Size& count);

/// Fails where a scale and a zero point differ in shape, or, if their ranks differ, in the number of their elements.
/// `apart`: one of them may be a number where the other is a list.
[[nodiscard]] bool MatchScales(NodeContext& context, int scale, int zero_point, bool apart = false);

/// Matches all dimensions of the input: its rank is their number.
[[nodiscard]] bool MatchShape(NodeContext& context, int input, std::initializer_list<Size*> sizes);

}  // namespace onnxc::infer
