// Many threads use the library at once, from its first call on, and share the data that they read. scripts/ci/tsan runs
// this test under ThreadSanitizer, in a process that has not used the library before.
#include <fmt/format.h>
#include <onnxc/checker.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <barrier>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "source/parallel.h"
#include "source/report.h"
#include "testing/folder.h"
#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

constexpr std::string_view kText =
    "<ir_version: 10, opset_import: [\"\": 21, \"l\": 1]>\n"
    "g (float[N, 2] x) => (float[N, 2] y) <float16[2] w = {1.5, 2.0}> {\n"
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
    EXPECT_TRUE(testing::Ok(Parse(kText, &model, {.source_map_out = &places})));
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

// All threads read one message and its source map.
TEST(Threads, ShareWhatTheyRead) {
  onnx::ModelProto shared;
  SourceMap places;
  ASSERT_TRUE(testing::Ok(Parse(kText, &shared, {.source_map_out = &places})));
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
      EXPECT_TRUE(testing::Ok(Encode(model, format, &bytes)));
      onnx::ModelProto back;
      EXPECT_EQ(DetectFormat(bytes, "", Kind::kModel), format);
      EXPECT_TRUE(testing::Ok(Decode(bytes, format, &back)));
    }
    SourceText file("", "");
    EXPECT_TRUE(testing::Ok(ReadFile(folder.Path("m.onnxtxt"), &file)));
    EXPECT_TRUE(testing::Ok(WriteFile(folder.Path("out"), file.text())));
  });
  EXPECT_EQ(folder.Read("out"), text);
  EXPECT_EQ(folder.List().size(), 2u);
}

// The following tests are about the threads of one call, which share a list of numbers or the nodes of a body.

// Portions are joined in order, one at a time, however long each takes.
TEST(Threads, TakeTurns) {
  for (const std::size_t threads : {1, 2, 5}) {
    for (const std::size_t portions : {0, 1, 3, 500}) {
      std::vector<std::size_t> taken;
      InParallelOrdered<std::size_t>(
          threads, portions,
          [](std::size_t i, std::size_t* made) {
            if (i % 7 == 0) std::this_thread::yield();
            *made = i;
          },
          [&](std::size_t made) { taken.push_back(made); });
      ASSERT_EQ(taken.size(), portions);
      EXPECT_TRUE(std::ranges::is_sorted(taken));
    }
  }
}

// An exception in any thread, such as std::bad_alloc, reaches the caller; later portions are not used.
TEST(Threads, ThrowWhereTheyAreCalled) {
  for (const std::size_t threads : {1, 3}) {
    for (const bool in_make : {true, false}) {
      std::vector<std::size_t> taken;
      const auto fail_at_100 = [](std::size_t i, bool fails) {
        if (fails && i == 100) throw std::bad_alloc();
      };
      const auto run = [&] {
        InParallelOrdered<std::size_t>(
            threads, 500,
            [&](std::size_t i, std::size_t* made) {
              fail_at_100(i, in_make);
              *made = i;
            },
            [&](std::size_t made) {
              fail_at_100(made, !in_make);
              taken.push_back(made);
            });
      };
      EXPECT_THROW(run(), std::bad_alloc);
      EXPECT_LE(taken.size(), 100u);
      EXPECT_TRUE(std::ranges::is_sorted(taken));
    }
  }
}

/// A list with this number of members; `number` returns each member.
std::string List(int count, const std::function<std::string(int)>& number) {
  std::string list;
  for (int i = 0; i < count; ++i) list.append(i == 0 ? "" : ",").append(number(i));
  return list;
}

// Both lists are so long that two threads read and print them.
TEST(Threads, ShareAListOfNumbers) {
  constexpr int kCount = 1'100'000;
  const std::string floats = List(kCount, [](int i) { return fmt::format("{}.5", i % 1000); });
  const std::string integers = List(kCount, [](int i) { return fmt::format(" {} ", i % 1000 - 500); });
  const std::string text =
      fmt::format("t () => () <float[{0}] w = {{{1}}}, int64[{0}] v = {{{2}}}> {{ }}", kCount, floats, integers);
  const auto alone = ParseText<onnx::GraphProto>(text, {.threads = 1});
  const auto shared = ParseText<onnx::GraphProto>(text, {.threads = 2});
  ASSERT_EQ(shared.initializer_size(), 2);
  EXPECT_EQ(shared.initializer(0).float_data_size(), kCount);
  EXPECT_EQ(shared.initializer(0).float_data(kCount - 1), (kCount - 1) % 1000 + 0.5f);
  EXPECT_EQ(shared.initializer(1).int64_data(kCount / 2), kCount / 2 % 1000 - 500);
  EXPECT_TRUE(testing::AreSame(Bytes(alone), Bytes(shared)));
  const std::string printed = Print(shared, {.threads = 2}).text;
  EXPECT_TRUE(testing::AreSame(printed, Print(alone, {.threads = 1}).text));
  EXPECT_TRUE(testing::AreSame(Bytes(ParseText<onnx::GraphProto>(printed)), Bytes(shared)));
  std::vector<std::string> chunks;
  const std::string model = "<ir_version: 10, opset_import: [\"\": 21]>\n" + text;
  ASSERT_TRUE(testing::Ok(ParseToBytes(model, &chunks, {.threads = 2})));
  std::string bytes;
  for (const std::string& chunk : chunks) bytes += chunk;
  EXPECT_TRUE(bytes == Bytes(ParseText<onnx::ModelProto>(model, {.threads = 1})));
}

// An error in a portion that is not the first is reported at its position.
TEST(Threads, FindWhatIsWrongInAListOfNumbers) {
  constexpr int kCount = 1'100'000;
  const std::string numbers = List(kCount, [](int i) { return i == kCount - 5 ? "3x" : "1.25"; });
  const std::string text = fmt::format("t () => () <float[{}] w = {{{}}}> {{ }}", kCount, numbers);
  for (const unsigned threads : {1u, 2u}) {
    onnx::GraphProto graph;
    const Diagnostics found = Parse(text, &graph, {.threads = threads});
    ASSERT_EQ(found.items().size(), 1u);
    EXPECT_EQ(found.items()[0].range.begin, text.find("3x"));
    EXPECT_EQ(graph.ByteSizeLong(), 0u);
  }
}

TEST(Threads, ShareTheNodesOfABody) {
  onnx::GraphProto graph;
  graph.set_name("g");
  onnx::NodeProto node = ParseText<onnx::NodeProto>(
      "[a] y = If (c) <then_branch = t () => (u) { u = Relu (a) }, alpha: float = 1.5, value = float[2] {1, 2.5}>");
  for (int i = 0; i < 140'000; ++i) {
    onnx::NodeProto* const added = graph.add_node();
    if (i % 100 == 0) *added = node;
    added->set_op_type("If");
    added->add_input(std::to_string(i));
    if (i % 7 == 0) added->set_doc_string("");  // fields that need a pragma
  }
  const std::string alone = Print(graph, {.threads = 1}).text;
  EXPECT_FALSE(alone.empty());
  EXPECT_TRUE(testing::AreSame(Print(graph, {.threads = 2}).text, alone));
  EXPECT_TRUE(testing::AreSame(Print(graph, {.threads = 3}).text, alone));
  EXPECT_TRUE(Bytes(ParseText<onnx::GraphProto>(alone)) == Bytes(graph));
}

// A loss in a portion of the nodes is reported.
TEST(Threads, FindWhatIsTooDeepInAShare) {
  onnx::GraphProto graph;
  for (int i = 0; i < 140'000; ++i) graph.add_node()->set_op_type("Relu");
  onnx::TypeProto* type = graph.mutable_node(139'000)->add_attribute()->mutable_tp();
  for (int i = 0; i < 400; ++i) type = type->mutable_sequence_type()->mutable_elem_type();
  for (const unsigned threads : {1u, 2u}) {
    const PrintResult result = Print(graph, {.threads = threads});
    EXPECT_EQ(result.text, "");
    ASSERT_EQ(result.diagnostics.items().size(), 1u);
    EXPECT_EQ(result.diagnostics.items()[0].kind, DiagnosticKind::kNestingTooDeep);
  }
}

}  // namespace
}  // namespace onnxc::testing
