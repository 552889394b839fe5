#include "verdict/linked.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "check/declaration.h"
#include "check/functions.h"
#include "infer/call_note.h"
#include "settings/filtered.h"
#include "source/message_path.h"
#include "source/names.h"
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

/// A function of a library.
struct Definition {
  std::size_t library = 0;
  int index = 0;
};

/// Returns the functions of the libraries by their ids. If several functions have the same id, the first one is
/// returned, as in Link().
OwnedNameMap<Definition> DefinitionsOf(const std::vector<LinkInput>& libraries, const std::string& model) {
  OwnedNameMap<Definition> definitions;
  for (std::size_t library = 0; library < libraries.size(); ++library) {
    if (libraries[library].source.name() == model) continue;
    for (int i = 0; i < libraries[library].message.functions_size(); ++i) {
      const onnx::FunctionProto& function = libraries[library].message.functions(i);
      if (check::IsDeclaration(function)) continue;
      definitions.try_emplace(check::FunctionId(function.domain(), function.name(), function.overload()),
                              Definition{library, i});
    }
  }
  return definitions;
}

}  // namespace

void LinkedFiles::AddPart(const Place& part, const Message& linked, const SourceMap& its_places, SourceMap* places) {
  File& file = files_.back();
  const bool is_text = its_places.size() > 0;
  ForEachPart(part, linked, [&](const Spot& spot, const Message& message) {
    SourceRange range{file.paths.size(), file.paths.size() + 1};
    if (is_text) {
      const SourceRange* const found = its_places.FindOwn(spot.place.message, spot.field, spot.index);
      if (found == nullptr || *found == kNowhere) return;
      range = *found;
    } else {
      file.paths.push_back(PathOf(spot));
    }
    places->Set(message, {file.begin + range.begin, file.begin + range.end}, spot.field, spot.index);
  });
  end_ = file.begin + 1 + (is_text ? file.source.text().size() : file.paths.size());
}

void LinkedFiles::Add(const onnx::ModelProto& model, int functions, int imports,
                      const std::vector<LinkInput>& libraries, SourceMap* places) {
  if (model.functions_size() == functions) return;
  if (places->size() == 0 && functions > 0) {
    files_.push_back({model_, end_});
    const Place root{model};
    for (int i = 0; i < functions; ++i) {
      AddPart(root.Child(model.functions(i), onnx::ModelProto::kFunctionsFieldNumber, i), model.functions(i), {},
              places);
    }
  }
  NameMap<const onnx::OperatorSetIdProto*> new_imports;
  for (int i = imports; i < model.opset_import_size(); ++i) {
    new_imports.try_emplace(model.opset_import(i).domain(), &model.opset_import(i));
  }
  const OwnedNameMap<Definition> definitions = DefinitionsOf(libraries, model_.name());
  const LinkInput* last = nullptr;
  for (int i = functions; i < model.functions_size(); ++i) {  // in the order of the libraries
    const onnx::FunctionProto& linked = model.functions(i);
    const auto found = definitions.find(check::FunctionId(linked.domain(), linked.name(), linked.overload()));
    if (found == definitions.end()) continue;
    const LinkInput& library = libraries[found->second.library];
    if (std::exchange(last, &library) != &library) files_.push_back({library.source, end_});
    const onnx::FunctionProto& function = library.message.functions(found->second.index);
    const Place root{library.message};
    const Place place = root.Child(function, onnx::ModelProto::kFunctionsFieldNumber, found->second.index);
    AddPart(place, linked, library.places, places);
    for (int import = 0; import < function.opset_import_size(); ++import) {
      const onnx::OperatorSetIdProto& imported = function.opset_import(import);
      const auto added = new_imports.find(imported.domain());
      if (added == new_imports.end() || added->second->version() != imported.version()) continue;
      AddPart(place.Child(imported, onnx::FunctionProto::kOpsetImportFieldNumber, import), *added->second,
              library.places, places);
      new_imports.erase(added);
    }
  }
}

const LinkedFiles::File* LinkedFiles::FileAt(SourceRange range) const {
  if (range == kNowhere || range.begin >= end_) return nullptr;
  const auto next = std::ranges::upper_bound(files_, range.begin, {}, &File::begin);
  return next == files_.begin() ? nullptr : &*std::prev(next);
}

std::string LinkedFiles::ShownPlace(SourceRange range) const {
  const File* const file = FileAt(range);
  const std::size_t at = range.begin - (file == nullptr ? 0 : file->begin);
  const SourceText& source = file == nullptr ? model_ : file->source;
  if (file != nullptr && !file->paths.empty()) return fmt::format("{}: {}", Quoted(source.name()), file->paths[at]);
  const SourcePosition position = source.PositionAt(at);
  return fmt::format("{}:{}:{}", Quoted(source.name()), position.line, position.column);
}

void LinkedFiles::MoveToFile(const File* file, Diagnostic* finding) const {
  const bool is_text = file == nullptr || file->paths.empty();
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
    finding->path = file->paths[finding->range.begin - begin];
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
    const bool has_text = file == nullptr ? finding->path.empty() : file->paths.empty();
    if (!has_text && IsForTextsOnly(finding->kind)) return false;
    if (file == nullptr || file->source.name() == files.model_.name()) {
      files.MoveToFile(file, finding);
      return true;
    }
    std::string message = fmt::format("{}: {}", files.ShownPlace(finding->range), finding->message);
    Keep(files, *file, message, *finding);
    finding->message = std::move(message);
    finding->range = kNowhere;
    finding->fix_its.clear();
    std::erase_if(finding->notes, [&](const Note& note) { return files.FileAt(note.range) != nullptr; });
    const auto call = std::ranges::find(finding->notes, infer::kForThisCall, &Note::message);
    if (call != finding->notes.end()) finding->range = call->range;
    return true;
  });
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
