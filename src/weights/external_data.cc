// Moves data between the model and an external file.
#include <fmt/format.h>
#include <onnxc/external_data.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <filesystem>
#include <optional>
#include <vector>

#include "external/external_entries.h"
#include "files/errors.h"
#include "files/new_file.h"
#include "source/report.h"
#include "tables/raw_data.h"
#include "weights/elided.h"
#include "weights/layout.h"
#include "weights/names.h"
#include "weights/tensors.h"
#include "wire/nesting.h"
#include "wire/wire.h"

namespace onnxc::weights {
namespace {

namespace fs = std::filesystem;
using google::protobuf::Message;

/// Reads the data of an external tensor into the message.
void Inline(const FileRange& range, const Place& place, DataReader& reader, onnx::TensorProto* tensor) {
  if (!reader.Take(range, place)) return;
  std::string bytes;
  if (const int error = reader.ReadAll(range, &bytes); error != 0) {
    return reader.Report(ReadError(range.location, error, place));
  }
  ClearData(tensor);
  tensor->set_raw_data(std::move(bytes));
}

/// Returns the tensors whose data are moved to the file. External data that are not moved are read into the message.
std::vector<Slot> ChooseSlots(Message* message, std::uint64_t threshold, DataReader& reader, Diagnostics* found) {
  std::vector<Slot> slots;
  found->Append(FindElided(*message));
  ForEachTensor(message, [&](onnx::TensorProto* tensor, const Place& place) {
    Slot slot{.tensor = tensor};
    if (IsElided(*tensor)) return;
    if (IsExternal(*tensor)) {
      slot.source = reader.Find(*tensor, place);
      if (!slot.source.has_value()) return;
    }
    slot.size = DataSize(*tensor).value_or(0);
    const bool goes_out = slot.size != 0 && slot.size >= threshold && !IsPartOfSparse(place);
    if (!goes_out && slot.source.has_value()) {
      if (found->ok()) Inline(*slot.source, place, reader, tensor);
      return;
    }
    if (!goes_out || (!slot.source.has_value() && !CanMoveData(*tensor))) return;
    slot.path = PathOf(place);
    slot.value = ValueName(place);
    slots.push_back(std::move(slot));
  });
  return slots;
}

}  // namespace

// ---- the file

/// Creates the pending external data file.
class SideFile {
 public:
  SideFile(const SaveExternalOptions& options, PendingFile* pending)
      : options_(options), pending_(pending), folder_(options.directory.empty() ? "." : options.directory) {}

  /// Checks the name of the new file before anything is read. A link that replaces the old file later does no harm:
  /// renaming the new file over it does not follow the link.
  [[nodiscard]] Diagnostics CheckName() {
    const std::string& name = options_.file_name;
    if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
        name.find('\0') != std::string::npos) {
      return CannotWrite("must be a file name without a folder, because the file is written in the model's folder");
    }
    struct stat old = {};
    if (::lstat((folder_ / name).c_str(), &old) != 0) {
      return errno == ENOENT ? Diagnostics() : CannotWrite(Reason(errno));
    }
    if (S_ISLNK(old.st_mode)) return CannotWrite("is a symbolic link");
    if (!S_ISREG(old.st_mode)) return CannotWrite("is not a regular file");
    if (old.st_nlink > 1) return CannotWrite("has several hard links");
    if (!options_.replace) return CannotWrite("exists already; name it to replace it");
    if (::access((folder_ / name).c_str(), W_OK) != 0) return CannotWrite(Reason(errno));
    old_ = old;
    return {};
  }

  [[nodiscard]] Diagnostics Write(std::vector<Slot>* slots, DataReader& reader) {
    Diagnostics found;
    std::string head;
    std::vector<Extent> extents;
    if (IsSafetensors(options_.file_name)) {
      for (const Slot& slot : *slots) {
        if (slot.source.has_value() && !reader.Take(*slot.source, slot.path)) return found;
      }
      NameSlots(slots);
      head = LayOutSafetensors(slots, &extents, &found);
    } else {
      extents = LayOut(slots);
    }
    if (!found.ok()) return found;
    const fs::path path = folder_ / options_.file_name;
    auto file = std::make_unique<NewFile>(path, old_ ? &*old_ : nullptr);
    if (const int error = file->Open(); error != 0) return CannotWrite(Reason(error));
    if (const int error = WriteAt(file->fd(), 0, head); error != 0) return CannotWrite(Reason(error));
    for (const Extent& extent : extents) {
      if (const int error = WriteData(extent, reader, file->fd()); error != 0) return CannotWrite(Reason(error));
    }
    *pending_ = PendingFile(path.string(), std::move(file));
    for (const Slot& slot : *slots) SetExternal(options_.file_name, slot.offset, slot.size, slot.tensor);
    return found;
  }

 private:
  [[nodiscard]] Diagnostics CannotWrite(std::string_view reason) const {
    return CannotWriteTo(options_.file_name, reason);
  }

  [[nodiscard]] int WriteData(const Extent& extent, DataReader& reader, int fd) {
    if (extent.source.has_value()) return reader.Copy(*extent.source, fd, extent.offset);
    const auto bytes = RawBytes(*extent.tensor, &scratch_);
    return bytes.has_value() ? WriteAt(fd, extent.offset, *bytes) : EINVAL;
  }

  const SaveExternalOptions& options_;
  PendingFile* pending_;
  fs::path folder_;
  std::optional<struct stat> old_;  // the file that will be replaced
  std::string scratch_;
};

// ---- the public functions

}  // namespace onnxc::weights

namespace onnxc {

Diagnostics SaveExternal(google::protobuf::Message* message, const SaveExternalOptions& options, PendingFile* file) {
  weights::SideFile side(options, file);
  Diagnostics found = wire::CheckNesting(*message);
  if (found.ok()) found = side.CheckName();
  if (!found.ok()) return found;
  weights::DataReader reader(options.source, &found);
  std::vector<weights::Slot> slots = weights::ChooseSlots(message, options.size_threshold, reader, &found);
  if (found.ok() && !slots.empty()) found.Append(side.Write(&slots, reader));
  return found;
}

Diagnostics InlineExternal(google::protobuf::Message* message, const ExternalDataOptions& options) {
  Diagnostics found = wire::CheckNesting(*message);
  if (!found.ok()) return found;
  weights::DataReader reader(options, &found);
  std::uint64_t size = message->ByteSizeLong();
  found.Append(FindElided(*message));
  weights::ForEachTensor(message, [&](onnx::TensorProto* tensor, const Place& place) {
    if (!weights::IsExternal(*tensor) || weights::IsElided(*tensor)) return;
    if (const auto range = reader.Find(*tensor, place)) size += range->size;
  });
  if (found.ok() && size > INT_MAX) found.Add(wire::TooLargeToWrite(size));
  if (!found.ok()) return found;
  weights::ForEachTensor(message, [&](onnx::TensorProto* tensor, const Place& place) {
    if (!weights::IsExternal(*tensor) || !found.ok()) return;
    if (const auto range = reader.Find(*tensor, place)) weights::Inline(*range, place, reader, tensor);
  });
  return found;
}

}  // namespace onnxc
