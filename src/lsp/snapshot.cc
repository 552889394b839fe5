#include "lsp/snapshot.h"

#include <onnxc/model_io.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "lsp/uri.h"
#include "verdict/correct.h"
#include "verdict/wanted.h"

namespace onnxc::lsp {
namespace {

std::size_t NumberOf(const Json& position, const char* name) {
  const Json& number = Member(position, name);
  if (!number.is_number_unsigned()) {
    throw RequestError(ErrorCode::kInvalidParams, std::string("'") + name + "' must be a number from 0");
  }
  constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max();  // the largest "uinteger" of the protocol
  return std::min(number.get<std::size_t>(), kMost);
}

PartialModel ParsedWithoutSymbols(std::string_view text) {
  PartialModel read;
  read.arena = std::make_unique<google::protobuf::Arena>(ModelArena());
  read.model = NewIn<onnx::ModelProto>(read.arena.get());
  read.diagnostics = Parse(text, read.model,
                           {.max_diagnostics = verdict::kMostFindings,
                            .source_map_out = &read.places,
                            .tell_functions_apart = true,
                            .threads = 1});
  return read;
}

}  // namespace

LinePosition LinePositionOf(const Json& position) {
  return {NumberOf(position, "line"), NumberOf(position, "character")};
}

Snapshot::Snapshot(std::string uri, std::int64_t version, std::string text, Encoding encoding,
                   std::shared_ptr<const Settings> settings, std::shared_ptr<const void> memory)
    : memory_(std::move(memory)),
      uri_(std::move(uri)),
      path_(PathOf(uri_)),
      version_(version),
      source_(path_, std::move(text)),
      encoding_(encoding),
      lines_(source_.text(), encoding),
      settings_(std::move(settings)) {}

void Snapshot::Abandon() const {
  const std::lock_guard lock(wanted_mutex_);
  is_old_ = is_abandoned_ = true;
  if (wanted_ == 0) is_stale_.store(true, std::memory_order_relaxed);
}

void Snapshot::BeWanted(int by) const {
  const std::lock_guard lock(wanted_mutex_);
  wanted_ += by;
  if (wanted_ == 0 && is_abandoned_) is_stale_.store(true, std::memory_order_relaxed);
}

std::shared_ptr<const Snapshot> Wanted(std::shared_ptr<const Snapshot> snapshot) {
  snapshot->BeWanted(1);
  const Snapshot* const same = snapshot.get();
  return {same, [owner = std::move(snapshot)](const Snapshot*) { owner->BeWanted(-1); }};
}

const Reading& Snapshot::reading() const {
  std::call_once(read_once_, [this] {
    reading_.emplace(source_, ParsePartial(text(), {.max_diagnostics = verdict::kMostFindings, .stop = &is_stale_}));
    if (!is_stale()) AddLibraries(&*reading_);
    is_read_ = !is_stale();
  });
  if (!is_read_) throw RequestError(ErrorCode::kContentModified, "the document was changed");
  return *reading_;
}

void Snapshot::AddLibraries(Reading* read) const {
  const Libraries& named = libraries();
  if (named.inputs.empty() && named.problems.empty()) return;
  read->Link(std::shared_ptr<const Libraries>(settings_, &named));
}

const OperatorFiles& Snapshot::operator_files() const {
  std::call_once(operators_once_, [this] { operators_ = &settings_->named.OperatorsOf(SettingsFile()); });
  return *operators_;
}

// Returns how versions of the text are analyzed. `in_libraries` receives the places of findings in libraries.
verdict::AnalyzeOptions Snapshot::Steps(verdict::LinkedFindings* in_libraries) const {
  return {.path = path_,
          .rules = CheckOptions{.operators = operator_files().operators, .infer = options().infer},
          .read = [this](const SourceText& source, bool is_first) { return Read(source, is_first); },
          .linked_out = in_libraries};
}

// The first version is that of the document; it is read only once.
std::optional<verdict::ReadText> Snapshot::Read(const SourceText& source, bool is_first) const {
  if (DetectFormat(source.text(), path_, Kind::kModel) != Format::kText) return std::nullopt;
  std::shared_ptr<Reading> corrected;
  if (!is_first) {
    corrected = std::make_shared<Reading>(source, ParsedWithoutSymbols(source.text()));
    AddLibraries(corrected.get());
  }
  const Reading& read = is_first ? reading() : *corrected;
  verdict::ReadText result{.found = read.errors(), .files = &read.linked_files(), .owner = corrected};
  const OperatorFiles& files = operator_files();  // after this call, Names() recognizes the paths of these files
  // If the settings name this text as an operator file, the check of the text already reports its errors, with their
  // places.
  if (result.found.ok() && !settings_->named.Names(path_)) result.found.Append(files.problems);
  if (!result.found.ok()) return result;
  result.message = read.parsed().model;
  result.places = &read.parsed().places;
  if (is_first) result.types_out = &of_check_;
  return result;
}

const onnxc::Settings& Snapshot::SettingsFile() const {
  bool is_new = false;
  return settings_->files.Find(verdict::FolderOf(path_), &is_new);
}

Diagnostics Snapshot::Wanted(const Diagnostics& findings, const SourceText& source,
                             const verdict::LinkedFindings& in_libraries) const {
  const std::array settings{&options().warnings, &SettingsFile().warnings};
  return WithLevels(in_libraries.WithoutAllowed(findings, source), settings);
}

Diagnostics Snapshot::Find() const {
  verdict::AnalyzeOptions analysis = Steps(&in_libraries_);
  analysis.stop = &is_stale_;
  return verdict::Shown(Wanted(verdict::Analyze(source_, analysis).found, source_, in_libraries_));
}

const Diagnostics& Snapshot::findings() const {
  std::call_once(find_once_, [this] {
    findings_ = Find();
    is_found_ = !is_stale();
  });
  if (!is_found_) throw RequestError(ErrorCode::kContentModified, "the document was changed");
  return findings_;
}

const InferredValue* Snapshot::TypeOf(SymbolId value) const {
  Infer();
  return value < types_.size() ? types_[value] : nullptr;
}

void Snapshot::Infer() const {
  std::call_once(infer_once_, [this] {
    InferAll();
    is_typed_ = true;
  });
}

void Snapshot::InferAll() const {
  const PartialModel& read = parsed();
  const auto& symbols = read.symbols.symbols();
  types_.resize(symbols.size());
  if (!options().infer) return;
  const bool is_inferred = is_found_ && of_check_;
  if (!is_inferred) inferred_ = InferTypes(*read.model, {.operators = operator_files().operators});
  const Inference& inference = is_inferred ? *of_check_ : *inferred_;
  for (SymbolId scope = 0; scope < read.symbols.scopes().size(); ++scope) {
    const google::protobuf::Message* const message = read.messages[scope];
    if (message == nullptr) continue;
    SymbolId next = 0;  // usually the next symbol, because both lists are in the order of the text
    for (const InferredValue& value : inference.ValuesOf(*message)) {
      const bool is_next = next < symbols.size() && symbols[next].kind == SymbolKind::kValue &&
                           symbols[next].scope == scope && symbols[next].name == value.name;
      const SymbolId symbol = is_next ? next : read.symbols.FindValue(scope, value.name);
      if (symbol == kNoSymbol) continue;
      types_[symbol] = &value;
      next = symbol + 1;
    }
  }
}

std::string Snapshot::Correct() const {
  verdict::LinkedFindings in_libraries;
  const verdict::Judge judge = verdict::JudgeFor(Steps(&in_libraries));
  const auto wanted = [&](const Diagnostics& findings, const SourceText& source) {
    return Wanted(findings, source, in_libraries);
  };
  return std::string(verdict::CorrectAll(source_, judge, wanted).source.text());
}

const std::string& Snapshot::Corrected() const {
  std::call_once(correct_once_, [this] { corrected_ = Correct(); });
  return corrected_;
}

std::unique_ptr<const Snapshot> Snapshot::WithText(std::string text) const {
  return std::make_unique<const Snapshot>(uri_, version_, std::move(text), encoding_, settings_);
}

Json Snapshot::PositionAt(std::size_t offset) const {
  const LinePosition position = lines_.PositionAt(offset);
  return {{"line", position.line}, {"character", position.character}};
}

Json Snapshot::RangeOf(SourceRange range) const {
  if (range == kNowhere) range = {0, 0};
  return {{"start", PositionAt(range.begin)}, {"end", PositionAt(range.end)}};
}

std::size_t Snapshot::OffsetOf(const Json& position) const { return lines_.OffsetAt(LinePositionOf(position)); }

SourceRange Snapshot::SourceRangeOf(const Json& range) const {
  const SourceRange found = {OffsetOf(Member(range, "start")), OffsetOf(Member(range, "end"))};
  if (found.end < found.begin) throw RequestError(ErrorCode::kInvalidParams, "a range ends before it begins");
  return found;
}

}  // namespace onnxc::lsp
