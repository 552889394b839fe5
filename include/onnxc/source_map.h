// From the parts of a message to the text they were parsed from.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/source.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace onnxc {

namespace lower {
class TakingOver;
}

/// The source ranges of the parts of a message in the text from which it was parsed. The keys are the addresses of the
/// messages: the map is valid until these are moved, copied or changed.
class SourceMap {
 public:
  /// `field` is a field number and `index` an element's position in a repeated field; field 0 is the message itself.
  void Set(const google::protobuf::Message& message, SourceRange range, int field = 0, int index = 0);

  /// The same of a key that takes one value and stands a second time: that place is the element 1.
  void SetRepeatedKey(const google::protobuf::Message& message, SourceRange range, int field) {
    Set(message, range, field, 1);
    has_repeated_keys_ = true;
  }
  [[nodiscard]] bool has_repeated_keys() const { return has_repeated_keys_; }

  /// The range of that element; of the whole message where the element has none; null where neither is known.
  [[nodiscard]] const SourceRange* Find(const google::protobuf::Message& message, int field = 0, int index = 0) const;

  /// How many elements have a range; what was said again of one may count again.
  [[nodiscard]] std::size_t size() const { return table_.entries.size() + taken_; }
  void Clear();

 private:
  friend class lower::TakingOver;

  struct Entry {
    const void* message;
    int field;
    int index;
    SourceRange range;
  };
  /// Most texts are right, or have a finding or two, and hardly anybody asks where their parts stand: the first
  /// questions look through the entries, and the index is made when more of them come. What was moved from is empty.
  struct Table {
    Table() = default;
    Table(const Table& other);
    Table(Table&& other) noexcept;
    Table& operator=(Table other) noexcept;
    ~Table() = default;

    /// The position in `entries` of exactly this element, with its range; the largest std::uint32_t if it has none.
    [[nodiscard]] std::uint32_t Find(const void* message, int field, int index) const;
    /// Adds the new entries to the index. What is said again of an element changes the first entry; the other stays
    /// behind unused.
    void MakeIndex() const;

    mutable std::vector<Entry> entries = {};        // in the order in which they were set
    mutable std::vector<std::uint64_t> slots = {};  // finds the numbers of the entries
    mutable std::size_t indexed = 0;                // how many entries have been looked at for the slots
    mutable int scans = 0;                          // how many questions were answered without the index
    mutable std::mutex mutex;                       // several threads may ask, and copy
  };
  [[nodiscard]] const SourceRange* FindExactly(const void* message, int field, int index) const;

  // A text that is edited keeps most of its places. The maps of its versions share the table of the version that was
  // read whole, and each has ranges of its own for those entries. Entries have numbers: those of the shared table come
  // first.
  [[nodiscard]] std::size_t CountOfShared() const { return shared_ == nullptr ? 0 : shared_->entries.size(); }
  [[nodiscard]] std::size_t NextNumber() const { return CountOfShared() + table_.entries.size(); }
  /// Shares the entries with the maps that begin at this one, which must not share others.
  void Share();
  /// Begins an empty map whose entries may be taken from `before`.
  void BeginAt(const SourceMap& before);
  /// Takes the entries [first, end) of `before`, which all are shared or all are not; their ranges are moved by `by`
  /// bytes, which wraps around. Returns the number that the first one has now.
  std::size_t Take(const SourceMap& before, std::size_t first, std::size_t end, std::size_t by);

  Table table_;
  std::shared_ptr<const Table> shared_;
  std::vector<SourceRange> moved_;  // where the shared entries are that were taken; empty: where they were
  std::size_t taken_ = 0;           // how many of them
  bool has_repeated_keys_ = false;
};

}  // namespace onnxc
