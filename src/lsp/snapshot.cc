#include "lsp/snapshot.h"

#include <onnxc/arena.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "lsp/uri.h"
#include "verdict/correct.h"
#include "verdict/proof.h"
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

}  // namespace

LinePosition LinePositionOf(const Json& position) {
  return {NumberOf(position, "line"), NumberOf(position, "character")};
}

Snapshot::Snapshot(std::string uri, std::int64_t version, std::string text, Encoding encoding,
                   std::shared_ptr<const Settings> settings, const Before& before)
    : uri_(std::move(uri)),
      path_(PathOf(uri_)),
      version_(version),
      source_(path_, std::move(text)),
      encoding_(encoding),
      lines_(source_.text(), encoding, before.lines),
      settings_(std::move(settings)),
      expected_(before.had_errors ? lower::Expected::kErrors : lower::Expected::kNoErrors),
      before_(before.read) {}

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
    reading_ = std::make_shared<Reading>(source_, before_, &is_stale_, WithSymbols::kYes, expected_);
    if (!is_stale()) AddLibraries(reading_.get());
    if (reading_->IsRight()) before_ = reading_;
    is_read_ = !is_stale();
  });
  if (!is_read_) throw RequestError(ErrorCode::kContentModified, "the document was changed");
  return *reading_;
}

void Snapshot::AddLibraries(Reading* read) const {
  const Libraries& named = libraries();
  if (!named.inputs.empty() || !named.problems.empty()) read->Link(named);
}

const OperatorFiles& Snapshot::operator_files() const {
  std::call_once(operators_once_, [this] { operators_ = &settings_->named.OperatorsOf(SettingsFile()); });
  return *operators_;
}

// Checks a corrected text, which is not an open document.
Diagnostics Snapshot::Judge(const SourceText& source, const std::atomic<bool>* stop) const {
  if (DetectFormat(source.text(), path_, Kind::kModel) != Format::kText) {
    google::protobuf::Arena arena(ModelArena());
    auto* const model = NewIn<onnx::ModelProto>(&arena);
    return verdict::ReadAndCheck(source, path_, Kind::kModel, {}, Rules(), model);
  }
  (void)reading();  // decides what is read from
  Reading read(source, before_, stop, WithSymbols::kNo);
  if (stop != nullptr && *stop) return {};
  AddLibraries(&read);
  return Check(read, nullptr);
}

Diagnostics Snapshot::Check(const Reading& read, std::optional<Inference>* inference) const {
  Diagnostics found = read.errors();
  const OperatorFiles& files = operator_files();  // from here on, Names() knows the paths of these files
  // A file that settings name reports its own errors, so they are not repeated here.
  if (found.ok() && !settings_->named.Names(path_)) found.Append(files.problems);
  if (!found.ok()) return found;
  CheckOptions rules = Rules();
  rules.inference_out = inference;
  return verdict::CheckRead(read.source().text(), path_, read.places(), std::move(rules), read.model(),
                            std::move(found));
}

CheckOptions Snapshot::Rules() const { return {.operators = operator_files().operators, .infer = options().infer}; }

const onnxc::Settings& Snapshot::SettingsFile() const {
  bool is_new = false;
  return settings_->files.Find(verdict::FolderOf(path_), &is_new);
}

Diagnostics Snapshot::Wanted(const Diagnostics& findings, const SourceText& source) const {
  return verdict::Wanted(findings, source, std::array{&options().warnings, &SettingsFile().warnings});
}

// Does the same steps as `onnxc check`, except that the text was already read.
Diagnostics Snapshot::Find() const {
  if (DetectFormat(text(), path_, Kind::kModel) != Format::kText) {
    return verdict::Shown(Wanted(Judge(source_, &is_stale_), source_));
  }
  const verdict::Judge judge = [this](const SourceText& corrected) { return Judge(corrected, &is_stale_); };
  Diagnostics found = Check(reading(), &inferred_);
  if (is_stale()) return {};
  return verdict::Shown(Wanted(verdict::ProveCorrections(source_, std::move(found), judge), source_));
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
  const PartialModel& read = parsed();
  std::call_once(infer_once_, [&] {
    const auto& symbols = read.symbols.symbols();
    types_.values.resize(symbols.size());
    if (!options().infer) return;
    types_.inference = is_found_ && inferred_ ? std::move(*inferred_)
                                              : InferTypes(*read.model, {.operators = operator_files().operators});
    for (SymbolId scope = 0; scope < read.symbols.scopes().size(); ++scope) {
      if (read.messages[scope] == nullptr) continue;
      SymbolId next = 0;  // most often it follows the one before: both are in the order of the text
      for (const InferredValue& known : types_.inference.ValuesOf(*read.messages[scope])) {
        const bool is_next = next < symbols.size() && symbols[next].kind == SymbolKind::kValue &&
                             symbols[next].scope == scope && symbols[next].name == known.name;
        const SymbolId symbol = is_next ? next : read.symbols.FindValue(scope, known.name);
        if (symbol == kNoSymbol) continue;
        types_.values[symbol] = &known;
        next = symbol + 1;
      }
    }
    is_typed_ = true;
  });
  return value < types_.values.size() ? types_.values[value] : nullptr;
}

std::string Snapshot::Correct() const {
  const verdict::Judge once = [this](const SourceText& source) { return Judge(source, nullptr); };
  const verdict::Judge judge = [&once](const SourceText& source) {
    return verdict::ProveCorrections(source, once(source), once);
  };
  const auto wanted = [this](const Diagnostics& findings, const SourceText& source) {
    return Wanted(findings, source);
  };
  return std::string(verdict::CorrectAll(source_, judge, wanted).source.text());
}

const std::string& Snapshot::Corrected() const {
  std::call_once(correct_once_, [this] { corrected_ = Correct(); });
  return corrected_;
}

std::unique_ptr<const Snapshot> Snapshot::WithText(std::string text) const {
  return std::make_unique<const Snapshot>(uri_, version_, std::move(text), encoding_, settings_,
                                          Before{.read = ReadSoFar(), .lines = &lines_});
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
