// From the parts of a message to the text they were parsed from.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/source.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace onnxc {

/// The source ranges of the parts of a message in the text from which it was parsed. The keys are the addresses of the
/// messages: the map is valid until these are moved, copied or changed.
class SourceMap {
 public:
  /// `field` is a field number and `index` an element's position in a repeated field; field 0 is the message itself.
  void Set(const google::protobuf::Message& message, SourceRange range, int field = 0, int index = 0);

  /// The range of that element; of the whole message where the element has none; null where neither is known.
  [[nodiscard]] const SourceRange* Find(const google::protobuf::Message& message, int field = 0, int index = 0) const;

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  void Clear();

 private:
  struct Entry {
    const void* message;
    int field;
    int index;
    SourceRange range;
  };
  /// The position of exactly this entry in entries_, or the largest std::uint32_t if there is none.
  [[nodiscard]] std::uint32_t EntryOf(const void* message, int field, int index) const;

  std::vector<Entry> entries_;        // in the order of their first Set()
  std::vector<std::uint64_t> slots_;  // finds the numbers of the entries
};

}  // namespace onnxc
