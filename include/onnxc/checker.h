// The rules of the ONNX IR and of the operators' signatures.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/operators.h>
#include <onnxc/parser.h>
#include <onnxc/proto.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

class Inference;

struct CheckOptions {
  /// The source map that Parse() filled for this very message; may be null. With it, each finding has a range of the
  /// text. Without it, each finding has a path such as `graph.node[12] "conv1".attribute["pads"]`. The map of another
  /// message, such as the one that this is a copy of, is an error.
  const SourceMap* source_map = nullptr;
  /// Warnings count as errors.
  bool strict = false;
  /// Look at the optional rules, too (Rule::is_optional).
  bool optional_rules = false;
  /// Findings reported in one run; the rest are counted.
  std::size_t max_diagnostics = 100;
  /// Where the files of external data are: the model's directory. Empty: the current one.
  std::string directory = {};
  /// Look at the files of external data.
  bool external_files = true;
  /// External data may be reached by links, symbolic and hard.
  bool allow_links = false;
  /// Compare the checksums that external data have with the SHA-1 of their files, which reads these files whole.
  bool checksums = false;
  /// Files of more bytes are not read for their checksum, and a finding tells it.
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  /// Operators beside those that onnxc knows. In their domains there are no others, but for functions of the model.
  Operators operators = {};
  /// Infer types and shapes of a model, graph or function that is right by all other rules, and report what
  /// contradicts them.
  bool infer = true;
  /// If not null, receives the result of type inference; nothing if types were not inferred.
  std::optional<Inference>* inference_out = nullptr;

  /// The IR version that a part of a model is checked against. A whole model has its own.
  std::int64_t ir_version = onnx::IR_VERSION;
  /// From the domain to its version. Empty: the newest known version of each built-in domain, and any other domain.
  std::map<std::string, std::int64_t> opset_imports = {};
};

/// All findings about a model, in its order. Any message is safe as input.
[[nodiscard]] Diagnostics CheckModel(const onnx::ModelProto& model, const CheckOptions& options = {});

/// All findings about a model that has only functions, as Parse() returns it for a text of functions alone.
[[nodiscard]] Diagnostics CheckLibrary(const onnx::ModelProto& library, const CheckOptions& options = {});

/// The same for the parts of a model. A node's inputs may be any names; a function is judged by its own imports.
[[nodiscard]] Diagnostics CheckGraph(const onnx::GraphProto& graph, const CheckOptions& options = {});
[[nodiscard]] Diagnostics CheckFunction(const onnx::FunctionProto& function, const CheckOptions& options = {});
[[nodiscard]] Diagnostics CheckNode(const onnx::NodeProto& node, const CheckOptions& options = {});
[[nodiscard]] Diagnostics CheckAttribute(const onnx::AttributeProto& attribute, const CheckOptions& options = {});
[[nodiscard]] Diagnostics CheckValueInfo(const onnx::ValueInfoProto& value_info, const CheckOptions& options = {});
[[nodiscard]] Diagnostics CheckType(const onnx::TypeProto& type, const CheckOptions& options = {});
[[nodiscard]] Diagnostics CheckTensor(const onnx::TensorProto& tensor, const CheckOptions& options = {});
[[nodiscard]] Diagnostics CheckSparseTensor(const onnx::SparseTensorProto& tensor, const CheckOptions& options = {});

/// The same for a message whose type is known only at run time. A ModelProto that has only functions is checked as a
/// library. A message of a type without rules has no findings.
[[nodiscard]] Diagnostics Check(const google::protobuf::Message& message, const CheckOptions& options = {});

/// A row of the table of rules (src/tables/rules.def).
struct Rule {
  DiagnosticKind kind{};
  std::string_view name;
  Severity severity = Severity::kError;
  bool is_optional = false;   ///< looked at only where CheckOptions::optional_rules wants it; always a warning
  std::string_view source;    ///< its authority: "reference", "full check", "specification", "advice" or "optional"
  std::string_view sentence;  ///< what has to hold
};

/// All rules, in the order of the table.
[[nodiscard]] const std::vector<Rule>& ListRules();

/// The checker under the names of the `onnx` package's C++ API. These functions and those in <onnxc/compat.h> throw;
/// no other function of this library throws, except std::bad_alloc.
namespace checker {

class ValidationError : public std::runtime_error {
 public:
  explicit ValidationError(Diagnostics diagnostics);
  [[nodiscard]] const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  Diagnostics diagnostics_;
};

/// Each throws a ValidationError that holds all errors, if there is at least one. Warnings are ignored.
void check_model(const onnx::ModelProto& model);
void check_graph(const onnx::GraphProto& graph, const CheckOptions& context = {});
void check_function(const onnx::FunctionProto& function, const CheckOptions& context = {});
void check_node(const onnx::NodeProto& node, const CheckOptions& context = {});
void check_attribute(const onnx::AttributeProto& attribute, const CheckOptions& context = {});
void check_value_info(const onnx::ValueInfoProto& value_info, const CheckOptions& context = {});
void check_tensor(const onnx::TensorProto& tensor, const CheckOptions& context = {});
void check_sparse_tensor(const onnx::SparseTensorProto& tensor, const CheckOptions& context = {});

}  // namespace checker
}  // namespace onnxc
