#include "service.h"

#include <google/protobuf/arena.h>
#include <onnxc/arena.h>
#include <onnxc/formatter.h>
#include <onnxc/graphviz.h>
#include <onnxc/info.h>
#include <onnxc/model_io.h>
#include <onnxc/parser.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace onnxc::python {
namespace {

const google::protobuf::Descriptor* FindType(std::string_view type) {
  return onnx::ModelProto::descriptor()->file()->FindMessageTypeByName(std::string(type));
}

/// The large blocks of an arena for models would take longer to get than a small input takes to be read.
google::protobuf::ArenaOptions ArenaFor(const Input& input) {
  return input.bytes.size() < (1U << 14) ? google::protobuf::ArenaOptions() : ModelArena();
}

/// An empty message of the input's type.
class TypedMessage {
 public:
  explicit TypedMessage(const Input& input)
      : arena_(ArenaFor(input)),
        message_(
            google::protobuf::MessageFactory::generated_factory()->GetPrototype(FindType(input.type))->New(&arena_)) {}
  [[nodiscard]] google::protobuf::Message* get() const { return message_; }
  google::protobuf::Message& operator*() const { return *message_; }

 private:
  google::protobuf::Arena arena_;
  google::protobuf::Message* message_;
};

/// The kind whose texts hold messages of this type.
std::optional<Kind> FindKindOfType(std::string_view type) {
  std::optional<Kind> kind;
  ForEachKind([&]<typename Row>(const Row& row) {
    if (Row::Message::descriptor()->name() == type) kind = row.kind;
  });
  return kind;
}

/// The same; that of models where there is none.
Kind KindOfType(std::string_view type) { return FindKindOfType(type).value_or(Kind::kModel); }

SourceText Named(const Input& input) { return {std::string(input.name), input.bytes, nullptr}; }

Answer Finished(std::string value, const Diagnostics& found, const SourceText& source) {
  Answer answer{.ok = found.ok(), .value = {}, .findings = {}, .rendered = {}};
  if (found.ok()) answer.value = std::move(value);
  if (!found.empty()) {
    answer.findings = RenderJson(found, source);
    answer.rendered = RenderText(found, source, /*color=*/true);
  }
  return answer;
}

Format FormatOf(const Input& input) {
  return input.is_binary ? Format::kBinary : DetectFormat(input.bytes, input.name, KindOfType(input.type));
}

/// Bytes of unknown origin may be in an old schema; those of a message are not.
Diagnostics RefuseOldSchema(const Input& input) {
  const std::optional<Kind> kind = FindKindOfType(input.type);
  return input.is_binary || !kind ? Diagnostics() : onnxc::RefuseOldSchema(input.bytes, *kind);
}

Diagnostics Read(const Input& input, google::protobuf::Message* message, SourceMap* places = nullptr) {
  if (Diagnostics old = RefuseOldSchema(input); !old.ok()) return old;
  return Decode(input.bytes, FormatOf(input), message, {.source_map = places, .tell_functions_apart = true});
}

/// Keeps a text that comes in pieces.
class StringSink final : public Sink {
 public:
  void Write(std::string_view piece) override { text.append(piece); }
  void Restart() override { text.clear(); }
  std::string text;
};

Diagnostics Save(const google::protobuf::Message& message, std::string_view to, std::string* bytes) {
  static constexpr std::array<std::pair<std::string_view, Format>, 4> kFormats = {{{"binary", Format::kBinary},
                                                                                   {"text", Format::kText},
                                                                                   {"textproto", Format::kTextProto},
                                                                                   {"json", Format::kJson}}};
  Format format = Format::kBinary;
  for (const auto& [word, value] : kFormats) {
    if (word == to) format = value;
  }
  return Encode(message, format, bytes);
}

Answer CompileText(const Input& input, bool tell_functions_apart) {
  std::string bytes;
  Diagnostics found;
  if (input.type == "ModelProto") {
    std::vector<std::string> chunks;
    found = ParseToBytes(input.bytes, &chunks, {.tell_functions_apart = tell_functions_apart});
    std::size_t size = 0;
    for (const std::string& chunk : chunks) size += chunk.size();
    bytes.reserve(size);
    for (const std::string& chunk : chunks) bytes += chunk;
  } else {
    const TypedMessage message(input);
    found = Decode(input.bytes, Format::kText, message.get());
    if (found.ok()) found.Append(Encode(*message, Format::kBinary, &bytes));
  }
  return Finished(std::move(bytes), found, Named(input));
}

}  // namespace

bool IsMessageType(std::string_view type) { return FindType(type) != nullptr; }

Answer Compile(const Input& input) { return CompileText(input, /*tell_functions_apart=*/false); }

Answer Print(const Input& input, const PrintOptions& options) {
  const bool is_by_parts = options.dialect == Dialect::kOnnxc && input.type == "ModelProto";
  if (is_by_parts && FormatOf(input) == Format::kBinary) {
    StringSink sink;
    Diagnostics found = RefuseOldSchema(input);
    if (found.ok()) found = PrintFromBytes(input.bytes, &sink, options);
    return Finished(std::move(sink.text), found, Named(input));
  }
  const TypedMessage message(input);
  Diagnostics found = Read(input, message.get());
  std::string text;
  if (found.ok()) found.Append(Encode(*message, Format::kText, &text, options));
  return Finished(std::move(text), found, Named(input));
}

Answer Convert(const Input& input, std::string_view to) {
  if (to == "binary" && FormatOf(input) == Format::kText) return CompileText(input, /*tell_functions_apart=*/true);
  const TypedMessage message(input);
  Diagnostics found = Read(input, message.get());
  std::string converted;
  if (found.ok()) found.Append(Save(*message, to, &converted));
  return Finished(std::move(converted), found, Named(input));
}

Answer CheckBytes(const Input& input, CheckOptions options) {
  const TypedMessage message(input);
  SourceMap places;
  Diagnostics found = Read(input, message.get(), &places);
  if (found.ok()) {
    if (places.size() > 0) options.source_map = &places;
    found.Append(Check(*message, options));
  }
  return Finished({}, found, Named(input));
}

Answer Infer(const Input& input, InferOptions options, bool overwrite) {
  const TypedMessage message(input);
  SourceMap places;
  Diagnostics found = Read(input, message.get(), &places);
  const auto* model = dynamic_cast<const onnx::ModelProto*>(message.get());
  if (!found.ok() || model == nullptr) return Finished({}, found, Named(input));
  if (places.size() > 0) options.source_map = &places;
  const Inference inference = InferTypes(*model, options);
  std::string inferred;
  const Diagnostics written = Encode(WithTypes(*model, inference, overwrite), Format::kBinary, &inferred);
  const bool is_wanted = written.ok() && (!options.strict || inference.findings.ok());
  found.Append(inference.findings);
  found.Append(written);
  Answer answer = Finished({}, found, Named(input));
  answer.ok = is_wanted;
  if (is_wanted) answer.value = std::move(inferred);
  return answer;
}

Answer FormatSource(const Input& input, std::size_t width) {
  const bool is_model = input.type == "ModelProto";
  FormatResult result =
      FormatText(input.bytes, {.kind = KindOfType(input.type), .width = width, .tell_functions_apart = is_model});
  return Finished(std::move(result.text), result.diagnostics, Named(input));
}

Answer Compare(const Input& before, const Input& after, const DiffOptions& options) {
  const TypedMessage first(before);
  const TypedMessage second(after);
  if (const Diagnostics found = Read(before, first.get()); !found.ok()) return Finished({}, found, Named(before));
  if (const Diagnostics found = Read(after, second.get()); !found.ok()) return Finished({}, found, Named(after));
  const std::vector<Difference> differences = Diff(*first, *second, options);
  return {.ok = true, .value = RenderJson(differences), .findings = {}, .rendered = RenderText(differences, true)};
}

Answer Draw(const Input& input) {
  const TypedMessage message(input);
  const Diagnostics found = Read(input, message.get());
  std::string dot;
  if (found.ok()) {
    if (const auto* model = dynamic_cast<const onnx::ModelProto*>(message.get())) dot = DrawDot(*model);
    if (const auto* graph = dynamic_cast<const onnx::GraphProto*>(message.get())) dot = DrawDot(*graph);
    if (const auto* function = dynamic_cast<const onnx::FunctionProto*>(message.get())) dot = DrawDot(*function);
  }
  return Finished(std::move(dot), found, Named(input));
}

Answer Describe(const Input& input) {
  const TypedMessage message(input);
  const Diagnostics found = Read(input, message.get());
  const auto* model = dynamic_cast<const onnx::ModelProto*>(message.get());
  std::string json;
  if (found.ok() && model != nullptr) {
    const FileInfo file{.name = std::string(input.name),
                        .format = "binary",
                        .bytes = static_cast<std::int64_t>(input.bytes.size()),
                        .model = Inspect(*model)};
    json = RenderJson({&file, 1});
  }
  return Finished(std::move(json), found, Named(input));
}

std::string RulesAsJson() {
  nlohmann::json rules = nlohmann::json::array();
  for (const Rule& rule : ListRules()) {
    rules.push_back({{"name", rule.name},
                     {"severity", rule.severity == Severity::kError ? "error" : "warning"},
                     {"optional", rule.is_optional},
                     {"source", rule.source},
                     {"sentence", rule.sentence}});
  }
  return rules.dump();
}

}  // namespace onnxc::python
