#include <onnxc/source_map.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "source/id_slots.h"
#include "source/large_pages.h"

namespace onnxc {
namespace {

/// After this many lookups in the log, the index is built. A lookup in the log takes about a fiftieth of the time of
/// building the index.
constexpr std::size_t kMostScans = 16;

/// The sizes of blocks double up to this size.
constexpr std::size_t kLargestBlock = std::size_t{4} << 20;
constexpr std::size_t kFirstBlock = 512;

/// The maximum size of a number that is stored with seven bits in each byte.
constexpr std::size_t kMostBytes = (64 + 6) / 7;

/// The log consists of runs: consecutive entries of one message. This header is stored before the entries of each run.
struct RunHead {
  const void* message;
  std::uint64_t size;  // bytes of the entries
};
constexpr std::size_t kMostOfEntry = 4 * kMostBytes;

char* Put(std::uint64_t number, char* to) {
  for (; number >= 0x80; number >>= 7) *to++ = static_cast<char>(number | 0x80);
  *to++ = static_cast<char>(number);
  return to;
}

std::uint64_t TakeNumber(const char** from) {
  std::uint64_t number = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(*(*from)++);
    number |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return number;
  }
}

/// Maps small positive and negative differences to small numbers.
std::uint64_t Folded(std::uint64_t difference) { return difference << 1 ^ (0 - (difference >> 63)); }
std::uint64_t Unfolded(std::uint64_t folded) { return folded >> 1 ^ (0 - (folded & 1)); }

/// The places of one message are looked up together, so they should be close to each other in the table: their hashes
/// differ only in the last bits. The elements of long lists are spread. (The upper half of a product depends on all
/// bits of its factors.)
std::uint32_t HashOf(const void* message, int field, int index) {
  constexpr std::uint32_t kNear = 16;
  const auto place = static_cast<std::uint32_t>(field) + static_cast<std::uint32_t>(index) * 5;
  const std::uint64_t rest =
      reinterpret_cast<std::uintptr_t>(message) + std::uint64_t{place / kNear} * 0x9e3779b97f4a7c15u;
  return static_cast<std::uint32_t>((rest * 0xff51afd7ed558ccdu) >> 32) / kNear * kNear + place % kNear;
}

}  // namespace

static_assert(std::is_nothrow_move_constructible_v<SourceMap>, "lists of messages with their maps move both");

void SourceMap::Log::AddBlock() {
  if (!blocks_.empty()) blocks_.back().end = at_;
  block_size_ = block_size_ == 0 ? kFirstBlock : std::min(2 * block_size_, kLargestBlock);
  blocks_.push_back({std::make_unique_for_overwrite<char[]>(block_size_), nullptr});
  at_ = blocks_.back().bytes.get();
  end_ = at_ + block_size_;
  AdviseLargePages(at_, block_size_);
}

void SourceMap::Log::BeginRun(const void* message) {
  if (end_ - at_ < static_cast<std::ptrdiff_t>(sizeof(RunHead) + kMostOfEntry)) AddBlock();
  const RunHead head{message, 0};
  std::memcpy(at_, &head, sizeof(head));
  run_ = at_;
  at_ += sizeof(head);
  message_ = message;
  begin_ = 0;
}

void SourceMap::Log::Add(const Entry& entry) {
  const bool has_room = end_ - at_ >= static_cast<std::ptrdiff_t>(kMostOfEntry);
  if (entry.message != message_ || !has_room) BeginRun(entry.message);
  at_ = Put(static_cast<std::uint32_t>(entry.field), at_);
  at_ = Put(static_cast<std::uint32_t>(entry.index), at_);
  at_ = Put(Folded(entry.range.begin - begin_), at_);
  at_ = Put(entry.range.end - entry.range.begin, at_);
  begin_ = entry.range.begin;
  const auto size = static_cast<std::uint64_t>(at_ - run_) - sizeof(RunHead);
  std::memcpy(run_ + offsetof(RunHead, size), &size, sizeof(size));
  ++count_;
}

template <typename Visit>
void SourceMap::Log::ForEach(const Visit& visit, const void* of_message) const {
  for (const Block& block : blocks_) {
    const char* const end = &block == &blocks_.back() ? at_ : block.end;
    for (const char* at = block.bytes.get(); at != end;) {
      RunHead head;
      std::memcpy(&head, at, sizeof(head));
      at += sizeof(head);
      const char* const end_of_run = at + head.size;
      if (of_message != nullptr && head.message != of_message) at = end_of_run;
      for (std::size_t begin = 0; at != end_of_run;) {
        Entry entry{head.message, static_cast<int>(TakeNumber(&at)), static_cast<int>(TakeNumber(&at)), {}};
        begin += Unfolded(TakeNumber(&at));
        entry.range.begin = begin;
        entry.range.end = begin + static_cast<std::size_t>(TakeNumber(&at));
        visit(entry);
      }
    }
  }
}

SourceMap::Log::Log(const Log& other) {
  other.ForEach([this](const Entry& entry) { Add(entry); });
}

SourceMap::Table::Table(const Table& other) {
  const std::lock_guard lock(other.mutex);
  log = Log(other.log);
  entries = other.entries;
  slots = other.slots;
}

SourceMap::Table::Table(Table&& other) noexcept
    : log(std::exchange(other.log, {})),
      entries(std::exchange(other.entries, {})),
      slots(std::exchange(other.slots, {})),
      found(std::exchange(other.found, {})) {}

SourceMap::Table& SourceMap::Table::operator=(Table other) noexcept {
  std::swap(log, other.log);
  entries.swap(other.entries);
  slots.swap(other.slots);
  found.swap(other.found);
  return *this;
}

const SourceRange* SourceMap::Table::Find(const void* message, int field, int index) const {
  const std::lock_guard lock(mutex);
  if (log.size() == 0 || !entries.empty() || found.size() >= kMostScans) {
    MakeIndex();
    const std::uint32_t number = NumberOf(message, field, index);
    return number == kNoId ? nullptr : &entries[number].range;
  }
  found.reserve(kMostScans);
  found.push_back(kNowhere);
  bool is_there = false;
  const auto look = [&](const Entry& entry) {
    if (entry.field != field || entry.index != index) return;
    found.back() = entry.range;  // the last entry for the element counts
    is_there = true;
  };
  log.ForEach(look, message);
  return is_there ? &found.back() : nullptr;
}

std::uint32_t SourceMap::Table::NumberOf(const void* message, int field, int index) const {
  return FindId(slots, HashOf(message, field, index), [&](std::uint32_t id) {
    const Entry& entry = entries[id];
    return entry.message == message && entry.field == field && entry.index == index;
  });
}

void SourceMap::Table::MakeIndex() const {
  if (log.size() == 0) return;
  // Not the exact size each time: lookups that alternate with new places would copy all entries again and again.
  if (const std::size_t all = entries.size() + log.size(); all > entries.capacity()) {
    entries.reserve(std::max(all, entries.empty() ? 0 : 2 * entries.capacity()));
  }
  log.ForEach([&](const Entry& added) {
    const std::uint32_t known = NumberOf(added.message, added.field, added.index);
    if (known == kNoId) {
      const std::uint32_t hash = HashOf(added.message, added.field, added.index);
      AddId(&slots, entries.size(), hash, static_cast<std::uint32_t>(entries.size()));
    } else {
      entries[known].range = added.range;
    }
    entries.push_back(added);
  });
  log = Log();
}

void SourceMap::Set(const google::protobuf::Message& message, SourceRange range, int field, int index) {
  table_.log.Add({&message, field, index, range});
}

const SourceRange* SourceMap::Find(const google::protobuf::Message& message, int field, int index) const {
  const SourceRange* found = table_.Find(&message, field, index);
  if (found == nullptr && index != 0) found = table_.Find(&message, field, 0);
  if (found == nullptr && field != 0) found = table_.Find(&message, 0, 0);
  return found;
}

void SourceMap::Clear() { *this = SourceMap(); }

}  // namespace onnxc
