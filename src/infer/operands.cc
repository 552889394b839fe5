#include "infer/operands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "source/words.h"
#include "tables/choices.h"
#include "tables/element_types.h"
#include "tables/foreign_words.h"

namespace onnxc::infer {

bool FailAttribute(NodeContext& context, std::string_view attribute, std::string_view value, std::string_view must) {
  return context.Fail(rule::kAttributeRange, Attr(attribute), {}, context.Describe(Attr(attribute)), context.name(),
                      value, must);
}

bool FailAttribute(NodeContext& context, std::string_view attribute, std::int64_t value, std::string_view must) {
  return FailAttribute(context, attribute, std::to_string(value), must);
}

bool FailClash(NodeContext& context, std::string_view attribute, std::string_view other, std::string_view why) {
  return context.Fail(rule::kAttributesClash, Attr(attribute), {}, context.Describe(Attr(attribute)), context.name(),
                      other, why);
}

bool FailDimension(NodeContext& context, int input, std::size_t axis, std::string_view must, std::optional<int> other) {
  return context.Fail(rule::kDimensionValue, In(input), {In(input), In(other.value_or(input))}, axis,
                      context.Describe(In(input)), context.name(), ToString(context.Shape(input)[axis]), must);
}

bool FailElements(NodeContext& context, int input, std::string_view holds, std::string_view must) {
  return context.Fail(rule::kOperandValue, In(input), {In(input)}, context.Describe(In(input)), context.name(), holds,
                      fmt::format("it must be {}", must));
}

bool FailCount(NodeContext& context, int input, std::size_t count, std::size_t wanted) {
  return context.Fail(rule::kOperandSize, In(input), {In(input)}, context.Describe(In(input)), context.name(), count,
                      wanted);
}

bool FailLength(NodeContext& context, std::string_view attribute, std::int64_t length, std::string_view why) {
  return context.Fail(rule::kAttributeLength, Attr(attribute), {}, context.Describe(Attr(attribute)), context.name(),
                      Counted(length, "value"), why);
}

bool FailKind(NodeContext& context, int input, std::string_view wanted) {
  return context.Fail(rule::kOperandKind, In(input), {In(input)}, context.Describe(In(input)), context.name(),
                      ToString(context.Input(input)), wanted);
}

namespace {

/// Reports an error if the attribute does not accept the word. `words` are the words that it accepts. `is_whole` says
/// whether the word is the complete value of the attribute, and not a member of a list.
bool CheckChoice(NodeContext& context, std::string_view attribute, std::span<const std::string_view> words,
                 std::string_view word, bool is_whole) {
  if (IsChoice(context.op(), attribute, word)) return true;
  const std::string_view foreign = ChoiceOf(word, words);
  const std::string_view nearest = foreign.empty() ? Nearest(word, {words.begin(), words.end()}) : foreign;
  const std::string suggestion = nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
  Diagnostic finding =
      MakeDiagnostic(rule::kAttributeChoice, kNowhere, context.Describe(Attr(attribute)), context.name(), Quoted(word),
                     fmt::format("'{}'{}", fmt::join(words, "', '"), suggestion));
  if (!nearest.empty() && is_whole) finding.fix_its = {{kNowhere, fmt::format("\"{}\"", nearest)}};
  return context.Fail(std::move(finding), Attr(attribute));
}

/// Returns the list as messages show it. The list is shortened, because many nodes may refer to one long list.
std::string ListText(std::span<const std::int64_t> list) {
  constexpr std::size_t kMost = 100;
  const auto shown = list.first(std::min(list.size(), kMost));
  return fmt::format("[{}{}]", fmt::join(shown, ", "), shown.size() < list.size() ? ", ..." : "");
}

/// Reports a list of the wrong length. If it is too short and all its numbers are equal, the fix-it repeats that
/// number.
void FailList(NodeContext& context, std::string_view attribute, std::span<const std::int64_t> list, std::size_t wanted,
              std::size_t spatial) {
  constexpr std::size_t kMost = 16;
  const auto need = static_cast<std::int64_t>(spatial);
  const std::string why = spatial == 0 ? fmt::format("it needs {}", wanted)
                                       : fmt::format("{} {} {}", Counted(need, "spatial dimension"),
                                                     spatial == 1 ? "needs" : "need", wanted);
  Diagnostic finding = MakeDiagnostic(rule::kAttributeLength, kNowhere, context.Describe(Attr(attribute)),
                                      context.name(), Counted(static_cast<std::int64_t>(list.size()), "value"), why);
  const auto is_first = [&](std::int64_t number) { return number == list.front(); };
  if (!list.empty() && list.size() < wanted && wanted <= kMost && std::ranges::all_of(list, is_first)) {
    const std::string value = ListText(std::vector<std::int64_t>(wanted, list.front()));
    finding.message += fmt::format(": {}", value);
    finding.fix_its = {{kNowhere, value}};
  }
  context.Fail(std::move(finding), Attr(attribute));
}

/// Returns whether attributes of this type can contain words.
bool MayHoldWords(int type) {
  return type == onnx::AttributeProto::STRING || type == onnx::AttributeProto::STRINGS ||
         type == onnx::AttributeProto::UNDEFINED;
}

}  // namespace

bool CheckChoices(NodeContext& context) {
  for (const onnx::AttributeProto& given : context.node().attribute()) {
    if (!MayHoldWords(given.type())) continue;
    const onnx::AttributeProto* const attribute = context.host().Resolve(given);
    const bool is_string = attribute != nullptr && attribute->type() == onnx::AttributeProto::STRING;
    if (!is_string && (attribute == nullptr || attribute->strings().empty())) continue;
    const auto words = ChoicesOf(context.op(), given.name());
    if (words.empty()) continue;
    if (is_string && !CheckChoice(context, given.name(), words, attribute->s(), attribute == &given)) return false;
    for (const std::string& word : attribute->strings()) {
      if (!CheckChoice(context, given.name(), words, word, false)) return false;
    }
  }
  return true;
}

std::string_view Choice(NodeContext& context, std::string_view attribute) {
  const auto words = ChoicesOf(context.op(), attribute);
  const std::string_view word = context.String(attribute, {});
  return word.empty() && !words.empty() ? words.front() : word;
}

std::optional<Numbers> ListOf(NodeContext& context, std::string_view attribute, std::size_t count,
                              std::int64_t otherwise, std::int64_t least, std::size_t spatial) {
  const auto list = context.Ints(attribute);
  if (!list) {
    const std::span<std::int64_t> same = context.New<std::int64_t>(count);
    std::ranges::fill(same, otherwise);
    return same;
  }
  if (list->size() != count) {
    FailList(context, attribute, *list, count, spatial);
    return std::nullopt;
  }
  for (const std::int64_t number : *list) {
    if (number >= least) continue;
    FailAttribute(context, attribute, ListText(*list), least == 1 ? "positive" : fmt::format("at least {}", least));
    return std::nullopt;
  }
  return list;
}

std::optional<std::int64_t> CountOf(NodeContext& context, std::string_view attribute, std::int64_t otherwise) {
  const std::int64_t count = context.Int(attribute, otherwise);
  if (count >= 0) return count;
  FailAttribute(context, attribute, count, "at least 0");
  return std::nullopt;
}

std::optional<int> ElementOf(NodeContext& context, std::string_view attribute, int otherwise) {
  const std::int64_t code = context.Int(attribute, otherwise);
  if (code == otherwise) return otherwise;
  if (code > 0 && code < 1024 && FindElementType(static_cast<int>(code)) != nullptr) return static_cast<int>(code);
  FailAttribute(context, attribute, code, "the number of an element type");
  return std::nullopt;
}

std::optional<int> AxisOf(NodeContext& context, std::string_view attribute, std::int64_t otherwise, int rank,
                          const Part& value) {
  const Part blamed = context.HasAttribute(attribute) ? Attr(attribute) : value;
  return CheckAxis(context, context.Int(attribute, otherwise), rank, blamed, value);
}

namespace {

void FailAxes(NodeContext& context, const Part& blamed, std::span<const std::int64_t> axes) {
  const std::string text = ListText(axes);
  if (blamed.kind == Part::Kind::kInput) {
    FailElements(context, blamed.index, text, "distinct axes");
  } else {
    FailAttribute(context, blamed.name, text, "distinct axes");
  }
}

}  // namespace

std::optional<std::span<const int>> CheckAxes(NodeContext& context, std::span<const std::int64_t> axes, int rank,
                                              const Part& blamed, const Part& value, bool distinct) {
  const std::span<int> checked = context.New<int>(axes.size());
  const std::span<bool> seen = context.New<bool>(static_cast<std::size_t>(rank));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::optional<int> axis = CheckAxis(context, axes[i], rank, blamed, value);
    if (!axis) return std::nullopt;
    const std::size_t at = static_cast<std::size_t>(*axis);
    if (distinct && seen[at]) {
      FailAxes(context, blamed, axes);
      return std::nullopt;
    }
    seen[at] = true;
    checked[i] = *axis;
  }
  return checked;
}

Numbers AllAxes(NodeContext& context, int rank) {
  const std::span<std::int64_t> axes = context.New<std::int64_t>(static_cast<std::size_t>(std::max(rank, 0)));
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

std::optional<int> LengthOf(NodeContext& context, int input) {
  if (const auto list = context.Integers(input)) return static_cast<int>(list->size());
  if (context.Rank(input) != 1) return std::nullopt;
  const Dim length = context.Shape(input)[0];
  if (!length.IsNumber() || length.number() > static_cast<std::int64_t>(kMostRank)) return std::nullopt;
  return static_cast<int>(length.number());
}

bool CheckSizes(NodeContext& context, int input, std::span<const Dim> sizes) {
  const auto wrong = std::ranges::find_if(sizes, [](const Dim& size) { return size.number() < 0; });
  return wrong == sizes.end() || FailElements(context, input, ToString(*wrong), "at least 0");
}

std::optional<std::int64_t> NumberOf(NodeContext& context, int input) {
  const auto list = context.Integers(input);
  if (!list || list->size() != 1 || !(*list)[0].IsNumber()) return std::nullopt;
  return (*list)[0].number();
}

bool CheckPositions(NodeContext& context, int input, int data, std::size_t axis, std::size_t first, std::size_t step) {
  const Dim size = context.Shape(data)[axis];
  const Constant* const positions = context.Constant(input);
  if (positions == nullptr || !size.IsNumber() || context.host().MayNotRun()) return true;
  for (std::size_t i = first; i < positions->integers.size(); i += step) {
    const Dim position = positions->integers[i];
    if (!position.IsNumber() || (position.number() >= -size.number() && position.number() < size.number())) continue;
    return context.Fail(rule::kOperandValue, In(input), {In(input), In(data)}, context.Describe(In(input)),
                        context.name(), ToString(position),
                        fmt::format("it must be from {} to {}, as dimension {} of {} is {}", -size.number(),
                                    size.number() - 1, axis, context.Describe(In(data)), size.number()));
  }
  return true;
}

bool Match(NodeContext& context, int input, int axis, Size& size) {
  if (context.Rank(input) <= axis) return true;
  const Dim dim = context.Shape(input)[static_cast<std::size_t>(axis)];
  if (const std::optional<Dim> both = Unify(size.dim, dim)) {
    if (size.input < 0 || !size.dim.IsNumber()) {
      size.input = input;
      size.axis = axis;
    }
    size.dim = *both;
    return true;
  }
  if (size.input < 0) {
    return FailDimension(context, input, static_cast<std::size_t>(axis),
                         fmt::format("{}{}", ToString(size.dim), size.why));
  }
  return context.Fail(rule::kDimensionClash, In(input), {In(input), In(size.input)}, axis, context.Describe(In(input)),
                      context.name(), ToString(dim), size.axis, context.Describe(In(size.input)), ToString(size.dim));
}

bool MayBeSingle(NodeContext& context, int input) {
  return std::ranges::none_of(context.Shape(input), [](const Dim& dim) { return dim.Contradicts(1); });
}

bool MatchCount(NodeContext& context, int input, Size& count) {
  if (context.Rank(input) == 1) return Match(context, input, 0, count);
  const Dim elements = context.HasRank(input) ? context.dims().Product(context.Shape(input)) : Dim();
  if (!elements.Contradicts(count.dim)) return true;
  return FailCount(context, input, static_cast<std::size_t>(elements.number()),
                   static_cast<std::size_t>(count.dim.number()));
}

bool MatchScales(NodeContext& context, int scale, int zero_point, bool apart) {
  if (!context.HasRank(scale) || !context.HasRank(zero_point)) return true;
  const bool is_number = MayBeSingle(context, scale);
  const bool is_other_number = MayBeSingle(context, zero_point);
  if (apart ? is_number || is_other_number : is_number && is_other_number) return true;
  if (context.Rank(scale) != context.Rank(zero_point)) {
    Memory& dims = context.dims();
    return !dims.Product(context.Shape(scale)).Contradicts(dims.Product(context.Shape(zero_point))) ||
           CheckRank(context, zero_point, context.Rank(scale));
  }
  for (int axis = 0; axis < context.Rank(scale); ++axis) {
    Size size;
    if (!Match(context, scale, axis, size) || !Match(context, zero_point, axis, size)) return false;
  }
  return true;
}

bool MatchShape(NodeContext& context, int input, std::initializer_list<Size*> sizes) {
  if (!CheckRank(context, input, static_cast<int>(sizes.size()))) return false;
  int axis = 0;
  for (Size* const size : sizes) {
    if (!Match(context, input, axis++, *size)) return false;
  }
  return true;
}

}  // namespace onnxc::infer
