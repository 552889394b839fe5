#include "source/id_slots.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <random>

namespace onnxc {
namespace {

// Adds and removes numbers, some with the same slot and some with the same hash. Each number is found under its hash
// until it is removed.
TEST(IdSlots, FindsWhatIsThereAfterAnyChange) {
  std::mt19937 random(1);
  IdSlots slots;
  std::map<std::uint32_t, std::uint32_t> hashes;  // hashes of the numbers that are in the table
  const auto find = [&](std::uint32_t id, std::uint32_t hash) {
    return FindId(slots, hash, [&](std::uint32_t other) { return other == id; });
  };
  for (std::uint32_t next = 0; next < 20'000; ++next) {
    const auto hash = static_cast<std::uint32_t>(random() % 8 << 16 | random() % 64);
    const bool grows = next < 200 || random() % 2 == 0;
    if (grows) {
      AddId(&slots, hashes.size(), hash, next);
      hashes.emplace(next, hash);
    }
    const auto any = std::next(hashes.begin(), static_cast<std::ptrdiff_t>(random() % hashes.size()));
    const auto [id, its_hash] = *any;
    if (random() % 4 == 0) {
      ReplaceId(&slots, its_hash, id, next + 1'000'000);
      hashes.erase(any);
      EXPECT_EQ(find(id, its_hash), kNoId);
      EXPECT_EQ(find(next + 1'000'000, its_hash), next + 1'000'000);
      hashes.emplace(next + 1'000'000, its_hash);
    } else if (hashes.size() > 100 && random() % 2 == 0) {
      RemoveId(&slots, its_hash, id);
      hashes.erase(any);
      EXPECT_EQ(find(id, its_hash), kNoId);
    }
    if (next % 1000 != 0) continue;
    for (const auto& [number, its] : hashes) EXPECT_EQ(find(number, its), number);
  }
}

}  // namespace
}  // namespace onnxc
