// The C++ names of the ONNX project's parser, printer, checker and shape inference. Code that uses these names can
// include this header instead of onnx/defs/parser.h, onnx/defs/printer.h, onnx/checker.h and
// onnx/shape_inference/implementation.h. A program that includes this header must not include any of those, and must
// not link ONNX's own library, because each name would be defined twice. A program that needs ONNX's own library must
// use namespace onnxc instead of this header.
//
// "The original" below is ONNX's own library. As in the original, errors are thrown as exceptions. The header also
// compiles with -fno-exceptions; an error then ends the program.
#pragma once

// Visual C++ reports the language version in its own macro.
#if !(defined(__cplusplus) && __cplusplus >= 202002L) && !(defined(_MSVC_LANG) && _MSVC_LANG >= 202002L)
#error "onnxc needs C++20: compile with -std=c++20 or newer"
#endif
#ifdef ONNX_API
#error "onnxc/compat.h has the names of ONNX's own headers, of which one was included before; include only one of them"
#endif

#include <onnxc/checker.h>
#include <onnxc/infer.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <cstdint>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace onnxc::compat {

/// The options of the original's check_model().
struct CheckModelOptions {
  /// Infer types and shapes, too.
  bool full_check = false;
  /// Allow a function to import another version of a domain than the model imports, even if operators that the function
  /// uses changed between these versions.
  bool skip_opset_compatibility_check = false;
  /// Require each node, even a node of a vendor's domain, to call a known operator or a function of the model.
  bool check_custom_domain = false;
};

/// Returns the errors that check_model() would throw. `directory` contains the external data; "" is the current
/// directory.
[[nodiscard]] Diagnostics FindErrors(const onnx::ModelProto& model, const CheckModelOptions& options,
                                     const std::string& directory = {});

}  // namespace onnxc::compat

namespace onnx {

using IdList = google::protobuf::RepeatedPtrField<std::string>;
using NodeList = google::protobuf::RepeatedPtrField<NodeProto>;
using AttrList = google::protobuf::RepeatedPtrField<AttributeProto>;
using ValueInfoList = google::protobuf::RepeatedPtrField<ValueInfoProto>;
using TensorList = google::protobuf::RepeatedPtrField<TensorProto>;
using OpsetIdList = google::protobuf::RepeatedPtrField<OperatorSetIdProto>;
using StringStringList = google::protobuf::RepeatedPtrField<StringStringEntryProto>;

namespace Common {  // NOLINT(readability-identifier-naming): the original's name

enum class StatusCategory : std::uint8_t { NONE = 0, CHECKER = 1, OPTIMIZER = 2 };
enum class StatusCode : std::uint8_t { OK = 0, FAIL = 1, INVALID_ARGUMENT = 2, INVALID_PROTOBUF = 3 };

/// Success, or an error with a message. As in the original, callers may ignore a returned status:
/// `OnnxParser::Parse(model, code);`.
class Status {
 public:
  Status() = default;
  Status(StatusCategory category, StatusCode code, std::string message = {})
      : category_(category), code_(code), message_(std::move(message)) {}

  [[nodiscard]] static const Status& OK() {
    static const Status ok;
    return ok;
  }

  [[nodiscard]] bool IsOK() const { return code_ == StatusCode::OK; }
  [[nodiscard]] StatusCode Code() const { return code_; }
  [[nodiscard]] StatusCategory Category() const { return category_; }
  [[nodiscard]] const std::string& ErrorMessage() const { return message_; }
  [[nodiscard]] std::string ToString() const;

  bool operator==(const Status& other) const = default;

 private:
  StatusCategory category_ = StatusCategory::NONE;
  StatusCode code_ = StatusCode::OK;
  std::string message_;
};

inline std::ostream& operator<<(std::ostream& stream, const Status& status) { return stream << status.ToString(); }

}  // namespace Common

/// Reads a text token by token. The text must outlive the parser.
class ParserBase {
 public:
  explicit ParserBase(std::string_view text) : text_(text) {}

  /// Skips white space and comments.
  void SkipWhiteSpace();
  /// Returns whether only white space and comments are left.
  [[nodiscard]] bool EndOfInput();
  /// Returns the next character without reading it, or 0 at the end.
  int NextChar(bool skip_space = true);
  /// Skips the character if it comes next. Returns whether it was skipped.
  bool Matches(char character, bool skip_space = true);
  Common::Status Match(char character, bool skip_space = true);

  /// Reads a literal: a string in double quotes, or a number.
  Common::Status Parse(std::string& value);
  Common::Status Parse(std::int64_t& value);
  Common::Status Parse(std::uint64_t& value);
  Common::Status Parse(float& value);
  Common::Status Parse(double& value);

  /// Reads an identifier. Returns "" if there is none.
  std::string ParseOptionalIdentifier();
  Common::Status ParseIdentifier(std::string& identifier);
  /// Returns the identifier that comes next, without reading it.
  std::string PeekIdentifier();

 protected:
  /// Returns the text that has not been read yet.
  [[nodiscard]] std::string_view Rest() const { return text_.substr(at_); }
  void SkipAll() { at_ = text_.size(); }

 private:
  Common::Status Fail(std::string_view message) const;
  std::string_view ReadNumber();

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Parses a text. The text must outlive the parser.
class OnnxParser : public ParserBase {
 public:
  using ParserBase::ParserBase;

  /// Parses the rest of the text as one message or list. Text after the message or list is an error. (With the
  /// original, the caller must call EndOfInput() to find such text.) The status contains all findings, rendered with
  /// the lines to which they refer.
  Common::Status Parse(ModelProto& model);
  Common::Status Parse(GraphProto& graph);
  Common::Status Parse(FunctionProto& function);
  Common::Status Parse(NodeProto& node);
  Common::Status Parse(AttributeProto& attribute);
  Common::Status Parse(TypeProto& type);
  Common::Status Parse(TensorProto& tensor);
  Common::Status Parse(TensorShapeProto& shape);
  /// Reads nodes in braces: `{...}`.
  Common::Status Parse(NodeList& nodes);
  /// Reads attributes in angle brackets, `<...>`, or nothing.
  Common::Status Parse(AttrList& attributes);
  /// Reads `["key": "value", ...]`.
  Common::Status Parse(StringStringList& entries);
  /// Reads the rest of an attribute whose name was already read: `= 2` or `: int = 2`.
  Common::Status Parse(AttributeProto& attribute, std::string& name);

  template <typename Proto>
  static Common::Status Parse(Proto& proto, std::string_view text) {
    OnnxParser parser(text);
    return parser.Parse(proto);
  }

 private:
  template <typename Proto>
  Common::Status ParseRest(Proto& proto);
};

/// Writes a message in the ONNX text syntax.
template <typename Proto>
requires requires(const Proto& proto) { onnxc::Print(proto); }
std::ostream& operator<<(std::ostream& stream, const Proto& proto) { return stream << onnxc::ProtoToString(proto); }

/// These operators write parts of messages, and lists.
std::ostream& operator<<(std::ostream& stream, const TensorShapeProto_Dimension& dimension);
std::ostream& operator<<(std::ostream& stream, const TypeProto_Tensor& type);
std::ostream& operator<<(std::ostream& stream, const ValueInfoProto& value);
std::ostream& operator<<(std::ostream& stream, const ValueInfoList& values);
std::ostream& operator<<(std::ostream& stream, const AttrList& attributes);
std::ostream& operator<<(std::ostream& stream, const NodeList& nodes);

template <typename Proto>
[[nodiscard]] std::string ProtoToString(const Proto& proto) {
  if constexpr (requires { onnxc::Print(proto); }) {
    return onnxc::ProtoToString(proto);
  } else {
    std::ostringstream stream;
    stream << proto;
    return stream.str();
  }
}

/// Replace the classes of the same names in the original, so that functions can have the same parameters. Instance()
/// returns null, because the tables of operators are built into this library, and nothing can be registered.
class ISchemaRegistry;
class OpSchemaRegistry {
 public:
  [[nodiscard]] static const ISchemaRegistry* Instance() { return nullptr; }
};

namespace checker {

using ValidationError = onnxc::checker::ValidationError;

/// The IR version and the operator sets against which parts of a model are checked.
class CheckerContext final {
 public:
  [[nodiscard]] int get_ir_version() const { return ir_version_; }
  void set_ir_version(int version) { ir_version_ = version; }
  [[nodiscard]] const std::unordered_map<std::string, int>& get_opset_imports() const { return opset_imports_; }
  void set_opset_imports(std::unordered_map<std::string, int> imports) { opset_imports_ = std::move(imports); }
  [[nodiscard]] bool is_main_graph() const { return is_main_graph_; }
  void set_is_main_graph(bool is_main_graph) { is_main_graph_ = is_main_graph; }
  void set_schema_registry(const ISchemaRegistry* /*registry*/) {}
  [[nodiscard]] const ISchemaRegistry* get_schema_registry() const { return nullptr; }
  void set_model_dir(const std::string& directory) { model_dir_ = directory; }
  [[nodiscard]] const std::string& get_model_dir() const { return model_dir_; }
  [[nodiscard]] bool skip_opset_compatibility_check() const { return skips_opset_compatibility_; }
  void set_skip_opset_compatibility_check(bool value) { skips_opset_compatibility_ = value; }
  [[nodiscard]] bool check_custom_domain() const { return checks_custom_domains_; }
  void set_check_custom_domain(bool value) { checks_custom_domains_ = value; }

 private:
  int ir_version_ = -1;  // -1 means the newest one
  std::unordered_map<std::string, int> opset_imports_;
  bool is_main_graph_ = true;
  std::string model_dir_;
  bool skips_opset_compatibility_ = false;
  bool checks_custom_domains_ = false;
};

/// The names that are visible to a node or graph.
class LexicalScopeContext final {
 public:
  LexicalScopeContext() = default;
  LexicalScopeContext(const LexicalScopeContext& parent) : parent_(&parent) {}
  LexicalScopeContext& operator=(const LexicalScopeContext& parent) {
    if (this != &parent) parent_ = &parent;
    return *this;
  }
  ~LexicalScopeContext() = default;

  void add(const std::string& name) { output_names.insert(name); }
  [[nodiscard]] bool this_graph_has(const std::string& name) const { return output_names.contains(name); }
  [[nodiscard]] bool this_or_ancestor_graph_has(const std::string& name) const {
    return this_graph_has(name) || (parent_ != nullptr && parent_->this_or_ancestor_graph_has(name));
  }

  /// Returns the enclosing scope, or null.
  [[nodiscard]] const LexicalScopeContext* parent() const { return parent_; }

  std::unordered_set<std::string> output_names;

 private:
  const LexicalScopeContext* parent_ = nullptr;
};

/// Each function throws a ValidationError with all errors if there is at least one. With `full_check`, types and shapes
/// are inferred, too. The other two parameters are described at onnxc::compat::CheckModelOptions.
void check_model(const ModelProto& model, bool full_check = false, bool skip_opset_compatibility_check = false,
                 bool check_custom_domain = false);

/// Checks the model in a file of any format, with the external data in the file's folder. Each error shows the file's
/// name and, if the file is a text, the line of the error.
void check_model(const std::string& path, bool full_check = false, bool skip_opset_compatibility_check = false,
                 bool check_custom_domain = false);
void check_model(const char* path, bool full_check = false, bool skip_opset_compatibility_check = false,
                 bool check_custom_domain = false);

void check_graph(const GraphProto& graph, const CheckerContext& context, const LexicalScopeContext& scope);
void check_function(const FunctionProto& function, const CheckerContext& context, const LexicalScopeContext& scope);
/// This function does not check whether the values that the node reads exist, because the graph of the node is not
/// known.
void check_node(const NodeProto& node, const CheckerContext& context, const LexicalScopeContext& scope);
void check_attribute(const AttributeProto& attribute, const CheckerContext& context, const LexicalScopeContext& scope);
void check_value_info(const ValueInfoProto& value, const CheckerContext& context);
void check_tensor(const TensorProto& tensor, const CheckerContext& context);
void check_sparse_tensor(const SparseTensorProto& tensor, const CheckerContext& context);
void check_sequence(const SequenceProto& sequence, const CheckerContext& context);
void check_map(const MapProto& map, const CheckerContext& context);
void check_optional(const OptionalProto& optional, const CheckerContext& context);

/// check_model_local_functions() checks all functions of the model. Both functions check that no function of the model
/// calls itself, directly or indirectly.
void check_model_local_functions(const ModelProto& model, const CheckerContext& context,
                                 const LexicalScopeContext& scope);
void check_function_call_cycles(const ModelProto& model);

/// Returns whether the node calls one of the experimental operators of early versions, such as ATen.
[[nodiscard]] bool check_is_experimental_op(const NodeProto& node);

}  // namespace checker

/// Options of shape inference. Contradictions are errors if `check_type` is set or `error_mode` is not 0.
struct ShapeInferenceOptions {
  bool check_type = false;
  int error_mode = 0;
  bool data_prop = false;

  ShapeInferenceOptions(bool check_type_value = false, int strict_mode_value = 0, bool data_prop_value = false)
      : check_type(check_type_value), error_mode(strict_mode_value), data_prop(data_prop_value) {}
};

/// The error that is thrown if types or shapes contradict each other. what() contains all findings.
class InferenceError final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace shape_inference {

/// Adds the inferred types to the model: value_info, and the missing parts of declared types. If there is a
/// contradiction and the options make it an error, throws an InferenceError and leaves the model unchanged.
void InferShapes(ModelProto& model, const ISchemaRegistry* registry = OpSchemaRegistry::Instance(),
                 const ShapeInferenceOptions& options = {});

/// Like InferShapes() above, for the model in a file. Writes the result to `save_path`, or to the same file if
/// `save_path` is empty.
void InferShapes(const std::string& model_path, const std::string& save_path = "",
                 const ISchemaRegistry* registry = OpSchemaRegistry::Instance(),
                 const ShapeInferenceOptions& options = {});

}  // namespace shape_inference
}  // namespace onnx
