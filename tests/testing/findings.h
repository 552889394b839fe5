// Golden files of findings. Each entry is a line `KIND: INPUT`, followed by a line `> FINDING` for each finding about
// the input. Empty lines are allowed. Comments begin with `#`.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <sstream>
#include <string>

#include "testing/folder.h"
#include "testing/golden.h"

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
  ExpectGolden(path, replay);
}

}  // namespace onnxc::testing
