// Parses the ONNX text syntax to protobuf messages. All functions of this library are thread-safe.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>
#include <onnxc/source.h>
#include <onnxc/source_map.h>

#include <atomic>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

struct ParseOptions {
  /// The maximum size of a text. A larger text is an error and is not parsed.
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  /// The maximum number of findings that are reported in one run; further findings are only counted. If
  /// it is 0, parsing ends at the first error.
  std::size_t max_diagnostics = 100;
  /// If not null, receives the places of all elements. This takes time and memory.
  SourceMap* source_map_out = nullptr;
  /// For ModelProto: if the text begins with a function, parse it as a file of functions only. A header belongs to a
  /// function if it has the key `domain` and no key that only models have. By default, such a text is a model whose
  /// header lacks `ir_version`.
  bool tell_functions_apart = false;
  /// Number of threads that read long lists of numbers and, in ParseToBytes(), nodes; 0 means one for each core. The
  /// number does not affect the result.
  unsigned threads = 0;
  /// If not null, contains the number of bytes processed so far during the call. A thread that shows progress can read
  /// it.
  std::atomic<std::size_t>* progress = nullptr;
};

/// Parses a complete text into `*message`, which is cleared first. Any bytes are safe as input. If the result is not
/// ok(), the message is empty.
///
/// A text with only functions becomes a ModelProto without a graph. Messages that are nested deeper than protobuf can
/// read (100 levels) are an error.
[[nodiscard]] Diagnostics Parse(std::string_view text, onnx::ModelProto* message, const ParseOptions& options = {});
[[nodiscard]] Diagnostics Parse(std::string_view text, onnx::GraphProto* message, const ParseOptions& options = {});
[[nodiscard]] Diagnostics Parse(std::string_view text, onnx::FunctionProto* message, const ParseOptions& options = {});
[[nodiscard]] Diagnostics Parse(std::string_view text, onnx::NodeProto* message, const ParseOptions& options = {});
[[nodiscard]] Diagnostics Parse(std::string_view text, onnx::AttributeProto* message, const ParseOptions& options = {});
[[nodiscard]] Diagnostics Parse(std::string_view text, onnx::TypeProto* message, const ParseOptions& options = {});
[[nodiscard]] Diagnostics Parse(std::string_view text, onnx::TensorProto* message, const ParseOptions& options = {});
[[nodiscard]] Diagnostics Parse(std::string_view text, onnx::TensorShapeProto* message,
                                const ParseOptions& options = {});
[[nodiscard]] Diagnostics Parse(std::string_view text, onnx::SequenceProto* message, const ParseOptions& options = {});
[[nodiscard]] Diagnostics Parse(std::string_view text, onnx::MapProto* message, const ParseOptions& options = {});
[[nodiscard]] Diagnostics Parse(std::string_view text, onnx::OptionalProto* message, const ParseOptions& options = {});

/// Returns the findings of Parse() about a model's text, for callers that do not need the message: nodes, initializers
/// and functions are discarded as soon as they are read. Nothing is written to `source_map_out`.
[[nodiscard]] Diagnostics FindParseErrors(std::string_view text, const ParseOptions& options = {});

/// Parses a model's text directly to the serialized bytes of the ModelProto that Parse() would return. The message is
/// never completely in memory: nodes, initializers and functions are serialized as soon as they are read. `*chunks`
/// receives the bytes in several parts; if there are errors, it stays empty. Nothing is written to `source_map_out`.
/// `*has_external_data` receives whether a tensor refers to data outside of the model. If no tensor does, no weights
/// are elided, and FindElided() need not be called. The call needs memory for the text and for the bytes, and three
/// times the memory of the largest initializer.
[[nodiscard]] Diagnostics ParseToBytes(std::string_view text, std::vector<std::string>* chunks,
                                       const ParseOptions& options = {}, bool* has_external_data = nullptr);

/// Success, or an error message.
class [[nodiscard]] Status {
 public:
  Status() = default;
  explicit Status(std::string error) : ok_(false), error_(std::move(error)) {}
  [[nodiscard]] bool IsOK() const { return ok_; }
  [[nodiscard]] const std::string& ErrorMessage() const { return error_; }

 private:
  bool ok_ = true;
  std::string error_;
};

/// The parser, with the names of the reference implementation's API.
class OnnxParser {
 public:
  template <typename Proto>
  static Status Parse(Proto& proto, std::string_view text) {
    return ToStatus(onnxc::Parse(text, &proto), text);
  }

 private:
  static Status ToStatus(const Diagnostics& diagnostics, std::string_view text);
};

}  // namespace onnxc
