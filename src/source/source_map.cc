#include <onnxc/source_map.h>

#include <functional>

namespace onnxc {

void SourceMap::Set(const google::protobuf::Message& message, SourceRange range, int field, int index) {
  ranges_[Key{&message, field, index}] = range;
}

const SourceRange* SourceMap::Find(const google::protobuf::Message& message, int field, int index) const {
  for (const Key& key : {Key{&message, field, index}, Key{&message, field, 0}, Key{&message, 0, 0}}) {
    if (const auto found = ranges_.find(key); found != ranges_.end()) return &found->second;
  }
  return nullptr;
}

std::size_t SourceMap::Hash::operator()(const Key& key) const {
  const std::size_t place =
      static_cast<std::size_t>(key.field) * 0x9e3779b97f4a7c15u + static_cast<std::size_t>(key.index);
  return std::hash<const void*>()(key.message) ^ (place * 0xff51afd7ed558ccdu);
}

}  // namespace onnxc
