// Compares inferred types and constants with what ONNX Runtime computed for thousands of random nodes and graphs, which
// testdata/inference/rows.gz contains. tests/conformance/operator_rows.py writes that file and describes it.
//
// Each model is inferred as it is, with symbols in place of sizes, without the shapes of its inputs, with inputs in
// place of its constants, and so on. No result may contradict what was computed. The file known.txt next to the rows
// says how much is known for each version of an operator and each such change, and how many rows are refused, because
// ONNX Runtime runs nodes that the text of the operator excludes; ONNXC_BLESS=1 in the environment rewrites it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/infer.h>
#include <onnxc/printer.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "infer/memory.h"
#include "tables/operators.h"
#include "testing/golden.h"
#include "testing/recorded_rows.h"

namespace onnxc::testing {
namespace {

constexpr int kMostFailures = 20;

// ---- what is computed against what is inferred

/// Returns the size that the dimension has if each symbol `d3`, or `d3_` with more behind, is 3; nothing if it is
/// unknown.
std::optional<std::int64_t> SizeOf(const Dimension& dimension);

std::optional<std::int64_t> SizeOf(const infer::Symbol& symbol) {
  if (symbol.dividend != nullptr) {
    const auto dividend = SizeOf(Dimension(symbol.dividend));
    if (!dividend) return std::nullopt;
    const std::int64_t quotient = *dividend / symbol.divisor;
    return quotient -
           static_cast<std::int64_t>(*dividend % symbol.divisor != 0 && (*dividend < 0) != (symbol.divisor < 0));
  }
  std::int64_t size = 0;
  const std::string_view name = symbol.name.substr(0, symbol.name.find('_'));
  const char* const end = name.data() + name.size();
  if (!name.starts_with('d') || std::from_chars(name.data() + 1, end, size).ptr != end) return std::nullopt;
  return size;
}

std::optional<std::int64_t> SizeOf(const Dimension& dimension) {
  if (dimension.IsUnknown()) return std::nullopt;
  if (dimension.IsNumber()) return dimension.number();
  std::int64_t sum = 0;
  for (const infer::Term& term : dimension.expression()->terms()) {
    std::int64_t product = term.coefficient;
    for (const infer::Symbol* symbol : term.symbols) {
      const auto size = SizeOf(*symbol);
      if (!size || __builtin_mul_overflow(product, *size, &product)) return std::nullopt;
    }
    if (__builtin_add_overflow(sum, product, &sum)) return std::nullopt;
  }
  return sum;
}

/// How much of a type or a constant is known. The facts are: the element type, the rank, each size, each element.
struct Known {
  bool is_wrong = false;
  bool is_exact = true;
  int facts = 0;

  /// Adds a fact: nothing if it is unknown.
  void Add(std::optional<std::int64_t> inferred, std::int64_t computed) {
    if (!inferred) {
      is_exact = false;
    } else if (*inferred == computed) {
      ++facts;
    } else {
      is_wrong = true;
    }
  }
};

Known Compare(const ValueType& inferred, const onnx::TypeProto& computed) {
  using Kind = ValueType::Kind;
  constexpr Known kWrong = {.is_wrong = true};
  constexpr Known kLess = {.is_exact = false};
  if (inferred.kind == Kind::kUnknown) return kLess;
  if (inferred.kind == Kind::kSequence || inferred.kind == Kind::kOptional) {
    // What a run gives does not show whether the value is optional.
    const bool sequence = computed.has_sequence_type();
    if (inferred.kind == Kind::kSequence && !sequence) return kWrong;
    if (inferred.element == nullptr) return kLess;
    return Compare(*inferred.element,
                   inferred.kind == Kind::kSequence ? computed.sequence_type().elem_type() : computed);
  }
  if (!inferred.IsTensor() || !computed.has_tensor_type()) return kWrong;
  const onnx::TypeProto::Tensor& tensor = computed.tensor_type();
  Known known;
  known.Add(inferred.element_type == 0 ? std::nullopt : std::optional(inferred.element_type), tensor.elem_type());
  if (!tensor.has_shape()) return known;  // the elements of a sequence differ
  known.Add(inferred.has_rank ? std::optional(inferred.rank()) : std::nullopt, tensor.shape().dim_size());
  for (int i = 0; i < inferred.rank() && !known.is_wrong; ++i) {
    known.Add(SizeOf(inferred.shape[static_cast<std::size_t>(i)]), tensor.shape().dim(i).dim_value());
  }
  return known;
}

Known Compare(const ConstantValue& inferred, const ConstantValue& computed) {
  if (inferred.element_type != computed.element_type || !std::ranges::equal(inferred.shape, computed.shape) ||
      inferred.integers.size() != computed.integers.size()) {
    return {.is_wrong = true};
  }
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  if (!std::ranges::equal(inferred.reals, computed.reals, same)) return {.is_wrong = true};
  Known known = {.facts = static_cast<int>(inferred.reals.size())};
  for (std::size_t i = 0; i < inferred.integers.size(); ++i) {
    known.Add(SizeOf(inferred.integers[i]), computed.integers[i].number());
  }
  return known;
}

// ---- variants of a model

using Variant = void (*)(onnx::GraphProto* graph);

void Same(onnx::GraphProto*) {}

void WithDifferentSymbols(onnx::GraphProto* graph) {
  int count = 0;
  ReplaceSizesBySymbols(graph);
  for (onnx::ValueInfoProto& input : *graph->mutable_input()) {
    for (auto& dim : *input.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) {
      if (dim.has_dim_param()) dim.set_dim_param(fmt::format("{}_{}", dim.dim_param(), ++count));
    }
  }
}

/// Every second size of the inputs is a symbol.
void WithSomeSymbols(onnx::GraphProto* graph) {
  int count = 0;
  for (onnx::ValueInfoProto& input : *graph->mutable_input()) {
    for (auto& dim : *input.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) {
      if (dim.has_dim_value() && ++count % 2 == 0) dim.set_dim_param(fmt::format("d{}", dim.dim_value()));
    }
  }
}

/// The first input has no shape.
void WithoutAShape(onnx::GraphProto* graph) {
  if (graph->input_size() > 0) graph->mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
}

void WithoutShapes(onnx::GraphProto* graph) {
  for (onnx::ValueInfoProto& input : *graph->mutable_input()) {
    input.mutable_type()->mutable_tensor_type()->clear_shape();
  }
}

/// Only the first dimension of each input is known.
void WithFirstSizes(onnx::GraphProto* graph) {
  for (onnx::ValueInfoProto& input : *graph->mutable_input()) {
    auto& dims = *input.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim();
    for (int i = 1; i < dims.size(); ++i) dims[i].Clear();
  }
}

void WithoutConstants(onnx::GraphProto* graph) {
  for (const onnx::TensorProto& tensor : graph->initializer()) {
    const bool is_input = std::ranges::any_of(graph->input(), [&](const auto& v) { return v.name() == tensor.name(); });
    if (is_input) continue;
    onnx::ValueInfoProto& input = *graph->add_input();
    input.set_name(tensor.name());
    auto& type = *input.mutable_type()->mutable_tensor_type();
    type.set_elem_type(tensor.data_type());
    type.mutable_shape();
    for (const std::int64_t size : tensor.dims()) type.mutable_shape()->add_dim()->set_dim_value(size);
  }
  graph->clear_initializer();
}

constexpr std::pair<std::string_view, Variant> kVariants[] = {
    {"as it is", Same},
    {"symbols in place of sizes", ReplaceSizesBySymbols},
    {"a symbol of its own in place of each size", WithDifferentSymbols},
    {"a symbol in place of every second size", WithSomeSymbols},
    {"the first input without its shape", WithoutAShape},
    {"inputs without shapes", WithoutShapes},
    {"inputs of which only the first size is known", WithFirstSizes},
    {"inputs in place of constants", WithoutConstants},
};

// ---- all rows

/// What is known about the results of one version of an operator.
struct Counts {
  int types = 0, exact = 0, constants = 0, constants_known = 0, refused = 0;
  std::array<int, std::size(kVariants)> facts = {};
};

class Comparison {
 public:
  void Add(const RecordedRow& row) {
    Counts& counts = counts_[RecordedTitle(row.model)];
    const int failures = failures_;
    for (std::size_t variant = 0; variant < std::size(kVariants) && failures_ == failures; ++variant) {
      const auto& [what, change] = kVariants[variant];
      onnx::ModelProto model = row.model;
      change(model.mutable_graph());
      const bool unchanged = change == Same;
      const Inference inference = InferTypes(model, {.all_constants = true});
      if (!inference.ok()) {
        if (!unchanged) Fail(what, model, "an error", FirstError(inference.diagnostics));
        ++counts.refused;
        return;
      }
      for (const onnx::ValueInfoProto& output : row.computed.output()) {
        const InferredValue* value = inference.Find(model.graph(), output.name());
        const ValueType type = value == nullptr ? ValueType() : value->type;
        const Known known = Compare(type, output.type());
        if (known.is_wrong) {
          Fail(what, model, fmt::format("{} is {}", output.name(), ToString(type)), Print(output.type()).text);
        }
        counts.facts[variant] += known.facts;
        counts.types += unchanged ? 1 : 0;
        counts.exact += unchanged && known.is_exact ? 1 : 0;
      }
      AddConstants(what, model, row.computed, inference, counts, counts.facts[variant]);
    }
  }

  [[nodiscard]] std::string Summary() const {
    std::string text =
        "# How much inference knows about the results in rows.gz: the types that are known exactly, and the "
        "constants.\n# The facts are the known element types, ranks, sizes and elements, if the model is changed so:\n";
    for (const auto& [what, change] : kVariants) text += fmt::format("# - {}\n", what);
    for (const auto& [title, counts] : counts_) {
      text += fmt::format("{}: {} of {} types", title, counts.exact, counts.types);
      if (counts.refused != 0) text += fmt::format(", {} refused", counts.refused);
      if (counts.constants != 0) text += fmt::format(", {} of {} constants", counts.constants_known, counts.constants);
      text += fmt::format("; facts {}\n", fmt::join(counts.facts, ", "));
    }
    return text;
  }

 private:
  void AddConstants(std::string_view what, const onnx::ModelProto& model, const onnx::GraphProto& results,
                    const Inference& inference, Counts& counts, int& facts) {
    if (results.initializer().empty()) return;
    const bool unchanged = what == kVariants[0].first;
    onnx::GraphProto constants;
    *constants.mutable_initializer() = results.initializer();
    const Inference computed = InferTypes(constants, {.all_constants = true});
    for (const onnx::TensorProto& tensor : constants.initializer()) {
      const InferredValue* expected = computed.Find(constants, tensor.name());
      if (expected == nullptr || expected->constant == nullptr) continue;
      counts.constants += unchanged ? 1 : 0;
      const InferredValue* value = inference.Find(model.graph(), tensor.name());
      if (value == nullptr || value->constant == nullptr) continue;
      counts.constants_known += unchanged ? 1 : 0;
      const Known known = Compare(*value->constant, *expected->constant);
      facts += known.facts;
      if (known.is_wrong) {
        Fail(what, model, tensor.name() + " is " + Elements(*value->constant), Elements(*expected->constant));
      }
    }
  }

  static std::string FirstError(const Diagnostics& findings) {
    for (const Diagnostic& finding : findings.items()) {
      if (finding.severity == Severity::kError) return finding.message;
    }
    return "";
  }

  static std::string Elements(const ConstantValue& value) {
    std::string text;
    for (const Dimension& element : value.integers) text += ToString(element) + " ";
    for (const double element : value.reals) text += fmt::format("{} ", element);
    return text;
  }

  void Fail(std::string_view what, const onnx::ModelProto& model, const std::string& got, const std::string& wanted) {
    if (++failures_ <= kMostFailures) {
      ADD_FAILURE() << RecordedTitle(model) << ", " << what << ": " << got << "\nONNX Runtime: " << wanted << "\n"
                    << Print(model).text;
    } else if (failures_ == kMostFailures + 1) {
      ADD_FAILURE() << "and others";
    }
  }

  std::map<std::string, Counts> counts_;
  int failures_ = 0;
};

TEST(Recorded, InferenceAgreesWithOnnxRuntime) {
  Comparison comparison;
  for (const RecordedRow& row : ReadRecordedRows()) comparison.Add(row);
  ExpectGolden(RecordedFolder() / "known.txt", comparison.Summary());
}

}  // namespace
}  // namespace onnxc::testing
