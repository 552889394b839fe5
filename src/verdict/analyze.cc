#include "verdict/analyze.h"

#include <onnxc/linker.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "link/library.h"
#include "link/linked_parts.h"
#include "platform/mapped_file.h"
#include "settings/allowed.h"
#include "syntax/traps.h"
#include "verdict/at_tensors.h"
#include "verdict/proof.h"
#include "verdict/sorted.h"

namespace onnxc::verdict {
namespace {

using google::protobuf::Message;

/// Returns whether library functions or weights may be added to the message.
bool CompletesMessage(const AnalyzeOptions& options) {
  return !options.libraries.empty() || !options.settings.libraries.empty() || !options.weights.empty();
}

/// Reads the libraries, and adds to the model the functions that it calls. If rules are checked, the places of these
/// functions are added to `places` and `linked`. Findings about the model are added to `found`, those about libraries
/// to `others`. Returns false if there was an error.
bool Link(const SourceText& source, const AnalyzeOptions& options, onnx::ModelProto* model, SourceMap* places,
          LinkedFiles* linked, Diagnostics* found, std::vector<SourceFindings>* others) {
  const ParseOptions parse{.max_bytes = options.data.max_bytes, .threads = options.data.threads};
  const Settings& settings = options.settings;
  const bool takes_more = !settings.libraries.empty() && CallsOthers(*model);
  std::vector<LinkInput> libraries;
  // Source maps refer to the messages, so the inputs must not move in memory.
  libraries.reserve(options.libraries.size() + settings.libraries.size());
  bool ok = true;
  const auto read = [&](const auto& read_file) {
    LinkInput& library = libraries.emplace_back(LinkInput{SourceText("", ""), {}, {}});
    Diagnostics problems = read_file(&library);
    ok = ok && problems.ok();
    others->push_back({library.source, std::move(problems)});
  };
  for (const std::string& path : options.libraries) {
    read([&](LinkInput* library) { return ReadLibrary(path, parse, library); });
  }
  for (const std::string& path : settings.libraries) {
    if (!takes_more) break;
    read([&](LinkInput* library) { return ReadLibraryIn(settings.folder, path, parse, library); });
  }
  if (!ok) return false;
  if (libraries.empty()) return true;
  LinkedParts parts;
  for (SourceFindings& findings : onnxc::Link(model, source, *places, libraries, Adding::kCopies, &parts)) {
    ok = ok && findings.diagnostics.ok();
    if (findings.source.name() == source.name()) {
      found->Append(std::move(findings.diagnostics));
    } else {
      others->push_back(std::move(findings));
    }
  }
  if (options.rules) linked->AddCopies(*model, parts, libraries, places);
  return ok;
}

/// What the steps 1 to 3 make of one version of the text.
struct Parts {
  Parts(const SourceText& source, Kind kind, Lifetime lifetime) : message(kind, lifetime), files(source) {}

  OwnedMessage message;
  SourceMap places;
  LinkedFiles files;
};

/// Reads a message, links the functions that it calls, and attaches weights. `seen` is null unless this is the version
/// that the user sees.
ReadText Read(const SourceText& source, Format format, const AnalyzeOptions& options, Analysis* seen) {
  const auto parts =
      std::make_shared<Parts>(source, options.kind, seen != nullptr ? options.lifetime : Lifetime::kScope);
  Message* const message = parts->message.get();
  ReadText read{.places = &parts->places, .files = &parts->files, .owner = parts};
  // 1. Read the message.
  ParseOptions parse = options.parse;
  if (options.rules) parse.max_diagnostics = kMostFindings;
  if (format == Format::kText && (options.rules || CompletesMessage(options))) parse.source_map_out = &parts->places;
  read.found = Decode(source.text(), format, message, parse);
  bool is_whole = read.found.ok();
  // 2. Link the functions that the model calls.
  if (auto* const model = dynamic_cast<onnx::ModelProto*>(message); is_whole && model != nullptr) {
    std::vector<SourceFindings> unseen;
    auto* const others = seen != nullptr ? &seen->in_libraries : &unseen;
    is_whole = Link(source, options, model, &parts->places, &parts->files, &read.found, others) && read.found.ok();
  }
  // 3. Attach the weights.
  if (is_whole && !options.weights.empty()) {
    WeightFiles* const files = seen != nullptr ? options.weight_files_out : nullptr;
    read.found.Append(AttachWeights(message, options.weights, options.data, files));
    is_whole = read.found.ok();
  }
  if (is_whole) read.message = message;
  return read;
}

/// Checks a message by the rules, and infers its types. Returns all findings so far.
Diagnostics CheckByRules(const SourceText& source, bool is_text, const AnalyzeOptions& options, const ReadText& read) {
  const std::string_view text = is_text ? source.text() : "";
  const bool has_places =
      is_text || read.places->size() > 0;  // functions that are linked to a binary model have places
  CheckOptions rules = *options.rules;
  rules.max_diagnostics = kMostFindings;
  rules.directory = FolderOf(options.path);
  rules.source_map = has_places ? read.places : nullptr;
  rules.optional_rules = true;  // the settings remove findings of optional rules that were not requested
  rules.inference_out = read.types_out;
  Diagnostics found = read.found;
  found.Append(syntax::FindDroppedBackslashes(text));
  found.Append(FindUnknownAllowed(text));
  FreeDecoded(source.text());
  found.Append(Check(*read.message, rules));
  found.Finish(kMostFindings);
  return CorrectOrder(text, found);
}

Format FormatOf(const SourceText& source, const AnalyzeOptions& options) {
  return options.format ? *options.format : DetectFormat(source.text(), options.path, options.kind);
}

bool IsStopped(const AnalyzeOptions& options) { return options.stop != nullptr && *options.stop; }

/// The steps from a version of the text to its findings, whose corrections are not tested yet. `seen` is null unless
/// this is the version that the user sees; it receives the findings about libraries that are not about linked
/// functions.
Diagnostics FindIn(const SourceText& source, const AnalyzeOptions& options, LinkedFindings* linked, Analysis* seen) {
  std::optional<ReadText> other = options.read ? options.read(source, seen != nullptr) : std::nullopt;
  const Format format = other ? Format::kText : FormatOf(source, options);
  const ReadText read = other ? *std::move(other) : Read(source, format, options, seen);
  if (IsStopped(options)) return {};
  Diagnostics found = read.found;
  // 4. Check the rules, and infer types.
  if (read.message != nullptr && options.rules) {
    found = CheckByRules(source, format == Format::kText, options, read);
  } else if (read.message != nullptr) {
    FreeDecoded(source.text());
    if (options.check) found.Append(options.check(read));
  }
  if (read.files != nullptr) found = linked->AtCalls(found, *read.files);
  // 5. Let the caller use the message.
  if (read.message != nullptr && found.ok() && seen != nullptr && options.use) found.Append(options.use(read.message));
  return found;
}

}  // namespace

Analysis Analyze(const SourceText& source, const AnalyzeOptions& options) {
  Analysis analysis;
  LinkedFindings in_libraries;
  LinkedFindings* const linked = options.linked_out != nullptr ? options.linked_out : &in_libraries;
  Diagnostics found =
      options.stream && !CompletesMessage(options) ? options.stream() : FindIn(source, options, linked, &analysis);
  // 6. Test the corrections: a corrected version of the text goes through steps 1 to 4.
  const bool is_tested = options.proof == Proof::kAlways || (options.proof == Proof::kIfErrors && !found.ok());
  if (is_tested && !IsStopped(options) && FormatOf(source, options) == Format::kText) {
    found = ProveCorrections(source, std::move(found),
                             [&](const SourceText& text) { return FindIn(text, options, linked, nullptr); });
  }
  // 7. Divide the findings by the files that they are about.
  if (options.linked_out == nullptr) {
    std::vector<SourceFindings> others;
    found = linked->Split(found, &others);
    std::ranges::move(others, std::back_inserter(analysis.in_libraries));
  }
  analysis.found = AtTensors(std::move(found), source, options.path, options.kind, options.parse);
  return analysis;
}

Judge JudgeFor(const AnalyzeOptions& options) {
  return [options](const SourceText& source) {
    LinkedFindings in_libraries;
    return FindIn(source, options, options.linked_out != nullptr ? options.linked_out : &in_libraries, nullptr);
  };
}

}  // namespace onnxc::verdict
