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
  /// text. Without it, each finding has a path such as `graph.node[12] "conv1".attribute["pads"]`. It is an error to
  /// pass the map of any other message, even of the message from which this one was copied.
  const SourceMap* source_map = nullptr;
  /// Treat warnings as errors.
  bool strict = false;
  /// Check the optional rules, too (Rule::is_optional).
  bool optional_rules = false;
  /// The maximum number of findings that are reported in one run; further findings are only counted.
  std::size_t max_diagnostics = 100;
  /// The directory of the model. Locations of external data are relative to it. Empty: the current directory.
  std::string directory = {};
  /// Check the files of external data.
  bool external_files = true;
  /// Allow external data to be reached through symbolic and hard links.
  bool allow_links = false;
  /// Compare the checksums of external data with the SHA-1 of their files. This reads the complete files.
  bool checksums = false;
  /// The maximum size of a file whose checksum is compared. If a file is larger, it is not read, and a finding reports
  /// this.
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  /// Operators in addition to those that onnxc knows. If the table has operators of a domain, then in that domain nodes
  /// may call only these operators and the functions of the model.
  Operators operators = {};
  /// If a model, graph or function follows all other rules, infer types and shapes and report contradictions.
  bool infer = true;
  /// If not null, receives the result of type inference, or std::nullopt if types were not inferred.
  std::optional<Inference>* inference_out = nullptr;

  /// The IR version against which a part of a model is checked. A complete model specifies its own version.
  std::int64_t ir_version = onnx::IR_VERSION;
  /// The version of each domain, for parts of a model that do not specify versions. Empty: the newest known version of
  /// each built-in domain, and any version of other domains.
  std::map<std::string, std::int64_t> opset_imports = {};
};

/// Returns all findings about a model, in the order of the model. Every message is safe as input.
[[nodiscard]] Diagnostics CheckModel(const onnx::ModelProto& model, const CheckOptions& options = {});

/// Returns all findings about a model that has only functions, as Parse() returns it for a text with only functions.
[[nodiscard]] Diagnostics CheckLibrary(const onnx::ModelProto& library, const CheckOptions& options = {});

/// Each function returns all findings about a part of a model. CheckNode() does not check whether the values that the
/// node reads exist. A function is checked against its own imports.
[[nodiscard]] Diagnostics CheckGraph(const onnx::GraphProto& graph, const CheckOptions& options = {});
[[nodiscard]] Diagnostics CheckFunction(const onnx::FunctionProto& function, const CheckOptions& options = {});
[[nodiscard]] Diagnostics CheckNode(const onnx::NodeProto& node, const CheckOptions& options = {});
[[nodiscard]] Diagnostics CheckAttribute(const onnx::AttributeProto& attribute, const CheckOptions& options = {});
[[nodiscard]] Diagnostics CheckValueInfo(const onnx::ValueInfoProto& value_info, const CheckOptions& options = {});
[[nodiscard]] Diagnostics CheckType(const onnx::TypeProto& type, const CheckOptions& options = {});
[[nodiscard]] Diagnostics CheckTensor(const onnx::TensorProto& tensor, const CheckOptions& options = {});
[[nodiscard]] Diagnostics CheckSparseTensor(const onnx::SparseTensorProto& tensor, const CheckOptions& options = {});

/// Like the functions above, for a message whose type is known only at run time. A ModelProto that has only functions
/// is checked as a library. A message of a type without rules has no findings.
[[nodiscard]] Diagnostics Check(const google::protobuf::Message& message, const CheckOptions& options = {});

/// A row of the table of rules (src/tables/rules.def).
struct Rule {
  DiagnosticKind kind{};
  std::string_view name;
  Severity severity = Severity::kError;
  bool is_optional = false;   ///< checked only if CheckOptions::optional_rules is set; always a warning
  std::string_view source;    ///< the origin of the rule: "reference", "full check", "specification", "advice" or
                              ///< "optional"
  std::string_view sentence;  ///< what the rule requires
};

/// Returns all rules, in the order of the table.
[[nodiscard]] const std::vector<Rule>& ListRules();

/// The checker, with the names of the C++ API of the `onnx` package. These functions and those in <onnxc/compat.h>
/// throw exceptions. All other functions of this library throw nothing but std::bad_alloc.
namespace checker {

class ValidationError : public std::runtime_error {
 public:
  explicit ValidationError(Diagnostics diagnostics);
  [[nodiscard]] const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  Diagnostics diagnostics_;
};

/// Each function throws a ValidationError with all errors if there is at least one. Warnings are ignored.
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
