// The functions of the extension module in C++. They take bytes and text, and return bytes, text and findings.
//
// A type is the name of a message of the schema, such as "ModelProto". The functions throw no exception except
// std::bad_alloc, and are thread-safe.
#pragma once

#include <onnxc/checker.h>
#include <onnxc/differ.h>
#include <onnxc/infer.h>
#include <onnxc/printer.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc::python {

/// The result of a call.
struct Answer {
  bool ok = false;            ///< no finding is an error
  std::string value = {};     ///< empty if !ok
  std::string findings = {};  ///< the output of RenderJson(); empty if there are no findings. If the input is a text,
                              ///< the findings contain only corrections that work, as in the command.
  /// The findings as people read them, with ANSI colours: a text for each finding, and "" for each one beyond the 100
  /// that are shown.
  std::vector<std::string> rendered = {};
  /// The operators that nodes call but that neither the table of operators nor a function of the model defines, as a
  /// JSON array of [domain, op_type]; "" if there are none. Only CheckBytes() and Infer() look for such operators.
  std::string foreign = {};
  int error = 0;  ///< the errno with which writing a file has failed; 0 if there is none
};

/// Returns whether the schema has a message with this name.
[[nodiscard]] bool IsMessageType(std::string_view type);

/// The input of a call. `name` is the name of the input in findings.
struct Input {
  std::string_view type;   ///< the type of the message
  std::string_view bytes;  ///< in any format; the content determines it, or `name` if the content fits several formats
  std::string_view name;
  bool is_binary = false;  ///< the bytes are certainly in protobuf's wire format, whatever they look like
};

/// Compiles a text to the bytes of the message. A text that may be a model or a function is read as a model.
[[nodiscard]] Answer Compile(const Input& input);
/// Like Compile(), but does not determine what is wrong with the text, so that a text with an error takes no additional
/// time.
[[nodiscard]] Answer CompileQuietly(const Input& input);

/// Prints a message as text.
[[nodiscard]] Answer Print(const Input& input, const PrintOptions& options);

/// Converts a message in any format to its bytes.
[[nodiscard]] Answer Convert(const Input& input);

/// Returns whether the bytes seem to be in protobuf's wire format and not in an old schema. They are not parsed.
[[nodiscard]] bool IsBinary(const Input& input);

/// Writes a message to a file: the complete file or nothing, like the command. The format is FormatOfSuffix(path).
[[nodiscard]] Answer Save(const Input& input, const std::string& path);

/// Returns the findings about a message. If the input is a text, they have places in the text. If `only_errors` is true
/// and there is no error, warnings are left out.
[[nodiscard]] Answer CheckBytes(const Input& input, const CheckOptions& options, bool only_errors);

struct InferRequest {
  InferOptions options = {};
  bool overwrite = false;  ///< as in WithTypes()
  bool as_onnx = false;    ///< like the onnx package, give names to sizes that are neither numbers nor symbols, and
                           ///< take default values of inputs for constants
  bool strict = false;     ///< if types contradict each other, return no model; otherwise, only report that
};

/// Returns the bytes of the model with the types and shapes of its values.
[[nodiscard]] Answer Infer(const Input& input, const InferRequest& request);

/// Returns the text in the layout of FormatText().
[[nodiscard]] Answer FormatSource(const Input& input, std::size_t width);

/// Compares two messages of the same type. In the result, `value` is the JSON of the differences, and `rendered`
/// contains the lines for people. The result is not ok if one of the messages cannot be read.
[[nodiscard]] Answer Compare(const Input& before, const Input& after, const DiffOptions& options);

/// Returns a drawing of a model, graph or function in the DOT language of Graphviz.
[[nodiscard]] Answer Draw(const Input& input);

/// Returns a summary of a model as JSON.
[[nodiscard]] Answer Describe(const Input& input);

/// Returns the suffixes of files: ".onnxtxt, .onnx, ...".
[[nodiscard]] std::string SuffixesInWords();
/// Returns the suffixes as JSON. Each has its format, which is a value of the command's option --to.
[[nodiscard]] std::string SuffixesAsJson();

/// Returns the text that `onnxc explain` shows for a kind of finding, in Markdown, or nothing if there is no such kind.
[[nodiscard]] std::optional<std::string> Explain(std::string_view kind);

/// Returns all rules of the checker as JSON. Each has a name, a severity, a source and a sentence.
[[nodiscard]] std::string RulesAsJson();

}  // namespace onnxc::python
