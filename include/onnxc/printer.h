// Prints protobuf messages in the ONNX text syntax.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>
#include <onnxc/sink.h>

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

namespace onnxc {

enum class Dialect {
  /// Readable and lossless: Parse() returns a message that serializes to the same bytes.
  kOnnxc,
  /// The syntax of the reference implementation (the `onnx` package). The result is the text that the reference's
  /// printer writes, if the reference's parser reads that text with the same meaning. Otherwise it is the most similar
  /// text that the reference's parser can read. A field that the syntax cannot express is an error.
  kReference,
};

/// Supplies comments for nodes. Each comment is written at the end of the node's last line.
class NodeComments {
 public:
  virtual ~NodeComments() = default;
  /// Appends the comment of the node with the index `node` in a graph or function; appends nothing if the node has no
  /// comment. Must be thread-safe. The function may be called twice for the same node.
  virtual void Append(const google::protobuf::Message& graph_or_function, std::size_t node,
                      std::string* text) const = 0;
};

struct PrintOptions {
  Dialect dialect = Dialect::kOnnxc;
  /// Print elements of float16, bfloat16 and smaller floating-point types as numbers such as `1.5` instead of as bits,
  /// and list elements that share bytes, such as those of int4, one by one in `{{...}}`. Only onnxc can read such
  /// elements. (Only for the onnxc dialect.)
  bool small_float_values = false;
  /// Leave out fields that the dialect cannot express, with a warning for each, instead of failing.
  bool allow_loss = false;
  /// The maximum number of diagnostics that are reported in one run; further ones are only counted.
  std::size_t max_diagnostics = 100;
  /// Number of threads that print long lists of numbers and nodes; 0 means one for each core. The number does not
  /// affect the text.
  unsigned threads = 0;
  /// End the text with a line break, as FormatText() does. (Only for Print() in the onnxc dialect.)
  bool final_line_break = false;
  /// Comments for nodes, or null. They do not change the meaning of the text. (Only for Print() in the onnxc dialect.)
  const NodeComments* comments = nullptr;
};

struct [[nodiscard]] PrintResult {
  std::string text;         ///< empty if !diagnostics.ok()
  Diagnostics diagnostics;  ///< each field that cannot be expressed, with its path

  [[nodiscard]] bool ok() const { return diagnostics.ok(); }
};

/// Prints a message. The onnxc dialect fails only if messages are nested deeper than protobuf can read (100).
[[nodiscard]] PrintResult Print(const onnx::ModelProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::GraphProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::FunctionProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::NodeProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::AttributeProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::TypeProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::TensorProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::TensorShapeProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::SequenceProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::MapProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::OptionalProto& message, const PrintOptions& options = {});

/// Prints a ModelProto that is given in protobuf's wire format. The text and the findings are those of Print(). Neither
/// the message nor the text is completely in memory: nodes, initializers and value infos are read one at a time. If
/// there are errors, the chunks in the sink are discarded. The call needs memory for the bytes and for the largest
/// node, string or initializer, and about 4 MB for each thread. In the onnxc dialect, it needs no additional memory for
/// initializers whose data are all packed in one field.
[[nodiscard]] Diagnostics PrintFromBytes(std::string_view bytes, Sink* sink, const PrintOptions& options = {});

/// Prints a message in the onnxc dialect. The function has the name that it has in the reference implementation.
template <typename Proto>
[[nodiscard]] std::string ProtoToString(const Proto& proto) {
  return Print(proto, {.allow_loss = true}).text;
}

}  // namespace onnxc
