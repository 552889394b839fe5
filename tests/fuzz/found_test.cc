// Inputs that the fuzzers have found: testdata/fuzz/TARGET/NAME.
#include <gtest/gtest.h>

#include "fuzz/files.h"
#include "fuzz/mutate/text.h"
#include "fuzz/targets/target.h"
#include "testing/markdown.h"
#include "testing/paths.h"

namespace onnxc::fuzz {
namespace {

TEST(Fuzz, NothingThatWasFoundIsWrong) {
  for (const Target& target : Targets()) {
    const auto folder = std::filesystem::path(testing::kTestdata) / "fuzz" / target.name;
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& path : FilesIn(folder)) {
      const auto fault = RunTarget(target, testing::ReadWhole(path));
      EXPECT_FALSE(fault.has_value()) << path << ": " << (fault ? fault->what + "\n-- text\n" + fault->text : "");
    }
  }
}

// Runs each target on a few inputs without libFuzzer, so that the targets and mutators are tested in every build.
TEST(Fuzz, TargetsRunOnMutatedInputs) {
  for (const Target& target : Targets()) {
    std::string input = "0g (float[N] x) => (float[N] y) <float[2] w = {1, 2}> { y = Add <k = [1, 2]> (x, w) }";
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      SCOPED_TRACE(std::string(target.name) + ", seed " + std::to_string(seed) + ": " +
                   ::testing::PrintToString(input));
      const std::string other = target.mutate(input, seed);
      EXPECT_EQ(other, target.mutate(input, seed)) << target.name << ", seed " << seed;
      const auto fault = RunTarget(target, other);
      EXPECT_FALSE(fault.has_value()) << target.name << ", seed " << seed << ": " << (fault ? fault->what : "");
      if (seed % 10 == 0) input = target.cross(input, other, seed);
    }
  }
}

TEST(Fuzz, PrefixTellsKindAndVariant) {
  EXPECT_EQ(Prefix(Kind::kModel, 0), '0');
  EXPECT_EQ(Prefix(Kind::kShape, 0), '7');
  EXPECT_EQ(Prefix(Kind::kSequence, 0), 'p');
  ForEachKind([&](const auto& row) {
    for (unsigned variant = 0; variant < 4; ++variant) {
      const std::string input = Prefix(row.kind, variant) + std::string("rest");
      EXPECT_EQ(SplitInput(input).kind, row.kind);
      EXPECT_EQ(SplitInput(input).variant, variant);
      EXPECT_EQ(SplitInput(input).bytes, "rest");
    }
  });
}

TEST(Fuzz, TokensAreTheWholeText) {
  for (const std::string_view text :
       {"", "g () => () {}", "\"open", "a # b", "@{k: -1.5e3}", "\"a\\", "k = \"a\\\"b\""}) {
    std::string joined;
    for (const std::string_view token : SplitTokens(text)) joined += token;
    EXPECT_EQ(joined, text);
  }
}

}  // namespace
}  // namespace onnxc::fuzz
