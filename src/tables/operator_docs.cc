#include "tables/operator_docs.h"

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace onnxc {
namespace {

/// The row of an operator, at its position in kOperators.
struct OperatorDoc {
  std::uint16_t text;   ///< in kTexts
  std::uint16_t first;  ///< in kTextIds: default and text of each attribute, then the texts of inputs and outputs
};

#include "tables/operator_docs.inc"

static_assert(std::size(kOperatorDocs) == std::size(kOperators), "scripts/gen_operators.py docs");

const OperatorDoc& RowOf(const Operator& op) { return kOperatorDocs[&op - kOperators]; }

std::string_view TextAt(const Operator& op, std::size_t index) { return kTexts[kTextIds[RowOf(op).first + index]]; }

}  // namespace

std::string_view DocOf(const Operator& op) { return kTexts[RowOf(op).text]; }

AttributeDoc DocOfAttribute(const Operator& op, std::size_t index) {
  return {.text = TextAt(op, 2 * index + 1), .otherwise = TextAt(op, 2 * index)};
}

std::string_view DocOfInput(const Operator& op, std::size_t index) { return TextAt(op, 2 * op.attributes + index); }

std::string_view DocOfOutput(const Operator& op, std::size_t index) {
  return TextAt(op, 2 * op.attributes + op.inputs + index);
}

}  // namespace onnxc
