// Compares inferred types and constants with what ONNX Runtime computed for thousands of random nodes and graphs, which
// testdata/inference/rows.gz contains. tests/conformance/operator_rows.py writes that file and describes it.
//
// Each model is inferred as it is, with symbols in place of sizes, without the shapes of its inputs, and with inputs in
// place of its constants. No result may contradict what was computed. The file known.txt next to the rows says how much
// is known for each version of an operator, and how many rows are refused, because ONNX Runtime runs nodes that the
// text of the operator excludes; ONNXC_BLESS=1 in the environment rewrites it.
#include <fmt/format.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/util/delimited_message_util.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/infer.h>
#include <onnxc/printer.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "infer/memory.h"
#include "tables/operators.h"
#include "testing/golden.h"
#include "testing/paths.h"

namespace onnxc::testing {
namespace {

const std::filesystem::path kRecorded = std::filesystem::path(kTestdata) / "inference";
constexpr int kMostFailures = 20;

struct Row {
  onnx::ModelProto model;
  onnx::GraphProto computed;  ///< the outputs with their types, and as initializers the values of constants
};

std::string Unzipped(const std::string& path) {
  const gzFile file = gzopen(path.c_str(), "rb");
  std::string bytes;
  for (int count = 1; file != nullptr && count > 0;) {
    char part[1 << 16];
    count = gzread(file, part, sizeof(part));
    if (count > 0) bytes.append(part, static_cast<std::size_t>(count));
  }
  EXPECT_EQ(gzclose(file), Z_OK) << path;
  return bytes;
}

std::vector<Row> ReadRows() {
  const std::string bytes = Unzipped((kRecorded / "rows.gz").string());
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  std::vector<Row> rows;
  bool end = false;
  for (Row row;;) {
    if (!google::protobuf::util::ParseDelimitedFromZeroCopyStream(&row.model, &stream, &end)) break;
    if (!google::protobuf::util::ParseDelimitedFromZeroCopyStream(&row.computed, &stream, nullptr)) break;
    rows.push_back(row);
    row = {};
  }
  EXPECT_TRUE(end) << "rows.gz ends in the midst of a row";
  return rows;
}

// ---- what is computed against what is inferred

/// Returns the size that the dimension has if each symbol `d3` is 3; nothing if it is unknown.
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
  const char* const end = symbol.name.data() + symbol.name.size();
  if (!symbol.name.starts_with('d') || std::from_chars(symbol.name.data() + 1, end, size).ptr != end)
    return std::nullopt;
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

/// How much of a type is known.
enum class Known { kWrong, kLess, kExactly };

Known Compare(const ValueType& inferred, const onnx::TypeProto& computed) {
  using Kind = ValueType::Kind;
  if (inferred.kind == Kind::kUnknown) return Known::kLess;
  if (inferred.kind == Kind::kSequence || inferred.kind == Kind::kOptional) {
    // What a run gives does not show whether the value is optional.
    const bool sequence = computed.has_sequence_type();
    if (inferred.kind == Kind::kSequence && !sequence) return Known::kWrong;
    if (inferred.element == nullptr) return Known::kLess;
    return Compare(*inferred.element,
                   inferred.kind == Kind::kSequence ? computed.sequence_type().elem_type() : computed);
  }
  if (!inferred.IsTensor() || !computed.has_tensor_type()) return Known::kWrong;
  const onnx::TypeProto::Tensor& tensor = computed.tensor_type();
  Known known = Known::kExactly;
  if (inferred.element_type != tensor.elem_type()) {
    if (inferred.element_type != 0) return Known::kWrong;
    known = Known::kLess;
  }
  if (!tensor.has_shape()) return known;  // the elements of a sequence differ
  if (!inferred.has_rank) return Known::kLess;
  if (inferred.rank() != tensor.shape().dim_size()) return Known::kWrong;
  for (int i = 0; i < inferred.rank(); ++i) {
    const auto size = SizeOf(inferred.shape[i]);
    if (!size) {
      known = Known::kLess;
    } else if (*size != tensor.shape().dim(i).dim_value()) {
      return Known::kWrong;
    }
  }
  return known;
}

/// Returns whether all known elements of the constant are those of the other constant.
bool Agree(const ConstantValue& inferred, const ConstantValue& computed) {
  if (inferred.element_type != computed.element_type || !std::ranges::equal(inferred.shape, computed.shape))
    return false;
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  if (!std::ranges::equal(inferred.reals, computed.reals, same)) return false;
  const auto agree = [](const Dimension& a, const Dimension& b) { return !a.IsNumber() || a.Equals(b); };
  return std::ranges::equal(inferred.integers, computed.integers, agree);
}

// ---- variants of a model

using Variant = void (*)(onnx::GraphProto* graph);

void Same(onnx::GraphProto*) {}

void WithSymbols(onnx::GraphProto* graph) {
  for (onnx::ValueInfoProto& input : *graph->mutable_input()) {
    for (auto& dim : *input.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) {
      if (dim.has_dim_value()) dim.set_dim_param(fmt::format("d{}", dim.dim_value()));
    }
  }
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
    {"symbols in place of sizes", WithSymbols},
    {"inputs without shapes", WithoutShapes},
    {"inputs of which only the first size is known", WithFirstSizes},
    {"inputs in place of constants", WithoutConstants},
};

// ---- all rows

/// What is known about the results of one version of an operator.
struct Counts {
  int types = 0, exact = 0, constants = 0, constants_known = 0, refused = 0;
};

/// Returns the operator with its version, such as `Slice-13`; for nodes that contain graphs, the last such node.
std::string Title(const onnx::ModelProto& model) {
  const onnx::NodeProto* node_of_title = &model.graph().node(0);
  for (const onnx::NodeProto& node : model.graph().node()) {
    const bool holds_graph = std::ranges::any_of(node.attribute(), [](const auto& a) { return a.has_g(); });
    if (holds_graph) node_of_title = &node;
  }
  const std::string domain = node_of_title->domain().empty() ? "" : node_of_title->domain() + ".";
  const bool default_domain = node_of_title->domain().empty();
  std::int64_t version = 0;
  for (const auto& opset : model.opset_import()) {
    if (opset.domain() == node_of_title->domain() || (default_domain && opset.domain() == "ai.onnx"))
      version = opset.version();
  }
  return fmt::format("{}{} in version {}", domain, node_of_title->op_type(), version);
}

class Comparison {
 public:
  void Add(const Row& row) {
    Counts& counts = counts_[Title(row.model)];
    for (const auto& [what, change] : kVariants) {
      onnx::ModelProto model = row.model;
      change(model.mutable_graph());
      const bool unchanged = change == Same;
      const int failures = failures_;
      const Inference inference = InferTypes(model, {.all_constants = unchanged});
      if (!inference.ok()) {
        if (!unchanged) Fail(what, model, "an error", FirstError(inference.diagnostics));
        ++counts.refused;
        return;
      }
      for (const onnx::ValueInfoProto& output : row.computed.output()) {
        const InferredValue* value = inference.Find(model.graph(), output.name());
        const ValueType type = value == nullptr ? ValueType() : value->type;
        const Known known = Compare(type, output.type());
        if (known == Known::kWrong) {
          Fail(what, model, fmt::format("{} is {}", output.name(), ToString(type)), Print(output.type()).text);
        }
        if (unchanged) {
          ++counts.types;
          counts.exact += static_cast<int>(known == Known::kExactly);
        }
      }
      if (unchanged) AddConstants(model, row.computed, inference, counts);
      if (failures_ != failures) return;  // the other variants would fail for the same reason
    }
  }

  [[nodiscard]] std::string Summary() const {
    std::string text =
        "# How much inference knows about the results in rows.gz: the types that are known exactly, and the "
        "constants.\n";
    for (const auto& [title, counts] : counts_) {
      text += fmt::format("{}: {} of {} types", title, counts.exact, counts.types);
      if (counts.refused != 0) text += fmt::format(", {} refused", counts.refused);
      if (counts.constants != 0) text += fmt::format(", {} of {} constants", counts.constants_known, counts.constants);
      text += "\n";
    }
    return text;
  }

 private:
  void AddConstants(const onnx::ModelProto& model, const onnx::GraphProto& results, const Inference& inference,
                    Counts& counts) {
    if (results.initializer().empty()) return;
    onnx::GraphProto constants;
    *constants.mutable_initializer() = results.initializer();
    const Inference computed = InferTypes(constants, {.all_constants = true});
    for (const onnx::TensorProto& tensor : constants.initializer()) {
      const InferredValue* expected = computed.Find(constants, tensor.name());
      if (expected == nullptr || expected->constant == nullptr) continue;
      ++counts.constants;
      const InferredValue* value = inference.Find(model.graph(), tensor.name());
      if (value == nullptr || value->constant == nullptr) continue;
      ++counts.constants_known;
      if (!Agree(*value->constant, *expected->constant)) {
        Fail("a constant", model, tensor.name() + " is " + Elements(*value->constant), Elements(*expected->constant));
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
      ADD_FAILURE() << Title(model) << ", " << what << ": " << got << "\nONNX Runtime: " << wanted << "\n"
                    << Print(model).text;
    } else if (failures_ == kMostFailures + 1) {
      ADD_FAILURE() << "and others";
    }
  }

  std::map<std::string, Counts> counts_;
  int failures_ = 0;
};

TEST(Recorded, InferenceAgreesWithOnnxRuntime) {
  const std::vector<Row> rows = ReadRows();
  EXPECT_GT(rows.size(), 10'000U);
  Comparison comparison;
  for (const Row& row : rows) comparison.Add(row);
  ExpectGolden(kRecorded / "known.txt", comparison.Summary());
}

}  // namespace
}  // namespace onnxc::testing
