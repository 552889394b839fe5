#include "lsp/snapshot.h"

#include <onnxc/model_io.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "lsp/uri.h"
#include "verdict/analyze.h"
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
    : memory_(before.memory),
      uri_(std::move(uri)),
      path_(PathOf(uri_)),
      version_(version),
      source_(path_, std::move(text)),
      encoding_(encoding),
      lines_(source_.text(), encoding, before.lines, before.same),
      settings_(std::move(settings)),
      expected_(before.had_errors ? lower::Expected::kErrors : lower::Expected::kNoErrors),
      are_symbols_used_(before.are_symbols_used),
      were_symbols_used_(are_symbols_used_ == nullptr || are_symbols_used_->exchange(false)),
      before_(before.read),
      indexed_(before.indexed),
      found_before_(before.found),
      found_(before.found) {
  if (are_symbols_used_ == nullptr) are_symbols_used_ = std::make_shared<std::atomic<bool>>(false);
}

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

// Computing the symbols takes more than half of the time of reading, so this is done only if they will probably be
// used. A text that is read completely gets its symbols, too, so that later versions can copy them.
const Reading& Snapshot::reading() const {
  std::call_once(read_once_, [this] {
    const bool is_complete = before_.version == nullptr || before_.version->IsWorn();
    const bool indexes = is_complete || (ExpectsUse() && before_.version == indexed_);
    const auto symbols = indexes ? WithSymbols::kYes : WithSymbols::kNo;
    reading_ = std::make_shared<Reading>(source_, before_.version, &is_stale_, symbols, expected_, before_.same);
    if (!is_stale()) AddLibraries(reading_.get());
    if (reading_->IsRight()) before_ = {reading_, Whole()};
    is_read_ = !is_stale();
    if (is_read_ && indexes) KeepSymbols();
  });
  if (!is_read_) throw RequestError(ErrorCode::kContentModified, "the document was changed");
  return *reading_;
}

const PartialModel& Snapshot::indexed() const {
  (void)reading();
  std::call_once(index_once_, [this] {
    if (is_indexed_) return;
    reading_->AddSymbols(indexed_.get());
    KeepSymbols();
  });
  return reading_->parsed();
}

void Snapshot::KeepSymbols() const {
  if (reading_->IsRight()) indexed_ = reading_;
  is_indexed_ = true;
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

// Checks a corrected version of the text, for which there is no document.
Diagnostics Snapshot::Judge(const SourceText& source, const std::atomic<bool>* stop,
                            verdict::LinkedFindings* in_libraries) const {
  if (DetectFormat(source.text(), path_, Kind::kModel) != Format::kText) {
    return verdict::JudgeFor({.path = path_, .rules = Rules()})(source);
  }
  (void)reading();  // sets before_
  const CommonEnds same = CommonEndsOf(text(), source.text());
  const auto read = std::make_shared<Reading>(source, before_.version, stop, WithSymbols::kNo,
                                              lower::Expected::kNoErrors, Joined(before_.same, same));
  if (stop != nullptr && *stop) return {};
  AddLibraries(read.get());
  verdict::Checked ignored;
  return Check(read, same, &ignored, in_libraries);
}

Diagnostics Snapshot::Check(const std::shared_ptr<const Reading>& read, CommonEnds same, verdict::Checked* checked,
                            verdict::LinkedFindings* in_libraries) const {
  Diagnostics found = read->errors();
  const OperatorFiles& files = operator_files();  // after this call, Names() recognizes the paths of these files
  // If the settings name this text as an operator file, the check of the text already reports its errors, with their
  // places.
  if (found.ok() && !settings_->named.Names(path_)) found.Append(files.problems);
  if (!found.ok()) return found;
  const auto& [before, same_before] = FoundHere();
  found =
      verdict::CheckVersion(read, read->version(), path_, Rules(), {before.get(), Joined(same_before, same)}, checked);
  return in_libraries->AtCalls(found, read->linked_files());
}

CheckOptions Snapshot::Rules() const { return {.operators = operator_files().operators, .infer = options().infer}; }

const onnxc::Settings& Snapshot::SettingsFile() const {
  bool is_new = false;
  return settings_->files.Find(verdict::FolderOf(path_), &is_new);
}

Diagnostics Snapshot::Wanted(const Diagnostics& findings, const SourceText& source,
                             const verdict::LinkedFindings& in_libraries, const RareParts& rare) const {
  const std::array settings{&options().warnings, &SettingsFile().warnings};
  if (!rare.MayHave(RarePart::kAllowed)) return WithLevels(findings, settings);
  return WithLevels(in_libraries.WithoutAllowed(findings, source), settings);
}

// Computes the findings in the same steps as `onnxc check`, except that the text was already read.
Diagnostics Snapshot::Find() const {
  if (DetectFormat(text(), path_, Kind::kModel) != Format::kText) {
    return verdict::Shown(Wanted(Judge(source_, &is_stale_, &in_libraries_), source_, in_libraries_));
  }
  const verdict::Judge judge = [this](const SourceText& corrected) {
    return Judge(corrected, &is_stale_, &in_libraries_);
  };
  (void)reading();
  Diagnostics found = Check(reading_, Whole(), &checked_, &in_libraries_);
  if (checked_.version != nullptr) found_ = {checked_.version, Whole()};
  if (is_stale()) return {};
  const RareParts& rare = reading_->rare_parts();
  found = verdict::ProveCorrections(source_, std::move(found), judge, rare);
  return verdict::Shown(Wanted(found, source_, in_libraries_, rare));
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
  (void)parsed();
  Infer();
  if (value >= types_.values.size()) return nullptr;
  const Symbol& symbol = symbols().symbols()[value];
  const bool is_of_before = types_.of_before && symbol.kind == SymbolKind::kValue && symbol.scope == types_.graph;
  return is_of_before ? types_.before->Find(*types_.of_before, symbol.name) : types_.values[value];
}

void Snapshot::Infer() const {
  std::call_once(infer_once_, [this] {
    InferAll();
    is_typed_ = true;
  });
}

void Snapshot::Prepare() const {
  if (ExpectsUse() && !is_stale()) Infer();
}

// Makes the types of all values available. If this version was checked as a whole, its types are known already.
// Otherwise, if possible, types are inferred only for the changed nodes, and the types of all other values come from an
// earlier version.
void Snapshot::InferAll() const {
  const PartialModel& read = indexed();
  const auto& symbols = read.symbols.symbols();
  types_.values.resize(symbols.size());
  if (!options().infer) return;
  const Operators& operators = operator_files().operators;
  const auto& [before, same] = FoundHere();
  types_.before = before;
  if (is_found_) types_.inference = checked_.types;
  if (types_.inference == nullptr && types_.before != nullptr) {
    auto change = is_found_ && checked_.change ? checked_.change : types_.before->Compare(reading().version(), same);
    if (change) types_.of_before = types_.before->InferAgain(*std::move(change), operators);
  }
  if (types_.inference == nullptr && !types_.of_before) {
    types_.inference = std::make_shared<const Inference>(InferTypes(*read.model, {.operators = operators}));
  }
  for (SymbolId scope = 0; scope < read.symbols.scopes().size(); ++scope) {
    const google::protobuf::Message* const message = read.messages[scope];
    if (message == nullptr) continue;
    if (types_.of_before && message == &read.model->graph()) {
      types_.graph = scope;  // TypeOf() looks up single values of this graph, because few of its many values are needed
      continue;
    }
    SymbolId next = 0;  // usually the next symbol, because both lists are in the order of the text
    for (const InferredValue& value : types_.of_before ? types_.before->ValuesOf(*types_.of_before, *message)
                                                       : types_.inference->ValuesOf(*message)) {
      const bool is_next = next < symbols.size() && symbols[next].kind == SymbolKind::kValue &&
                           symbols[next].scope == scope && symbols[next].name == value.name;
      const SymbolId symbol = is_next ? next : read.symbols.FindValue(scope, value.name);
      if (symbol == kNoSymbol) continue;
      types_.values[symbol] = &value;
      next = symbol + 1;
    }
  }
}

std::string Snapshot::Correct() const {
  verdict::LinkedFindings in_libraries;
  const verdict::Judge judge = [&](const SourceText& source) { return Judge(source, nullptr, &in_libraries); };
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
  return std::make_unique<const Snapshot>(uri_, version_, std::move(text), encoding_, settings_,
                                          Before{.read = {ReadSoFar().version},
                                                 .indexed = IndexedSoFar(),
                                                 .lines = &lines_,
                                                 .are_symbols_used = std::make_shared<std::atomic<bool>>(false)});
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
