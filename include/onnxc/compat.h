// The C++ names of the ONNX project's parser, printer and checker, for code that was written for them: include this
// header in the place of onnx/defs/parser.h, onnx/defs/printer.h and onnx/checker.h. A program that also includes those
// headers has each name twice; it must use namespace onnxc instead.
#pragma once

#include <onnxc/checker.h>
#include <onnxc/model_io.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace onnx {

namespace Common {  // NOLINT(readability-identifier-naming): the original's name
using Status = onnxc::Status;
}  // namespace Common

/// Parses one text. The text must outlive the parser.
class OnnxParser {
 public:
  explicit OnnxParser(std::string_view text) : text_(text) {}

  /// Parses the whole text into `proto`; text behind the message is an error. The status holds all findings, rendered
  /// with the lines that they blame.
  template <typename Proto>
  Common::Status Parse(Proto& proto) {
    Common::Status status = onnxc::OnnxParser::Parse(proto, text_);
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

/// Throws a ValidationError that holds all errors, where there is one. `full_check`: infer types and shapes, too.
inline void check_model(const ModelProto& model, bool full_check = false) {
  const onnxc::Diagnostics found = onnxc::CheckModel(model, {.infer = full_check});
  if (!found.ok()) throw ValidationError(found.ErrorsOnly());
}

/// The same for the model in a file of any format. External data are looked for beside it.
inline void check_model(const std::string& path, bool full_check = false) {
  onnxc::SourceText text(path, "");
  ModelProto model;
  onnxc::Diagnostics found = onnxc::ReadFile(path, &text);
  if (found.ok()) found.Append(onnxc::RefuseOldSchema(text.text(), onnxc::Kind::kModel));
  if (found.ok()) {
    const onnxc::Format format = onnxc::DetectFormat(text.text(), path, onnxc::Kind::kModel);
    found.Append(onnxc::Decode(text.text(), format, &model));
  }
  if (found.ok()) {
    const std::string directory = std::filesystem::path(path).parent_path().string();
    found.Append(onnxc::CheckModel(model, {.directory = directory, .infer = full_check}));
  }
  if (!found.ok()) throw ValidationError(found.ErrorsOnly());
}
/// The same for a path that is a literal.
inline void check_model(const char* path, bool full_check = false) { check_model(std::string(path), full_check); }

}  // namespace checker
}  // namespace onnx
