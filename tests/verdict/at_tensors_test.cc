// A finding about a tensor, which has a path, gets the place of the tensor in the text.
#include "verdict/at_tensors.h"

#include <gtest/gtest.h>
#include <onnxc/parser.h>

#include <string>
#include <string_view>

#include "source/message_path.h"
#include "source/report.h"
#include "testing/predicates.h"
#include "weights/tensors.h"

namespace onnxc::verdict::at_tensors_test {
namespace {

constexpr std::string_view kText = R"(<ir_version: 10, opset_import: ["": 21, "d": 1]>
g (bool c, float[2] x) => (float[2] y) <float[2] w = {1, 2}, sparse_tensor(float[4]) s = {0: 1, 2: 3}> {
  k = Constant <value = float[1] {3}> ()
  y = If (c) <
    then_branch = a () => (float[2] a1) <float[2] v = {5, 6}> { a1 = Add (x, v) },
    else_branch = b () => (float[2] b1) { t = Constant <value = float {7}> () b1 = Add (x, t) }
  >
}
<domain: "d", opset_import: ["": 21]> f (x) => (y) { y = Constant <value = int64[2] {8, 9}> () }
)";

Diagnostics OnlyAt(std::string path) {
  Diagnostic finding = MakeDiagnostic(DiagnosticKind::kUnknownName, Severity::kError, kNowhere, "m");
  finding.path = std::move(path);
  Diagnostics found;
  found.Add(MakeDiagnostic(DiagnosticKind::kUnknownName, Severity::kError, {1, 2}, "another one"));
  found.Add(std::move(finding));
  return found;
}

TEST(AtTensors, EachTensorHasItsPlace) {
  const SourceText source("m.onnxtxt", std::string(kText));
  onnx::ModelProto model;
  SourceMap map;
  ASSERT_TRUE(testing::Ok(Parse(kText, &model, {.source_map_out = &map})));
  int tensors = 0;
  const auto at = [&](const std::string& path, const SourceText& text) {
    Diagnostics found = AtTensors(OnlyAt(path), text, text.name(), Kind::kModel, {});
    EXPECT_EQ(found.items().size(), 2u);
    EXPECT_EQ(found.items()[0].range, (SourceRange{1, 2}));
    return found.items()[1];
  };
  weights::ForEachTensor(&model, [&](onnx::TensorProto* tensor, const Place& place) {
    const SourceRange* const range = map.Find(*tensor);
    if (range == nullptr) return;
    ++tensors;
    const std::string path = PathOf(place);
    for (const char* const part : {"", ".external_data[0]", ".external_data[12].value"}) {
      const Diagnostic found = at(path + part, source);
      EXPECT_EQ(found.range, *range) << path << part;
      EXPECT_EQ(found.path, "") << path << part;
    }
    for (const char* const part : {".name", "x"}) {
      const Diagnostic found = at(path + part, source);
      EXPECT_EQ(found.range, kNowhere) << path << part;
      EXPECT_EQ(found.path, path + part);
    }
    const Diagnostic binary = at(path, SourceText("m.onnx", model.SerializeAsString()));
    EXPECT_EQ(binary.path, path) << "a message has no places";
  });
  EXPECT_GE(tensors, 5);
}

}  // namespace
}  // namespace onnxc::verdict::at_tensors_test
