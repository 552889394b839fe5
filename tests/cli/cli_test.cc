// Runs the command as a user would: each file in testdata/cli is a shell session in a new folder, and consists of
// these lines:
//
//   # text        a comment
//   @ name        creates a file, and its folder; the following lines that begin with `| ` are its contents
//   $ command     runs the command in sh; the following lines are its expected output:
//   > text        a line of standard output, in which unprintable characters are escaped
//   ! text        a line of standard error
//   \ stream      the last line of this stream (`>` or `!`) has no line break
//   = number      the exit status, if it is not 0
//
// ONNXC_BLESS=1 in the environment rewrites the files with the current output of the commands.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "source/unicode.h"
#include "testing/folder.h"
#include "testing/golden.h"
#include "testing/paths.h"

namespace onnxc {
namespace {

namespace fs = std::filesystem;

using testing::ReadWhole;

const fs::path kFolder = fs::path(testing::kTestdata) / "cli";

/// A folder in which the commands run, and the output of the test.
class Session : public testing::Folder {
 public:
  Session() { fs::create_directory(work()); }
  [[nodiscard]] fs::path work() const { return path() / "work"; }
};

std::string InLines(char mark, std::string_view text) {
  std::string lines;
  for (std::size_t end; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
    end = std::min(text.find('\n'), text.size());
    const std::string shown = Shown(text.substr(0, end));
    lines += mark + std::string(shown.empty() ? "" : " ") + shown + "\n";
    if (end == text.size()) lines += std::string("\\ ") + mark + "\n";
  }
  return lines;
}

/// Runs a command, and writes its output in the format of a test file.
std::string Observe(const std::string& command, const Session& folder) {
  const fs::path out = folder.path() / "out";
  const fs::path err = folder.path() / "err";
  std::ofstream(folder.path() / "command") << "exec 2>" << err << "\n" << command << "\n";
  const std::string call = "cd " + folder.work().string() +
                           " && PATH=" + fs::path(testing::kCommand).parent_path().string() +
                           ":$PATH NO_COLOR= LC_ALL=C sh ../command >" + out.string();
  const int status = std::system(call.c_str());
  std::string observed = InLines('>', ReadWhole(out)) + InLines('!', ReadWhole(err));
  if (status != 0)
    observed += "= " + std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)) + "\n";
  return observed;
}

/// Returns the test file with the current output of all its commands.
std::string Replay(const std::string& script) {
  const Session folder;
  std::istringstream lines(script);
  std::ofstream file;
  std::string replay;
  for (std::string line; std::getline(lines, line);) {
    const char mark = line.empty() ? '\0' : line.front();
    const std::string rest = line.size() > 2 ? line.substr(2) : "";
    if (std::string_view(">!\\=").find(mark) != std::string_view::npos) continue;
    replay += line + "\n";
    if (mark == '@') {
      const fs::path path = folder.work() / rest;
      fs::create_directories(path.parent_path());
      file = std::ofstream(path, std::ios::binary);
    }
    if (mark == '|') file << rest << "\n" << std::flush;
    if (mark == '$') replay += Observe(rest, folder);
  }
  return replay;
}

class Cli : public ::testing::TestWithParam<std::string> {};

TEST_P(Cli, DoesAsRecorded) {
  const fs::path path = kFolder / (GetParam() + ".test");
  testing::ExpectGolden(path, Replay(ReadWhole(path)));
}

std::vector<std::string> Cases() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".test") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Case, Cli, ::testing::ValuesIn(Cases()), [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace onnxc
