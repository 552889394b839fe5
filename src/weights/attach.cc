// Supplying the data of elided tensors.
#include <fmt/format.h>
#include <onnxc/external_data.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <climits>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "external/external_entries.h"
#include "source/report.h"
#include "tables/raw_data.h"
#include "weights/elided.h"
#include "weights/layout.h"
#include "weights/tensor_data.h"
#include "weights/tensors.h"
#include "wire/wire.h"

namespace onnxc {
namespace {

namespace fs = std::filesystem;
using google::protobuf::Message;

/// A tensor of another model that may fill a gap.
struct Candidate {
  const onnx::TensorProto* tensor = nullptr;
  std::optional<FileRange> range;  ///< of external data
};

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
    std::unordered_map<std::string, SafetensorsEntry> entries;
    if (file != nullptr && IsSafetensors(name_)) entries = ReadSafetensors(*file, &problem);
    if (!problem.empty()) {
      found_.Add(MakeDiagnostic(diag::kCannotRead, kNowhere, fmt::format("'{}' {}", Quoted(name_), problem)));
      return;
    }
    std::vector<Slot> slots;
    for (const Gap& gap : gaps_) slots.push_back(gap.slot);
    IsSafetensors(name_) ? NameSlots(&slots) : LayOut(&slots);
    for (std::size_t i = 0; i < gaps_.size(); ++i) {
      if (!DataSize(*slots[i].tensor).has_value()) {
        Report(diag::kWeightsNeedModel, gaps_[i]);
        continue;
      }
      if (IsSafetensors(name_) && !FindEntry(gaps_[i], entries, &slots[i])) continue;
      Refer(gaps_[i], slots[i], *file, reader);
    }
  }

  [[nodiscard]] bool FindEntry(const Gap& gap, const std::unordered_map<std::string, SafetensorsEntry>& entries,
                               Slot* slot) {
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
      Checksum checksum;
      const int error = reader.ForEachChunk({name_, slot.offset, slot.size}, [&](std::string_view chunk) {
        checksum.Add(chunk);
        return 0;
      });
      if (error != 0) return Report(diag::kWeightsUnreadable, gap, Quoted(name_), Reason(error));
      if (checksum.Finish() != gap.checksum) return Report(diag::kWeightsChecksum, gap, Quoted(name_), slot.offset);
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
    if (copied > INT_MAX) found_.Add(TooLargeToWrite(copied));
    if (!found_.ok()) return;
    for (const Gap& gap : gaps_) Fill(gap, is_beside, reader);
  }

  /// False, and reported, where it cannot be read.
  [[nodiscard]] bool ReadModel(onnx::ModelProto* model) {
    SourceText source("", "");
    Diagnostics read = ReadFile(path_, &source, options_.max_bytes);
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
    std::unordered_set<std::uint64_t> sizes;
    for (const Gap& gap : gaps_) {
      if (!gap.checksum.empty()) sizes.insert(gap.slot.size);
    }
    ForEachTensor(model, [&](onnx::TensorProto* tensor, const Place& place) {
      if (IsElided(*tensor)) return;
      Candidate candidate{.tensor = tensor, .range = {}};
      if (IsExternal(*tensor) && !(candidate.range = reader.Find(*tensor, place)).has_value()) return;
      if (const auto size = DataSize(*tensor); size.has_value() && sizes.contains(*size)) {
        const std::string checksum = ChecksumOf(*tensor, place, reader);
        if (!checksum.empty()) by_checksum_.emplace(checksum, candidate);
      }
      by_path_.emplace(PathOf(place), std::move(candidate));
    });
  }

  /// Null, and reported, where there is none.
  const Candidate* FindSource(const Gap& gap) {
    const bool by_path = gap.checksum.empty();
    const auto& index = by_path ? by_path_ : by_checksum_;
    const auto entry = index.find(by_path ? gap.slot.path : gap.checksum);
    if (entry == index.end()) {
      Report(diag::kWeightsNotFound, gap, Quoted(name_), by_path ? "path" : "checksum");
      return nullptr;
    }
    const onnx::TensorProto& source = *entry->second.tensor;
    const bool same_dims = std::equal(source.dims().begin(), source.dims().end(), gap.slot.tensor->dims().begin(),
                                      gap.slot.tensor->dims().end());
    if (source.data_type() == gap.slot.tensor->data_type() && (!by_path || same_dims)) return &entry->second;
    Report(diag::kWeightsOtherType, gap, Quoted(name_));
    return nullptr;
  }

  /// External data of a model beside this one are referred to, all others are copied.
  void Fill(const Gap& gap, bool is_beside, DataReader& reader) {
    onnx::TensorProto* tensor = gap.slot.tensor;
    const std::optional<FileRange>& range = gap.source->range;
    if (range.has_value() && is_beside) return SetExternal(range->location, range->offset, range->size, tensor);
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
  std::unordered_map<std::string, Candidate> by_checksum_;
  std::unordered_map<std::string, Candidate> by_path_;
};

}  // namespace

Diagnostics AttachWeights(Message* message, const std::string& file, const ExternalDataOptions& options) {
  return Attacher(message, file, options).Run();
}

}  // namespace onnxc
