// Maps the parts of a message to the text from which they were parsed.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/source.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace onnxc {

/// The source ranges of the parts of a message in the text from which it was parsed. The keys are the addresses of the
/// messages, so the map is valid only for these messages, not for copies, and only until they are moved or changed.
class SourceMap {
 public:
  /// Stores the range of an element of the message. `field` is a field number, and `index` is the element's index in a
  /// repeated field; field 0 is the message itself.
  void Set(const google::protobuf::Message& message, SourceRange range, int field = 0, int index = 0);

  /// Like Set(), for the second occurrence of a key that must appear only once. The range of this second occurrence is
  /// stored under index 1.
  void SetRepeatedKey(const google::protobuf::Message& message, SourceRange range, int field) {
    Set(message, range, field, 1);
    has_repeated_keys_ = true;
  }
  [[nodiscard]] bool has_repeated_keys() const { return has_repeated_keys_; }

  /// Returns the range of the element, or of the whole message if the element has no range. Returns null if neither is
  /// known.
  [[nodiscard]] const SourceRange* Find(const google::protobuf::Message& message, int field = 0, int index = 0) const;

  /// Returns the range of exactly this element, or null if it has none. Two results for the same element may have
  /// different addresses.
  [[nodiscard]] const SourceRange* FindOwn(const google::protobuf::Message& message, int field, int index = 0) const {
    return table_.Find(&message, field, index);
  }

  /// Returns the number of elements that have a range. An element that was set twice may count twice.
  [[nodiscard]] std::size_t size() const { return table_.size(); }
  void Clear();

 private:
  struct Entry {
    const void* message;
    int field;
    int index;
    SourceRange range;
  };
  /// Stores entries in a few bytes each, in the order in which they were set. Consecutive entries of one message form a
  /// run. A run contains the message, the number of bytes that follow, and, for each entry, its field, its index, the
  /// distance of its begin from the begin of the entry before it, and its length.
  class Log {
   public:
    Log() = default;
    Log(const Log& other);
    Log(Log&&) noexcept = default;
    Log& operator=(const Log&) = delete;
    Log& operator=(Log&&) noexcept = default;
    ~Log() = default;

    void Add(const Entry& entry);
    [[nodiscard]] std::size_t size() const { return count_; }
    /// Calls visit(entry) for each entry, or only for the entries of one message.
    template <typename Visit>
    void ForEach(const Visit& visit, const void* of_message = nullptr) const;

   private:
    struct Block {
      std::unique_ptr<char[]> bytes;
      char* end;  ///< the end of the runs in this block; unused for the last block, whose runs end at `at_`
    };
    void AddBlock();
    void BeginRun(const void* message);

    std::vector<Block> blocks_;
    std::size_t block_size_ = 0;     // size of the last block
    char* at_ = nullptr;             // where the next entry is written
    char* end_ = nullptr;            // the end of the last block
    char* run_ = nullptr;            // the last run
    const void* message_ = nullptr;  // the message of the last run
    std::size_t begin_ = 0;          // the begin of the last entry
    std::size_t count_ = 0;
  };
  /// The entries, with an index that is built late: most texts have at most two findings, so places are rarely looked
  /// up. The first lookups search the log; the index is built only if more lookups follow. A map that was moved from is
  /// empty.
  struct Table {
    Table() = default;
    Table(const Table& other);
    Table(Table&& other) noexcept;
    Table& operator=(Table other) noexcept;
    ~Table() = default;

    [[nodiscard]] std::size_t size() const {
      const std::lock_guard lock(mutex);  // a lookup on another thread may move entries from `log` to `entries`
      return entries.size() + log.size();
    }
    /// Returns the range of exactly this element, or null.
    [[nodiscard]] const SourceRange* Find(const void* message, int field, int index) const;
    /// Returns the position in `entries` of this element. If the element has no range, returns the largest
    /// std::uint32_t. MakeIndex() must have been called.
    [[nodiscard]] std::uint32_t NumberOf(const void* message, int field, int index) const;
    /// Moves the entries of `log` to `entries`, and adds them to the index. If an element was set twice, its first
    /// entry gets the second range, and its second entry is unused.
    void MakeIndex() const;

    mutable Log log = {};                           // the entries that are not in `entries` yet
    mutable std::vector<Entry> entries = {};        // in the order in which they were set
    mutable std::vector<std::uint64_t> slots = {};  // a hash table of indices of the entries
    mutable std::vector<SourceRange> found = {};    // results of lookups in the log; their addresses do not change
    mutable std::mutex mutex;                       // several threads may look up and copy
  };

  Table table_;
  bool has_repeated_keys_ = false;
};

}  // namespace onnxc
