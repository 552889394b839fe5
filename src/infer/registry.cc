#include "infer/registry.h"

#include <array>
#include <iterator>

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
#define ONNXC_INFER(domain, name, first, last, function) {domain, #name, first, last, &function},
#include "infer/operators.def"
#undef ONNXC_INFER
};

/// The function of each row of kOperators.
using Functions = std::array<Function, std::size(kOperators)>;

Functions FindAll(std::span<const Row> rows) {
  Functions functions{};
  for (const Row& row : rows) {
    for (const Operator& op : FindVersions(FindDomain(row.domain), row.name)) {
      if (op.since >= row.first && op.since <= row.last)
        functions[static_cast<std::size_t>(&op - kOperators)] = row.function;
    }
  }
  return functions;
}

constexpr Row kEvaluators[] = {
#define ONNXC_EVALUATE(name, function) {"", #name, 1, kNewest, &function},
#include "infer/evaluators.def"
#undef ONNXC_EVALUATE
};

}  // namespace

Function FindFunction(const Operator& op) {
  static const Functions functions = FindAll(kRows);
  return functions[static_cast<std::size_t>(&op - kOperators)];
}

Function FindEvaluator(const Operator& op) {
  static const Functions functions = FindAll(kEvaluators);
  return functions[static_cast<std::size_t>(&op - kOperators)];
}

}  // namespace onnxc::infer
