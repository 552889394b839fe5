// The commands that change models do with a file what the library does with the message, for messages in many places.
#include <gtest/gtest.h>
#include <onnxc/extract.h>
#include <onnxc/infer.h>
#include <onnxc/set.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "testing/folder.h"
#include "testing/full_model.h"
#include "testing/paths.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

/// Returns some of the places: each time the test runs, the same.
std::vector<Place> SomePlaces() {
  constexpr std::size_t kStep = 61;  // prime, so that the places are at different depths
  const std::vector<Place> all = AllPlaces(2);
  std::vector<Place> some;
  for (std::size_t i = 0; i < all.size(); i += kStep) some.push_back(all[i]);
  return some;
}

TEST(CommandPlaces, WriteWhatTheLibraryReturns) {
  const Folder folder;
  const auto run = [&](const std::string& arguments) {
    const std::string command = "cd '" + folder.path().string() + "' && " + kCommand + " " + arguments + " 2> told";
    return std::system(command.c_str()) == 0 ? folder.Read("out.onnx") : "failed: " + folder.Read("told");
  };
  ForEachFullModel(SomePlaces(), [&](const std::string& name, const onnx::ModelProto& model) {
    SCOPED_TRACE(name);
    folder.Write("in.onnx", Bytes(model));
    onnx::ModelProto set = model;
    NewDimension dimension{.symbol = "N", .size = {}};
    dimension.size.set_dim_value(8);
    ASSERT_TRUE(SetInModel(&set, {.dimensions = {dimension}}).ok());
    EXPECT_EQ(run("set in.onnx --dim N=8 -o out.onnx"), Bytes(set));
    onnx::ModelProto part = model;
    ASSERT_TRUE(ExtractPart(&part, {.to = {"out"}}).ok());
    EXPECT_EQ(run("extract in.onnx --to out -o out.onnx"), Bytes(part));
    const Inference inference = InferTypes(model);
    const auto typed = WithTypes(model, inference);
    ASSERT_TRUE(typed.ok());
    EXPECT_EQ(run("infer in.onnx -o out.onnx"), Bytes(typed.message));
  });
}

}  // namespace
}  // namespace onnxc::testing
