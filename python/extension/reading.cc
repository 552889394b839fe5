#include "reading.h"

#include <onnxc/arena.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "source/render_each.h"

namespace onnxc::python {
namespace {

struct Prototype {
  std::string_view type;
  const google::protobuf::Message* message;
};

/// Returns an empty message of this type, or null. The lookup functions of protobuf would take longer than reading a
/// small message. A search in the list is faster than in a map, because most names differ in size.
const google::protobuf::Message* FindPrototype(std::string_view type) {
  static const auto prototypes = [] {
    std::vector<Prototype> all;
    const google::protobuf::FileDescriptor* const file = onnx::ModelProto::descriptor()->file();
    for (int i = 0; i < file->message_type_count(); ++i) {
      const google::protobuf::Descriptor* const descriptor = file->message_type(i);
      all.push_back(
          {descriptor->name(), google::protobuf::MessageFactory::generated_factory()->GetPrototype(descriptor)});
    }
    return all;
  }();
  const auto found = std::ranges::find(prototypes, type, &Prototype::type);
  return found == prototypes.end() ? nullptr : found->message;
}

/// Returns the kind whose texts contain messages of this type, or nothing if there is none.
std::optional<Kind> FindKindOfType(std::string_view type) {
  std::optional<Kind> kind;
  ForEachKind([&]<typename Row>(const Row& row) {
    if (Row::Message::descriptor()->name() == type) kind = row.kind;
  });
  return kind;
}

/// The message that a version of an input contains, and its places.
struct Parts {
  explicit Parts(const Input& input) : message(input) {}
  TypedMessage message;
  SourceMap places;
};

}  // namespace

// A small message gets small blocks, because allocating the large blocks of an arena for models would take longer than
// reading the message.
google::protobuf::ArenaOptions TypedMessage::OptionsFor(const Input& input) {
  if (input.bytes.size() >= (1U << 14)) return ModelArena();
  google::protobuf::ArenaOptions options;
  options.initial_block = first_block_.data();
  options.initial_block_size = first_block_.size();
  options.start_block_size = 1024 + 16 * input.bytes.size();
  options.max_block_size = std::max(options.max_block_size, options.start_block_size);
  return options;
}

TypedMessage::TypedMessage(const Input& input)
    : arena_(OptionsFor(input)), message_(FindPrototype(input.type)->New(&arena_)) {}

bool IsMessageType(std::string_view type) { return FindPrototype(type) != nullptr; }

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

verdict::AnalyzeOptions AnalysisOf(const Input& input, const Reader& read) {
  const auto read_version = [input, read](const SourceText& source, bool) {
    Input version = input;
    version.bytes = source.text();
    const auto parts = std::make_shared<Parts>(version);
    verdict::ReadText result{.found = read(version, parts->message.get(), &parts->places), .owner = parts};
    if (result.found.ok()) result.message = parts->message.get();
    result.places = &parts->places;
    return result;
  };
  return {.path = std::string(input.name), .kind = KindOfType(input.type), .rules = std::nullopt, .read = read_version};
}

// If there are more than kMostFindings findings, no correction is tried.
Answer Finished(std::string value, Diagnostics found, const Input& input, verdict::AnalyzeOptions analysis,
                std::size_t limit) {
  const auto is_corrected = [](const Diagnostic& finding) { return !finding.fix_its.empty(); };
  if (found.items().size() <= verdict::kMostFindings && std::ranges::any_of(found.items(), is_corrected)) {
    analysis.stream = [&] { return std::move(found); };
    found = verdict::Analyze(Named(input), analysis).found;
  }
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

Answer Finished(std::string value, Diagnostics found, const Input& input) {
  if (found.empty() && found.ok()) return {.ok = true, .value = std::move(value)};
  return Finished(std::move(value), std::move(found), input, AnalysisOf(input));
}

}  // namespace onnxc::python
