// Einsum: sums of products, specified by an equation such as "bij,bjk->bik".
#include <fmt/format.h>

#include <array>

#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {
namespace {

constexpr std::string_view kEllipsis = "...";
constexpr std::string_view kArrow = "->";

bool IsLabel(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::size_t IndexOf(char label) { return static_cast<unsigned char>(label); }

/// The sizes of the labels (letters), and the sizes of the axes that "..." covers. The operands determine these sizes.
struct Equation {
  std::array<Size, 128> sizes = {};
  std::array<int, 128> uses = {};
  std::vector<Dim> ellipsis;
  bool has_ellipsis = false;
  bool has_unknown_rank = false;  ///< an operand with "..." has unknown rank
};

bool FailEquation(NodeContext& context, std::string_view text, std::string_view must) {
  return FailAttribute(context, "equation", fmt::format("'{}'", text), must);
}

/// Checks the syntax: letters, commas and ellipses, with at most one ellipsis in each term and at most one arrow.
bool HasEquationSyntax(std::string_view text) {
  bool has_arrow = false;
  bool has_ellipsis = false;  // this term has an ellipsis
  while (!text.empty()) {
    const bool is_arrow = text.starts_with(kArrow);
    const bool is_ellipsis = text.starts_with(kEllipsis);
    const bool is_end = is_arrow || text.front() == ',';
    if ((is_arrow && has_arrow) || (is_ellipsis && has_ellipsis)) return false;
    if (!is_end && !is_ellipsis && !IsLabel(text.front())) return false;
    has_arrow |= is_arrow;
    has_ellipsis = !is_end && (has_ellipsis || is_ellipsis);
    text.remove_prefix(is_arrow ? kArrow.size() : is_ellipsis ? kEllipsis.size() : 1);
  }
  return true;
}

/// Merges a dimension of an input into the size of its label. Sizes of 1 broadcast. Returns false after an error.
bool ReadLabel(NodeContext& context, int input, std::size_t axis, char label, Equation& equation) {
  Size& size = equation.sizes[IndexOf(label)];
  equation.uses[IndexOf(label)] += 1;
  if (!context.HasRank(input)) return true;
  const Dim dim = context.Shape(input)[axis];
  if (size.input < 0) {
    size = {dim, input, static_cast<int>(axis)};
    return true;
  }
  const std::optional<Dim> both = BroadcastDims(size.dim, dim);
  if (!both) return Match(context, input, static_cast<int>(axis), size);
  size.dim = *both;
  return true;
}

/// Merges the axes that "..." covers in an operand into those of the earlier operands. Returns false after an error.
bool ReadEllipsis(NodeContext& context, int input, std::span<const Dim> dims, Equation& equation) {
  if (!equation.has_ellipsis) {
    equation.has_ellipsis = true;
    equation.ellipsis.assign(dims.begin(), dims.end());
    return true;
  }
  if (dims.size() != equation.ellipsis.size()) {
    return FailEquation(
        context, context.String("equation", ""),
        fmt::format("one in which all '...' stand for equally many axes; input {1} has {0}, an earlier input {2}",
                    dims.size(), input, equation.ellipsis.size()));
  }
  return BroadcastInto(dims, equation.ellipsis) ||
         FailEquation(context, context.String("equation", ""), "one in which the axes of all '...' can be broadcast");
}

bool ReadTerm(NodeContext& context, int input, std::string_view term, Equation& equation) {
  const auto labels = static_cast<std::size_t>(std::count_if(term.begin(), term.end(), IsLabel));
  const bool has_ellipsis = term.find(kEllipsis) != std::string_view::npos;
  if (context.HasRank(input)) {
    const auto rank = static_cast<std::size_t>(context.Rank(input));
    if (has_ellipsis ? rank < labels : rank != labels) {
      const std::string wanted = has_ellipsis ? fmt::format("at least {}", labels) : fmt::to_string(labels);
      return context.Fail(rule::kRankClash, In(input), {In(input)}, context.Describe(In(input)), context.name(), rank,
                          fmt::format("{}, like its term '{}'", wanted, term));
    }
  }
  equation.has_unknown_rank |= has_ellipsis && !context.HasRank(input);
  std::size_t axis = 0;
  while (!term.empty()) {
    if (term.starts_with(kEllipsis)) {
      term.remove_prefix(kEllipsis.size());
      if (!context.HasRank(input)) continue;
      const std::size_t count = context.Shape(input).size() - labels;
      if (!ReadEllipsis(context, input, context.Shape(input).subspan(axis, count), equation)) return false;
      axis += count;
      continue;
    }
    if (IsLabel(term.front()) && !ReadLabel(context, input, axis++, term.front(), equation)) return false;
    term.remove_prefix(1);
  }
  return true;
}

/// Returns the labels of the output if the equation does not specify them: the labels that occur once, in alphabetical
/// order.
std::string ImpliedOutput(const Equation& equation) {
  std::string output(kEllipsis);
  for (char label = 'A'; label <= 'z'; ++label) {
    if (IsLabel(label) && equation.uses[IndexOf(label)] == 1) output += label;
  }
  return output;
}

}  // namespace

void Einsum(NodeContext& context) {
  std::string text(context.String("equation", ""));
  std::erase(text, ' ');
  if (text.empty()) return;
  if (!HasEquationSyntax(text)) {
    FailEquation(context, text, "letters, ',', one '...' in a term, and one '->'");
    return;
  }
  const std::size_t arrow = text.find(kArrow);
  std::string_view left = std::string_view(text).substr(0, arrow);
  Equation equation;
  int input = 0;
  for (bool is_last = false; !is_last; ++input) {
    const std::size_t comma = left.find(',');
    is_last = comma == std::string_view::npos;
    if (input >= context.inputs() || (is_last && input + 1 != context.inputs())) {
      FailEquation(context, text, fmt::format("an equation with {} terms, one for each input", context.inputs()));
      return;
    }
    if (!ReadTerm(context, input, left.substr(0, comma), equation)) return;
    if (!is_last) left.remove_prefix(comma + 1);
  }
  const std::string output = arrow == std::string::npos ? ImpliedOutput(equation) : text.substr(arrow + kArrow.size());
  std::vector<Dim> shape;
  for (std::string_view rest = output; !rest.empty();) {
    if (rest.starts_with(kEllipsis)) {
      if (equation.has_unknown_rank) return;
      shape.insert(shape.end(), equation.ellipsis.begin(), equation.ellipsis.end());
      rest.remove_prefix(kEllipsis.size());
      continue;
    }
    if (IsLabel(rest.front())) {
      if (equation.uses[IndexOf(rest.front())] == 0) {
        FailEquation(
            context, text,
            fmt::format("an equation whose output labels all occur in its inputs, including '{}'", rest.front()));
        return;
      }
      shape.push_back(equation.sizes[IndexOf(rest.front())].dim);
    }
    rest.remove_prefix(1);
  }
  context.SetShape(0, shape);
}

}  // namespace onnxc::infer
