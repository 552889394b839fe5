// Writes the bytes of a model with its inferred types, reusing the bytes of the model.
#pragma once

#include <onnxc/infer.h>

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc::codec {

/// A concatenation of bytes. Some of them are stored in this object, and others elsewhere.
class Pieces {
 public:
  /// Adds bytes that are stored elsewhere.
  void Refer(std::string_view piece);
  void Add(std::string piece) { views_.push_back(AddSize(owned_.emplace_back(std::move(piece)))); }
  void Append(Pieces&& others);

  [[nodiscard]] const std::vector<std::string_view>& views() const { return views_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::string_view AddSize(std::string_view piece);

  std::vector<std::string_view> views_;
  std::list<std::string> owned_;
  std::size_t size_ = 0;
};

/// Data of this size and more are not read.
inline constexpr std::size_t kLongData = std::size_t{1} << 20;

/// Reads a model for EncodeTyped(). `bytes` must be canonical. Leaves out long data of the graph's initializers, except
/// for those that inference uses. Returns false if the model must be read by Decode() instead.
[[nodiscard]] bool DecodeForTypes(std::string_view bytes, onnx::ModelProto* model, std::size_t long_data = kLongData);

/// Returns the bytes that Encode() would write for the model after AddTypes(). Neither `model` nor `inference` may be
/// used afterwards, because this function changes them. `bytes` must be canonical (wire/canonical.h), and `model` must
/// have been read from them, by Decode() or DecodeForTypes(), and be on an arena. The result refers to `bytes`. It owns
/// only the bytes of the types and of the nodes with graphs. Errors are added to `*found`.
[[nodiscard]] Pieces EncodeTyped(std::string_view bytes, onnx::ModelProto* model, const Inference& inference,
                                 bool overwrite, Diagnostics* found);

}  // namespace onnxc::codec
