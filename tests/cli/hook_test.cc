// Runs .pre-commit-hooks.yaml like pre-commit: for each hook, `entry` with the names of the files that match `files`.
#include <gtest/gtest.h>
#include <onnxc/formatter.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>

#include "testing/folder.h"
#include "testing/paths.h"

namespace onnxc {
namespace {

namespace fs = std::filesystem;

/// Returns the value of a key of the only hook.
std::string Hook(const std::string& key) {
  static const std::string kHooks =
      testing::ReadWhole(fs::path(testing::kDocs).parent_path() / ".pre-commit-hooks.yaml");
  std::smatch match;
  return std::regex_search(kHooks, match, std::regex("\n *" + key + ": (.*)\n")) ? match[1].str() : "";
}

TEST(PreCommitHook, TakesTheFilesOfTexts) {
  const std::regex files(Hook("files"));
  for (const char* name : {"model.onnxtxt", "some/folder/model.onnxtext"}) {
    EXPECT_TRUE(std::regex_search(name, files)) << name;
  }
  for (const char* name : {"model.onnx", "model.onnxtxt.orig", "onnxtxt"}) {
    EXPECT_FALSE(std::regex_search(name, files)) << name;
  }
}

TEST(PreCommitHook, FormatsFilesInPlace) {
  const testing::Folder folder;
  const std::string text = "g(float x)=>(float y){y=Relu(x)} # a comment";
  folder.Write("a b.onnxtxt", text);
  folder.Write("c.onnxtxt", text);
  const std::string call = "cd " + folder.path().string() +
                           " && PATH=" + fs::path(testing::kCommand).parent_path().string() + ":$PATH && " +
                           Hook("entry") + " 'a b.onnxtxt' c.onnxtxt";
  EXPECT_EQ(std::system(call.c_str()), 0) << call;
  for (const char* name : {"a b.onnxtxt", "c.onnxtxt"}) EXPECT_EQ(folder.Read(name), FormatText(text).text);
}

}  // namespace
}  // namespace onnxc
