// From protobuf to the ONNX text syntax.
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
  /// Readable, and lossless: Parse() gives back a message that serialises to the same bytes.
  kOnnxc,
  /// The syntax of the reference implementation (the `onnx` package). The text is equal to that of its printer if its
  /// parser reads that back with the same meaning; otherwise it is the most similar text that its parser reads. A field
  /// that this syntax cannot express is an error.
  kReference,
};

/// What is written in comments behind nodes, each at the end of the node's last line.
class NodeComments {
 public:
  virtual ~NodeComments() = default;
  /// Appends the comment of a node of a graph or function, which is given by its position; nothing if it has none.
  /// Several threads may call it at once, and one node may be asked for twice.
  virtual void Append(const google::protobuf::Message& graph_or_function, std::size_t node,
                      std::string* text) const = 0;
};

struct PrintOptions {
  Dialect dialect = Dialect::kOnnxc;
  /// Elements of float16, bfloat16 and smaller floating-point types as numbers such as `1.5`, instead of their bits,
  /// and those of types that share bytes, such as int4, one by one in `{{...}}`; only onnxc reads these. (Dialect
  /// onnxc.)
  bool small_float_values = false;
  /// Leave out fields that the dialect cannot express, with a warning for each, instead of failing.
  bool allow_loss = false;
  /// Diagnostics reported in one run; the others are counted.
  std::size_t max_diagnostics = 100;
  /// Threads that print long lists of numbers and of nodes; 0 means one for each core. The text does not depend on how
  /// many there are.
  unsigned threads = 0;
  /// End the text with a line break, as FormatText() does. (Dialect onnxc, of what Print() is given.)
  bool final_line_break = false;
  /// Null: none. They do not change what the text compiles to. (Dialect onnxc, of what Print() is given.)
  const NodeComments* comments = nullptr;
};

struct [[nodiscard]] PrintResult {
  std::string text;         ///< empty when !diagnostics.ok()
  Diagnostics diagnostics;  ///< each field that cannot be carried, with its path

  [[nodiscard]] bool ok() const { return diagnostics.ok(); }
};

/// The text of a message. The dialect onnxc fails only if messages nest deeper than protobuf can read back (100).
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
/// the message nor the text is in memory as a whole: nodes, initializers and value infos are read one by one. If there
/// are errors, no chunks are left in the sink. Memory: the bytes, about 4 MB for each thread, and what the largest
/// node, string or initializer takes; in the dialect onnxc, no initializer whose data are all packed in one field.
[[nodiscard]] Diagnostics PrintFromBytes(std::string_view bytes, Sink* sink, const PrintOptions& options = {});

/// The text of a message in the dialect onnxc: the function that users of the reference know.
template <typename Proto>
[[nodiscard]] std::string ProtoToString(const Proto& proto) {
  return Print(proto, {.allow_loss = true}).text;
}

}  // namespace onnxc
