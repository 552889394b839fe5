// Files `.onnxc.toml` from untrusted sources: errors are reported at their places, and reading takes little time.
#include "settings/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "testing/folder.h"

namespace onnxc {
namespace {

namespace fs = std::filesystem;

std::string Told(const Settings& settings) { return RenderText(settings.found.diagnostics, settings.found.source); }
std::string ToldOf(const std::string& text) { return Told(ReadSettingsText("f", text)); }

std::string Repeat(std::string_view text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

TEST(SettingsFile, MistakesHavePlaces) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", ""},
      {"[warnings]\nall = 'error'\nunused-initializer = \"off\" # a..b..c........................\n", ""},
      {"# ................................\n\"....................................\" = 1",
       "f:2:1: error: cannot read: unknown key '....................................'"},
      {"[.warnings]", "f:1:2: error: cannot read: this is not TOML: a key begins a table header, not '.'"},
      {"a = 1\n [[ = ]]", "f:2:5: error: cannot read: this is not TOML: a key begins a table header, not '='"},
      {"[warnings", "f:1:10: error: cannot read: this is not TOML: table header: encountered end-of-file"},
      {"[warnings]\nal = \"off\"", "f:2:1: error: cannot read: unknown kind of finding 'al'; did you mean 'all'?"},
      {"\"\xc3\xa4\" = 1\nwarnings = {\"\xc3\xa4\xc3\xa4\" = 'off', b = 'off'}",
       "f:2:27: error: cannot read: unknown kind of finding 'b'"},
      {"8a = \xc3\xa4\n\xc3\xa4", "f:1:6: error: cannot read: this is not TOML: "},
      {"[[\xc3\xa4]]", "f:1:3: error: cannot read: this is not TOML: a key begins a table header"},
      {"all = \"\"\"\n\xc3\xa4\"\"\"", "f:1:7: error: cannot read: settings cannot contain strings of several lines"},
      {"all = [''''']", "f:1:8: error: cannot read: settings cannot contain strings of several lines"},
      {"warnings.all = 1",
       "f:1:16: error: cannot read: the level of 'all' must be a string: \"off\", \"warning\" or \"error\""},
      {"warnings = 1", "f:1:1: error: cannot read: 'warnings' must be a table: [warnings]"},
      {"[link]\nlibraries = ['a.onnxtxt', 'b/c.onnx']", ""},
      {"link = 1", "f:1:1: error: cannot read: 'link' must be a table: [link]"},
      {"[link]\nlibrary = []", "f:2:1: error: cannot read: unknown key 'library'; [link] has 'libraries'"},
      {"[link]\nlibraries = 'a'", "f:2:13: error: cannot read: 'libraries' must be a list of files: [\"lib.onnxtxt\"]"},
      {"[link]\nlibraries = ['a', 2]", "f:2:19: error: cannot read: the path of a library must be a string"},
      {"[link]\nlibraries = ['../a']",
       "f:2:14: error: cannot read: the path '../a' of a library leaves the folder of the settings"},
      {"[link]\nlibraries = ['/a']", "f:2:14: error: cannot read: the path '/a' of a library is absolute"},
      {"link.libraries = [" + Repeat("'a',", 101) + "]",
       "f:1:18: error: cannot read: there are more than 100 libraries"},
  };
  for (const auto& [text, expected] : cases) {
    const std::string told = ToldOf(text);
    EXPECT_NE(("\n" + told).find("\n" + expected), std::string::npos) << text << "\n" << told;
    EXPECT_EQ(told.empty(), expected.empty()) << text << "\n" << told;
  }
}

// The TOML library makes a table for each part of a key, and destroys nested tables recursively.
TEST(SettingsFile, IsNeitherLongNorDeep) {
  for (const std::string& text :
       {Repeat("a.", 17) + "a = 1", "[" + Repeat("'a' . ", 17) + "a]", "x = {" + Repeat("a.", 17) + "a = 1}"}) {
    EXPECT_NE(ToldOf(text).find("a key cannot have more than 16 parts"), std::string::npos) << text << ToldOf(text);
  }
  EXPECT_EQ(ToldOf("# \"\"\" and '''\n[warnings] # .................. \"\"\"\n"), "");
  for (const std::string nest : {"[", "{a = ", "[{a = "}) {
    EXPECT_NE(ToldOf("a = " + Repeat(nest, 10'000)).find("error: cannot read: "), std::string::npos);
  }
  const std::string lines = Repeat("# 4567\n", 65536 / 7);
  EXPECT_EQ(ToldOf(lines), "");
  EXPECT_EQ(ToldOf(lines + "# 45678901\n"),
            "f: error: the file is larger than the limit of 65536 bytes [input-too-large]\n");
}

TEST(SettingsFile, OneHundredMistakesAreTold) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "k" + std::to_string(i) + " = 1\n";
  const Diagnostics& found = ReadSettingsText("f", text).found.diagnostics;
  ASSERT_EQ(found.items().size(), 100u);
  EXPECT_EQ(found.suppressed(), 4900u);
  EXPECT_EQ(found.items()[99].message,
            "cannot read: unknown key 'k99'; the known tables are [warnings], [link] and [operators]");
}

// In a folder of an untrusted user, a link may lead to any file.
TEST(SettingsFile, NothingIsShownOfWhatALinkLeadsTo) {
  const testing::Folder folder;
  folder.Write("secret", "[warnings]\nsecret = 'off'\n");
  fs::create_symlink("secret", folder.path() / ".onnxc.toml");
  const std::string path = folder.Path(".onnxc.toml");
  EXPECT_EQ(Told(ReadSettings(path)),
            path + ": error: cannot read: the target of the link is not a settings file [cannot-read]\n");
  folder.Write("secret", "[warnings]\nall = 'off'\n");
  EXPECT_EQ(Told(ReadSettings(path)), "");
  EXPECT_EQ(ReadSettings(path).warnings.all.is_shown, false);
}

TEST(SettingsFile, ALinkToItselfHidesNothing) {
  const testing::Folder folder;
  folder.Write(".onnxc.toml", "[warnings]\nall = 'off'\n");
  fs::create_directory(folder.path() / "below");
  const std::string below = folder.Path("below");
  bool is_new = false;
  EXPECT_EQ(SettingsFinder().Find(below, &is_new).warnings.all.is_shown, false);
  fs::create_symlink(".onnxc.toml", folder.path() / "below" / ".onnxc.toml");
  SettingsFinder finder;
  EXPECT_THAT(Told(finder.Find(below, &is_new)),
              ::testing::HasSubstr("cannot read: Too many levels of symbolic links"));
}

}  // namespace
}  // namespace onnxc
