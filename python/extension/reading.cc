#include "reading.h"

#include <onnxc/arena.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "source/render_each.h"
#include "verdict/proof.h"

namespace onnxc::python {
namespace {

const google::protobuf::Descriptor* FindType(std::string_view type) {
  return onnx::ModelProto::descriptor()->file()->FindMessageTypeByName(std::string(type));
}

/// The large blocks of an arena for models would take longer to get than a small input takes to be read.
google::protobuf::ArenaOptions ArenaFor(const Input& input) {
  return input.bytes.size() < (1U << 14) ? google::protobuf::ArenaOptions() : ModelArena();
}

/// The kind whose texts hold messages of this type.
std::optional<Kind> FindKindOfType(std::string_view type) {
  std::optional<Kind> kind;
  ForEachKind([&]<typename Row>(const Row& row) {
    if (Row::Message::descriptor()->name() == type) kind = row.kind;
  });
  return kind;
}

/// Withdraws the corrections that do not hold: `judge` finds other errors in the text with them made. Of more findings
/// than the command looks at, none is tried.
Diagnostics Prove(const Input& input, Diagnostics found, const Judge& judge) {
  const auto is_corrected = [](const Diagnostic& finding) { return !finding.fix_its.empty(); };
  if (std::ranges::none_of(found.items(), is_corrected) || found.items().size() > verdict::kMostFindings) return found;
  return verdict::ProveCorrections(Named(input), std::move(found), [&](const SourceText& text) {
    return judge({.type = input.type, .bytes = text.text(), .name = input.name});
  });
}

}  // namespace

TypedMessage::TypedMessage(const Input& input)
    : arena_(ArenaFor(input)),
      message_(
          google::protobuf::MessageFactory::generated_factory()->GetPrototype(FindType(input.type))->New(&arena_)) {}

bool IsMessageType(std::string_view type) { return FindType(type) != nullptr; }

Kind KindOfType(std::string_view type) { return FindKindOfType(type).value_or(Kind::kModel); }

SourceText Named(const Input& input) { return {std::string(input.name), input.bytes, nullptr}; }

Format FormatOf(const Input& input) {
  return input.is_binary ? Format::kBinary : DetectFormat(input.bytes, input.name, KindOfType(input.type));
}

Diagnostics RefuseOldSchema(const Input& input) {
  if (input.is_binary) return {};
  const std::optional<Kind> kind = FindKindOfType(input.type);
  return kind ? onnxc::RefuseOldSchema(input.bytes, *kind) : Diagnostics();
}

Diagnostics Read(const Input& input, google::protobuf::Message* message, SourceMap* places) {
  if (Diagnostics old = RefuseOldSchema(input); !old.ok()) return old;
  return Decode(input.bytes, FormatOf(input), message,
                {.max_diagnostics = verdict::kMostFindings, .source_map_out = places, .tell_functions_apart = true});
}

Diagnostics FindUnreadable(const Input& input) {
  const TypedMessage message(input);
  return Read(input, message.get());
}

Answer Finished(std::string value, Diagnostics found, const Input& input, const Judge& judge, std::size_t limit) {
  found = Prove(input, std::move(found), judge);
  if (found.items().size() > limit) found.Finish(limit);
  Answer answer{.ok = found.ok()};
  if (found.ok()) answer.value = std::move(value);
  if (!found.empty()) {
    const SourceText source = Named(input);
    answer.findings = RenderJson(found, source);
    answer.rendered = RenderEach(found, source, /*color=*/true, verdict::kMostShown);
  }
  return answer;
}

}  // namespace onnxc::python
