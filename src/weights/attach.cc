// Supplies the data of elided tensors.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnxc/external_data.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <climits>
#include <filesystem>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "external/external_entries.h"
#include "source/names.h"
#include "source/report.h"
#include "source/words.h"
#include "tables/raw_data.h"
#include "weights/elided.h"
#include "weights/layout.h"
#include "weights/names.h"
#include "weights/skeleton.h"
#include "weights/tensor_data.h"
#include "weights/tensors.h"
#include "weights/weight_files.h"
#include "wire/nesting.h"
#include "wire/wire.h"

namespace onnxc::weights {
namespace {

namespace fs = std::filesystem;
using google::protobuf::Message;

/// A tensor of another model that may supply the data of an elided tensor.
struct Candidate {
  const onnx::TensorProto* tensor = nullptr;
  std::optional<FileRange> range;  ///< the range of its external data
  std::string path = {};
  std::string checksum = {};  ///< computed only if an elided tensor of the same size has a checksum
};

/// Returns the key under which a candidate with this checksum is stored. The same bytes may be elements of another type
/// or in another shape, so the key contains the type and, if requested, the shape.
std::string KeyOf(std::string_view checksum, const onnx::TensorProto& tensor, bool with_shape) {
  std::string key = fmt::format("{} {}", checksum, tensor.data_type());
  if (with_shape) key += fmt::format(" [{}]", fmt::join(tensor.dims(), ", "));
  return key;
}

bool HaveSameType(const onnx::TensorProto& a, const onnx::TensorProto& b) {
  return a.data_type() == b.data_type() && std::ranges::equal(a.dims(), b.dims());
}

/// An elided tensor of the message whose data are to be supplied. `gaps_` contains the gaps in the order of
/// ForEachTensor().
struct Gap {
  Slot slot;
  std::string checksum;  ///< "" if there is none
  TensorName name;
  const Candidate* source = nullptr;  ///< the tensor in the other model
};

/// Collects findings about tensors: the first finding of each kind, and how many more of that kind there are.
class Refusals {
 public:
  [[nodiscard]] bool empty() const { return kinds_.empty(); }

  void Add(Diagnostic finding, bool has_checksum) {
    const auto known = std::ranges::find(kinds_, finding.kind, [](const Row& row) { return row.first.kind; });
    if (known != kinds_.end()) {
      ++known->more;
    } else {
      kinds_.push_back({.first = std::move(finding), .has_checksum = has_checksum});
    }
  }

  void MoveTo(Diagnostics* found) {
    for (Row& row : kinds_) {
      if (row.more > 0)
        row.first.message +=
            fmt::format("; the same applies to {}", Counted(static_cast<std::int64_t>(row.more), "more tensor"));
      if (!row.has_checksum && IsAboutNames(row.first.kind)) row.first.message += kHint;
      found->Add(std::move(row.first));
    }
    kinds_.clear();
  }

 private:
  static constexpr std::string_view kHint =
      "; a text that 'print --weights elide' writes contains checksums, which identify the data";

  static bool IsAboutNames(DiagnosticKind kind) {
    return kind == DiagnosticKind::kWeightsNotFound || kind == DiagnosticKind::kWeightsAmbiguous ||
           kind == DiagnosticKind::kWeightsLayout;
  }

  struct Row {
    Diagnostic first;
    bool has_checksum;
    std::size_t more = 0;
  };
  std::vector<Row> kinds_;
};

/// Finds tensors by the number of their name (TensorName). A name that several tensors have is ambiguous.
class ByName {
 public:
  void Add(std::uint32_t name, const Candidate* candidate = nullptr) {
    if (name == 0) return;
    Entry& entry = entries_[name];
    ++entry.count;
    entry.candidate = candidate;
  }
  [[nodiscard]] std::size_t Count(std::uint32_t name) const {
    const auto found = entries_.find(name);
    return found == entries_.end() ? 0 : found->second.count;
  }
  /// Returns the only tensor of this name, or null if there are none or several.
  [[nodiscard]] const Candidate* Only(std::uint32_t name) const {
    const auto found = entries_.find(name);
    return found == entries_.end() || found->second.count != 1 ? nullptr : found->second.candidate;
  }

 private:
  struct Entry {
    std::size_t count = 0;
    const Candidate* candidate = nullptr;
  };
  std::unordered_map<std::uint32_t, Entry> entries_;
};

/// All tensors of a message, by the two numbers of TensorName.
struct Tensors {
  ByName exact;
  ByName loose;
};

class Attacher {
 public:
  Attacher(Message* message, const std::string& file, const ExternalDataOptions& options, WeightFiles* read)
      : message_(message), path_(file), name_(fs::path(file).filename().string()), options_(options), read_(read) {}

  Diagnostics Run() {
    found_ = wire::CheckNesting(*message_);
    if (!found_.ok()) return std::move(found_);
    FindGaps();
    if (found_.ok() && gaps_.empty()) {
      found_.Add(MakeDiagnostic(diag::kWeightsNotNeeded, kNowhere,
                                has_external_ ? "; 'onnxc weights inline' stores external data in the model" : ""));
    } else if (found_.ok()) {
      Supply();
    }
    refusals_.MoveTo(&found_);
    return std::move(found_);
  }

 private:
  void Supply() {
    if (!IsSafetensors(name_) && FormatOfSuffix(name_).has_value()) {
      FromModel();
    } else if (IsBeside()) {
      FromSideFile();
    } else {
      found_.Add(MakeDiagnostic(diag::kCannotRead, kNowhere,
                                fmt::format("the weights '{}' are not in the model's directory", Quoted(path_))));
    }
  }

  [[nodiscard]] bool ok() const { return found_.ok() && refusals_.empty(); }

  void FindGaps() {
    ForEachTensor(message_, [&](onnx::TensorProto* tensor, const Place& place) {
      const TensorName name = names_.Of(place);
      own_.exact.Add(name.exact);
      own_.loose.Add(name.loose);
      has_external_ = has_external_ || IsExternal(*tensor);
      if (!IsElided(*tensor)) return;
      if (CountDataFields(*tensor) != 0) found_.Add(TensorError(diag::kExternalWithData, place));
      const ExternalEntries entries = ReadEntries(*tensor);
      for (const EntryProblem& problem : entries.problems) found_.Add(AtTensor(problem.finding, place));
      Slot slot{.tensor = tensor, .path = PathOf(place), .value = ValueName(place)};
      slot.size = DataSize(*tensor).value_or(0);
      gaps_.push_back({.slot = std::move(slot), .checksum = std::string(entries.elided.value_or("")), .name = name});
    });
  }

  /// Adds a finding about a gap. The first argument of the message is the name of the gap's tensor; `args` are the
  /// other arguments.
  template <typename... Args>
  void Report(const DiagnosticBase<diag::Text, Args...>& kind, const Gap& gap, std::type_identity_t<Args>... args) {
    Diagnostic finding = MakeDiagnostic(kind, kNowhere, TensorLabel(*gap.slot.tensor), args...);
    finding.path = gap.slot.path;
    refusals_.Add(std::move(finding), !gap.checksum.empty());
  }

  // ---- a file to which the model will refer

  /// Returns whether the file that supplies the data is in the folder of the model.
  [[nodiscard]] bool IsBeside() const {
    const fs::path folder = fs::path(path_).parent_path();
    std::error_code error;
    const auto given = [](const fs::path& path) { return path.empty() ? fs::path(".") : path; };
    return fs::equivalent(given(folder), given(options_.directory), error);
  }

  void FromSideFile() {
    if (read_ != nullptr) read_->Add("", path_);
    DataReader reader(options_, &found_);
    std::string problem;
    const auto file = reader.Open(name_, &problem);
    if (file != nullptr) found_.Append(reader.CheckLimit(*file, name_));
    if (!found_.ok()) return;
    OwnedNameMap<SafetensorsEntry> entries;
    if (file != nullptr && IsSafetensors(name_)) entries = ReadSafetensors(*file, &problem);
    if (!problem.empty()) {
      found_.Add(MakeDiagnostic(diag::kCannotRead, kNowhere, fmt::format("'{}' {}", Quoted(name_), problem)));
      return;
    }
    std::vector<Slot> slots;
    for (const Gap& gap : gaps_) {
      if (!DataSize(*gap.slot.tensor).has_value()) {
        Report(diag::kWeightsNeedModel, gap);
      } else if (!IsSafetensors(name_) && gap.checksum.empty()) {
        Report(diag::kWeightsLayout, gap, Quoted(name_));  // without a checksum, only the order could identify the data
      }
      slots.push_back(gap.slot);
    }
    if (!ok()) return;
    if (IsSafetensors(name_)) {
      NameSlots(&slots);
    } else {
      (void)LayOut(&slots);
    }
    for (std::size_t i = 0; i < gaps_.size(); ++i) {
      if (IsSafetensors(name_) && !FindEntry(gaps_[i], entries, &slots[i])) continue;
      Refer(gaps_[i], slots[i], *file, reader);
    }
  }

  [[nodiscard]] bool FindEntry(const Gap& gap, const OwnedNameMap<SafetensorsEntry>& entries, Slot* slot) {
    const bool has_checksum = !gap.checksum.empty();
    auto entry = slot->is_named || has_checksum ? entries.find(slot->key) : entries.end();
    if (entry == entries.end() && has_checksum) entry = entries.find(slot->path);
    if (entry == entries.end()) {
      if (slot->is_named || has_checksum) {
        Report(diag::kWeightsMissing, gap, Quoted(name_), Quoted(slot->key));
      } else {
        Report(diag::kWeightsAmbiguous, gap, Quoted(name_));
      }
      return false;
    }
    const std::string_view type = SafetensorsType(slot->tensor->data_type());
    if (entry->second.size != slot->size || (!type.empty() && entry->second.dtype != type)) {
      // Bytes of any type fit a tensor whose type safetensors does not know.
      const std::string found_type = Quoted(entry->second.dtype);
      Report(diag::kWeightsOtherSize, gap, Quoted(name_), entry->second.size, found_type, slot->size,
             type.empty() ? std::string_view(found_type) : type);
      return false;
    }
    // The same bytes in another order, such as those of a transposed matrix, would have another checksum.
    if (!type.empty() && !has_checksum && !std::ranges::equal(entry->second.shape, slot->tensor->dims())) {
      Report(diag::kWeightsOtherType, gap, Quoted(name_));
      return false;
    }
    slot->offset = entry->second.offset;
    return true;
  }

  void Refer(const Gap& gap, const Slot& slot, const DataFile& file, DataReader& reader) {
    if (slot.offset > file.size() || slot.size > file.size() - slot.offset) {
      return Report(diag::kWeightsTooShort, gap, Quoted(name_), file.size(), slot.size, slot.offset);
    }
    if (!gap.checksum.empty()) {
      const FileRange range{name_, slot.offset, slot.size};
      std::string checksum;
      if (!reader.Knows(range) && !reader.Take(range, gap.slot.path)) return;
      const int error = reader.AddUp(range, &checksum);
      if (error != 0) return Report(diag::kWeightsUnreadable, gap, Quoted(name_), Reason(error));
      if (checksum != gap.checksum) return Report(diag::kWeightsChecksum, gap, Quoted(name_), slot.offset);
    }
    SetExternal(name_, slot.offset, slot.size, slot.tensor);
  }

  // ---- another model whose data are copied

  void FromModel() {
    if (!ReadModel(&model_)) return;
    if (read_ != nullptr) AddWeightFiles(model_, path_, read_);
    ExternalDataOptions from = options_;
    from.directory = fs::path(path_).parent_path().string();
    Diagnostics read;
    DataReader reader(from, &read);
    IndexModel(reader);
    for (Diagnostic finding : read.items()) {  // their paths refer to the other model
      if (!finding.path.empty()) finding.path = fmt::format("{}: {}", Quoted(name_), finding.path);
      found_.Add(std::move(finding));
    }
    if (!found_.ok()) return;
    read = {};
    const bool is_beside = IsBeside();
    std::uint64_t copied = 0;
    for (Gap& gap : gaps_) {
      gap.source = gap.checksum.empty() ? FindByName(gap) : FindByChecksum(gap);
      if (gap.source != nullptr && gap.source->range.has_value() && !is_beside) copied += gap.slot.size;
    }
    if (copied > INT_MAX) found_.Add(wire::TooLargeToWrite(copied));
    if (!ok()) return;
    for (const Gap& gap : gaps_) Fill(gap, is_beside, reader);
    found_.Append(std::move(read));
  }

  /// Reads the model that supplies the data. Returns false and reports an error if that is not possible.
  [[nodiscard]] bool ReadModel(onnx::ModelProto* model) {
    SourceText source("", "");
    Diagnostics read = ReadFile(path_, &source, options_.max_bytes);
    if (read.ok()) read.Append(RefuseOldSchema(source.text(), Kind::kModel));
    if (read.ok()) {
      const Format format = DetectFormat(source.text(), path_, Kind::kModel);
      read = Decode(source.text(), format, model, {.threads = options_.threads});
    }
    if (read.ok()) return true;
    const Diagnostic& first = read.items().front();
    const std::string name = fmt::format("'{}'", Quoted(path_));
    if (first.kind == DiagnosticKind::kInputTooLarge) {
      found_.Append(InputTooLarge(options_.max_bytes, name));
    } else if (first.kind == DiagnosticKind::kCannotRead) {
      found_.Add(MakeDiagnostic(diag::kCannotRead, kNowhere, fmt::format("{}: {}", name, first.message)));
    } else {
      found_.Add(MakeDiagnostic(diag::kWeightsMalformed, kNowhere, name, first.message));
    }
    return false;
  }

  void IndexModel(DataReader& reader) {
    std::set<std::uint64_t> sizes;
    for (const Gap& gap : gaps_) {
      if (!gap.checksum.empty()) sizes.insert(gap.slot.size);
    }
    ForEachTensor(&model_, [&](onnx::TensorProto* tensor, const Place& place) {
      if (IsElided(*tensor)) return;
      Candidate candidate{.tensor = tensor, .range = {}};
      if (IsExternal(*tensor) && !(candidate.range = reader.Find(*tensor, place)).has_value()) return;
      candidate.path = PathOf(place);
      if (const auto size = DataSize(*tensor); size.has_value() && sizes.contains(*size)) {
        candidate.checksum = ChecksumOf(*tensor, place, reader);
      }
      if (!candidate.checksum.empty()) {
        checksums_.insert(candidate.checksum);
        by_checksum_.emplace(KeyOf(candidate.checksum, *tensor, true), candidate);
        by_checksum_.emplace(KeyOf(candidate.checksum, *tensor, false), candidate);
      }
      const std::string path = candidate.path;
      const Candidate* const known = &by_path_.try_emplace(path, std::move(candidate)).first->second;
      const TensorName name = names_.Of(place);
      others_.exact.Add(name.exact, known);
      others_.loose.Add(name.loose, known);
    });
  }

  /// The result of searching for a gap's data by names.
  enum class Decision : std::uint8_t { kFound, kMissing, kUnsure };

  /// Searches by the complete name first, then by the name inside of the nearest graph. `*source` receives the
  /// candidate that was found.
  Decision NameDecides(const Gap& gap, const Candidate** source) const {
    bool is_unsure = gap.name.loose == 0;
    const auto find = [&](const ByName& own, const ByName& others, std::uint32_t name) {
      const Candidate* const only = own.Count(name) == 1 ? others.Only(name) : nullptr;
      is_unsure = is_unsure || (only == nullptr && others.Count(name) > 0);
      return only;
    };
    *source = find(own_.exact, others_.exact, gap.name.exact);
    if (*source == nullptr) *source = find(own_.loose, others_.loose, gap.name.loose);
    if (*source != nullptr) return Decision::kFound;
    return is_unsure ? Decision::kUnsure : Decision::kMissing;
  }

  /// Returns the candidate with the names and the type of the gap. If there is none, reports an error and returns null.
  const Candidate* FindByName(const Gap& gap) {
    const Candidate* source = nullptr;
    Decision decision = NameDecides(gap, &source);
    const auto at_path = by_path_.find(gap.slot.path);
    if (decision == Decision::kUnsure && at_path != by_path_.end() && IsSkeleton()) {
      source = &at_path->second;
      decision = Decision::kFound;
    }
    if (decision == Decision::kFound && HaveSameType(*source->tensor, *gap.slot.tensor)) return source;
    switch (decision) {
      case Decision::kFound: Report(diag::kWeightsOtherType, gap, Quoted(name_)); break;
      case Decision::kMissing: Report(diag::kWeightsNotFound, gap, Quoted(name_), "name"); break;
      case Decision::kUnsure: Report(diag::kWeightsAmbiguous, gap, Quoted(name_)); break;
    }
    return nullptr;
  }

  /// Returns whether the message equals the other model apart from the elided data. Must not be called after a gap was
  /// filled.
  [[nodiscard]] bool IsSkeleton() {
    if (!is_skeleton_.has_value()) is_skeleton_ = IsSkeletonOf(*message_, model_);
    return *is_skeleton_;
  }

  /// Returns a candidate with the checksum and the type of the gap: its data are certainly right. A candidate with the
  /// same names, or at the same path, is preferred, because it probably also has the same shape. If there is none,
  /// reports an error and returns null.
  const Candidate* FindByChecksum(const Gap& gap) {
    const Candidate* named = nullptr;
    (void)NameDecides(gap, &named);
    const auto path = by_path_.find(gap.slot.path);
    const Candidate* const at_path = path == by_path_.end() ? nullptr : &path->second;
    for (const Candidate* const near : {named, at_path}) {
      const bool has_checksum = near != nullptr && near->checksum == gap.checksum;
      if (has_checksum && HaveSameType(*near->tensor, *gap.slot.tensor)) return near;
    }
    for (const bool with_shape : {true, false}) {
      const auto entry = by_checksum_.find(KeyOf(gap.checksum, *gap.slot.tensor, with_shape));
      if (entry != by_checksum_.end()) return &entry->second;
    }
    if (checksums_.contains(gap.checksum)) {
      Report(diag::kWeightsOtherType, gap, Quoted(name_));
    } else {
      Report(diag::kWeightsNotFound, gap, Quoted(name_), "checksum");
    }
    return nullptr;
  }

  /// Supplies the data of a gap. If the other model is in the folder of this model (`is_beside`), external data of the
  /// other model are not copied: the tensor of the gap refers to them. All other data are copied.
  void Fill(const Gap& gap, bool is_beside, DataReader& reader) {
    onnx::TensorProto* tensor = gap.slot.tensor;
    const std::optional<FileRange>& range = gap.source->range;
    if (range.has_value() && is_beside) return SetExternal(range->location, range->offset, range->size, tensor);
    // Many gaps may be filled from one tensor, so the copied bytes are limited.
    const FileRange whole{gap.source->path, 0, gap.slot.size};
    if (!reader.Take(range.value_or(whole), gap.slot.path)) return;
    ClearData(tensor);
    if (range.has_value()) {
      std::string bytes;
      const int error = reader.ReadAll(*range, &bytes);
      if (error != 0) return Report(diag::kWeightsUnreadable, gap, Quoted(range->location), Reason(error));
      return tensor->set_raw_data(std::move(bytes));
    }
    const onnx::TensorProto& source = *gap.source->tensor;
    if (source.has_raw_data()) tensor->set_raw_data(source.raw_data());
    *tensor->mutable_float_data() = source.float_data();
    *tensor->mutable_int32_data() = source.int32_data();
    *tensor->mutable_string_data() = source.string_data();
    *tensor->mutable_int64_data() = source.int64_data();
    *tensor->mutable_double_data() = source.double_data();
    *tensor->mutable_uint64_data() = source.uint64_data();
  }

  Message* message_;
  std::string path_;
  std::string name_;
  const ExternalDataOptions& options_;
  WeightFiles* read_;
  Diagnostics found_;
  Refusals refusals_;
  std::vector<Gap> gaps_;
  bool has_external_ = false;
  onnx::ModelProto model_;  // the model that supplies data
  std::optional<bool> is_skeleton_;
  TensorNames names_;
  Tensors own_;                          // all tensors of the message
  Tensors others_;                       // the tensors that may supply data
  OwnedNameSet checksums_;               // checksums of all candidates
  OwnedNameMap<Candidate> by_checksum_;  // each candidate has two keys: checksum and type, with and without the shape
  OwnedNameMap<Candidate> by_path_;
};

}  // namespace

}  // namespace onnxc::weights

namespace onnxc {

Diagnostics AttachWeights(google::protobuf::Message* message, const std::string& file,
                          const ExternalDataOptions& options, WeightFiles* read) {
  return weights::Attacher(message, file, options, read).Run();
}

}  // namespace onnxc
