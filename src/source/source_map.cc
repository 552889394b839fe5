#include <onnxc/source_map.h>

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

std::uint32_t SourceMap::EntryOf(const void* message, int field, int index) const {
  return FindId(slots_, HashOf(message, field, index), [&](std::uint32_t id) {
    const Entry& entry = entries_[id];
    return entry.message == message && entry.field == field && entry.index == index;
  });
}

void SourceMap::Set(const google::protobuf::Message& message, SourceRange range, int field, int index) {
  if (const std::uint32_t known = EntryOf(&message, field, index); known != kNoId) {
    entries_[known].range = range;
    return;
  }
  const std::size_t id = entries_.size();
  entries_.push_back({&message, field, index, range});
  AddId(&slots_, id, HashOf(&message, field, index), static_cast<std::uint32_t>(id));
}

const SourceRange* SourceMap::Find(const google::protobuf::Message& message, int field, int index) const {
  std::uint32_t found = EntryOf(&message, field, index);
  if (found == kNoId && index != 0) found = EntryOf(&message, field, 0);
  if (found == kNoId && field != 0) found = EntryOf(&message, 0, 0);
  return found == kNoId ? nullptr : &entries_[found].range;
}

void SourceMap::Clear() {
  entries_.clear();
  slots_.clear();
}

}  // namespace onnxc
