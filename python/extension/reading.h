// Reads inputs, and makes answers from findings. The functions of service.h and weights.h use it.
#pragma once

#include <google/protobuf/arena.h>
#include <onnxc/kind.h>
#include <onnxc/model_io.h>
#include <onnxc/source_map.h>

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "service.h"
#include "verdict/analyze.h"
#include "verdict/wanted.h"

namespace onnxc::python {

/// An empty message of the input's type.
class TypedMessage {
 public:
  explicit TypedMessage(const Input& input);
  TypedMessage(const TypedMessage&) = delete;
  TypedMessage& operator=(const TypedMessage&) = delete;
  [[nodiscard]] google::protobuf::Message* get() const { return message_; }
  google::protobuf::Message& operator*() const { return *message_; }

 private:
  [[nodiscard]] google::protobuf::ArenaOptions OptionsFor(const Input& input);

  alignas(std::max_align_t) std::array<char, 8192> first_block_;  // enough for most small messages
  google::protobuf::Arena arena_;
  google::protobuf::Message* message_;
};

/// Returns the kind whose texts contain messages of this type, or the kind of models if there is none.
[[nodiscard]] Kind KindOfType(std::string_view type);

/// Returns the input as a text to which findings refer.
[[nodiscard]] SourceText Named(const Input& input);

[[nodiscard]] Format FormatOf(const Input& input);

/// Returns an error if the input is in an old schema. Only bytes of unknown origin can be in an old schema, not those
/// of a message object.
[[nodiscard]] Diagnostics RefuseOldSchema(const Input& input);

[[nodiscard]] Diagnostics Read(const Input& input, google::protobuf::Message* message, SourceMap* places = nullptr);

/// Reads a message. The source map may stay empty.
using Reader = std::function<Diagnostics(const Input& input, google::protobuf::Message* message, SourceMap* places)>;

/// Returns how an input is analyzed that is only read. The options refer to the name of the input.
[[nodiscard]] verdict::AnalyzeOptions AnalysisOf(const Input& input, const Reader& read = &Read);

/// Returns an answer with `value`, or without it if `found` contains an error. `analysis` has found the findings, or
/// would find them; it is used to test corrections. The answer contains at most `limit` findings.
[[nodiscard]] Answer Finished(std::string value, Diagnostics found, const Input& input,
                              verdict::AnalyzeOptions analysis, std::size_t limit = verdict::kMostShown);

/// The same for an input that is only read.
[[nodiscard]] Answer Finished(std::string value, Diagnostics found, const Input& input);

}  // namespace onnxc::python
