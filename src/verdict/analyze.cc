#include "verdict/analyze.h"

#include <onnxc/linker.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "link/library.h"
#include "link/linked_parts.h"
#include "platform/mapped_file.h"
#include "verdict/at_tensors.h"
#include "verdict/linked.h"
#include "verdict/proof.h"

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

/// Checks a message by the rules, and infers its types. `found` are the findings so far.
Diagnostics CheckMessage(const SourceText& source, const AnalyzeOptions& options, bool is_text, const SourceMap& places,
                         const Message& message, Diagnostics found) {
  const bool has_places = is_text || places.size() > 0;  // functions that are linked to a binary model have places
  const Checker check = [&](const Message& read, const CheckOptions& rules) {
    FreeDecoded(source.text());
    return Check(read, rules);
  };
  return CheckRead(is_text ? source.text() : "", options.path, has_places ? &places : nullptr, *options.rules, message,
                   std::move(found), check);
}

/// The steps from a version of the text to its findings, whose corrections are not tested yet. `seen` is null unless
/// this is the version that the user sees; it receives the findings about libraries that are not about linked
/// functions.
Diagnostics FindIn(const SourceText& source, const AnalyzeOptions& options, LinkedFindings* in_libraries,
                   Analysis* seen) {
  // 1. Read the message.
  const OwnedMessage message(options.kind, seen != nullptr ? options.lifetime : Lifetime::kScope);
  const Format format = DetectFormat(source.text(), options.path, options.kind);
  const bool is_text = format == Format::kText;
  SourceMap places;
  ParseOptions parse = options.parse;
  if (options.rules) parse.max_diagnostics = kMostFindings;
  if (is_text && (options.rules || CompletesMessage(options))) parse.source_map_out = &places;
  Diagnostics found = Decode(source.text(), format, message.get(), parse);
  bool is_whole = found.ok();
  // 2. Link the functions that the model calls.
  LinkedFiles linked(source);
  if (auto* const model = dynamic_cast<onnx::ModelProto*>(message.get()); is_whole && model != nullptr) {
    std::vector<SourceFindings> unseen;
    auto* const others = seen != nullptr ? &seen->in_libraries : &unseen;
    is_whole = Link(source, options, model, &places, &linked, &found, others) && found.ok();
  }
  // 3. Attach the weights.
  if (is_whole && !options.weights.empty()) {
    WeightFiles* const files = seen != nullptr ? options.weight_files_out : nullptr;
    found.Append(AttachWeights(message.get(), options.weights, options.data, files));
    is_whole = found.ok();
  }
  // 4. Check the rules, and infer types.
  if (is_whole && options.rules) {
    found = CheckMessage(source, options, is_text, places, *message, std::move(found));
  } else if (is_whole) {
    found.Append(FindElided(*message));
  }
  found = in_libraries->AtCalls(found, linked);
  // 5. Let the caller use the message.
  if (is_whole && found.ok() && seen != nullptr && options.use) found.Append(options.use(message.get()));
  return found;
}

}  // namespace

Analysis Analyze(const SourceText& source, const AnalyzeOptions& options) {
  Analysis analysis;
  LinkedFindings in_libraries;
  const bool is_text = DetectFormat(source.text(), options.path, options.kind) == Format::kText;
  const bool is_streamed = options.stream && is_text && !CompletesMessage(options);
  Diagnostics found = is_streamed ? options.stream() : FindIn(source, options, &in_libraries, &analysis);
  // 6. Test the corrections: a corrected version of the text goes through steps 1 to 4.
  if (is_text && (options.proof == Proof::kAlways || (options.proof == Proof::kIfErrors && !found.ok()))) {
    found = ProveCorrections(source, std::move(found),
                             [&](const SourceText& text) { return FindIn(text, options, &in_libraries, nullptr); });
  }
  // 7. Divide the findings by the files that they are about.
  std::vector<SourceFindings> linked;
  found = in_libraries.Split(found, &linked);
  std::ranges::move(linked, std::back_inserter(analysis.in_libraries));
  analysis.found = AtTensors(std::move(found), source, options.path, options.kind, options.parse);
  return analysis;
}

Judge JudgeFor(const AnalyzeOptions& options) {
  return [options](const SourceText& source) {
    LinkedFindings in_libraries;
    return FindIn(source, options, &in_libraries, nullptr);
  };
}

}  // namespace onnxc::verdict
