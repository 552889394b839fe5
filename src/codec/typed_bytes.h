// The bytes of a model with its types, made of the bytes of the model.
#pragma once

#include <onnxc/infer.h>

#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc::codec {

/// Bytes one behind the other. Some stand here, the others elsewhere.
class Pieces {
 public:
  /// Adds bytes that stand elsewhere.
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

/// What Encode() writes of a model after AddTypes(), which it takes the place of: `model` and `inference` must not be
/// used afterwards. `bytes` are canonical (wire/canonical.h), `model` was read from them and is on an arena. The result
/// refers to the bytes, all of them but the types and the nodes that hold graphs. What is wrong is in `*found`.
[[nodiscard]] Pieces EncodeTyped(std::string_view bytes, onnx::ModelProto* model, const Inference& inference,
                                 bool overwrite, Diagnostics* found);

}  // namespace onnxc::codec
