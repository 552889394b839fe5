// Determines the places of tensors in an external data file.
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

/// A tensor, and its place in the external data file.
struct Slot {
  onnx::TensorProto* tensor = nullptr;
  std::string path = {};   ///< the tensor's path in the model
  std::string value = {};  ///< the name of the value that the tensor defines, or ""
  std::string key = {};    ///< the tensor's name in a safetensors file
  bool is_named = false;   ///< `key` is a name; otherwise it is the path, which an edit of the model may change
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
  std::optional<FileRange> source = {};  ///< set if the data are already in a file
};

/// Sets the keys of the slots. The key of a tensor is its name or, if it has none, the name of its value. If that name
/// is not unique, not UTF-8 or missing, the key is the path.
void NameSlots(std::vector<Slot>* slots);

/// The ONNX specification asks for offsets that are multiples of this number.
inline constexpr std::uint64_t kPage = 4096;

/// A range of the new file: the bytes of one tensor, or of several tensors whose sources overlap.
struct Extent {
  std::uint64_t offset = 0;
  const onnx::TensorProto* tensor = nullptr;  ///< the tensor to write if there is no source
  std::optional<FileRange> source = {};
};

/// Sets the offsets of the slots, and returns the ranges of the new file. Tensors follow each other, and tensors whose
/// sources overlap also overlap in the new file. An offset is a multiple of kPage, or of 64 KiB for tensors of at least
/// 1 MiB, so that every system can map the tensor into memory.
std::vector<Extent> LayOut(std::vector<Slot>* slots);

[[nodiscard]] bool IsSafetensors(std::string_view file_name);

/// Computes the layout of a safetensors file, which has neither gaps nor shared ranges: tensors with wide elements come
/// first, so that each tensor is aligned to its element size. Returns the header of the file. Tensors that the format
/// cannot represent are reported.
[[nodiscard]] std::string LayOutSafetensors(std::vector<Slot>* slots, std::vector<Extent>* extents, Diagnostics* found);

/// A tensor in a safetensors file.
struct SafetensorsEntry {
  std::string dtype;
  std::vector<std::uint64_t> shape;
  std::uint64_t offset = 0;  ///< the offset in the file
  std::uint64_t size = 0;
};

/// Returns the tensors of a file by name. Sets `*problem` to an error if the file is not valid.
[[nodiscard]] OwnedNameMap<SafetensorsEntry> ReadSafetensors(const DataFile& file, std::string* problem);

/// Returns the name of the element type in safetensors files, or "" if there is none.
[[nodiscard]] std::string_view SafetensorsType(int data_type);

}  // namespace onnxc::weights
