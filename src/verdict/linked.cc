#include "verdict/linked.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "infer/call_note.h"
#include "settings/filtered.h"
#include "source/message_path.h"
#include "source/report.h"
#include "verdict/judge.h"

namespace onnxc::verdict {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// Returns how many elements of a field can have separate places: all numbers of a list share the place of the first
/// one.
int CountOfParts(const Message& message, const FieldDescriptor& field) {
  if (!field.is_repeated()) return 1;
  const int size = message.GetReflection()->FieldSize(message, &field);
  const bool is_list_of_numbers =
      field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE && field.cpp_type() != FieldDescriptor::CPPTYPE_STRING;
  return is_list_of_numbers ? std::min(size, 1) : size;
}

const Message& PartOf(const Message& message, const FieldDescriptor& field, int index) {
  const auto* const reflection = message.GetReflection();
  return field.is_repeated() ? reflection->GetRepeatedMessage(message, &field, index)
                             : reflection->GetMessage(message, &field);
}

/// Calls visit(spot, message) for the message at `place` and for all its parts. `copy` is a copy of the message at
/// `place`, and `message` is the message in this copy that corresponds to that of the spot.
template <typename Visit>
void ForEachPart(const Place& place, const Message& copy, const Visit& visit) {
  visit(Spot(place), copy);
  std::vector<const FieldDescriptor*> fields;
  copy.GetReflection()->ListFields(copy, &fields);
  for (const FieldDescriptor* const field : fields) {
    for (int i = 0; i < CountOfParts(copy, *field); ++i) {
      visit(Spot(place, field->number(), i), copy);
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
      ForEachPart(place.Child(PartOf(place.message, *field, i), field->number(), i), PartOf(copy, *field, i), visit);
    }
  }
}

/// Returns whether the rule is checked only in texts. If a file is linked, it has places in the source map even if it
/// is not a text, so the checker takes it for a text.
bool IsForTextsOnly(DiagnosticKind kind) {
  return kind == DiagnosticKind::kUnusedInput || kind == DiagnosticKind::kUnusedValue;
}

/// Calls add(message, field, index, range) for each part that has a place. `part` is a part of a file, `its_places` is
/// the source map of the file, and `copy` is the same part in the message for which the places are. If the file is not
/// a text, each part is numbered, and its path is added to `paths`.
template <typename Add>
void ForEachPlace(const Place& part, const Message& copy, const SourceMap& its_places, std::vector<std::string>* paths,
                  const Add& add) {
  const bool is_text = its_places.size() > 0;
  ForEachPart(part, copy, [&](const Spot& spot, const Message& message) {
    if (!is_text) {
      add(message, spot.field, spot.index, SourceRange{paths->size(), paths->size() + 1});
      paths->push_back(PathOf(spot));
      return;
    }
    const SourceRange* const found = its_places.FindOwn(spot.place.message, spot.field, spot.index);
    if (found != nullptr && *found != kNowhere) add(message, spot.field, spot.index, *found);
  });
}

SourceRange Moved(SourceRange range, std::size_t by) { return {range.begin + by, range.end + by}; }

/// Returns the size of the region of a file.
std::size_t SizeOf(const SourceText& source, const std::vector<std::string>& paths) {
  return 1 + (paths.empty() ? source.text().size() : paths.size());
}

}  // namespace

LibraryPlaces::LibraryPlaces(const LinkInput& library)
    : source_(library.source), paths_(std::make_shared<std::vector<std::string>>()) {
  const Place root{library.message};
  for (int i = 0; i < library.message.functions_size(); ++i) {
    const onnx::FunctionProto& function = library.message.functions(i);
    ForEachPlace(root.Child(function, onnx::ModelProto::kFunctionsFieldNumber, i), function, library.places,
                 paths_.get(), [&](const Message& message, int field, int index, SourceRange range) {
                   parts_.push_back({&message, field, index, range});
                 });
    ends_.push_back(parts_.size());
  }
  if (paths_->empty()) allows_ = AllowedIn(source_);
}

// All calls are looked up before any place is added, because a lookup after new places makes an index of them.
void LinkedFiles::AddCallsOf(const LinkedParts& linked, const SourceMap& places) {
  functions_.reserve(linked.functions.size());
  for (const LinkedFunction& function : linked.functions) {
    const SourceRange* const call = places.Find(*function.call);
    functions_.push_back({end_, call == nullptr ? kNowhere : *call});
  }
}

void LinkedFiles::AddCopies(const onnx::ModelProto& model, const LinkedParts& linked,
                            const std::vector<LinkInput>& libraries, SourceMap* places) {
  if (linked.functions.empty()) return;
  AddCallsOf(linked, *places);
  const auto add_part = [&](const Place& part, const Message& copy, const SourceMap& its_places) {
    const File& file = files_.back();
    std::size_t begin = kNowhere.begin;
    ForEachPlace(part, copy, its_places, file.paths.get(),
                 [&](const Message& message, int field, int index, SourceRange range) {
                   begin = std::min(begin, file.begin + range.begin);
                   places->Set(message, Moved(range, file.begin), field, index);
                 });
    return begin;
  };
  const auto begin_file = [&](const SourceText& source) {
    if (!files_.empty()) end_ = files_.back().begin + SizeOf(files_.back().source, *files_.back().paths);
    files_.push_back({source, end_});
  };
  if (places->size() == 0 && linked.first_function > 0) {
    begin_file(model_);
    const Place root{model};
    for (int i = 0; i < linked.first_function; ++i) {
      const onnx::FunctionProto& own = model.functions(i);
      add_part(root.Child(own, onnx::ModelProto::kFunctionsFieldNumber, i), own, {});
    }
  }
  const LinkInput* last = nullptr;
  auto import = linked.imports.begin();
  for (std::size_t i = 0; i < linked.functions.size(); ++i) {
    const auto& [number, index, call] = linked.functions[i];
    const LinkInput& library = libraries[number];
    if (std::exchange(last, &library) != &library) begin_file(library.source);
    const onnx::FunctionProto& function = library.message.functions(index);
    const Place root{library.message};
    const Place place = root.Child(function, onnx::ModelProto::kFunctionsFieldNumber, index);
    functions_[i].begin = add_part(place, model.functions(linked.first_function + static_cast<int>(i)), library.places);
    for (; import != linked.imports.end() && import->library == number && import->function == index; ++import) {
      const auto added = linked.first_import + static_cast<int>(import - linked.imports.begin());
      add_part(place.Child(function.opset_import(import->index), onnx::FunctionProto::kOpsetImportFieldNumber,
                           import->index),
               model.opset_import(added), library.places);
    }
  }
  end_ = files_.back().begin + SizeOf(files_.back().source, *files_.back().paths);
  std::ranges::sort(functions_, {}, &Function::begin);
}

void LinkedFiles::Add(const LinkedParts& linked, const std::vector<LibraryPlaces>& libraries, SourceMap* places) {
  if (linked.functions.empty()) return;
  AddCallsOf(linked, *places);
  for (const LibraryPlaces& library : libraries) {
    files_.push_back({library.source_, end_, library.paths_, library.allows_});
    end_ += SizeOf(library.source_, *library.paths_);
  }
  for (std::size_t i = 0; i < linked.functions.size(); ++i) {
    const auto& [number, index, call] = linked.functions[i];
    const LibraryPlaces& library = libraries[number];
    const std::size_t first = index == 0 ? 0 : library.ends_[static_cast<std::size_t>(index) - 1];
    const std::size_t end = library.ends_[static_cast<std::size_t>(index)];
    for (std::size_t at = first; at < end; ++at) {
      const LibraryPlaces::Part& part = library.parts_[at];
      const SourceRange range = Moved(part.range, files_[number].begin);
      places->Set(*part.message, range, part.field, part.index);
      functions_[i].begin = at == first ? range.begin : std::min(functions_[i].begin, range.begin);
    }
  }
  std::ranges::sort(functions_, {}, &Function::begin);
}

const LinkedFiles::File* LinkedFiles::FileAt(SourceRange range) const {
  if (range == kNowhere || range.begin >= end_) return nullptr;
  const auto next = std::ranges::upper_bound(files_, range.begin, {}, &File::begin);
  return next == files_.begin() ? nullptr : &*std::prev(next);
}

SourceRange LinkedFiles::CallOf(SourceRange range) const {
  const auto next = std::ranges::upper_bound(functions_, range.begin, {}, &Function::begin);
  return next == functions_.begin() ? kNowhere : std::prev(next)->call;
}

std::string LinkedFiles::ShownPlace(SourceRange range) const {
  const File* const file = FileAt(range);
  const std::size_t at = range.begin - (file == nullptr ? 0 : file->begin);
  const SourceText& source = file == nullptr ? model_ : file->source;
  if (file != nullptr && !file->is_text()) return fmt::format("{}: {}", Quoted(source.name()), (*file->paths)[at]);
  const SourcePosition position = source.PositionAt(at);
  return fmt::format("{}:{}:{}", Quoted(source.name()), position.line, position.column);
}

void LinkedFiles::MoveToFile(const File* file, Diagnostic* finding) const {
  const bool is_text = file == nullptr || file->is_text();
  const std::size_t begin = file == nullptr ? 0 : file->begin;
  std::vector<Note> notes;
  for (Note& note : std::exchange(finding->notes, {})) {
    if (note.range != kNowhere && (!is_text || FileAt(note.range) != file)) {
      finding->message += fmt::format("; {}: {}", note.message, ShownPlace(note.range));
      continue;
    }
    if (note.range != kNowhere) note.range = {note.range.begin - begin, note.range.end - begin};
    notes.push_back(std::move(note));
  }
  finding->notes = std::move(notes);
  const auto is_elsewhere = [&](const FixIt& edit) { return FileAt(edit.range) != nullptr; };
  if (file != nullptr || std::ranges::any_of(finding->fix_its, is_elsewhere)) finding->fix_its.clear();
  if (!is_text) {
    finding->path = (*file->paths)[finding->range.begin - begin];
    finding->range = kNowhere;
  } else if (file != nullptr) {
    finding->range = {finding->range.begin - begin, finding->range.end - begin};
  }
}

void LinkedFindings::Keep(const LinkedFiles& files, const LinkedFiles::File& file, const std::string& message,
                          Diagnostic finding) {
  const auto known = by_message_.find(message);
  if (known != by_message_.end() && known->second.version != versions_) return;
  if (versions_ > 1)
    std::erase_if(finding.notes, [&](const Note& note) { return files.FileAt(note.range) == nullptr; });
  files.MoveToFile(&file, &finding);
  const auto entry = by_message_.try_emplace(message, AtPlace{file.source, versions_, {}}).first;
  entry->second.findings.push_back(std::move(finding));
}

Diagnostics LinkedFindings::AtCalls(const Diagnostics& found, const LinkedFiles& files) {
  ++versions_;
  if (files.files_.empty()) return found;
  return Filtered(found, [&](Diagnostic* finding) {
    const LinkedFiles::File* const file = files.FileAt(finding->range);
    const bool has_text = file == nullptr ? finding->path.empty() : file->is_text();
    if (!has_text && IsForTextsOnly(finding->kind)) return false;
    if (file != nullptr && file->allows && finding->severity == Severity::kWarning &&
        file->allows(finding->kind, finding->range.begin - file->begin)) {
      return false;
    }
    if (file == nullptr || file->source.name() == files.model_.name()) {
      files.MoveToFile(file, finding);
      return true;
    }
    std::string message = fmt::format("{}: {}", files.ShownPlace(finding->range), finding->message);
    Keep(files, *file, message, *finding);
    finding->message = std::move(message);
    finding->range = files.CallOf(finding->range);
    finding->fix_its.clear();
    std::erase_if(finding->notes, [&](const Note& note) { return files.FileAt(note.range) != nullptr; });
    const auto call = std::ranges::find(finding->notes, infer::kForThisCall, &Note::message);
    if (call != finding->notes.end()) finding->range = call->range;
    return true;
  });
}

std::optional<LinkedFindings::PlaceInLibrary> LinkedFindings::InLibrary(const Diagnostic& finding) const {
  const auto found = by_message_.find(finding.message);
  if (found == by_message_.end()) return std::nullopt;
  const AtPlace& place = found->second;
  return PlaceInLibrary{place.library, place.findings.front().range};
}

Diagnostics LinkedFindings::WithoutAllowed(const Diagnostics& found, const SourceText& model) const {
  if (by_message_.empty()) return onnxc::WithoutAllowed(found, model);
  std::vector<Diagnostic> of_libraries;
  const Diagnostics own = Filtered(found, [&](const Diagnostic* finding) {
    if (!InLibrary(*finding)) return true;
    of_libraries.push_back(*finding);
    return false;
  });
  Diagnostics wanted = onnxc::WithoutAllowed(own, model);
  for (Diagnostic& finding : of_libraries) wanted.Add(std::move(finding));
  return wanted;
}

Diagnostics LinkedFindings::Split(const Diagnostics& found, std::vector<SourceFindings>* others) const {
  std::set<std::string_view> told;
  Diagnostics own = Filtered(found, [&](const Diagnostic* finding) {
    const auto place = by_message_.find(finding->message);
    if (place == by_message_.end()) return true;
    if (!told.insert(place->first).second) return false;
    const auto& [library, version, findings] = place->second;
    const auto its = std::ranges::find(
        *others, library.name(), [](const SourceFindings& other) -> const std::string& { return other.source.name(); });
    SourceFindings& file = its == others->end() ? others->emplace_back(SourceFindings{library, {}}) : *its;
    for (const Diagnostic& each : findings) file.diagnostics.Add(each);
    return false;
  });
  for (SourceFindings& file : *others) file.diagnostics.Finish(kMostFindings);
  return own;
}

}  // namespace onnxc::verdict
