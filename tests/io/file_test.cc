#include <gtest/gtest.h>
#include <onnxc/model_io.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "source/report.h"

namespace onnxc {
namespace {

namespace fs = std::filesystem;

class FileTest : public testing::Test {
 protected:
  FileTest() {
    std::string name = (fs::temp_directory_path() / "onnxc-file-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~FileTest() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  [[nodiscard]] std::size_t CountFiles() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  static std::string Contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  fs::path folder_;
};

TEST_F(FileTest, WritesAndReads) {
  const std::string bytes("a\0b", 3);
  for (const std::string& content : {bytes, std::string(), std::string(1'000'000, 'x')}) {
    ASSERT_TRUE(WriteFile(Path("f"), content).ok());
    SourceText text("", "");
    ASSERT_TRUE(ReadFile(Path("f"), &text).ok());
    EXPECT_EQ(text.name(), Path("f"));
    EXPECT_EQ(text.text(), content);
  }
  EXPECT_EQ(CountFiles(), 1u);
}

TEST_F(FileTest, AReplacedFileStaysReadable) {
  ASSERT_TRUE(WriteFile(Path("f"), "old").ok());
  SourceText text("", "");
  ASSERT_TRUE(ReadFile(Path("f"), &text).ok());
  ASSERT_TRUE(WriteFile(Path("f"), "").ok());
  EXPECT_EQ(text.text(), "old");
}

TEST_F(FileTest, KeepsPermissionsAndLinks) {
  ASSERT_TRUE(WriteFile(Path("f"), "old").ok());
  fs::permissions(Path("f"), fs::perms(0640));
  fs::create_symlink("f", Path("link"));
  fs::create_symlink("new", Path("dangling"));
  ASSERT_TRUE(WriteFile(Path("link"), "1").ok());
  ASSERT_TRUE(WriteFile(Path("dangling"), "2").ok());
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  EXPECT_TRUE(fs::is_symlink(Path("dangling")));
  EXPECT_EQ(Contents(Path("f")), "1");
  EXPECT_EQ(Contents(Path("new")), "2");
  EXPECT_EQ(fs::status(Path("f")).permissions(), fs::perms(0640));
  EXPECT_EQ(CountFiles(), 4u);
}

TEST_F(FileTest, SaysWhyNot) {
  SourceText text("", "");
  const Diagnostics missing = ReadFile(Path("missing"), &text);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.items()[0].kind, DiagnosticKind::kCannotRead);
  EXPECT_EQ(text.name(), Path("missing"));
  EXPECT_FALSE(ReadFile(Path("."), &text).ok());
  EXPECT_FALSE(ReadFile("", &text).ok());
  EXPECT_FALSE(WriteFile(Path("."), "x").ok());
  EXPECT_FALSE(WriteFile(Path("missing/f"), "x").ok());
  EXPECT_FALSE(WriteFile("", "x").ok());
  EXPECT_FALSE(WriteFile("/dev/full", "x").ok());
  EXPECT_TRUE(WriteFile("/dev/null", "x").ok());
  fs::create_symlink("loop", Path("loop"));
  EXPECT_FALSE(ReadFile(Path("loop"), &text).ok());
  EXPECT_FALSE(WriteFile(Path("loop"), "x").ok());
  EXPECT_EQ(CountFiles(), 1u);
}

TEST_F(FileTest, ReadsPipes) {
  ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
  ASSERT_EQ(std::system(("head -c 300000 /dev/zero > " + Path("pipe") + " &").c_str()), 0);
  SourceText text("", "");
  ASSERT_TRUE(ReadFile(Path("pipe"), &text).ok());
  EXPECT_EQ(text.text(), std::string(300'000, '\0'));
}

}  // namespace
}  // namespace onnxc
