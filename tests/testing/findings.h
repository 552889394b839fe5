// Golden files of findings: a line `KIND: INPUT`, then a line `> FINDING` for each finding about it; empty lines, and
// comments behind `#`. ONNXC_BLESS=1 in the environment rewrites them.
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

/// `findings_of(kind, input)` returns the lines without the marks at their beginning.
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
