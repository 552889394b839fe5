// Converts a folder of random models to texts and back with the command. The bytes must be the same.
#include <gtest/gtest.h>
#include <onnxc/proto.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "testing/folder.h"
#include "testing/paths.h"
#include "testing/proto.h"
#include "testing/random_message.h"

namespace onnxc::testing {
namespace {

namespace fs = std::filesystem;

TEST(RoundtripOfFiles, GivesTheSameBytes) {
  constexpr std::uint64_t kModels = 500;
  const Folder folder;
  fs::create_directory(folder.Path("models"));
  for (std::uint64_t seed = 1; seed <= kModels; ++seed) {
    onnx::ModelProto model;
    FillAtRandom(&model, seed);
    std::ofstream(folder.Path("models/" + std::to_string(seed) + ".onnx"), std::ios::binary) << Bytes(model);
  }
  const auto run = [&](const std::string& arguments) {
    return std::system(("cd " + folder.path().string() + " && " + kCommand + " " + arguments).c_str());
  };
  EXPECT_EQ(run("print -q models -o texts/"), 0);
  EXPECT_EQ(run("compile -q --no-check texts -o back/"), 0);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.Path("models"))) {
    const std::string name = entry.path().filename();
    EXPECT_EQ(ReadWhole(folder.Path("back/" + name)), ReadWhole(entry.path())) << name;
  }
}

}  // namespace
}  // namespace onnxc::testing
