// The commands that change models do with a file what the library does with the message, for messages in many places.
#include <gtest/gtest.h>
#include <onnxc/extract.h>
#include <onnxc/infer.h>
#include <onnxc/linker.h>
#include <onnxc/set.h>
#include <onnxc/sort.h>
#include <onnxc/strip.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "testing/equality.h"
#include "testing/folder.h"
#include "testing/full_model.h"
#include "testing/paths.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

/// Returns some of the places. `step` should be prime, so that they are at different depths.
std::vector<Place> EachNthPlace(std::size_t step) {
  const std::vector<Place> all = AllPlaces(2);
  std::vector<Place> some;
  for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

TEST(CommandPlaces, WriteWhatTheLibraryReturns) {
  const Folder folder;
  const auto run = [&](const std::string& arguments) {
    const std::string command = "cd '" + folder.path().string() + "' && " + kCommand + " " + arguments + " 2> told";
    return std::system(command.c_str()) == 0 ? folder.Read("out.onnx") : "failed: " + folder.Read("told");
  };
  ForEachFullModel(EachNthPlace(61), [&](const std::string& name, const onnx::ModelProto& model) {
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
    onnx::ModelProto sorted = model;
    ASSERT_TRUE(SortNodes(&sorted).ok());
    EXPECT_EQ(run("sort in.onnx -o out.onnx"), Bytes(sorted));
    onnx::ModelProto stripped = model;
    ASSERT_TRUE(StripWeights(&stripped).ok());
    EXPECT_EQ(run("convert in.onnx --strip-weights -o out.onnx"), Bytes(stripped));
  });
}

// What one call of the command takes out of a model or writes in another format, the next call puts back.
TEST(CommandPlaces, ComeBackThroughFiles) {
  const Folder folder;
  const auto run = [&](const std::string& first, const std::string& second) {
    const std::string calls = std::string(kCommand) + first + " && " + kCommand + second;
    const std::string command = "cd '" + folder.path().string() + "' && rm -f out.* && { " + calls + "; } 2> told";
    return std::system(command.c_str()) == 0 ? folder.Read("out.onnx") : "failed: " + folder.Read("told");
  };
  int models = 0;
  int moved = 0;
  ForEachFullModel(EachNthPlace(127), [&](const std::string& name, const onnx::ModelProto& model) {
    SCOPED_TRACE(name);
    ++models;
    folder.Write("in.onnx", Bytes(model));
    for (const char* const middle : {"out.json", "out.textproto"}) {
      EXPECT_EQ(run(std::string(" convert in.onnx -o ") + middle, std::string(" convert ") + middle + " -o out.onnx"),
                Bytes(model))
          << middle;
    }
    // Data come back as raw data. A tensor with data of its own and in a file is refused.
    const std::string weights = run(" weights extract in.onnx out.data --size-threshold 0 -o out.middle.onnx",
                                    " weights inline out.middle.onnx -o out.onnx");
    onnx::ModelProto inlined;
    if (weights.find("[external-with-data]") == std::string::npos) {
      ASSERT_TRUE(inlined.ParseFromString(weights)) << weights;
      onnx::ModelProto expected = model;
      ToMeaning(&inlined);
      ToMeaning(&expected);
      EXPECT_EQ(Bytes(inlined), Bytes(expected));
      ++moved;
    }
    // The functions come back from a library, and their imports with them.
    onnx::ModelProto functions;
    functions.mutable_functions()->CopyFrom(model.functions());
    onnx::ModelProto linked = model;
    linked.clear_functions();
    folder.Write("in.onnx", Bytes(linked));
    folder.Write("library.onnx", Bytes(functions));
    std::vector<LinkInput> libraries;
    libraries.push_back({SourceText("library.onnx", ""), functions});
    (void)Link(&linked, SourceText("in.onnx", ""), {}, libraries);
    EXPECT_EQ(linked.functions_size(), model.functions_size());
    EXPECT_EQ(run(" convert in.onnx -o out.onnxtxt", " compile --no-check out.onnxtxt --link library.onnx -o out.onnx"),
              Bytes(linked));
  });
  EXPECT_GT(moved, models - 5);
}

}  // namespace
}  // namespace onnxc::testing
