#include "infer/registry.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "tables/declared_operator.h"

namespace onnxc::infer {
namespace {

constexpr int kNewest = 255;

struct Row {
  std::string_view domain;
  std::string_view name;
  int first;
  int last;
  Function function;
};

constexpr Row kRows[] = {
#define ONNXC_INFER(domain, name, first, last, function) {domain, #name, first, last, &(function)},
#include "infer/operators.def"
#undef ONNXC_INFER
};

constexpr auto KeyOf(const Operator& op) { return std::pair(int{op.domain}, kOperatorWords[op.name]); }
static_assert(std::ranges::is_sorted(kOperators, {}, KeyOf));

/// The function for each row of kOperators. The table is computed at compile time, because computing it at run time
/// would take longer than inferring the types of a short model.
using Functions = std::array<Function, std::size(kOperators)>;

consteval Functions FindAll(std::span<const Row> rows) {
  Functions functions{};
  for (const Row& row : rows) {
    const auto domain = std::ranges::find(kOperatorDomains, row.domain) - std::begin(kOperatorDomains);
    const std::pair key(static_cast<int>(domain), row.name);
    const Operator* op = std::ranges::lower_bound(kOperators, key, {}, KeyOf);
    for (; op != std::end(kOperators) && KeyOf(*op) == key; ++op) {
      if (op->since >= row.first && op->since <= row.last)
        functions[static_cast<std::size_t>(op - kOperators)] = row.function;
    }
  }
  return functions;
}

constexpr Row kEvaluators[] = {
#define ONNXC_EVALUATE(name, function) {"", #name, 1, kNewest, &(function)},
#include "infer/evaluators.def"
#undef ONNXC_EVALUATE
};

}  // namespace

Function FindFunction(const Operator& op) {
  if (op.declared != nullptr) return op.declared->has_body ? nullptr : &InferDeclared;
  static constexpr Functions kFunctions = FindAll(kRows);
  return kFunctions[static_cast<std::size_t>(&op - kOperators)];
}

Function FindEvaluator(const Operator& op) {
  if (op.declared != nullptr) return nullptr;
  static constexpr Functions kFunctions = FindAll(kEvaluators);
  return kFunctions[static_cast<std::size_t>(&op - kOperators)];
}

}  // namespace onnxc::infer
