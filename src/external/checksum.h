// Checksums of the data of tensors, as the entry `elided` of external_data contains them.
#pragma once

#include <onnxc/proto.h>

#include <memory>
#include <string>
#include <string_view>

namespace onnxc {

/// Computes "sha256:" followed by the digits, for bytes that are added in chunks.
class Checksum {
 public:
  Checksum();
  ~Checksum();
  Checksum(const Checksum&) = delete;
  Checksum& operator=(const Checksum&) = delete;
  void Add(std::string_view bytes);
  [[nodiscard]] std::string Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Returns the checksum of the data in the tensor. Returns "" if the data are in another file, or do not match type and
/// dimensions.
[[nodiscard]] std::string ChecksumOfData(const onnx::TensorProto& tensor);

}  // namespace onnxc
