// The C++ names of the ONNX project's parser, printer and checker, for code that was written for them: include this
// header in the place of onnx/defs/parser.h, onnx/defs/printer.h and onnx/checker.h. A program that also includes those
// headers has each name twice; it must use namespace onnxc instead.
#pragma once

#include <onnxc/checker.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace onnxc::compat {

/// The options of the original's check_model().
struct CheckModelOptions {
  /// Infer types and shapes, too.
  bool full_check = false;
  /// Allow a function to import another version of a domain than the model, even if its operators changed in between.
  bool skip_opset_compatibility_check = false;
  /// Each node, also one of a vendor's domain, is a known operator or calls a function of the model.
  bool check_custom_domain = false;
};

/// The errors in a model whose external data are in `directory`; "" is the current one.
[[nodiscard]] Diagnostics FindErrors(const onnx::ModelProto& model, const CheckModelOptions& options,
                                     const std::string& directory = {});

/// The same for a file of any format. External data are looked for beside it.
[[nodiscard]] Diagnostics FindErrorsInFile(const std::string& path, const CheckModelOptions& options);

}  // namespace onnxc::compat

namespace onnx {

namespace Common {  // NOLINT(readability-identifier-naming): the original's name
/// As the original's, it may be thrown away: `OnnxParser::Parse(model, code);`.
class Status : public onnxc::Status {
 public:
  Status() = default;
  explicit Status(onnxc::Status status) : onnxc::Status(std::move(status)) {}
};
}  // namespace Common

/// Parses one text. The text must outlive the parser.
class OnnxParser {
 public:
  explicit OnnxParser(std::string_view text) : text_(text) {}

  /// Parses the whole text into `proto`; text behind the message is an error. The status holds all findings, rendered
  /// with the lines that they blame.
  template <typename Proto>
  Common::Status Parse(Proto& proto) {
    Common::Status status(onnxc::OnnxParser::Parse(proto, text_));
    is_read_ = status.IsOK();
    return status;
  }

  /// Whether the text has been parsed to its end.
  [[nodiscard]] bool EndOfInput() const { return is_read_; }

  template <typename Proto>
  static Common::Status Parse(Proto& proto, std::string_view text) {
    return OnnxParser(text).Parse(proto);
  }

 private:
  std::string_view text_;
  bool is_read_ = false;
};

template <typename Proto>
[[nodiscard]] std::string ProtoToString(const Proto& proto) {
  return onnxc::ProtoToString(proto);
}

/// Writes a message as text in the ONNX text syntax.
template <typename Proto>
requires requires(const Proto& proto) { onnxc::Print(proto); }
std::ostream& operator<<(std::ostream& stream, const Proto& proto) { return stream << onnxc::ProtoToString(proto); }

namespace checker {

using ValidationError = onnxc::checker::ValidationError;

/// Throws a ValidationError that holds all errors, where there is one. CheckModelOptions explains the options.
inline void check_model(const ModelProto& model, bool full_check = false, bool skip_opset_compatibility_check = false,
                        bool check_custom_domain = false) {
  const onnxc::Diagnostics errors =
      onnxc::compat::FindErrors(model, {full_check, skip_opset_compatibility_check, check_custom_domain});
  if (!errors.ok()) throw ValidationError(errors);
}

/// The same for the model in a file of any format. External data are looked for beside it.
inline void check_model(const std::string& path, bool full_check = false, bool skip_opset_compatibility_check = false,
                        bool check_custom_domain = false) {
  const onnxc::Diagnostics errors =
      onnxc::compat::FindErrorsInFile(path, {full_check, skip_opset_compatibility_check, check_custom_domain});
  if (!errors.ok()) throw ValidationError(errors);
}

/// The same for a path that is a literal.
inline void check_model(const char* path, bool full_check = false, bool skip_opset_compatibility_check = false,
                        bool check_custom_domain = false) {
  check_model(std::string(path), full_check, skip_opset_compatibility_check, check_custom_domain);
}

}  // namespace checker
}  // namespace onnx
