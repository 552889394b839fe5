// The matcher that users of the library can use in their own tests of models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnxc/testing.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "testing/predicates.h"

namespace onnxc::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::TempDir;

onnx::ModelProto ModelWith(const std::string& data) {
  onnx::ModelProto model;
  const Diagnostics found = Parse(
      "<ir_version: 10, opset_import: [\"\" : 21]>\ng (float[2] x) => (float[2] y)\n"
      "<float[2] w = {" +
          data + "}> { y = Mul (x, w) }\n",
      &model);
  EXPECT_TRUE(testing::Ok(found)) << RenderText(found, SourceText("model", ""));
  return model;
}

std::string Explained(const onnx::ModelProto& model, const std::string& path, const GoldenOptions& options = {}) {
  ::testing::StringMatchResultListener listener;
  return MatchesGolden(path, options).MatchAndExplain(model, &listener) ? "" : listener.str();
}

TEST(GoldenMatcher, ComparesWithTheFile) {
  const std::string path = TempDir() + "golden.onnxtxt";
  ASSERT_TRUE(testing::Ok(SaveModel(ModelWith("1, 2"), path)));
  EXPECT_THAT(ModelWith("1, 2"), MatchesGolden(path));
  EXPECT_THAT(ModelWith("1, 3"), Not(MatchesGolden(path)));
  EXPECT_THAT(Explained(ModelWith("1, 3"), path), HasSubstr("~ graph.initializer[0] \"w\": 2 -> 3"));
  GoldenOptions tolerant;
  tolerant.diff.weights_tolerance = 2;
  EXPECT_THAT(ModelWith("1, 3"), MatchesGolden(path, tolerant));
}

TEST(GoldenMatcher, SaysHowAFileIsWritten) {
  EXPECT_THAT(Explained(ModelWith("1, 2"), TempDir() + "missing.onnxtxt"), HasSubstr("ONNXC_UPDATE_GOLDENS=1"));
}

TEST(GoldenMatcher, UpdatesTheFileWithoutLargeWeights) {
  const std::string path = TempDir() + "golden_matcher/new/updated.onnxtxt";
  std::filesystem::remove_all(TempDir() + "golden_matcher");  // the matcher creates the folders
  GoldenOptions options;
  options.elide_weights_of = 8;
  ::setenv("ONNXC_UPDATE_GOLDENS", "1", 1);
  EXPECT_THAT(ModelWith("1, 2"), MatchesGolden(path, options));
  ::unsetenv("ONNXC_UPDATE_GOLDENS");
  std::ostringstream written;
  written << std::ifstream(path).rdbuf();
  EXPECT_THAT(written.str(), HasSubstr("elided"));
  EXPECT_TRUE(written.str().ends_with("}\n")) << written.str();
  EXPECT_THAT(ModelWith("1, 2"), MatchesGolden(path, options));
  EXPECT_THAT(ModelWith("1, 3"), Not(MatchesGolden(path, options)));
}

TEST(GoldenMatcher, UpdatesOnlyWhatDiffers) {
  const std::string path = TempDir() + "golden_kept.onnxtxt";
  const auto contents = [&] {
    std::ostringstream read;
    read << std::ifstream(path).rdbuf();
    return read.str();
  };
  ASSERT_TRUE(testing::Ok(SaveModel(ModelWith("1, 2"), path)));
  const std::string commented = "# a comment\n" + contents();
  std::ofstream(path) << commented;
  ::setenv("ONNXC_UPDATE_GOLDENS", "1", 1);
  EXPECT_THAT(ModelWith("1, 2"), MatchesGolden(path));
  EXPECT_EQ(contents(), commented);
  EXPECT_THAT(ModelWith("1, 3"), MatchesGolden(path));
  EXPECT_THAT(contents(), HasSubstr("{1, 3}"));
  std::ofstream(path) << "not a model";
  EXPECT_THAT(ModelWith("1, 2"), MatchesGolden(path));
  ::unsetenv("ONNXC_UPDATE_GOLDENS");
  EXPECT_THAT(ModelWith("1, 2"), MatchesGolden(path));
}

// A failure does not show the whole model, because a large model would hide the differences.
TEST(GoldenMatcher, FailuresShowTheNameOfTheModel) {
  onnx::ModelProto model;
  model.mutable_graph()->set_name("net");
  EXPECT_EQ(::testing::PrintToString(model), "the model of the graph 'net'");
}

TEST(LoadModel, ReportsWithTheFile) {
  const std::string path = TempDir() + "wrong.onnxtxt";
  std::ofstream(path) << "<ir_version: 10>\ng (flaot x) => (y) {}\n";
  const LoadResult result = LoadModel(path);
  EXPECT_FALSE(result.ok());
  EXPECT_THAT(result.Report(), HasSubstr(path + ":2:4: error: unknown type 'flaot'"));
  EXPECT_EQ(result.model->ByteSizeLong(), 0u);
  EXPECT_FALSE(LoadModel(path + ".missing").ok());
  EXPECT_FALSE(SaveModel(ModelWith("1, 2"), TempDir() + "no/folder.onnx").ok());
}

}  // namespace
}  // namespace onnxc::testing
