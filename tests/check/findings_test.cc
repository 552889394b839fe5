// The findings of the checker that testdata/check/findings.test records: the messages, and the cases without a finding.
#include "testing/findings.h"

#include <fmt/format.h>
#include <onnxc/checker.h>
#include <onnxc/model_io.h>

#include <string>

#include "testing/paths.h"
#include "testing/predicates.h"

namespace onnxc::testing {
namespace {

/// One line for each finding about an input, which is a text if it begins with '<'.
template <typename Message>
std::string Says(const std::string& input, Diagnostics (*check)(const Message&, const CheckOptions&)) {
  Message message;
  const Diagnostics read = Decode(input, input.starts_with('<') ? Format::kText : Format::kTextProto, &message);
  EXPECT_TRUE(testing::Ok(read)) << input;
  std::string lines;
  const Diagnostics found = check(message, {});
  for (const Diagnostic& item : found.items()) {
    lines += fmt::format("{}: {} [{}]\n", item.path, item.message, Name(item.kind));
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

TEST(CheckFindings, AreThoseOfTheGoldenFile) {
  ExpectFindings(std::string(kTestdata) + "/check/findings.test", &FindingsOf);
}

}  // namespace
}  // namespace onnxc::testing
