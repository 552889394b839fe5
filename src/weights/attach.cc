// Supplying the data of elided tensors.
#include <fmt/format.h>
#include <onnxc/external_data.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <climits>
#include <filesystem>
#include <set>
#include <vector>

#include "external/external_entries.h"
#include "source/names.h"
#include "source/report.h"
#include "tables/raw_data.h"
#include "weights/elided.h"
#include "weights/layout.h"
#include "weights/tensor_data.h"
#include "weights/tensors.h"
#include "wire/nesting.h"
#include "wire/wire.h"

namespace onnxc::weights {
namespace {

namespace fs = std::filesystem;
using google::protobuf::Message;

/// A tensor of another model that may fill a gap.
struct Candidate {
  const onnx::TensorProto* tensor = nullptr;
  std::optional<FileRange> range;  ///< of external data
  std::string path = {};
  std::string checksum = {};  ///< where a gap of this size has one
};

/// What data with a checksum are known by. The same bytes may be the elements of another type, or in another shape.
std::string KeyOf(std::string_view checksum, const onnx::TensorProto& tensor, bool with_shape) {
  std::string key = fmt::format("{} {}", checksum, tensor.data_type());
  if (with_shape) key += fmt::format(" [{}]", fmt::join(tensor.dims(), ", "));
  return key;
}

bool HaveSameType(const onnx::TensorProto& a, const onnx::TensorProto& b) {
  return a.data_type() == b.data_type() && std::ranges::equal(a.dims(), b.dims());
}

/// A tensor without data, in the order of the model.
struct Gap {
  Slot slot;
  std::string checksum;               ///< "" where there is none
  const Candidate* source = nullptr;  ///< in another model
};

class Attacher {
 public:
  Attacher(Message* message, const std::string& file, const ExternalDataOptions& options)
      : message_(message), path_(file), name_(fs::path(file).filename().string()), options_(options) {}

  Diagnostics Run() {
    found_ = wire::CheckNesting(*message_);
    if (!found_.ok()) return std::move(found_);
    FindGaps();
    if (!found_.ok() || gaps_.empty()) return std::move(found_);
    if (!IsSafetensors(name_) && FormatOfSuffix(name_).has_value()) {
      FromModel();
    } else if (IsBeside()) {
      FromSideFile();
    } else {
      found_.Add(MakeDiagnostic(diag::kCannotRead, kNowhere,
                                fmt::format("the weights '{}' are not in the model's directory", Quoted(path_))));
    }
    return std::move(found_);
  }

 private:
  void FindGaps() {
    ForEachTensor(message_, [&](onnx::TensorProto* tensor, const Place& place) {
      if (!IsElided(*tensor)) return;
      if (CountDataFields(*tensor) != 0) found_.Add(TensorError(diag::kExternalWithData, place));
      const ExternalEntries entries = ReadEntries(*tensor);
      for (const EntryProblem& problem : entries.problems) found_.Add(AtTensor(problem.finding, place));
      Slot slot{.tensor = tensor, .path = PathOf(place), .key = {}, .size = DataSize(*tensor).value_or(0)};
      gaps_.push_back({.slot = std::move(slot), .checksum = std::string(entries.elided.value_or(""))});
    });
  }

  /// The first argument of the message is the tensor, which comes from the gap.
  template <typename... Args>
  void Report(const DiagnosticBase<diag::Text, Args...>& kind, const Gap& gap, std::type_identity_t<Args>... args) {
    Diagnostic finding = MakeDiagnostic(kind, kNowhere, TensorLabel(*gap.slot.tensor), args...);
    finding.path = gap.slot.path;
    found_.Add(std::move(finding));
  }

  // ---- a file that the model will refer to

  /// The file stands in the folder of the model.
  [[nodiscard]] bool IsBeside() const {
    const fs::path folder = fs::path(path_).parent_path();
    std::error_code error;
    const auto given = [](const fs::path& path) { return path.empty() ? fs::path(".") : path; };
    return fs::equivalent(given(folder), given(options_.directory), error);
  }

  void FromSideFile() {
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
      if (!DataSize(*gap.slot.tensor).has_value()) Report(diag::kWeightsNeedModel, gap);
      slots.push_back(gap.slot);
    }
    if (!found_.ok()) return;
    if (IsSafetensors(name_)) {
      NameSlots(&slots);
    } else if (!LayOutLike(*file, &slots)) {
      return;
    }
    for (std::size_t i = 0; i < gaps_.size(); ++i) {
      if (IsSafetensors(name_) && !FindEntry(gaps_[i], entries, &slots[i])) continue;
      Refer(gaps_[i], slots[i], *file, reader);
    }
  }

  /// Places as extract gives them. Without checksums, the size is all that tells whether it has given these: it moves
  /// other tensors with another threshold, and writes once what shares a range.
  [[nodiscard]] bool LayOutLike(const DataFile& file, std::vector<Slot>* slots) {
    (void)LayOut(slots);
    const bool is_told_elsewhere = std::ranges::none_of(gaps_, [](const Gap& gap) {  // by checksums, or at the tensor
      return gap.checksum.empty() && DataSize(*gap.slot.tensor).has_value();
    });
    const std::uint64_t end = slots->back().offset + slots->back().size;
    if (is_told_elsewhere || file.size() <= end) return true;
    found_.Add(MakeDiagnostic(diag::kWeightsLayout, kNowhere, Quoted(name_), file.size(), end));
    return false;
  }

  [[nodiscard]] bool FindEntry(const Gap& gap, const OwnedNameMap<SafetensorsEntry>& entries, Slot* slot) {
    const auto entry = entries.find(slot->key);
    if (entry == entries.end()) {
      Report(diag::kWeightsMissing, gap, Quoted(name_), Quoted(slot->key));
      return false;
    }
    const std::string_view type = SafetensorsType(slot->tensor->data_type());
    if (entry->second.size != slot->size || (!type.empty() && entry->second.dtype != type)) {
      Report(diag::kWeightsOtherSize, gap, Quoted(name_), entry->second.size, Quoted(entry->second.dtype), slot->size);
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

  // ---- another model, whose data are copied

  void FromModel() {
    onnx::ModelProto model;
    if (!ReadModel(&model)) return;
    ExternalDataOptions from = options_;
    from.directory = fs::path(path_).parent_path().string();
    DataReader reader(from, &found_);
    IndexModel(&model, reader);
    if (!found_.ok()) return;
    const bool is_beside = IsBeside();
    std::uint64_t copied = 0;
    for (Gap& gap : gaps_) {
      gap.source = FindSource(gap);
      if (gap.source != nullptr && gap.source->range.has_value() && !is_beside) copied += gap.slot.size;
    }
    if (copied > INT_MAX) found_.Add(wire::TooLargeToWrite(copied));
    if (!found_.ok()) return;
    for (const Gap& gap : gaps_) Fill(gap, is_beside, reader);
  }

  /// False, and reported, where it cannot be read.
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

  void IndexModel(Message* model, DataReader& reader) {
    std::set<std::uint64_t> sizes;
    for (const Gap& gap : gaps_) {
      if (!gap.checksum.empty()) sizes.insert(gap.slot.size);
    }
    ForEachTensor(model, [&](onnx::TensorProto* tensor, const Place& place) {
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
      by_path_.emplace(candidate.path, candidate);
    });
  }

  /// Null, and reported, where there is none.
  const Candidate* FindSource(const Gap& gap) {
    const auto at_path = by_path_.find(gap.slot.path);
    const bool is_alike = at_path != by_path_.end() && HaveSameType(*at_path->second.tensor, *gap.slot.tensor);
    if (is_alike && (gap.checksum.empty() || at_path->second.checksum == gap.checksum)) return &at_path->second;
    const bool by_path = gap.checksum.empty();
    for (const bool with_shape : {true, false}) {
      if (by_path) break;
      const auto entry = by_checksum_.find(KeyOf(gap.checksum, *gap.slot.tensor, with_shape));
      if (entry != by_checksum_.end()) return &entry->second;
    }
    const bool has_other = by_path ? at_path != by_path_.end() : checksums_.contains(gap.checksum);
    if (has_other) {
      Report(diag::kWeightsOtherType, gap, Quoted(name_));
    } else {
      Report(diag::kWeightsNotFound, gap, Quoted(name_), by_path ? "path" : "checksum");
    }
    return nullptr;
  }

  /// External data of a model beside this one are referred to, all others are copied.
  void Fill(const Gap& gap, bool is_beside, DataReader& reader) {
    onnx::TensorProto* tensor = gap.slot.tensor;
    const std::optional<FileRange>& range = gap.source->range;
    if (range.has_value() && is_beside) return SetExternal(range->location, range->offset, range->size, tensor);
    // Many gaps may be filled from one tensor.
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
  Diagnostics found_;
  std::vector<Gap> gaps_;
  OwnedNameSet checksums_;               // of all candidates
  OwnedNameMap<Candidate> by_checksum_;  // with the type, and with and without the shape
  OwnedNameMap<Candidate> by_path_;
};

}  // namespace

}  // namespace onnxc::weights

namespace onnxc {

Diagnostics AttachWeights(google::protobuf::Message* message, const std::string& file,
                          const ExternalDataOptions& options) {
  return weights::Attacher(message, file, options).Run();
}

}  // namespace onnxc
