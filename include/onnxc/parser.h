// From the ONNX text syntax to protobuf. Any function of this library may be called by many threads at once.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>
#include <onnxc/source.h>

#include <atomic>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace onnxc {

/// Where the parts of a message stand in the text it was parsed from. Keys are the addresses of the messages: the map
/// holds until they are moved, copied or changed.
class SourceMap {
 public:
  /// `field` is a field number and `index` an element's position in a repeated field; field 0 is the message itself.
  void Set(const google::protobuf::Message& message, SourceRange range, int field = 0, int index = 0);

  /// The range of that element; of the whole message where the element has none; null where neither is known.
  [[nodiscard]] const SourceRange* Find(const google::protobuf::Message& message, int field = 0, int index = 0) const;

  [[nodiscard]] std::size_t size() const { return ranges_.size(); }
  void Clear() { ranges_.clear(); }

 private:
  struct Key {
    const void* message;
    int field;
    int index;
    bool operator==(const Key& other) const {  // not defaulted: clang 14 then forgets the map's destructor
      return message == other.message && field == other.field && index == other.index;
    }
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  std::unordered_map<Key, SourceRange, Hash> ranges_;
};

struct ParseOptions {
  /// A longer text is an error, and is not looked at.
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  /// Findings reported in one run; the rest are counted.
  std::size_t max_diagnostics = 100;
  /// Filled with the places of all elements where set; costs time and memory.
  SourceMap* source_map = nullptr;
  /// For ModelProto: a text that begins with a function (its header has a `domain` and no key that only models have) is
  /// a file of functions alone, not a model whose graph has a header without `ir_version`.
  bool tell_functions_apart = false;
  /// Threads that read long lists of numbers and, in ParseToBytes(), of nodes; 0 for one for each core. The result is
  /// the same.
  unsigned threads = 0;
  /// Set to the bytes that are dealt with so far, while they are read: for a thread that shows how far a long run is.
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

/// Parses a model's text straight to the bytes of its ModelProto: those that protobuf would write of what Parse()
/// gives. The message is never in memory as a whole: nodes, initializers and functions become bytes as soon as they are
/// read. `pieces` are to be written one behind the other; with errors there are none, and weights that are elided are
/// an error. A `source_map` is not filled.
/// Memory: the text, the bytes, and up to three times the largest initializer.
[[nodiscard]] Diagnostics ParseToBytes(std::string_view text, std::vector<std::string>* pieces,
                                       const ParseOptions& options = {});

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
