#include "tables/ir_versions.h"

#include <gtest/gtest.h>
#include <onnxc/proto.h>

namespace onnxc {
namespace {

// The values are those of onnx.helper.find_min_ir_version_for().
TEST(IrVersions, AreTheOldestOnesOfTheOperatorSets) {
  EXPECT_EQ(LeastIrVersion("", 1), 3);
  EXPECT_EQ(LeastIrVersion("", 8), 3);
  EXPECT_EQ(LeastIrVersion("", 9), 4);
  EXPECT_EQ(LeastIrVersion("", 17), 8);
  EXPECT_EQ(LeastIrVersion("", 20), 9);
  EXPECT_EQ(LeastIrVersion("", kUsualOpset), kUsualIrVersion);
  EXPECT_EQ(LeastIrVersion("ai.onnx.ml", 3), 8);
  EXPECT_EQ(LeastIrVersion("my.own", 7), 3);
  EXPECT_EQ(LeastIrVersion("", 1000), onnx::IR_VERSION);
}

}  // namespace
}  // namespace onnxc
