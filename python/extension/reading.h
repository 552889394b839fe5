// Reading inputs, and answers made of what was found: what the functions of service.h and weights.h have in common.
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
#include "verdict/judge.h"
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

/// The kind whose texts hold messages of this type; that of models where there is none.
[[nodiscard]] Kind KindOfType(std::string_view type);

/// The input as a text that findings refer to.
[[nodiscard]] SourceText Named(const Input& input);

[[nodiscard]] Format FormatOf(const Input& input);

/// Bytes of unknown origin may be in an old schema; those of a message are not.
[[nodiscard]] Diagnostics RefuseOldSchema(const Input& input);

[[nodiscard]] Diagnostics Read(const Input& input, google::protobuf::Message* message, SourceMap* places = nullptr);

/// Finds what is wrong with an input.
using Judge = std::function<Diagnostics(const Input& input)>;

/// What keeps an input from being read.
[[nodiscard]] Diagnostics FindUnreadable(const Input& input);

/// The answer with a value, where nothing that was found is an error. `judge` is what found it; the first findings
/// alone are told, as many as `limit`.
[[nodiscard]] Answer Finished(std::string value, Diagnostics found, const Input& input,
                              const Judge& judge = FindUnreadable, std::size_t limit = verdict::kMostShown);

}  // namespace onnxc::python
