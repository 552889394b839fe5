#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <onnxc/model_io.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "files/write_file.h"
#include "platform/descriptor.h"
#include "platform/mapped_file.h"
#include "source/report.h"
#include "testing/folder.h"
#include "testing/predicates.h"

namespace onnxc {
namespace {

namespace fs = std::filesystem;

class FileTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::string Path(const std::string& name) const { return folder_.Path(name); }
  [[nodiscard]] std::size_t CountFiles() const { return folder_.List().size(); }
  static std::string Contents(const std::string& path) { return testing::ReadWhole(path); }

 private:
  testing::Folder folder_;
};

TEST_F(FileTest, WritesAndReads) {
  const std::string bytes("a\0b", 3);
  for (const std::string& content : {bytes, std::string(), std::string(1'000'000, 'x')}) {
    ASSERT_TRUE(testing::Ok(WriteFile(Path("f"), content)));
    SourceText text("", "");
    ASSERT_TRUE(testing::Ok(ReadFile(Path("f"), &text)));
    EXPECT_EQ(text.name(), Path("f"));
    EXPECT_EQ(text.text(), content);
  }
  EXPECT_EQ(CountFiles(), 1u);
}

TEST_F(FileTest, ReadsTheRestOfAHugeFileFromStandardInput) {
  constexpr off_t kSize = off_t{1} << 43;  // more than there is memory
  const Descriptor file(::open(Path("huge").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_TRUE(testing::Ok(file));
  if (::ftruncate(file.get(), kSize) != 0) GTEST_SKIP() << "no file system for such files";
  ASSERT_EQ(::pwrite(file.get(), "end", 3, kSize - 3), 3);
  ASSERT_EQ(::lseek(file.get(), kSize - 3, SEEK_SET), kSize - 3);
  const Descriptor before(::dup(STDIN_FILENO));
  ASSERT_EQ(::dup2(file.get(), STDIN_FILENO), STDIN_FILENO);
  SourceText text("", "");
  const Diagnostics found = ReadFile("-", &text);
  EXPECT_EQ(text.text(), "end");
  EXPECT_EQ(::lseek(STDIN_FILENO, 0, SEEK_SET), 0);
  const Diagnostics refused = ReadFile("-", &text, 1'000'000);
  if (before.ok()) (void)::dup2(before.get(), STDIN_FILENO);
  EXPECT_TRUE(testing::Ok(found));
  EXPECT_FALSE(refused.ok());
}

/// Returns how much memory of the mapping that contains the bytes is resident.
std::size_t ResidentKilobytes(std::string_view bytes) {
  std::ifstream maps("/proc/self/smaps");
  const auto at = reinterpret_cast<std::uintptr_t>(bytes.data());
  bool is_here = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0;
    unsigned long end = 0;
    unsigned long size = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) is_here = begin <= at && at < end;
    if (is_here && std::sscanf(line.c_str(), "Rss: %lu kB", &size) == 1) return size;
  }
  ADD_FAILURE() << "nothing is mapped there";
  return 0;
}

TEST_F(FileTest, PagesOfAMappedFileAreFreed) {
  constexpr std::size_t kSize = std::size_t{96} << 20;
  ASSERT_TRUE(testing::Ok(WriteFile(Path("f"), "begin")));
  fs::resize_file(Path("f"), kSize);
  SourceText text("", "");
  ASSERT_TRUE(testing::Ok(ReadFile(Path("f"), &text)));
  ASSERT_TRUE(testing::Ok(WriteFile(Path("g"), text.text().substr(1))));
  EXPECT_LT(ResidentKilobytes(text.text()), std::size_t{8} << 10);
  EXPECT_EQ(text.text().substr(0, 5), "begin");
  EXPECT_EQ(fs::file_size(Path("g")), kSize - 1);
  SourceText copy("", "");
  ASSERT_TRUE(testing::Ok(ReadFile(Path("g"), &copy)));
  EXPECT_TRUE(testing::AreSame(copy.text(), text.text().substr(1)));
}

TEST_F(FileTest, PagesOfADecodedFileAreFreed) {
  const std::string bytes(std::size_t{8} << 20, 'x');
  ASSERT_TRUE(testing::Ok(WriteFile(Path("f"), bytes)));
  SourceText text("", "");
  ASSERT_TRUE(testing::Ok(ReadFile(Path("f"), &text)));
  ASSERT_TRUE(testing::AreSame(text.text(), bytes));
  ASSERT_GE(ResidentKilobytes(text.text()), bytes.size() >> 10);
  FreeDecoded(text.text());
  EXPECT_LT(ResidentKilobytes(text.text()), std::size_t{1} << 10);
  EXPECT_TRUE(testing::AreSame(text.text(), bytes));
  FreeDecoded(bytes);  // these bytes have no file from which they could be read again
  EXPECT_EQ(bytes.find_first_not_of('x'), std::string::npos);
}

TEST_F(FileTest, WhatIsNotMappedStays) {
  const std::string bytes(std::size_t{80} << 20, 'x');
  ASSERT_TRUE(testing::Ok(WriteFile(Path("f"), bytes)));
  EXPECT_EQ(bytes.find_first_not_of('x'), std::string::npos);
}

TEST_F(FileTest, InputsAreLimited) {
  ASSERT_TRUE(testing::Ok(WriteFile(Path("f"), "12345")));
  SourceText text("", "");
  EXPECT_TRUE(testing::Ok(ReadFile(Path("f"), &text, 5)));
  const Diagnostics found = ReadFile(Path("f"), &text, 4);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.items()[0].kind, DiagnosticKind::kInputTooLarge);
  EXPECT_EQ(text.text(), "");
  onnx::TypeProto type;
  EXPECT_TRUE(testing::Ok(Parse("float", &type, {.max_bytes = 5})));
  EXPECT_FALSE(Parse("float", &type, {.max_bytes = 4}).ok());
  EXPECT_EQ(type.ByteSizeLong(), 0u);
  EXPECT_TRUE(testing::Ok(Decode("denotation: \"\"", Format::kTextProto, &type, {.max_bytes = 14})));
  EXPECT_FALSE(Decode("denotation: \"\"", Format::kTextProto, &type, {.max_bytes = 13}).ok());
}

TEST_F(FileTest, AReplacedFileStaysReadable) {
  ASSERT_TRUE(testing::Ok(WriteFile(Path("f"), "old")));
  SourceText text("", "");
  ASSERT_TRUE(testing::Ok(ReadFile(Path("f"), &text)));
  ASSERT_TRUE(testing::Ok(WriteFile(Path("f"), "")));
  EXPECT_EQ(text.text(), "old");
}

TEST_F(FileTest, KeepsPermissionsAndLinks) {
  ASSERT_TRUE(testing::Ok(WriteFile(Path("f"), "old")));
  fs::permissions(Path("f"), fs::perms(0640));
  fs::create_symlink("f", Path("link"));
  fs::create_symlink("new", Path("dangling"));
  ASSERT_TRUE(testing::Ok(WriteFile(Path("link"), "1")));
  ASSERT_TRUE(testing::Ok(WriteFile(Path("dangling"), "2")));
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
  EXPECT_TRUE(testing::Ok(WriteFile("/dev/null", "x")));
  fs::create_symlink("loop", Path("loop"));
  EXPECT_FALSE(ReadFile(Path("loop"), &text).ok());
  EXPECT_FALSE(WriteFile(Path("loop"), "x").ok());
  EXPECT_EQ(CountFiles(), 1u);
}

TEST_F(FileTest, TellsTheErrorOfTheSystem) {
  const auto error_of = [](const std::string& path) {
    const std::string_view bytes = "x";
    const Written written = TryToWriteFile(path, {&bytes, 1});
    EXPECT_EQ(written.found.ok(), written.error == 0) << path;
    return written.error;
  };
  EXPECT_EQ(error_of(Path("f")), 0);
  EXPECT_EQ(error_of(Path("missing/f")), ENOENT);
  EXPECT_EQ(error_of(Path("f/f")), ENOTDIR);
  EXPECT_EQ(error_of(Path(".")), EISDIR);
  EXPECT_EQ(error_of("/dev/full"), ENOSPC);
  EXPECT_EQ(error_of("/dev/fd/999999"), EBADF);
}

TEST_F(FileTest, ReadsPipes) {
  ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
  ASSERT_EQ(std::system(("head -c 300000 /dev/zero > " + Path("pipe") + " &").c_str()), 0);
  SourceText text("", "");
  ASSERT_TRUE(testing::Ok(ReadFile(Path("pipe"), &text)));
  EXPECT_EQ(text.text(), std::string(300'000, '\0'));
}

TEST_F(FileTest, WritesPipes) {
  ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
  std::thread reader([&] { EXPECT_EQ(Contents(Path("pipe")), std::string(300'000, 'x')); });
  EXPECT_TRUE(testing::Ok(WriteFile(Path("pipe"), std::string(300'000, 'x'))));
  reader.join();
  EXPECT_TRUE(fs::is_fifo(Path("pipe")));
}

// A file that a process has already opened is written in place, under any of its names, and not replaced.
TEST_F(FileTest, WritesOnWhatIsOpen) {
  const int fd = ::open(Path("f").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  for (const std::string folder : {"/dev/fd/", "/proc/self/fd/"}) {
    ASSERT_TRUE(testing::Ok(WriteFile(folder + std::to_string(fd), folder)));
  }
  (void)::close(fd);
  EXPECT_EQ(Contents(Path("f")), "/dev/fd//proc/self/fd/");
  EXPECT_FALSE(WriteFile("/dev/fd/" + std::to_string(fd), "x").ok());
  EXPECT_FALSE(WriteFile("/dev/fd/999999999999", "x").ok());
}

// If a pipe is not ready because its reader is slow, writing waits for the reader.
TEST_F(FileTest, WaitsForSlowReaders) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  std::size_t count = 0;
  std::thread reader([&] {
    char bytes[4096];
    while (count < 300'000) {
      const ssize_t got = ::read(ends[0], bytes, sizeof(bytes));
      if (got > 0) count += static_cast<std::size_t>(got);
    }
  });
  EXPECT_TRUE(testing::Ok(WriteFile("/dev/fd/" + std::to_string(ends[1]), std::string(300'000, 'x'))));
  reader.join();
  EXPECT_EQ(count, 300'000u);
}

TEST_F(FileTest, NewFilesHaveThePermissionsOfAny) {
  const mode_t before = ::umask(027);
  EXPECT_TRUE(testing::Ok(WriteFile(Path("f"), "x")));
  (void)::umask(before);
  EXPECT_EQ(fs::status(Path("f")).permissions(), fs::perms(0640));
}

// A file has two names. Writing to one name creates a new file; the other name still refers to the old file.
TEST_F(FileTest, HardLinksKeepTheOldFile) {
  ASSERT_TRUE(testing::Ok(WriteFile(Path("f"), "old")));
  fs::create_hard_link(Path("f"), Path("g"));
  ASSERT_TRUE(testing::Ok(WriteFile(Path("g"), "new")));
  EXPECT_EQ(Contents(Path("f")), "old");
  EXPECT_EQ(Contents(Path("g")), "new");
}

TEST_F(FileTest, NamesWithZerosAreNotCut) {
  const std::string path = Path("f") + std::string("\0g", 2);
  EXPECT_FALSE(WriteFile(path, "x").ok());
  ASSERT_TRUE(testing::Ok(WriteFile(Path("f"), "x")));
  SourceText text("", "");
  EXPECT_FALSE(ReadFile(path, &text).ok());
}

// Of several writers, the last one wins; the file is complete at all times.
TEST_F(FileTest, ManyWritersOfOneFile) {
  ASSERT_TRUE(testing::Ok(WriteFile(Path("f"), std::string(100'000, 'a'))));
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([&, i] {
      const std::string bytes(100'000, static_cast<char>('a' + i));
      for (int k = 0; k < 5; ++k) EXPECT_TRUE(testing::Ok(WriteFile(Path("f"), bytes)));
    });
  }
  for (int i = 0; i < 100; ++i) {
    const std::string now = Contents(Path("f"));
    ASSERT_EQ(now, std::string(100'000, now.empty() ? '?' : now[0]));
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(CountFiles(), 1u);
}

/// Runs `act` in a separate process without the rights of a superuser. Returns the result of `act`.
template <typename Act>
bool AsNobody(const Act& act) {
  constexpr id_t kNobody = 65534;
  const pid_t child = ::fork();
  if (child == 0) {
    const bool is_set =
        ::geteuid() != 0 || (::setgroups(0, nullptr) == 0 && ::setresgid(kNobody, kNobody, kNobody) == 0 &&
                             ::setresuid(kNobody, kNobody, kNobody) == 0);
    ::_exit(is_set && act() ? 0 : 1);
  }
  int status = -1;
  return ::waitpid(child, &status, 0) == child && status == 0;
}

TEST_F(FileTest, WhatIsForbiddenStaysAsItIs) {
  ASSERT_TRUE(testing::Ok(WriteFile(Path("f"), "old")));
  fs::permissions(Path("f"), fs::perms(0));
  fs::permissions(fs::path(Path("f")).parent_path(), fs::perms(0777));
  EXPECT_TRUE(AsNobody([&] {
    SourceText text("", "");
    const Diagnostics read = ReadFile(Path("f"), &text);
    const Diagnostics written = WriteFile(Path("f"), "new");
    return !read.ok() && read.items()[0].message == "cannot read: Permission denied" && !written.ok() &&
           written.items()[0].message == "cannot write: Permission denied";
  }));
  fs::permissions(Path("f"), fs::perms(0644));
  EXPECT_EQ(Contents(Path("f")), "old");
  EXPECT_EQ(CountFiles(), 1u);
}

TEST_F(FileTest, OtherGroupsGetNoMore) {
  if (::geteuid() != 0) GTEST_SKIP() << "SKIPPED: only the superuser can make a file of a strange group";
  ASSERT_TRUE(testing::Ok(WriteFile(Path("f"), "old")));
  ASSERT_EQ(::chown(Path("f").c_str(), 0, 12345), 0);
  fs::permissions(Path("f"), fs::perms(0666));
  fs::permissions(fs::path(Path("f")).parent_path(), fs::perms(0777));
  ASSERT_TRUE(testing::Ok(WriteFile(Path("f"), "1")));
  struct stat info = {};
  ASSERT_EQ(::stat(Path("f").c_str(), &info), 0);
  EXPECT_EQ(info.st_gid, 12345u);
  EXPECT_EQ(info.st_mode & 07777, 0666u);
  ASSERT_EQ(::chmod(Path("f").c_str(), 0662), 0);
  EXPECT_TRUE(AsNobody([&] { return WriteFile(Path("f"), "2").ok(); }));
  ASSERT_EQ(::stat(Path("f").c_str(), &info), 0);
  EXPECT_NE(info.st_gid, 12345u);
  EXPECT_EQ(info.st_mode & 07777, 0622u);
}

// The file of a writer gets its name and all chunks only at the end; if the writer is not ended, there is no file.
TEST_F(FileTest, WriterPutsChunksTogether) {
  ASSERT_TRUE(testing::Ok(WriteFile(Path("f"), "old")));
  ASSERT_TRUE(testing::Ok(WriteFile(Path("target"), "old")));
  fs::create_symlink("target", Path("link"));
  for (const std::string& name : {std::string("f"), std::string("new"), std::string("link")}) {
    FileWriter writer(Path(name));
    writer.Write("of before, and more than what comes after");
    writer.Restart();
    writer.EndLine();
    writer.Write("1,");
    writer.Write("");
    writer.Write("2");
    writer.EndLine();
    writer.EndLine();
    EXPECT_EQ(fs::exists(Path(name)) ? Contents(Path(name)) : "old", "old");
    EXPECT_TRUE(testing::Ok(writer.Commit()));
    EXPECT_EQ(Contents(Path(name)), "1,2\n");
  }
  EXPECT_EQ(Contents(Path("target")), "1,2\n");
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  FileWriter(Path("f")).Write("never to be seen");
  EXPECT_EQ(Contents(Path("f")), "1,2\n");
  EXPECT_EQ(CountFiles(), 4u);
}

// Signals are blocked while a file is being written, and are unblocked when the writer is destroyed.
TEST_F(FileTest, WriterLeavesSignalsAsTheyWere) {
  sigset_t before;
  sigset_t after;
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, nullptr, &before), 0);
  FileWriter writer(Path("f"));
  writer.Write("text");
  EXPECT_TRUE(testing::Ok(writer.Commit()));
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, nullptr, &after), 0);
  EXPECT_EQ(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
  EXPECT_TRUE(testing::Ok(writer.Commit()));
  EXPECT_EQ(Contents(Path("f")), "text");
}

// Output that cannot be undone is written only at the end.
TEST_F(FileTest, WriterKeepsWhatGoesToAPipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  FileWriter writer("/dev/fd/" + std::to_string(ends[1]));
  writer.Write("void");
  writer.Restart();
  writer.Write("text");
  EXPECT_TRUE(testing::Ok(writer.Commit()));
  std::array<char, 16> read = {};
  EXPECT_EQ(::read(ends[0], read.data(), read.size()), 4);
  EXPECT_STREQ(read.data(), "text");
  (void)::close(ends[0]);
  (void)::close(ends[1]);
}

TEST_F(FileTest, WriterTellsWhatWriteFileTells) {
  for (const std::string& path : {Path("."), Path("missing/f"), std::string(), std::string("/dev/full"),
                                  std::string("/dev/fd/999999999999"), std::string("a\0b", 3)}) {
    FileWriter writer(path);
    writer.Write("x");
    const Diagnostics found = writer.Commit();
    const Diagnostics expected = WriteFile(path, "x");
    ASSERT_FALSE(found.ok()) << path;
    EXPECT_EQ(found.items()[0].message, expected.items()[0].message);
  }
  EXPECT_EQ(CountFiles(), 0u);
}

// If the file system is full, the existing file is unchanged.
TEST_F(FileTest, FullDisk) {
  const std::string folder = Path("disk");
  fs::create_directory(folder);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", "none", MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=64k") != 0) {
      ::_exit(77);
    }
    const std::string path = folder + "/f";
    const bool fits = WriteFile(path, "old").ok();
    const Diagnostics found = WriteFile(path, std::string(100'000, 'x'));
    const std::string kTold = "cannot write: No space left on device";
    FileWriter writer(path);
    for (int i = 0; i < 100; ++i) writer.Write(std::string(1000, 'x'));
    const Diagnostics found_later = writer.Commit();
    const bool is_told = !found.ok() && found.items()[0].message == kTold && !found_later.ok() &&
                         found_later.items()[0].message == kTold;
    const auto files = std::distance(fs::directory_iterator(folder), fs::directory_iterator());
    ::_exit(fits && is_told && Contents(path) == "old" && files == 1 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << "SKIPPED: this user cannot mount a file system";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace onnxc
