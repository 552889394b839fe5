// What the extension module does, without Python: bytes and text in, bytes, text and findings out.
//
// A type is the name of a message of the schema, such as "ModelProto". No function throws anything but std::bad_alloc,
// and all may be called by many threads at once.
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

/// What a call gives back.
struct Answer {
  bool ok = false;            ///< no finding is an error
  std::string value = {};     ///< empty where !ok
  std::string findings = {};  ///< what RenderJson() writes; empty where nothing was found. Of a text, the corrections
                              ///< in it are those that hold, as in the command.
  /// The same for people, with ANSI colours: a text for each finding, "" for those beyond the 100 that are shown.
  std::vector<std::string> rendered = {};
  /// Operators of nodes that no table and no function of the model defines, as a JSON array of [domain, op_type]; ""
  /// where there are none. Only CheckBytes() and Infer() look for them.
  std::string foreign = {};
  int error = 0;  ///< the number of the system's error (errno) that kept a file from being written
};

/// Whether the schema has a message of that name.
[[nodiscard]] bool IsMessageType(std::string_view type);

/// What a call takes. `name` is what findings call it.
struct Input {
  std::string_view type;   ///< of the message
  std::string_view bytes;  ///< in any format, found by the content; `name` decides where that could be either
  std::string_view name;
  bool is_binary = false;  ///< they are protobuf's wire format for sure: a message is of any bytes, also of none
};

/// A text to the bytes of the message. A text that may be a model or a function is a model.
[[nodiscard]] Answer Compile(const Input& input);
/// The same, but does not find out what is wrong: then it takes as long as without an error.
[[nodiscard]] Answer CompileQuietly(const Input& input);

/// A message to a text.
[[nodiscard]] Answer Print(const Input& input, const PrintOptions& options);

/// A message in any format to its bytes.
[[nodiscard]] Answer Convert(const Input& input);

/// The bytes are protobuf's wire format, and not of an old schema, as far as their beginning tells.
[[nodiscard]] bool IsBinary(const Input& input);

/// Writes a message to a file, whole or not at all, as the command does. FormatOfSuffix(path) is the format.
[[nodiscard]] Answer Save(const Input& input, const std::string& path);

/// The findings about a message; of a text, with their places. If `only_errors` is set and there is no error, warnings
/// are left out.
[[nodiscard]] Answer CheckBytes(const Input& input, const CheckOptions& options, bool only_errors);

struct InferRequest {
  InferOptions options = {};
  bool overwrite = false;     ///< of WithTypes()
  bool name_unknown = false;  ///< sizes that are neither numbers nor symbols get a name, as in the onnx package
  bool strict = false;        ///< no model where something contradicts the types; else that is only among the findings
};

/// A model to the bytes of the same model with the types and shapes of its values.
[[nodiscard]] Answer Infer(const Input& input, const InferRequest& request);

/// A text in the layout of FormatText().
[[nodiscard]] Answer FormatSource(const Input& input, std::size_t width);

/// What differs in two messages of one type: `value` is the JSON of RenderJson(), `rendered` the lines for people. Not
/// ok where one of them cannot be read.
[[nodiscard]] Answer Compare(const Input& before, const Input& after, const DiffOptions& options);

/// The picture of a model, graph or function, in Graphviz' language.
[[nodiscard]] Answer Draw(const Input& input);

/// What is in a model, as JSON.
[[nodiscard]] Answer Describe(const Input& input);

/// The suffixes of files: ".onnxtxt, .onnx, ...".
[[nodiscard]] std::string SuffixesInWords();
/// The same as JSON, each with its format: a word that the option --to of the command takes.
[[nodiscard]] std::string SuffixesAsJson();

/// What `onnxc explain` shows of a kind of finding, in Markdown; none where there is no such kind.
[[nodiscard]] std::optional<std::string> Explain(std::string_view kind);

/// All rules of the checker, as JSON: name, severity, source, sentence.
[[nodiscard]] std::string RulesAsJson();

}  // namespace onnxc::python
