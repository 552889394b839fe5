// From the ONNX text syntax to protobuf. Any function of this library may be called by many threads at once.
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
  /// A text of more bytes is an error and is not parsed.
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  /// Findings reported in one run; the rest are counted.
  std::size_t max_diagnostics = 100;
  /// If not null, receives the places of all elements, which costs time and memory.
  SourceMap* source_map_out = nullptr;
  /// For ModelProto: a text that begins with a function (its header has a `domain` and no key that only models have) is
  /// a file of functions alone, not a model whose graph has a header without `ir_version`.
  bool tell_functions_apart = false;
  /// Threads that read long lists of numbers and, in ParseToBytes(), of nodes; 0 for one for each core. The result is
  /// the same.
  unsigned threads = 0;
  /// If not null, holds the number of bytes processed so far while the call runs, for a thread that shows progress.
  std::atomic<std::size_t>* progress = nullptr;
};

/// Parses a whole text into `*message`, which is cleared first. Any bytes are safe as input. When the result is not
/// ok(), the message is left empty.
///
/// A text of functions alone gives a ModelProto without graph. Messages nest no deeper than protobuf reads back (100).
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

/// What Parse() finds in a model's text, for callers that do not need the message: nodes, initializers and functions
/// are forgotten as soon as they are read. Nothing is written to `source_map_out`.
[[nodiscard]] Diagnostics FindParseErrors(std::string_view text, const ParseOptions& options = {});

/// Parses a model's text straight to the bytes of its ModelProto: those that protobuf would write of what Parse()
/// gives. The message is never in memory as a whole: nodes, initializers and functions become bytes as soon as they are
/// read. The bytes are the chunks, one after the other; with errors there are none. Nothing is written to
/// `source_map_out`.
/// `*has_external_data` says whether a tensor refers to data outside of the model: only then can weights be missing,
/// which FindElided() finds in the message.
/// Memory: the text, the bytes, and up to three times the largest initializer.
[[nodiscard]] Diagnostics ParseToBytes(std::string_view text, std::vector<std::string>* chunks,
                                       const ParseOptions& options = {}, bool* has_external_data = nullptr);

/// Success, or a rendered message.
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

/// The entry points under the names that users of the reference know.
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
