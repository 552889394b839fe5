// The options of `onnxc convert` for old models: no option is accepted and then ignored.
#ifdef ONNXC_HAS_COMMAND
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "testing/folder.h"
#include "testing/paths.h"

namespace onnxc::old {
namespace {

/// The output of the command for a graph of onnx 0.1, or for a current text.
class OldCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.Write("old.pbtxt", R"(node { input: "x" output: "y" op_type: "Relu" } name: "g" input: "x" output: "y")");
    folder_.Write("torch.pbtxt", R"(ir_version: 259 graph { name: "g" })");
    folder_.Write("today.onnxtxt",
                  "<ir_version: 10, opset_import: [\"\": 20]> g (float[1] x) => (float[1] y) { y = Relu(x) }");
  }

  [[nodiscard]] int StatusOf(const std::string& arguments) {
    const std::string call = "cd '" + folder_.path().string() + "' && " + testing::kCommand + " convert " + arguments +
                             " --to json > out 2> errors";
    const int status = std::system(call.c_str());
    said_ = folder_.Read("errors");
    return WEXITSTATUS(status);
  }

  testing::Folder folder_;
  std::string said_;
};

TEST_F(OldCommand, TypesOfInputsAreForOnnx01) {
  EXPECT_EQ(StatusOf("--from onnx-0.1 --input 'x=float[N]' old.pbtxt"), 0) << said_;
  for (const char* const call : {"today.onnxtxt", "--from torch torch.pbtxt", "--upgrade today.onnxtxt"}) {
    EXPECT_EQ(StatusOf("--input 'x=float[N]' " + std::string(call)), 2) << call;
    EXPECT_NE(said_.find("--input is only for graphs of onnx 0.1"), std::string::npos) << said_;
  }
}

TEST_F(OldCommand, LossesAreForOldSchemas) {
  EXPECT_EQ(StatusOf("--allow-loss --from torch torch.pbtxt"), 0) << said_;
  for (const char* const call : {"today.onnxtxt", "--upgrade today.onnxtxt"}) {
    EXPECT_EQ(StatusOf("--allow-loss " + std::string(call)), 2) << call;
    EXPECT_NE(said_.find("--allow-loss is only for models in an old schema"), std::string::npos) << said_;
  }
}

TEST_F(OldCommand, TypesAreOfInputsThatThereAreAndOnce) {
  EXPECT_EQ(StatusOf("--from onnx-0.1 --input 'x=float[N]' --input 'z=float' old.pbtxt"), 1);
  EXPECT_NE(said_.find("--input names 'z', which is not an input"), std::string::npos) << said_;
  EXPECT_EQ(StatusOf("--from onnx-0.1 --input 'x=float[N]' --input 'x=float' old.pbtxt"), 1);
  EXPECT_NE(said_.find("--input names 'x' twice"), std::string::npos) << said_;
}

}  // namespace
}  // namespace onnxc::old
#endif
