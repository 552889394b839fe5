// The pages of `onnxc explain`: there is one for each kind of finding, and its examples show that kind.
//
//   ```onnxtxt KIND wrong      a text of that kind (KIND as on the command line) with the finding
//   ```textproto KIND wrong    the same, in protobuf's text format
//   ```console                 a session that shows the finding
//
// The last example of a page, without `wrong`, has no finding at all. Sessions are run by examples_test.cc.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/kind.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
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

#ifdef ONNXC_HAS_COMMAND

TEST(Explain, TheCommandFindsNothingInTheRightExamples) {
  const Folder folder;
  std::map<std::string, int> counts;  // how many examples there are of each kind of text
  for (const fs::directory_entry& page : fs::directory_iterator(kPages)) {
    for (const Block& block : Blocks(page.path())) {
      const bool is_example = block.words[0] == "onnxtxt" || block.words[0] == "textproto";
      if (!is_example || block.words.back() == "wrong") continue;
      const std::string& kind = block.words[1];
      ++counts[kind];
      fs::create_directory(folder.path() / kind);
      const std::string suffix = block.words[0] == "onnxtxt" ? ".onnxtxt" : ".textproto";
      folder.Write(kind + "/" + page.path().stem().string() + suffix, block.text);
    }
  }
  EXPECT_GT(counts["model"], 100);
  for (const auto& [kind, count] : counts) {
    const std::string command =
        fmt::format("cd {} && {} check --kind {} *.* 2>&1", (folder.path() / kind).string(), kCommand, kind);
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string found;
    for (int c; (c = std::fgetc(pipe.get())) != EOF;) found += static_cast<char>(c);
    const std::string summary = count == 1 ? "" : fmt::format("onnxc: {} files: no findings\n", count);
    EXPECT_EQ(found, summary) << "kind " << kind;
  }
}

#endif

}  // namespace
}  // namespace onnxc::testing
