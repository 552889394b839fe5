// Checks of attributes and operands for the functions of operators. A check that fails reports a finding.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "infer/shapes.h"

namespace onnxc::infer {

/// The lists are valid as long as the function of the operator runs.
using Numbers = std::span<const std::int64_t>;

// ---- findings; each function returns false. `must` is the end of the sentence "it must be ..." in the message.

bool FailAttribute(NodeContext& context, std::string_view attribute, std::string_view value, std::string_view must);
bool FailAttribute(NodeContext& context, std::string_view attribute, std::int64_t value, std::string_view must);
bool FailClash(NodeContext& context, std::string_view attribute, std::string_view other, std::string_view why);
/// `other` is an input whose shape determines the dimension.
bool FailDimension(NodeContext& context, int input, std::size_t axis, std::string_view must,
                   std::optional<int> other = std::nullopt);
bool FailElements(NodeContext& context, int input, std::string_view holds, std::string_view must);
bool FailCount(NodeContext& context, int input, std::size_t count, std::size_t wanted);
/// `why` explains the length, such as "it needs 2".
bool FailLength(NodeContext& context, std::string_view attribute, std::int64_t length, std::string_view why);
bool FailKind(NodeContext& context, int input, std::string_view wanted);

// ---- attributes

/// Reports attributes that must be one of several words and are another word.
[[nodiscard]] bool CheckChoices(NodeContext& context);

/// Returns the word in an attribute that must be one of several words, or the default of the attribute. Returns "" if
/// the operator has no such attribute.
[[nodiscard]] std::string_view Choice(NodeContext& context, std::string_view attribute);

/// Returns the list in the attribute or, if there is no such attribute, a list that contains the number `otherwise`
/// `count` times. Reports an error and returns nothing if the length is not `count` or a number is below `least`.
/// `spatial` is used in messages: it is the number of spatial dimensions that determines the length, or 0 if the length
/// does not depend on them.
[[nodiscard]] std::optional<Numbers> ListOf(NodeContext& context, std::string_view attribute, std::size_t count,
                                            std::int64_t otherwise, std::int64_t least, std::size_t spatial = 0);

/// Returns the number in the attribute, or `otherwise` if there is no such attribute. Reports an error and returns
/// nothing if the number is negative.
[[nodiscard]] std::optional<std::int64_t> CountOf(NodeContext& context, std::string_view attribute,
                                                  std::int64_t otherwise);

/// Returns the element type in the attribute, or `otherwise`, which may be 0, if there is no such attribute. Reports an
/// error if the number is not an element type.
[[nodiscard]] std::optional<int> ElementOf(NodeContext& context, std::string_view attribute, int otherwise);

// ---- axes

/// Returns the axis in the attribute, or `otherwise` if there is no such attribute, counted from 0. `value` is the
/// input or output to which the axis belongs, and `rank` is its rank. Reports an error and returns nothing if the axis
/// is out of range.
[[nodiscard]] std::optional<int> AxisOf(NodeContext& context, std::string_view attribute, std::int64_t otherwise,
                                        int rank, const Part& value);

/// Returns the axes, counted from 0 and in the given order. Reports an error and returns nothing if an axis is out of
/// range or, if `distinct` is set, appears twice.
[[nodiscard]] std::optional<std::span<const int>> CheckAxes(NodeContext& context, std::span<const std::int64_t> axes,
                                                            int rank, const Part& blamed, const Part& value,
                                                            bool distinct);

/// Returns all axes of a value of this rank in order, or none if the rank is unknown.
[[nodiscard]] Numbers AllAxes(NodeContext& context, int rank);

/// Returns the length of an input that is a list, or nothing if it is not known.
[[nodiscard]] std::optional<int> LengthOf(NodeContext& context, int input);

/// Reports an error if one of the sizes in `input` is known to be negative.
[[nodiscard]] bool CheckSizes(NodeContext& context, int input, std::span<const Dim> sizes);

/// Returns the number in an input that is a scalar or a list with one element, or nothing if it is not known.
[[nodiscard]] std::optional<std::int64_t> NumberOf(NodeContext& context, int input);

/// Reports an error if a known element of `input` is not a position on axis `axis` of input `data`. A negative position
/// is counted from the end of the axis. `first` and `step` select the elements to check, because a row of positions has
/// one element for each axis. Positions in a branch or in the body of a loop may never be read, so they are not
/// reported.
[[nodiscard]] bool CheckPositions(NodeContext& context, int input, int data, std::size_t axis, std::size_t first = 0,
                                  std::size_t step = 1);

// ---- sizes that several inputs share

struct Size {
  Dim dim = {};
  int input = -1;  ///< the input that determined the size first
  int axis = 0;
  std::string_view why = {};  ///< explains a size that no input determined: " = 4 * hidden_size"
};

/// Reports an error if the dimension of the input contradicts the size. Otherwise merges the two. Does nothing if the
/// rank is unknown.
[[nodiscard]] bool Match(NodeContext& context, int input, int axis, Size& size);

/// Returns whether the input may have exactly one element.
[[nodiscard]] bool MayBeSingle(NodeContext& context, int input);

/// Reports an error if the number of elements of the input, which may have any rank, contradicts `count`.
[[nodiscard]] bool MatchCount(NodeContext& context, int input, Size& count);

/// Reports an error if a scale and a zero point differ in shape or, if their ranks differ, in the number of elements.
/// If `apart` is set, one of them may be a single number while the other is a list.
[[nodiscard]] bool MatchScales(NodeContext& context, int scale, int zero_point, bool apart = false);

/// Merges each dimension of the input with the size at the same index in `sizes`. Reports an error if a dimension
/// contradicts its size, or if the rank is not the number of sizes.
[[nodiscard]] bool MatchShape(NodeContext& context, int input, std::initializer_list<Size*> sizes);

}  // namespace onnxc::infer
