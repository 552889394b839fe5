// From the parts of a message to the text they were parsed from.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/source.h>

#include <cstddef>
#include <unordered_map>

namespace onnxc {

/// The source ranges of the parts of a message in the text from which it was parsed. The keys are the addresses of the
/// messages: the map is valid until these are moved, copied or changed.
class SourceMap {
 public:
  /// `field` is a field number and `index` an element's position in a repeated field; field 0 is the message itself.
  void Set(const google::protobuf::Message& message, SourceRange range, int field = 0, int index = 0);

  /// The range of that element; of the whole message where the element has none; null where neither is known.
  [[nodiscard]] const SourceRange* Find(const google::protobuf::Message& message, int field = 0, int index = 0) const;

  [[nodiscard]] std::size_t size() const { return ranges_.size(); }
  void Clear() { ranges_.clear(); }

 private:
  struct Key {
    const void* message;
    int field;
    int index;
    bool operator==(const Key& other) const {  // not defaulted: clang 14 then forgets the map's destructor
      return message == other.message && field == other.field && index == other.index;
    }
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  std::unordered_map<Key, SourceRange, Hash> ranges_;
};

}  // namespace onnxc
