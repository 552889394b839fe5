// Reads the entries of external_data.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

inline constexpr std::string_view kElidedKey = "elided";
inline constexpr std::string_view kChecksumPrefix = "sha256:";

/// A finding about an entry, or about the tensor.
struct EntryProblem {
  Diagnostic finding;
  int entry = -1;  ///< index of the entry; -1 means the tensor
};

struct ExternalEntries {
  std::string_view location;
  int location_entry = -1;
  std::uint64_t offset = 0;
  int offset_entry = -1;
  std::optional<std::uint64_t> length;
  std::optional<std::string_view> elided;  ///< the checksum, or "" if there is none
  std::vector<EntryProblem> problems;
};

/// Returns the entries as views into the tensor. If there are problems, do not read the file at `location`.
[[nodiscard]] ExternalEntries ReadEntries(const onnx::TensorProto& tensor);

/// Returns a description of what is wrong with a relative path, or "" if the path is valid. A message contains the
/// description after the path. `folder` is the word for the folder that must contain the file, such as "the model's
/// directory".
[[nodiscard]] std::string LocationProblem(std::string_view location, std::string_view folder);

/// Returns a finding if the range of the data is invalid for a file of `file_size` bytes, or nothing. `needed` is the
/// size of the tensor's data.
[[nodiscard]] std::optional<Diagnostic> RangeProblem(const ExternalEntries& entries, std::uint64_t needed,
                                                     std::uint64_t file_size);

/// Removes the data of the tensor and refers to a range of the file at `location` instead.
void SetExternal(std::string_view location, std::uint64_t offset, std::uint64_t length, onnx::TensorProto* tensor);
void SetElided(std::string_view checksum, onnx::TensorProto* tensor);

/// Clears all fields of the tensor that contain data.
void ClearData(onnx::TensorProto* tensor);

}  // namespace onnxc
