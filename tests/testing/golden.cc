#include "testing/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "format/diff.h"
#include "source/unicode.h"
#include "testing/folder.h"

namespace onnxc::testing {

bool IsBlessing() { return std::getenv("ONNXC_BLESS") != nullptr; }

void ExpectText(const std::string& actual, const std::string& golden, const std::string& place) {
  if (actual == golden) return;
  const std::string diff = format::UnifiedDiff("the golden text and the text of now", golden, actual);
  std::string shown;  // carriage returns and other characters that would be invisible are escaped
  for (std::size_t begin = 0, end = 0; begin < diff.size(); begin = end + 1) {
    end = std::min(diff.find('\n', begin), diff.size());
    shown += Shown(std::string_view(diff).substr(begin, end - begin)) + "\n";
  }
  ADD_FAILURE() << place << " differs; ONNXC_BLESS=1 rewrites it\n" << shown;
}

void ExpectGolden(const std::filesystem::path& path, const std::string& actual) {
  const bool exists = std::filesystem::exists(path);
  const std::string golden = exists ? ReadWhole(path) : "";
  if (exists && golden == actual) return;
  if (IsBlessing()) {
    std::ofstream(path, std::ios::binary) << actual;
  } else if (exists) {
    ExpectText(actual, golden, path.string());
  } else {
    ADD_FAILURE() << path << " is missing; ONNXC_BLESS=1 writes it:\n" << actual;
  }
}

}  // namespace onnxc::testing
