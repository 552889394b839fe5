// The pages of `onnxc explain`: there is one for each kind of finding, and its examples show that kind.
//
//   ```onnxtxt KIND wrong      a text of that kind (KIND as on the command line) with the finding
//   ```textproto KIND wrong    the same, in protobuf's text format
//   ```console                 a session that shows the finding
//
// The last example of a page, without `wrong`, does not have the finding. Sessions are run by examples_test.cc.
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/kind.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "testing/markdown.h"
#include "testing/paths.h"

namespace onnxc::testing {
namespace {

namespace fs = std::filesystem;

const fs::path kPages = fs::path(kDocs) / "explain";

// The sessions of the pages cannot show these kinds: they need a very long text, a message that is nested more deeply
// than a file can be, or a disk that fails.
const std::set<std::string> kWithoutExamples = {"other-message", "inference-limit", "nesting-limit",
                                                "weights-unreadable"};

/// Returns the findings in an example.
Diagnostics Judge(const Block& block) {
  const auto kind = FindKind(block.words[1]);
  if (!kind) throw std::runtime_error(block.place + ": unknown kind " + block.words[1]);
  Diagnostics found;
  WithKind(*kind, [&](const auto& row) {
    typename std::decay_t<decltype(row)>::Message message;
    SourceMap places;
    const Format format = block.words[0] == "onnxtxt" ? Format::kText : Format::kTextProto;
    found = Decode(block.text, format, &message, {.source_map_out = &places, .tell_functions_apart = true});
    if (found.ok())
      found.Append(Check(message, {.source_map = format == Format::kText ? &places : nullptr, .optional_rules = true}));
  });
  return found;
}

bool Shows(const Block& block, const std::string& kind) {
  if (block.words[0] == "console") return block.text.find("[" + kind + "]") != std::string::npos;
  const Diagnostics found = Judge(block);
  return std::ranges::any_of(found.items(), [&](const Diagnostic& item) { return Name(item.kind) == kind; });
}

TEST(Explain, EachKindHasAPage) {
  std::set<std::string> kinds;
  for (const DiagnosticKind kind : AllDiagnosticKinds()) {
    kinds.emplace(Name(kind));
    EXPECT_TRUE(fs::exists(kPages / (std::string(Name(kind)) + ".md")))
        << "docs/explain has no page for " << Name(kind);
  }
  for (const fs::directory_entry& page : fs::directory_iterator(kPages)) {
    EXPECT_TRUE(kinds.contains(page.path().stem())) << page.path() << " is about no kind of finding";
  }
}

TEST(Explain, TheExamplesShowTheFinding) {
  for (const fs::directory_entry& page : fs::directory_iterator(kPages)) {
    const std::string kind = page.path().stem();
    EXPECT_TRUE(ReadWhole(page.path()).starts_with("# " + kind + "\n\n")) << page.path();
    if (kWithoutExamples.contains(kind)) continue;
    const std::vector<Block> blocks = Blocks(page.path());
    ASSERT_GE(blocks.size(), 2u) << page.path() << ": an example that is wrong, and one that is right";
    for (const Block& block : blocks) {
      const bool is_last = &block == &blocks.back();
      const bool is_wrong = block.words[0] == "console" ? !is_last : block.words.back() == "wrong";
      EXPECT_EQ(is_wrong, !is_last) << block.place;
      EXPECT_EQ(Shows(block, kind), is_wrong) << block.place << "\n" << block.text;
    }
  }
}

}  // namespace
}  // namespace onnxc::testing
