// The meaning of the paths to which files are written.
#include "files/target.h"

#include <gtest/gtest.h>
#include <onnxc/external_data.h>
#include <onnxc/file.h>
#include <onnxc/model_io.h>

#include <filesystem>

#include "weights/weights_testing.h"

namespace onnxc::testing {
namespace {

namespace fs = std::filesystem;

class Targets : public InFolder {};

TEST_F(Targets, AreOneFileHoweverTheyAreSpelled) {
  fs::create_directory(folder() / "sub");
  fs::create_directory_symlink("sub", folder() / "link");
  fs::create_symlink("w.data", folder() / "dangling");
  fs::create_symlink("dangling", folder() / "chain");
  for (const bool exists : {false, true}) {
    if (exists) WriteAs("w.data", "1");
    for (const char* other : {"w.data", "./w.data", "sub/../w.data", "link/../w.data", "dangling", "chain"}) {
      EXPECT_TRUE(IsSameFile(Path("w.data"), Path(other))) << other << exists;
      EXPECT_TRUE(IsSameFile(Path(other), Path("w.data"))) << other << exists;
    }
    EXPECT_TRUE(IsSameFile(Path("sub/a"), Path("link/a")));
    for (const char* other : {"w.dat", "sub/w.data", "link/w.data"}) {
      EXPECT_FALSE(IsSameFile(Path("w.data"), Path(other))) << other << exists;
    }
  }
  fs::create_hard_link(folder() / "w.data", folder() / "hard");
  EXPECT_TRUE(IsSameFile(Path("w.data"), Path("hard")));
}

TEST_F(Targets, OfAModelAndItsWeightsAreApart) {
  onnx::ModelProto model = ModelOf("g () => () <float[2] w = {1, 2}> {}");
  fs::create_symlink("w.data", folder() / "out.onnx");
  PendingFile file;
  ASSERT_EQ(Told(SavePending(&model, &file)), "");
  const std::string_view bytes = "model";
  EXPECT_EQ(Told(WriteFile(Path("out.onnx"), {&bytes, 1}, &file)),
            "cannot write: '" + Path("w.data") + "' is the same file [cannot-write]");
  EXPECT_FALSE(fs::exists(folder() / "w.data"));
}

// If the folder allows replacing one file but not the other, neither is replaced.
TEST_F(Targets, OfTwoFilesBothAreWrittenOrNone) {
  onnx::ModelProto model = ModelOf("g () => () <float[2] w = {1, 2}> {}");
  const std::string_view bytes = "model";
  for (const bool has_old : {false, true}) {
    if (has_old) WriteAs("w.data", "old");
    PendingFile file;
    ASSERT_EQ(Told(SavePending(&model, &file, "w.data", 1, true)), "");
    FileWriter writer(Path("out"));
    writer.Write(bytes);
    fs::create_directory(folder() / "out");  // no file can get its name
    EXPECT_FALSE(writer.Commit(&file).ok());
    EXPECT_EQ(Contents("w.data"), has_old ? "old" : "");
    EXPECT_EQ(fs::exists(folder() / "w.data"), has_old);
    fs::remove(folder() / "out");
    EXPECT_EQ(CountFiles(), has_old ? 1u : 0u);
    model = ModelOf("g () => () <float[2] w = {1, 2}> {}");
  }
}

}  // namespace
}  // namespace onnxc::testing
