// Where tensors stand in a file beside the model.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/names.h"
#include "weights/tensor_data.h"

namespace onnxc::weights {

/// A tensor, and its place in the file.
struct Slot {
  onnx::TensorProto* tensor = nullptr;
  std::string path = {};   ///< of the tensor in the model
  std::string value = {};  ///< the name of the value that it gives, or ""
  std::string key = {};    ///< what a file that has names calls it
  bool is_named = false;   ///< `key` is a name; else it is the path, which an edit may give to another tensor
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
  std::optional<FileRange> source = {};  ///< the data are in a file so far
};

/// Calls each by its name, or where it has none by that of its value; by its path where others are called so too, or it
/// has no name, or one that is no UTF-8.
void NameSlots(std::vector<Slot>* slots);

/// What the specification asks offsets to be a multiple of.
inline constexpr std::uint64_t kPage = 4096;

/// What is written to one place of a file: the bytes of a tensor, or of several whose sources overlap.
struct Extent {
  std::uint64_t offset = 0;
  const onnx::TensorProto* tensor = nullptr;  ///< where there is no source
  std::optional<FileRange> source = {};
};

/// One behind the other; those whose sources overlap still do. An offset is a multiple of kPage; of 64 KiB for tensors
/// of 1 MiB and more, which is what any system can map.
std::vector<Extent> LayOut(std::vector<Slot>* slots);

[[nodiscard]] bool IsSafetensors(std::string_view file_name);

/// The same for the format of safetensors, which has no gaps and shares nothing: those with wide elements first, so
/// that each is aligned to its own. Gives the bytes that stand before the data. What the format cannot carry is
/// reported.
[[nodiscard]] std::string LayOutSafetensors(std::vector<Slot>* slots, std::vector<Extent>* extents, Diagnostics* found);

/// A tensor in a file of safetensors.
struct SafetensorsEntry {
  std::string dtype;
  std::uint64_t offset = 0;  ///< in the file
  std::uint64_t size = 0;
};

/// The tensors of a file by their names; what is wrong goes to `*problem`.
[[nodiscard]] OwnedNameMap<SafetensorsEntry> ReadSafetensors(const DataFile& file, std::string* problem);

/// What safetensors call the element type, or "".
[[nodiscard]] std::string_view SafetensorsType(int data_type);

}  // namespace onnxc::weights
