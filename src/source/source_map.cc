#include <onnxc/source_map.h>

#include <utility>

#include "source/id_slots.h"

namespace onnxc {
namespace {

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

std::uint32_t SourceMap::Table::Find(const void* message, int field, int index) const {
  return FindId(slots, HashOf(message, field, index), [&](std::uint32_t id) {
    const Entry& entry = entries[id];
    return entry.message == message && entry.field == field && entry.index == index;
  });
}

void SourceMap::Table::Add(const Entry& entry) {
  const std::size_t id = entries.size();
  entries.push_back(entry);
  AddId(&slots, id, HashOf(entry.message, entry.field, entry.index), static_cast<std::uint32_t>(id));
}

void SourceMap::Set(const google::protobuf::Message& message, SourceRange range, int field, int index) {
  if (const std::uint32_t known = table_.Find(&message, field, index); known != kNoId) {
    table_.entries[known].range = range;
    return;
  }
  table_.Add({&message, field, index, range});
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
    for (std::size_t at = first - count; at < end - count; ++at) {
      Entry entry = before.table_.entries[at];
      entry.range = moved(entry.range);
      table_.Add(entry);
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
