// Implements include/onnxc/parser.h: selects the rule and the builder for each kind of message.
#include <google/protobuf/arena.h>
#include <onnxc/arena.h>
#include <onnxc/parser.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>

#include "lower/annotation.h"
#include "lower/attribute.h"
#include "lower/discard.h"
#include "lower/field.h"
#include "lower/model.h"
#include "lower/model_bytes.h"
#include "lower/node.h"
#include "lower/speculative_body.h"
#include "lower/tensor.h"
#include "lower/type.h"
#include "wire/message.h"

namespace onnxc::lower {
namespace {

// Lowers messages whose texts are small: the complete tree is lowered at once. `tree` is the only child of the file, or
// null.
void BuildWhole(const Context* tree, Lowering& lowering, onnx::NodeProto* node) {
  BuildNode(static_cast<const Grammar::NodeContext*>(tree), lowering, node);
}
void BuildWhole(const Context* tree, Lowering& lowering, onnx::AttributeProto* attribute) {
  BuildAttribute(static_cast<const Grammar::AttrContext*>(tree), lowering, attribute);
}
void BuildWhole(const Context* tree, Lowering& lowering, onnx::TypeProto* type) {
  BuildType(static_cast<const Grammar::InnerTypeContext*>(tree), lowering, type);
}
void BuildWhole(const Context* tree, Lowering& lowering, onnx::TensorProto* tensor) {
  BuildTensor(static_cast<const Grammar::InnerTensorContext*>(tree), lowering, tensor);
}
void BuildWhole(const Context* tree, Lowering& lowering, onnx::TensorShapeProto* shape) {
  if (tree != nullptr && tree->getRuleIndex() == Grammar::RuleRecord) return BuildRecord(tree, lowering, shape);
  BuildShape(static_cast<const Grammar::DimsContext*>(tree), lowering, shape);
}

// runValue : annotation* inPlace
void BuildWhole(const Context* tree, Lowering& lowering, google::protobuf::Message* value) {
  lowering.Map(*value, RangeOf(tree));
  Annotations annotations(tree, lowering);
  BuildRecord(ChildOf<Context>(tree, Grammar::RuleInPlace), lowering, value);
  annotations.FinishRecord(value);
}

template <typename Message>
class WholeBuilder final : public PartListener {
 public:
  WholeBuilder(Message* message, Lowering& lowering) : message_(message), lowering_(lowering) {}
  bool PartCompleted(Context* file) override {
    const auto* tree = file->children.empty() ? nullptr : static_cast<const Context*>(file->children.front());
    const bool is_shape = std::same_as<Message, onnx::TensorShapeProto>;
    if (!IsBroken(file) && (tree == nullptr ? is_shape : !IsBroken(tree))) BuildWhole(tree, lowering_, message_);
    return lowering_.is_reporting() || !lowering_.failed();
  }

 private:
  Message* message_;
  Lowering& lowering_;
};

/// Passes parts on, and stores how far the text was read, for progress displays.
class Watched final : public PartListener {
 public:
  Watched(PartListener& listener, std::atomic<std::size_t>* progress) : listener_(listener), progress_(progress) {}
  bool PartCompleted(Context* part) override {
    progress_->store(RangeOf(part).end, std::memory_order_relaxed);
    return listener_.PartCompleted(part);
  }

 private:
  PartListener& listener_;
  std::atomic<std::size_t>* progress_;
};

bool ParseWatched(std::string_view text, EntryRule entry, PartListener& listener, std::atomic<std::size_t>* progress,
                  Continuation* continuation = nullptr) {
  if (progress == nullptr) return syntax::ParseQuietly(text, entry, listener, continuation);
  Watched watched(listener, progress);
  const bool is_right = syntax::ParseQuietly(text, entry, watched, continuation);
  progress->store(text.size(), std::memory_order_relaxed);  // the last part ends before the text does
  return is_right;
}

// Parses a text with an error again, to report its findings.
template <typename Message, typename MakeBuilder>
Diagnostics ReportInto(std::string_view text, Message* message, EntryRule entry, const ParseOptions& options,
                       const MakeBuilder& make_builder) {
  if (options.source_map_out != nullptr) options.source_map_out->Clear();
  message->Clear();
  Diagnostics diagnostics;
  if (options.max_diagnostics == 0) {  // one error is counted, and the others are not looked for
    Suppress(Severity::kError, &diagnostics);
    return diagnostics;
  }
  Lowering lowering(&diagnostics, options.max_diagnostics);
  auto builder = make_builder(lowering);
  syntax::ParseReporting(text, entry, builder, &diagnostics);
  message->Clear();
  diagnostics.Finish(options.max_diagnostics);
  return diagnostics;
}

// The first pass reports nothing and stops at the first error. Only a text with an error is parsed a second time.
template <typename Message, typename MakeBuilder>
Diagnostics ParseInto(std::string_view text, Message* message, EntryRule entry, const ParseOptions& options,
                      const MakeBuilder& make_builder) {
  message->Clear();
  if (text.size() > options.max_bytes) return InputTooLarge(options.max_bytes);
  if (options.source_map_out != nullptr) options.source_map_out->Clear();
  {
    Lowering lowering(options.source_map_out, options.threads);
    auto builder = make_builder(lowering);
    if (ParseWatched(text, entry, builder, options.progress)) return {};
  }
  return ReportInto(text, message, entry, options, make_builder);
}

constexpr std::size_t kSmallText = std::size_t{8} << 10;

/// Memory for a model that is parsed from a text. The model of a small text is in one block, which is freed at once.
/// The messages of a large text can be freed one by one.
class RoomForModel {
 public:
  explicit RoomForModel(std::size_t text_size)
      : arena_(block_.data(), block_.size()),
        small_(text_size < kSmallText ? NewIn<onnx::ModelProto>(&arena_) : nullptr) {}
  [[nodiscard]] onnx::ModelProto& model() { return small_ != nullptr ? *small_ : large_; }

 private:
  alignas(std::max_align_t) std::array<char, kSmallText> block_;
  google::protobuf::Arena arena_;
  onnx::ModelProto* small_;
  onnx::ModelProto large_;
};

/// Parses a model's text with an error again.
Diagnostics ReportWrong(std::string_view text, onnx::ModelProto* model, const ParseOptions& options) {
  ModelSink sink(model);
  return ReportInto(text, model, &ItemsFile, options,
                    [&](Lowering& lowering) { return ModelBuilder(sink, options.tell_functions_apart, lowering); });
}

/// Parses a model's text with `read(model, lowering)`, which returns nothing if there is an error. The text is then
/// parsed again to report the error.
template <typename Read>
Diagnostics ReadModel(std::string_view text, const ParseOptions& options, const Read& read) {
  if (text.size() > options.max_bytes) return InputTooLarge(options.max_bytes);
  RoomForModel room(text.size());
  {
    Lowering lowering(nullptr, options.threads);
    if (std::optional<Diagnostics> diagnostics = read(&room.model(), lowering)) return *std::move(diagnostics);
  }
  return ReportWrong(text, &room.model(), options);
}

template <typename Message>
Diagnostics ParseWhole(std::string_view text, Message* message, EntryRule entry, const ParseOptions& options) {
  return ParseInto(text, message, entry, options,
                   [&](Lowering& lowering) { return WholeBuilder<Message>(message, lowering); });
}

template <typename Message>
Diagnostics ParseRunValue(std::string_view text, Message* message, const ParseOptions& options) {
  return ParseWhole(
      text, message, [](Grammar& parser) -> Context* { return parser.runValueFile(); }, options);
}

}  // namespace
}  // namespace onnxc::lower

namespace onnxc {

using lower::Context;
using lower::Grammar;
using lower::ItemBuilder;
using lower::ItemsFile;
using lower::kSmallText;
using lower::Lowering;
using lower::ModelBuilder;
using lower::ModelBytes;
using lower::ModelDiscard;
using lower::ModelSink;
using lower::ParseInto;
using lower::ParseRunValue;
using lower::ParseWatched;
using lower::ParseWhole;
using lower::ReadingAhead;
using lower::ReadModel;

Diagnostics Parse(std::string_view text, onnx::ModelProto* message, const ParseOptions& options) {
  ModelSink sink(message);
  return ParseInto(text, message, &ItemsFile, options,
                   [&](Lowering& lowering) { return ModelBuilder(sink, options.tell_functions_apart, lowering); });
}

Diagnostics FindParseErrors(std::string_view text, const ParseOptions& options) {
  return ReadModel(text, options, [&](onnx::ModelProto* model, Lowering& lowering) -> std::optional<Diagnostics> {
    ModelDiscard sink(model);
    ModelBuilder builder(sink, options.tell_functions_apart, lowering);
    if (!ParseWatched(text, &ItemsFile, builder, options.progress)) return std::nullopt;
    return Diagnostics();
  });
}

Diagnostics ParseToBytes(std::string_view text, std::vector<std::string>* chunks, const ParseOptions& options,
                         bool* has_external_data) {
  chunks->clear();
  if (has_external_data != nullptr) *has_external_data = false;
  return ReadModel(text, options, [&](onnx::ModelProto* model, Lowering& lowering) -> std::optional<Diagnostics> {
    if (text.size() < kSmallText) {  // the whole model fits into the cache, and is written at once
      ModelSink sink(model);
      ModelBuilder builder(sink, options.tell_functions_apart, lowering);
      if (!ParseWatched(text, &ItemsFile, builder, options.progress)) return std::nullopt;
      if (has_external_data != nullptr) *has_external_data = lowering.has_external_data();
      chunks->push_back(wire::ToWire(*model));
      return Diagnostics();
    }
    ModelBytes bytes(model);
    ModelBuilder builder(bytes, options.tell_functions_apart, lowering);
    ReadingAhead parts(text, builder, bytes, lowering);
    if (!ParseWatched(text, &ItemsFile, parts, options.progress, &parts)) return std::nullopt;
    if (has_external_data != nullptr) *has_external_data = lowering.has_external_data();
    return bytes.Finish(chunks);
  });
}

Diagnostics Parse(std::string_view text, onnx::GraphProto* message, const ParseOptions& options) {
  return ParseInto(
      text, message, [](Grammar& parser) -> Context* { return parser.itemFile(); }, options,
      [&](Lowering& lowering) { return ItemBuilder(message, lowering); });
}

Diagnostics Parse(std::string_view text, onnx::FunctionProto* message, const ParseOptions& options) {
  return ParseInto(
      text, message, [](Grammar& parser) -> Context* { return parser.itemFile(); }, options,
      [&](Lowering& lowering) { return ItemBuilder(message, lowering); });
}

Diagnostics Parse(std::string_view text, onnx::NodeProto* message, const ParseOptions& options) {
  return ParseWhole(
      text, message, [](Grammar& parser) -> Context* { return parser.nodeFile(); }, options);
}

Diagnostics Parse(std::string_view text, onnx::AttributeProto* message, const ParseOptions& options) {
  return ParseWhole(
      text, message, [](Grammar& parser) -> Context* { return parser.attrFile(); }, options);
}

Diagnostics Parse(std::string_view text, onnx::TypeProto* message, const ParseOptions& options) {
  return ParseWhole(
      text, message, [](Grammar& parser) -> Context* { return parser.typeFile(); }, options);
}

Diagnostics Parse(std::string_view text, onnx::TensorProto* message, const ParseOptions& options) {
  return ParseWhole(
      text, message, [](Grammar& parser) -> Context* { return parser.tensorFile(); }, options);
}

Diagnostics Parse(std::string_view text, onnx::TensorShapeProto* message, const ParseOptions& options) {
  return ParseWhole(
      text, message, [](Grammar& parser) -> Context* { return parser.shapeFile(); }, options);
}

Diagnostics Parse(std::string_view text, onnx::SequenceProto* message, const ParseOptions& options) {
  return ParseRunValue(text, message, options);
}

Diagnostics Parse(std::string_view text, onnx::MapProto* message, const ParseOptions& options) {
  return ParseRunValue(text, message, options);
}

Diagnostics Parse(std::string_view text, onnx::OptionalProto* message, const ParseOptions& options) {
  return ParseRunValue(text, message, options);
}

Status OnnxParser::ToStatus(const Diagnostics& diagnostics, std::string_view text) {
  if (diagnostics.ok()) return Status();
  return Status(RenderText(diagnostics, SourceText("<text>", text, nullptr)));
}

}  // namespace onnxc
