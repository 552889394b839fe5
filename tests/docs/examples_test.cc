// Tests the examples in the documents. The first line of a block says what it contains:
//
//   ```onnxtxt KIND                 a valid text of this kind (KIND as on the command line); printing and parsing its
//                                   message gives the same message
//   ```onnxtxt KIND =               the same; the following ```textproto block is the message, except for fields with
//                                   default values
//   ```onnxtxt KIND wrong [NAME]    a text with a syntax error; NAME is the kind of one of its findings
//   ```console                      a shell session: commands after `$ `, followed by their output; ONNXC_BLESS=1 in
//                                   the environment rewrites it
//   ```cpp FILE, ```cmake FILE      a copy of this file of the repository (see markdown_test.cc)
//   ```sh, ```text, ```yaml         not tested here; workflows_test.sh runs the workflows of ci.md
#include <gtest/gtest.h>
#include <onnxc/kind.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>

#include "testing/golden.h"
#include "testing/markdown.h"
#include "testing/paths.h"
#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

namespace fs = std::filesystem;

constexpr ParseOptions kAsCompileDoes = {.tell_functions_apart = true};

template <typename Message>
void ExpectRight(const Block& block, const Block* expected) {
  Message message;
  const Diagnostics findings = Parse(block.text, &message, kAsCompileDoes);
  ASSERT_TRUE(testing::Ok(findings)) << block.place << "\n" << RenderText(findings, SourceText("example", block.text));
  if (expected != nullptr) {
    EXPECT_EQ(L1(message), L1(FromTextProto<Message>(expected->text))) << block.place;
  }
  const PrintResult printed = Print(message);
  Message again;
  ASSERT_TRUE(testing::Ok(printed.diagnostics)) << block.place;
  EXPECT_TRUE(testing::Ok(Parse(printed.text, &again))) << block.place << "\n" << printed.text;
  EXPECT_EQ(Bytes(again), Bytes(message)) << block.place << "\n" << printed.text;
}

template <typename Message>
void ExpectWrong(const Block& block) {
  Message message;
  const Diagnostics findings = Parse(block.text, &message, kAsCompileDoes);
  EXPECT_FALSE(findings.ok()) << block.place << " parses:\n" << block.text;
  if (block.words.size() < 4) return;
  std::set<std::string_view> names;
  for (const Diagnostic& finding : findings.items()) names.insert(Name(finding.kind));
  EXPECT_TRUE(names.contains(block.words[3])) << block.place << "\n"
                                              << RenderText(findings, SourceText("example", block.text));
}

TEST(Examples, DoWhatTheDocumentsSay) {
  const std::vector<Block> blocks = AllBlocks(kDocs);
  int count = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    if (block.words.empty() || block.words[0] != "onnxtxt") continue;
    if (block.document.parent_path().filename() == "explain") continue;  // explain_test.cc
    ASSERT_GE(block.words.size(), 2u) << block.place << ": which kind?";
    const auto kind = FindKind(block.words[1]);
    ASSERT_TRUE(kind) << block.place << ": " << block.words[1];
    const std::string verdict = block.words.size() > 2 ? block.words[2] : "";
    ASSERT_TRUE(verdict.empty() || verdict == "=" || verdict == "wrong") << block.place << ": " << verdict;
    const bool has_message = i + 1 < blocks.size() && blocks[i + 1].words == std::vector<std::string>{"textproto"};
    ASSERT_EQ(has_message, verdict == "=") << block.place << ": `=` goes with a textproto block, and a block with `=`";
    WithKind(*kind, [&](const auto& row) {
      using Message = typename std::decay_t<decltype(row)>::Message;
      if (verdict == "wrong") {
        ExpectWrong<Message>(block);
      } else {
        ExpectRight<Message>(block, has_message ? &blocks[i + 1] : nullptr);
      }
    });
    ++count;
  }
  EXPECT_GT(count, 150);
}

TEST(Examples, AreOfLanguagesThatAreKnownHere) {
  static const std::set<std::string> kLanguages = {"onnxtxt", "textproto", "console", "cpp",   "cmake",
                                                   "sh",      "text",      "yaml",    "python"};
  for (const Block& block : AllBlocks(kDocs)) {
    EXPECT_TRUE(!block.words.empty() && kLanguages.contains(block.words[0])) << block.place;
  }
}

#ifdef ONNXC_HAS_COMMAND

/// The standard output and standard error of a command, in the order in which they were written.
std::string Output(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("exec 2>&1\n" + command).c_str(), "r"), pclose);
  std::string output;
  for (int c; (c = std::fgetc(pipe.get())) != EOF;) output += static_cast<char>(c);
  return output;
}

void Bless(const Block& session, const std::string& replay) {
  std::string document = ReadWhole(session.document);
  const std::string fence = "```console\n";
  document.replace(document.find(fence + session.text) + fence.size(), session.text.size(), replay);
  std::ofstream(session.document, std::ios::binary) << document;
}

// A session runs in a fresh folder that holds the repository's testdata.
TEST(Examples, PrintWhatTheDocumentsShow) {
  const Folder folder;
  fs::create_symlink(kTestdata, folder.path() / "testdata");
  const std::string start = "cd " + folder.path().string() +
                            " && export LC_ALL=C NO_COLOR= GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null "
                            "GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b.c "
                            "PATH=" +
                            fs::path(kCommand).parent_path().string() + ":$PATH\n";
  int count = 0;
  for (const Block& block : AllBlocks(kDocs)) {
    if (block.words != std::vector<std::string>{"console"}) continue;
    std::string replay;
    std::istringstream lines(block.text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("$ ")) continue;
      replay += line + "\n" + Output(start + line.substr(2));
      ++count;
    }
    IsBlessing() ? Bless(block, replay) : ExpectText(replay, block.text, block.place);
  }
  EXPECT_GT(count, 5);
}

TEST(Examples, OfTheTourNameEachSubcommand) {
  const std::string tour = ReadWhole(fs::path(kDocs) / "tour.md");
  std::istringstream help(Output(std::string(kCommand) + " --help"));
  std::string line;
  while (std::getline(help, line) && line != "Subcommands:") {
  }
  int count = 0;
  for (; std::getline(help, line) && !line.empty(); ++count) {
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    EXPECT_TRUE(tour.find("onnxc " + name) != std::string::npos || tour.find("`" + name + "`") != std::string::npos)
        << "docs/tour.md says nothing about " << name;
  }
  EXPECT_GT(count, 15);
}

#endif

}  // namespace
}  // namespace onnxc::testing
