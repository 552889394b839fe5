// Many threads use the library at once, from its first call on, and share what they read. scripts/ci/tsan runs this
// under ThreadSanitizer, in a process that has done nothing before.
#include <onnxc/checker.h>
#include <onnxc/model_io.h>

#include <barrier>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "testing/folder.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

constexpr std::string_view kText =
    "<ir_version: 10, opset_import: [\"\": 21, \"l\": 1]>\n"
    "g (float[N, 2] x) => (float[N, 2] y) <float16[2] w = {1.5, 2}> {\n"
    "  @metadata_props [\"k\": \"v\"]\n  a = l.f <alpha = 1.5> (x)\n"
    "  y = If (c) <then_branch = t () => (u) { u = Relu (a) }, else_branch = e () => (u) { u = Neg (unknown) }>\n}\n"
    "<domain: \"l\", opset_import: [\"\": 21]> f <alpha: float = 1.0> (x) => (y) { y = Relu (x) }\n";
constexpr std::string_view kWrong = "g (flaot x) => (y) { y = Add (x, = Sub (y }";

/// Runs `act` in several threads, which begin at the same time.
void InThreads(const std::function<void()>& act) {
  constexpr int kThreads = 6;
  constexpr int kRounds = 20;
  std::barrier begin(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      begin.arrive_and_wait();
      for (int round = 0; round < kRounds; ++round) act();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Threads, ReadCheckPrintAndRenderAtOnce) {
  const SourceText wrong("wrong.onnxtxt", std::string(kWrong));
  InThreads([&] {
    onnx::ModelProto model;
    SourceMap places;
    EXPECT_TRUE(Parse(kText, &model, {.source_map = &places}).ok());
    EXPECT_FALSE(CheckModel(model, {.source_map = &places}).ok());
    EXPECT_FALSE(Print(model).text.empty());
    EXPECT_FALSE(Print(model, {.dialect = Dialect::kReference, .allow_loss = true}).text.empty());
    onnx::GraphProto graph;
    const Diagnostics found = Parse(wrong.text(), &graph);
    EXPECT_FALSE(found.ok());
    EXPECT_FALSE(RenderText(found, wrong).empty() || RenderJson(found, wrong).empty() ||
                 RenderSarif(found, wrong).empty());
  });
}

// One message and its places are read by all threads.
TEST(Threads, ShareWhatTheyRead) {
  onnx::ModelProto shared;
  SourceMap places;
  ASSERT_TRUE(Parse(kText, &shared, {.source_map = &places}).ok());
  const onnx::ModelProto& model = shared;
  const std::string text = Print(model).text;
  const std::size_t findings = CheckModel(model).items().size();
  const Folder folder;
  folder.Write("m.onnxtxt", text);
  InThreads([&] {
    EXPECT_EQ(Print(model).text, text);
    EXPECT_EQ(CheckModel(model, {.source_map = &places}).items().size(), findings);
    for (const Format format : {Format::kBinary, Format::kTextProto, Format::kJson}) {
      std::string bytes;
      EXPECT_TRUE(Encode(model, format, &bytes).ok());
      onnx::ModelProto back;
      EXPECT_EQ(DetectFormat(bytes, "", Kind::kModel), format);
      EXPECT_TRUE(Decode(bytes, format, &back).ok());
    }
    SourceText file("", "");
    EXPECT_TRUE(ReadFile(folder.Path("m.onnxtxt"), &file).ok());
    EXPECT_TRUE(WriteFile(folder.Path("out"), file.text()).ok());
  });
  EXPECT_EQ(folder.Read("out"), text);
  EXPECT_EQ(folder.List().size(), 2u);
}

}  // namespace
}  // namespace onnxc::testing
