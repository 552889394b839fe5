#include <onnxc/source_map.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "source/id_slots.h"

namespace onnxc {
namespace {

/// To look through all entries costs about a fiftieth of what their index does.
constexpr int kMostScans = 16;

/// The places of one message are asked for together, and so stand near each other in the table: only the last bits of
/// their hashes differ. Long lists are spread. (The upper half of a product depends on all bits of what is multiplied.)
std::uint32_t HashOf(const void* message, int field, int index) {
  constexpr std::uint32_t kNear = 16;
  const auto place = static_cast<std::uint32_t>(field) + static_cast<std::uint32_t>(index) * 5;
  const std::uint64_t rest =
      reinterpret_cast<std::uintptr_t>(message) + std::uint64_t{place / kNear} * 0x9e3779b97f4a7c15u;
  return static_cast<std::uint32_t>((rest * 0xff51afd7ed558ccdu) >> 32) / kNear * kNear + place % kNear;
}

}  // namespace

static_assert(std::is_nothrow_move_constructible_v<SourceMap>, "lists of messages with their maps move both");

SourceMap::Table::Table(const Table& other) {
  const std::lock_guard lock(other.mutex);
  entries = other.entries;
  slots = other.slots;
  indexed = other.indexed;
  scans = other.scans;
}

SourceMap::Table::Table(Table&& other) noexcept
    : entries(std::exchange(other.entries, {})),
      slots(std::exchange(other.slots, {})),
      indexed(std::exchange(other.indexed, 0)),
      scans(std::exchange(other.scans, 0)) {}

SourceMap::Table& SourceMap::Table::operator=(Table other) noexcept {
  entries.swap(other.entries);
  slots.swap(other.slots);
  indexed = other.indexed;
  scans = other.scans;
  return *this;
}

std::uint32_t SourceMap::Table::Find(const void* message, int field, int index) const {
  const std::lock_guard lock(mutex);
  const auto is_it = [&](const Entry& entry) {
    return entry.message == message && entry.field == field && entry.index == index;
  };
  if (indexed < entries.size() && scans < kMostScans) {
    ++scans;
    const auto last = std::find_if(entries.rbegin(), entries.rend(), is_it);  // what was said last of it holds
    return last == entries.rend() ? kNoId : static_cast<std::uint32_t>(entries.rend() - last - 1);
  }
  MakeIndex();
  return FindId(slots, HashOf(message, field, index), [&](std::uint32_t id) { return is_it(entries[id]); });
}

void SourceMap::Table::MakeIndex() const {
  for (; indexed < entries.size(); ++indexed) {
    const Entry& added = entries[indexed];
    const std::uint32_t hash = HashOf(added.message, added.field, added.index);
    const std::uint32_t known = FindId(slots, hash, [&](std::uint32_t id) {
      const Entry& entry = entries[id];
      return entry.message == added.message && entry.field == added.field && entry.index == added.index;
    });
    if (known == kNoId) {
      AddId(&slots, indexed, hash, static_cast<std::uint32_t>(indexed));
    } else {
      entries[known].range = added.range;
    }
  }
}

void SourceMap::Set(const google::protobuf::Message& message, SourceRange range, int field, int index) {
  table_.entries.push_back({&message, field, index, range});
}

const SourceRange* SourceMap::FindExactly(const void* message, int field, int index) const {
  if (const std::uint32_t own = table_.Find(message, field, index); own != kNoId) return &table_.entries[own].range;
  if (shared_ == nullptr) return nullptr;
  const std::uint32_t number = shared_->Find(message, field, index);
  if (number == kNoId) return nullptr;
  const SourceRange* const range = moved_.empty() ? &shared_->entries[number].range : &moved_[number];
  return *range == kNowhere ? nullptr : range;
}

const SourceRange* SourceMap::Find(const google::protobuf::Message& message, int field, int index) const {
  const SourceRange* found = FindExactly(&message, field, index);
  if (found == nullptr && index != 0) found = FindExactly(&message, field, 0);
  if (found == nullptr && field != 0) found = FindExactly(&message, 0, 0);
  return found;
}

void SourceMap::Clear() { *this = SourceMap(); }

void SourceMap::Share() {
  if (shared_ != nullptr) return;
  table_.MakeIndex();
  taken_ = table_.entries.size();
  shared_ = std::make_shared<const Table>(std::exchange(table_, Table()));
}

void SourceMap::BeginAt(const SourceMap& before) {
  Clear();
  shared_ = before.shared_;
  moved_.assign(CountOfShared(), kNowhere);  // a message of its own may have the address of one that is gone
}

std::size_t SourceMap::Take(const SourceMap& before, std::size_t first, std::size_t end, std::size_t by) {
  const auto moved = [by](SourceRange range) { return SourceRange{range.begin + by, range.end + by}; };
  const std::size_t count = CountOfShared();
  if (first >= count) {
    const std::size_t now = NextNumber();
    {
      const std::lock_guard lock(before.table_.mutex);
      before.table_.MakeIndex();
    }
    for (std::size_t at = first - count; at < end - count; ++at) {
      Entry entry = before.table_.entries[at];
      entry.range = moved(entry.range);
      table_.entries.push_back(entry);
    }
    return now;
  }
  for (std::size_t at = first; at < end; ++at) {
    moved_[at] = moved(before.moved_.empty() ? shared_->entries[at].range : before.moved_[at]);
  }
  taken_ += end - first;
  return first;
}

}  // namespace onnxc
