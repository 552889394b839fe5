// What the entries of external_data say.
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
  int entry = -1;  ///< -1: the tensor
};

struct ExternalEntries {
  std::string_view location;
  int location_entry = -1;
  std::uint64_t offset = 0;
  int offset_entry = -1;
  std::optional<std::uint64_t> length;
  std::optional<std::string_view> elided;  ///< the checksum, or ""
  std::vector<EntryProblem> problems;
};

/// Views into the tensor. Nothing is read from `location` where there are problems.
[[nodiscard]] ExternalEntries ReadEntries(const onnx::TensorProto& tensor);

/// What is wrong with a relative path as such, as it follows the path in a message, or "". `folder` is what the folder
/// is called that it must not leave.
[[nodiscard]] std::string LocationProblem(std::string_view location, std::string_view folder);

/// What is wrong with the range in a file of `file_size` bytes. `needed`: the bytes that the tensor takes.
[[nodiscard]] std::optional<Diagnostic> RangeProblem(const ExternalEntries& entries, std::uint64_t needed,
                                                     std::uint64_t file_size);

/// Makes the tensor external.
void SetExternal(std::string_view location, std::uint64_t offset, std::uint64_t length, onnx::TensorProto* tensor);
void SetElided(std::string_view checksum, onnx::TensorProto* tensor);

/// Takes all data out of the tensor, wherever they are.
void ClearData(onnx::TensorProto* tensor);

}  // namespace onnxc
