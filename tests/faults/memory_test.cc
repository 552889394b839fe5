// Each subcommand while memory runs out, at each allocation: the exit status is 0, 1 or 2, and nothing is written by
// halves. ONNXC_SWEEP=all in the environment tries each allocation (scripts/ci/memory), else some are tried.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "testing/folder.h"

namespace onnxc::testing {
namespace {

struct Job {
  std::string name;
  std::string command;
  std::set<std::string> outputs = {"out"};
  std::string before = "old";  // what the outputs hold
  bool may_be_done = false;    // the outputs may be written before memory runs out
};

void PrintTo(const Job& job, std::ostream* out) { *out << job.name; }

class Memory : public ::testing::TestWithParam<Job> {
 protected:
  void SetUp() override {
    if (std::string_view(ONNXC_MEMORY).empty()) GTEST_SKIP() << "SKIPPED: sanitizers have an allocator of their own";
    folder_.Write("m.onnxtxt",
                  "# onnxc: raw\n<ir_version: 8, opset_import: [\"\": 17, \"l\": 1]>\ng (float[4] x) => (float[4] y)\n"
                  "  <float[4] a = {1, 2, 3, 4}, int64[4] b = {1, 2, 3, 4}> {\n"
                  "  s = Add(x, a)  t = l.f(s)\n  y = Mul <unknown = \"\xc3\xa4\"> (t, q) }\n");
    folder_.Write("lib.onnxtxt", "<domain: \"l\", opset_import: [\"\": 17]> f (p) => (r) { u = Relu(p) r = Neg(u) }\n");
    folder_.Write("wrong.onnxtxt", "<ir_version: 8>\ng (flaot x) => () { y = (x) z = Op <a : 1> (x] }\n");
    ASSERT_EQ(Call("", "compile --no-check m.onnxtxt -o m.onnx"), 0);
    ASSERT_EQ(Call("", "convert m.onnx -o m.json"), 0);
    ASSERT_EQ(Call("", "convert m.onnx -o m.textproto"), 0);
    ASSERT_EQ(Call("", "weights extract m.onnx old.data -o in.onnx --size-threshold 1"), 0);
    ASSERT_EQ(Call("", "print --weights elide in.onnx -o gap.onnxtxt --size-threshold 1"), 0);
  }

  int Call(const std::string& environment, const std::string& command) {
    const std::string call = fmt::format("cd {} && env {} {} {} >stdout 2>errors", folder_.path().string(), environment,
                                         ONNXC_COMMAND, command);
    const int status = std::system(call.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  int Run(const std::string& environment) {
    for (const std::string& output : GetParam().outputs) folder_.Write(output, GetParam().before);
    return Call("LD_PRELOAD=" ONNXC_MEMORY " " + environment, GetParam().command);
  }

  Folder folder_;
};

TEST_P(Memory, RunsOut) {
  const int expected_status = Run("ONNXC_MEMORY_LOG=log");
  const long allocations = std::stol(folder_.Read("log"));
  ASSERT_GT(allocations, 10);
  std::map<std::string, std::string> expected;
  for (const std::string& output : GetParam().outputs) expected[output] = folder_.Read(output);
  const std::set<std::string> files = folder_.List();
  const bool tries_all = std::getenv("ONNXC_SWEEP") != nullptr;
  const long step = tries_all ? 1 : std::max(1L, allocations / 25);
  for (const std::string_view mode : {"", " ONNXC_MEMORY_ONCE=1"}) {
    for (long at = 1; at <= allocations; at += step) {
      const std::string variables = fmt::format("ONNXC_MEMORY_AT={}{}", at, mode);
      SCOPED_TRACE(variables);
      const int status = Run(variables);
      ASSERT_TRUE(status == 2 || status == expected_status) << status << " " << folder_.Read("errors");
      for (const auto& [output, bytes] : expected) {
        const std::string now = folder_.Read(output);
        if (status == 2 && GetParam().may_be_done && now == bytes) continue;
        ASSERT_EQ(now, status == 2 ? GetParam().before : bytes) << output;
      }
      ASSERT_EQ(folder_.List(), files);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Memory,
    ::testing::Values(
        Job{"compile", "compile m.onnxtxt --no-check -o out"}, Job{"compile_wrong", "compile wrong.onnxtxt -o out"},
        Job{"compile_external",
            "compile m.onnxtxt --no-check --save-as-external side --size-threshold 1 -o out",
            {"out", "side"}},
        Job{"link", "compile m.onnxtxt --no-check --link lib.onnxtxt -o out"},
        Job{"attach", "compile gap.onnxtxt --no-check --weights m.onnx -o out"}, Job{"check", "check m.onnx", {}},
        Job{"fix", "check --fix out.onnxtxt", {"out.onnxtxt"}, "g (flaot x) => () { y = Relu (x, k=1) }\n", true},
        Job{"check_text", "check --error-format json m.onnxtxt", {}}, Job{"print", "print m.onnx -o out"},
        Job{"elide", "print in.onnx --weights elide -o out"}, Job{"to_json", "convert m.onnx --to json -o out"},
        Job{"from_json", "convert m.json --to onnx -o out"},
        Job{"to_textproto", "convert m.onnx --to textproto -o out"},
        Job{"from_textproto", "convert m.textproto --to onnx -o out"}, Job{"diff", "diff m.onnx in.onnx", {}},
        Job{"graph", "graph m.onnx -o out.dot", {"out.dot"}}, Job{"info", "info m.onnx", {}},
        Job{"fmt", "fmt m.onnxtxt", {}}, Job{"infer", "infer m.onnx --to onnx -o out"},
        Job{"infer_text", "infer m.onnxtxt --to onnxtxt -o out"}, Job{"types", "print --types m.onnx -o out"},
        Job{"extract", "weights extract m.onnx side -o out --size-threshold 1", {"out", "side"}},
        Job{"inline", "weights inline in.onnx -o out"}),
    [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace onnxc::testing
