// The words of the checker, as testdata/check/findings.test records them: why a rule is broken, and what is not said.
// ONNXC_BLESS=1 in the environment rewrites it.
#include <fmt/format.h>
#include <onnxc/checker.h>
#include <onnxc/model_io.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "source/report.h"
#include "testing/folder.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

/// A line for each finding about an input, which is a text if it begins with '<'.
template <typename Message>
std::string Says(const std::string& input, Diagnostics (*check)(const Message&, const CheckOptions&)) {
  Message message;
  const Diagnostics read = Decode(input, input.starts_with('<') ? Format::kText : Format::kTextProto, &message);
  EXPECT_TRUE(read.ok()) << input;
  std::string lines;
  const Diagnostics found = check(message, {});
  for (const Diagnostic& item : found.items()) {
    lines += fmt::format("> {}: {} [{}]\n", item.path, item.message, Name(item.kind));
  }
  return lines;
}

std::string FindingsOf(const std::string& kind, const std::string& input) {
  if (kind == "model") return Says<onnx::ModelProto>(input, &CheckModel);
  if (kind == "graph") return Says<onnx::GraphProto>(input, &CheckGraph);
  if (kind == "node") return Says<onnx::NodeProto>(input, &CheckNode);
  if (kind == "type") return Says<onnx::TypeProto>(input, &CheckType);
  if (kind == "tensor") return Says<onnx::TensorProto>(input, &CheckTensor);
  if (kind == "sparse_tensor") return Says<onnx::SparseTensorProto>(input, &CheckSparseTensor);
  ADD_FAILURE() << "no such kind: " << kind;
  return {};
}

TEST(Findings, AreThoseOfTheGoldenFile) {
  const std::filesystem::path path = std::filesystem::path(ONNXC_TESTDATA) / "check" / "findings.test";
  const std::string golden = ReadWhole(path);
  std::istringstream lines(golden);
  std::string replay;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("> ")) continue;
    replay += line + "\n";
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t colon = line.find(':');
    replay += FindingsOf(line.substr(0, colon), line.substr(colon + 1).erase(0, 1));
  }
  if (std::getenv("ONNXC_BLESS") != nullptr) {
    std::ofstream(path, std::ios::binary) << replay;
  } else {
    EXPECT_EQ(replay, golden) << "ONNXC_BLESS=1 rewrites " << path;
  }
}

}  // namespace
}  // namespace onnxc::testing
