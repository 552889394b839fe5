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

  /// The same for a key that takes one value but appears twice: the second place is element 1.
  void SetRepeatedKey(const google::protobuf::Message& message, SourceRange range, int field) {
    Set(message, range, field, 1);
    has_repeated_keys_ = true;
  }
  [[nodiscard]] bool has_repeated_keys() const { return has_repeated_keys_; }

  /// The range of that element; of the whole message where the element has none; null where neither is known.
  [[nodiscard]] const SourceRange* Find(const google::protobuf::Message& message, int field = 0, int index = 0) const;

  /// The range of exactly that element; null where it has none. Two answers about one place may have different
  /// addresses.
  [[nodiscard]] const SourceRange* FindOwn(const google::protobuf::Message& message, int field, int index = 0) const {
    return FindExactly(&message, field, index);
  }

  /// How many elements have a range; an element that was set twice may count twice.
  [[nodiscard]] std::size_t size() const { return table_.size() + taken_; }
  void Clear();

 private:
  friend class lower::TakingOver;

  struct Entry {
    const void* message;
    int field;
    int index;
    SourceRange range;
  };
  /// Entries in a few bytes each, in the order in which they were set. Those of one message that follow each other are
  /// a run: the message, how many bytes follow, and for each entry its field, its index, how far its begin is from the
  /// one before, and its length.
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
    /// Calls visit(entry) for each entry, or for those of one message.
    template <typename Visit>
    void ForEach(const Visit& visit, const void* of_message = nullptr) const;

   private:
    struct Block {
      std::unique_ptr<char[]> bytes;
      char* end;  ///< of its runs; of the last block, `at_` is
    };
    void AddBlock();
    void BeginRun(const void* message);

    std::vector<Block> blocks_;
    std::size_t block_size_ = 0;     // of the last one
    char* at_ = nullptr;             // where the next entry goes
    char* end_ = nullptr;            // of the last block
    char* run_ = nullptr;            // the last run
    const void* message_ = nullptr;  // of it
    std::size_t begin_ = 0;          // of its last entry
    std::size_t count_ = 0;
  };
  /// Most texts have no finding, or one or two, so places are seldom asked for: the first questions search the log,
  /// and the index is built when more of them come. A map that was moved from is empty.
  struct Table {
    Table() = default;
    Table(const Table& other);
    Table(Table&& other) noexcept;
    Table& operator=(Table other) noexcept;
    ~Table() = default;

    [[nodiscard]] std::size_t size() const {
      const std::lock_guard lock(mutex);  // a question of another thread may move the log to the entries
      return entries.size() + log.size();
    }
    /// The range of exactly this element, or null.
    [[nodiscard]] const SourceRange* Find(const void* message, int field, int index) const;
    /// The same where there is an index: the position in `entries`, or the largest std::uint32_t.
    [[nodiscard]] std::uint32_t NumberOf(const void* message, int field, int index) const;
    /// Moves what is in the log to the entries and the index. An element that is set again changes its first entry; the
    /// second one is unused.
    void MakeIndex() const;

    mutable Log log = {};                           // what is not in the entries yet
    mutable std::vector<Entry> entries = {};        // in the order in which they were set
    mutable std::vector<std::uint64_t> slots = {};  // finds the numbers of the entries
    mutable std::vector<SourceRange> found = {};    // answers from the log, each of which stays where it is
    mutable std::mutex mutex;                       // several threads may ask, and copy
  };
  [[nodiscard]] const SourceRange* FindExactly(const void* message, int field, int index) const;

  // A text that is edited keeps most of its places. The maps of its versions share the table of the version that was
  // read whole, and each has ranges of its own for those entries. Entries have numbers: those of the shared table come
  // first.
  [[nodiscard]] std::size_t CountOfShared() const { return shared_ == nullptr ? 0 : shared_->entries.size(); }
  [[nodiscard]] std::size_t NextNumber() const { return CountOfShared() + table_.size(); }
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
