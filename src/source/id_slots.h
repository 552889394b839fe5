// Hash tables of indices into a list. The list holds the elements that are compared. A table is one vector of slots, so
// elements need no allocations, and the table is freed in one step.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "source/large_pages.h"

namespace onnxc {

/// A slot contains the hash in its upper half and the index plus 1 in its lower half. A free slot is 0.
using IdSlot = std::uint64_t;
inline constexpr std::uint32_t kNoId = std::numeric_limits<std::uint32_t>::max();

/// A table of slots. The functions for lookups also accept a list of slots in other memory.
using IdSlots = LargeVector<IdSlot>;

/// Reserves memory for `count` indices in an empty table.
inline void ReserveIds(IdSlots* slots, std::size_t count) { slots->resize(std::bit_ceil(2 * count)); }

/// Returns the index with this hash for which `is_same` returns true, or kNoId.
template <typename Slots, typename IsSame>
[[nodiscard]] std::uint32_t FindId(const Slots& slots, std::uint32_t hash, const IsSame& is_same) {
  if (slots.empty()) return kNoId;
  const std::size_t mask = slots.size() - 1;
  for (std::size_t at = hash & mask; slots[at] != 0; at = (at + 1) & mask) {
    const auto id = static_cast<std::uint32_t>(slots[at]) - 1;
    if (slots[at] >> 32 == hash && is_same(id)) return id;
  }
  return kNoId;
}

/// Prefetches the slot where a lookup begins. In a large table, the cache rarely contains it.
template <typename Slots>
void FetchSlot(const Slots& slots, std::uint32_t hash) {
  if (!slots.empty()) __builtin_prefetch(&slots[hash & (slots.size() - 1)]);
}

/// Adds an index that is not in the table yet. `count` is the number of indices in the table.
template <typename Slots>
void AddId(Slots* slots, std::size_t count, std::uint32_t hash, std::uint32_t id) {
  const auto put = [slots](IdSlot slot) {
    const std::size_t mask = slots->size() - 1;
    std::size_t at = (slot >> 32) & mask;
    while ((*slots)[at] != 0) at = (at + 1) & mask;
    (*slots)[at] = slot;
  };
  if ((count + 1) * 2 > slots->size()) {
    constexpr std::size_t kFewest = 16;
    const Slots before = std::exchange(*slots, Slots(slots->empty() ? kFewest : slots->size() * 2));
    for (const IdSlot slot : before) {
      if (slot != 0) put(slot);
    }
  }
  put(IdSlot{hash} << 32 | (id + 1));
}

/// Returns the position of the slot that contains an index. The index must be in the table.
[[nodiscard]] inline std::size_t SlotOfId(const IdSlots& slots, std::uint32_t hash, std::uint32_t id) {
  std::size_t at = hash & (slots.size() - 1);
  while (slots[at] != (IdSlot{hash} << 32 | (id + 1))) at = (at + 1) & (slots.size() - 1);
  return at;
}

/// Replaces an index in the table by another index with the same hash.
inline void ReplaceId(IdSlots* slots, std::uint32_t hash, std::uint32_t id, std::uint32_t by) {
  (*slots)[SlotOfId(*slots, hash, id)] = IdSlot{hash} << 32 | (by + 1);
}

/// Removes an index. Entries after its slot move up if a lookup would otherwise no longer find them.
inline void RemoveId(IdSlots* slots, std::uint32_t hash, std::uint32_t id) {
  const std::size_t mask = slots->size() - 1;
  std::size_t free = SlotOfId(*slots, hash, id);
  for (std::size_t at = (free + 1) & mask; (*slots)[at] != 0; at = (at + 1) & mask) {
    const std::size_t wanted = ((*slots)[at] >> 32) & mask;
    if (((at - wanted) & mask) < ((at - free) & mask)) continue;
    (*slots)[free] = (*slots)[at];
    free = at;
  }
  (*slots)[free] = 0;
}

}  // namespace onnxc
