// Golden files of findings. Each entry is a line `KIND: INPUT`, followed by a line `> FINDING` for each finding about
// the input. Empty lines are allowed. Comments begin with `#`. With ONNXC_BLESS=1 in the environment, tests rewrite the
// files.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include "testing/folder.h"

namespace onnxc::testing {

/// `findings_of(kind, input)` returns the findings without the mark `> `.
inline void ExpectFindings(const std::filesystem::path& path,
                           const std::function<std::string(const std::string&, const std::string&)>& findings_of) {
  const std::string golden = ReadWhole(path);
  ASSERT_FALSE(golden.empty()) << path;
  std::istringstream lines(golden);
  std::string replay;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("> ")) continue;
    replay += line + "\n";
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t colon = line.find(':');
    std::istringstream findings(findings_of(line.substr(0, colon), line.substr(colon + 1).erase(0, 1)));
    for (std::string finding; std::getline(findings, finding);) replay += "> " + finding + "\n";
  }
  if (std::getenv("ONNXC_BLESS") != nullptr) {
    std::ofstream(path, std::ios::binary) << replay;
  } else {
    EXPECT_EQ(replay, golden) << "ONNXC_BLESS=1 rewrites " << path;
  }
}

}  // namespace onnxc::testing
