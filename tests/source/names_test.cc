// Tables of names that come from files.
#include "source/names.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <regex>
#include <set>
#include <vector>

#include "testing/folder.h"
#include "testing/paths.h"

namespace onnxc::testing {
namespace {

/// Names of 16 bytes that all have the same hash in libstdc++, whose hash has a fixed seed.
std::vector<std::string> NamesOfOneStandardHash(int count) {
  constexpr std::uint64_t kFactor = (std::uint64_t{0xc6a4a793} << 32) + 0x5bd1e995;
  std::uint64_t inverse = 1;  // computed by Newton's method
  for (int i = 0; i < 6; ++i) inverse *= 2 - kFactor * inverse;
  const auto shift = [](std::uint64_t value) { return value ^ (value >> 47); };
  const auto mix = [&](std::uint64_t block) { return shift(block * kFactor) * kFactor; };
  const auto unmix = [&](std::uint64_t mixed) { return shift(mixed * inverse) * inverse; };
  const std::uint64_t start = 0xc70f6907 ^ (16 * kFactor);
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    std::string name = fmt::format("{:08}", i) + std::string(8, '\0');
    std::uint64_t first = 0;
    std::memcpy(&first, name.data(), 8);
    const std::uint64_t second = unmix((start ^ mix(first)) * kFactor ^ 0x0123456789abcdef);
    std::memcpy(name.data() + 8, &second, 8);
    names.push_back(std::move(name));
  }
  return names;
}

TEST(Names, OfOneStandardHashDoNotCollide) {
  const std::vector<std::string> names = NamesOfOneStandardHash(10'000);
  std::set<std::size_t> standard;
  std::set<std::size_t> ours;
  NameMap<int> table;
  for (const std::string& name : names) {
    standard.insert(std::hash<std::string>()(name));
    ours.insert(NameHash()(name));
    table.emplace(name, 0);
  }
#ifdef __GLIBCXX__
  EXPECT_EQ(standard.size(), 1u) << "the names are no attack";
#endif
  EXPECT_EQ(ours.size(), names.size());
  std::size_t fullest = 0;
  for (std::size_t i = 0; i < table.bucket_count(); ++i) fullest = std::max(fullest, table.bucket_size(i));
  EXPECT_LT(fullest, 20u);
}

TEST(Names, AreSeenOnce) {
  SeenNames seen(20);  // fewer than the names that are added
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i) names.push_back(fmt::format("n{}", i));
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(seen.Add(names[static_cast<std::size_t>(i)]));
    for (int k = 0; k <= i; k += 7) EXPECT_FALSE(seen.Add(names[static_cast<std::size_t>(k)])) << i;
  }
}

// No source file uses a standard table with names as keys, because its hash function has no secret seed.
TEST(Names, StandInNoOtherTable) {
  const std::regex other(
      R"(unordered_(multi)?(map|set)<\s*(const )?std::(string|pmr::string|vector|uint64_t)\b(?!_view, Value, NameHash)|std::hash<std::(string|basic_string))");
  const std::filesystem::path sources = std::filesystem::path(kDocs).parent_path() / "src";
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sources)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || name == "names.h") continue;
    ++files;
    const std::string text = ReadWhole(entry.path());
    std::smatch match;
    EXPECT_FALSE(std::regex_search(text, match, other)) << entry.path() << ": " << match.str();
  }
  EXPECT_GT(files, 100);
}

}  // namespace
}  // namespace onnxc::testing
