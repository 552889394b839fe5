// Runs each subcommand, with each of its options, while allocations fail, one after the other: the exit status is 0, 1
// or 2, and each written file is complete. With ONNXC_SWEEP=all in the environment, each allocation is tested
// (scripts/ci/memory); otherwise some are.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/program.h"
#include "testing/folder.h"
#include "testing/paths.h"

namespace onnxc::testing::memory_test {
namespace {

struct Job {
  std::string name;
  std::string command;
  std::set<std::string> outputs = {"out"};
  std::string before = "old";  // the contents of the outputs
  bool may_be_done = false;    // whether the outputs may be written before memory runs out
  bool goes_on = false;        // after a failure, with exit status 1 at the end
};

const std::vector<Job>& Jobs() {
  static const std::string wrong = "g (flaot x) => () { y = Relu (x, k=1) }\n";
  static const std::vector<Job> jobs = {
      {"compile", "compile m.onnxtxt --no-check -o out"},
      {"compile_options", "compile m.onnxtxt --no-check --no-infer --kind model --threads 2 --to json -o out"},
      {"compile_checked",
       "compile --error-format sarif --all-findings -W no-unused-opset-import right.onnxtxt -o out",
       {"out"},
       "old",
       true},
      {"compile_wrong", "compile wrong.onnxtxt -o out"},
      {"compile_fix", "compile --fix --diff out.onnxtxt -o out", {"out.onnxtxt"}, wrong},
      {"compile_external",
       "compile m.onnxtxt --no-check --save-as-external side --size-threshold 1 -o out",
       {"out", "side"}},
      {"link", "compile m.onnxtxt --no-check --link lib.onnxtxt -o out"},
      {"attach", "compile gap.onnxtxt --no-check --weights m.onnx --allow-links --max-copies 3 -o out"},
      {"check", "check m.onnx --max-bytes 1MB", {}},
      {"check_options",
       "check m.onnx in.onnx --kind model --threads 2 --strict --no-infer --allow-links --checksums --all-findings -q",
       {}},
      {"check_link", "check --link lib.onnxtxt m.onnxtxt", {}},
      {"check_weights", "check gap.onnxtxt --weights m.onnx", {}},
      {"check_operators", "check --operators ops.onnxtxt m.onnxtxt", {}},
      {"compile_operators", "compile m.onnxtxt --operators ops.onnxtxt --link lib.onnxtxt -o out"},
      {"infer_operators", "infer linked.onnx --operators ops.onnxtxt -o out"},
      {"check_text", "check --error-format json m.onnxtxt", {}},
      {"check_rules", "check --list-rules", {}},
      {"fix", "check --fix out.onnxtxt", {"out.onnxtxt"}, wrong, true},
      {"fix_diff", "check --fix --diff out.onnxtxt --color always", {"out.onnxtxt"}, wrong},
      {"explain", "explain unknown-type", {}},
      {"explain_list", "explain --list", {}},
      {"print", "print m.onnx -o out"},
      {"print_graph", "print graph.pb --kind graph --threads 2 --small-floats values -o out"},
      {"print_reference", "print m.onnx --dialect reference --allow-loss -o out"},
      {"print_external", "print m.onnx --save-as-external side --size-threshold 1 -o out", {"out", "side"}},
      {"print_inline", "print in.onnx --weights inline --allow-links --max-copies 3 -o out"},
      {"elide", "print in.onnx --weights elide -o out"},
      {"skeleton", "print in.onnx --skeleton -o out"},
      {"types", "print --types --all-findings m.onnx -o out"},
      {"to_json", "convert m.onnx --all-findings --to json -o out"},
      {"strip", "convert --strip-weights m.onnxtxt --to onnx -o out"},
      {"from_json", "convert m.json --to onnx -o out"},
      {"to_textproto", "convert m.onnx --kind model --threads 2 --to textproto -o out"},
      {"from_textproto", "convert m.textproto --to onnx -o out"},
      {"upgrade", "convert m.onnx --upgrade --to onnxtxt -o out"},
      {"from_old", "convert old.onnx --from onnx-0.1 --allow-loss --input x=float[4] --to onnxtxt -o out"},
      {"diff", "diff --all-findings m.onnx in.onnx", {}},
      {"diff_json", "diff m.onnx in.onnx --kind model --ignore names,docs --weights-tolerance 1 --json", {}},
      {"diff_tolerance", "diff m.onnx m.onnxtxt --tolerance 1", {}},
      {"graph", "graph --all-findings m.onnx -o out.dot", {"out.dot"}},
      {"graph_part", "graph right.onnxtxt --from x --to y -o out.dot", {"out.dot"}},
      {"graph_around", "graph graph.pb --kind graph --around s --depth 2 -o out.dot", {"out.dot"}},
      {"graph_function", "graph linked.onnx --function l.f -o out.dot", {"out.dot"}},
      {"info", "info m.onnx", {}},
      {"info_top", "info --top 2 m.onnx", {}},
      {"info_json", "info m.onnx in.onnx --allow-links --all-findings --kind model --threads 2 --json", {}},
      {"fmt", "fmt m.onnxtxt", {}},
      {"fmt_write", "fmt --width 40 -w out.onnxtxt", {"out.onnxtxt"}, "g () => () { y = Relu (x) }\n"},
      {"fmt_check", "fmt --check --kind model --threads 2 --allow-links --all-findings m.onnxtxt", {}},
      {"fmt_diff", "fmt --diff m.onnxtxt", {}},
      {"infer", "infer m.onnx --to onnx -o out"},
      {"infer_options", "infer m.onnx --overwrite --strict --all-findings --no-data-propagation --to json -o out"},
      {"infer_text", "infer m.onnxtxt --to onnxtxt -o out"},
      {"extract", "weights extract m.onnx side -o out --size-threshold 1", {"out", "side"}},
      {"extract_safetensors",
       "weights extract m.onnx side.safetensors -o out --size-threshold 1",
       {"out", "side.safetensors"}},
      {"extract_part", "extract right.onnxtxt --from x --to y --output out.onnxtxt", {"out.onnxtxt"}},
      {"rename", "rename right.onnxtxt --regex --only values '^(x|b)*$=z&' --output out.onnxtxt", {"out.onnxtxt"}},
      {"set",
       "set right.onnxtxt --input x=float[N] --dim N=4 --opset 18 --allow-other-meaning --output out.onnxtxt",
       {"out.onnxtxt"}},
      {"set_add_output", "set right.onnxtxt --add-output x --output out.onnxtxt", {"out.onnxtxt"}},
      {"set_all_outputs", "set m.onnx --all-outputs --output out.onnxtxt", {"out.onnxtxt"}},
      {"set_remove_output", "set right.onnxtxt --remove-output y --all-outputs --output out.onnxtxt", {"out.onnxtxt"}},
      {"set_missing_output", "set right.onnxtxt --add-output none --output out.onnxtxt", {}},
      {"set_ir_version", "set right.onnxtxt --opset 13 --ir-version 7 --output out.onnxtxt", {"out.onnxtxt"}},
      {"set_number", "set right.onnxtxt --opset 18 --number-only --output out.onnxtxt", {"out.onnxtxt"}},
      {"remove", "remove right.onnxtxt --op Relu -o out.onnxtxt", {"out.onnxtxt"}, "old", true},
      {"remove_with", "remove right.onnxtxt y --with x --output out.onnxtxt", {"out.onnxtxt"}, "old", true},
      {"sort", "sort m.onnxtxt -o out.onnxtxt", {"out.onnxtxt"}},
      {"inline_calls", "inline linked.onnx -o out.onnxtxt", {"out.onnxtxt"}},
      {"inline_function", "inline linked.onnx --function l.f --output out.onnxtxt", {"out.onnxtxt"}},
      {"inline_except", "inline linked.onnx --except l.f -o out.onnxtxt", {"out.onnxtxt"}},
      {"strip_all", "strip m.onnxtxt --all -o out.onnxtxt", {"out.onnxtxt"}, "old", true},
      {"strip_parts",
       "strip m.onnxtxt --docs --metadata --names --weights --value-info --unused --training --output out.onnxtxt",
       {"out.onnxtxt"},
       "old",
       true},
      {"merge",
       "merge right.onnxtxt m.onnxtxt right.onnxtxt --path right.onnxtxt --marks --no-check --output out.onnxtxt",
       {"out.onnxtxt"}},
      {"inline", "weights inline in.onnx --all-findings --allow-links --max-copies 3 -o out"},
      {"attach_model", "weights attach gap.onnxtxt m.onnx -o out"},
      {"lsp", "lsp --stdio <session", {}, "", false, true},
      {"completion", "completion zsh", {}},
      {"help", "compile --help", {}},
      {"short_help", "compile -h", {}},
      {"manual", "help --man", {}},
      {"version", "compile --version", {}},
  };
  return jobs;
}

void PrintTo(const Job& job, std::ostream* out) { *out << job.name; }

class Memory : public ::testing::TestWithParam<Job> {
 protected:
  void SetUp() override {
    if (kMemory[0] == 0) GTEST_SKIP() << "SKIPPED: sanitizers have an allocator of their own";
    folder_.Write("m.onnxtxt",
                  "# onnxc: raw\n<ir_version: 8, opset_import: [\"\": 17, \"l\": 1]>\ng (float[4] x) => (float[4] y)\n"
                  "  <float[4] a = {1, 2, 3, 4}, int64[4] b = {1, 2, 3, 4}> {\n"
                  "  s = Add(x, a)  t = l.f(s)\n  y = Mul <unknown = \"\xc3\xa4\"> (t, q) }\n");
    folder_.Write("graph.onnxtxt", "g (float[4] x) => (float[4] y) { s = Abs(x)  y = Neg(s) }\n");
    folder_.Write(
        "ops.onnxtxt",
        "<domain: \"v\", metadata_props: [\"T\": \"float\", \"x\": \"T\"]> f <k: int = 1> (x) => (float y) {}\n");
    folder_.Write("lib.onnxtxt", "<domain: \"l\", opset_import: [\"\": 17]> f (p) => (r) { u = Relu(p) r = Neg(u) }\n");
    folder_.Write("wrong.onnxtxt", "<ir_version: 8>\ng (flaot x) => () { y = (x) z = Op <a : 1> (x] }\n");
    folder_.Write("right.onnxtxt",
                  "<ir_version: 8, opset_import: [\"\": 17]>\ng (float[N] x) => (float[N] y) { y = Relu(x) }\n");
    folder_.Write("old.onnx", "\012\014\012\001x\022\001y\042\004Relu\022\001g\032\001x\042\001y\060\001");
    folder_.Write("session", Session());
    ASSERT_EQ(Call("", "compile --no-check m.onnxtxt -o m.onnx"), 0);
    ASSERT_EQ(Call("", "compile --no-check m.onnxtxt --link lib.onnxtxt -o linked.onnx"), 0);
    ASSERT_EQ(Call("", "compile --kind graph --no-check graph.onnxtxt -o graph.pb"), 0);
    ASSERT_EQ(Call("", "convert m.onnx -o m.json"), 0);
    ASSERT_EQ(Call("", "convert m.onnx -o m.textproto"), 0);
    ASSERT_EQ(Call("", "weights extract m.onnx old.data -o in.onnx --size-threshold 1"), 0);
    ASSERT_EQ(Call("", "print --weights elide in.onnx -o gap.onnxtxt --size-threshold 1"), 0);
  }

  /// An editor opens a text, sends some requests, changes the text and ends the session.
  [[nodiscard]] std::string Session() const {
    using Json = nlohmann::json;
    const std::string uri = "file://" + folder_.Path("m.onnxtxt");
    const Json document = {{"uri", uri}};
    const Json place = {{"textDocument", document}, {"position", {{"line", 4}, {"character", 7}}}};
    std::string session;
    int id = 0;
    const auto send = [&](const std::string& method, const Json& params, bool is_request) {
      Json message = {{"jsonrpc", "2.0"}, {"method", method}, {"params", params}};
      if (is_request) message["id"] = ++id;
      const std::string bytes = message.dump();
      session += fmt::format("Content-Length: {}\r\n\r\n{}", bytes.size(), bytes);
    };
    send("initialize", {{"processId", nullptr}, {"rootUri", nullptr}, {"capabilities", Json::object()}}, true);
    send("initialized", Json::object(), false);
    send("textDocument/didOpen",
         {{"textDocument",
           {{"uri", uri}, {"languageId", "onnxtxt"}, {"version", 1}, {"text", folder_.Read("wrong.onnxtxt")}}}},
         false);
    send("textDocument/didChange",
         {{"textDocument", {{"uri", uri}, {"version", 2}}},
          {"contentChanges", {{{"text", folder_.Read("graph.onnxtxt")}}}}},
         false);
    for (const char* what : {"hover", "definition", "completion"})
      send(fmt::format("textDocument/{}", what), place, true);
    for (const char* what : {"documentSymbol", "semanticTokens/full", "diagnostic"}) {
      send(fmt::format("textDocument/{}", what), {{"textDocument", document}}, true);
    }
    send("shutdown", nullptr, true);
    send("exit", nullptr, false);
    return session;
  }

  int Call(const std::string& environment, const std::string& command) {
    const std::string call =
        fmt::format("cd {} && env {} {} {} >stdout 2>errors", folder_.path().string(), environment, kCommand, command);
    const int status = std::system(call.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  int Run(const std::string& environment) {
    for (const std::string& output : GetParam().outputs) folder_.Write(output, GetParam().before);
    return Call(std::string("LD_PRELOAD=") + kMemory + " " + environment, GetParam().command);
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
  long failed = 0;
  for (const std::string_view mode : {"", " ONNXC_MEMORY_ONCE=1"}) {
    for (long at = 1; at <= allocations; at += step) {
      const std::string variables = fmt::format("ONNXC_MEMORY_AT={}{}", at, mode);
      SCOPED_TRACE(variables);
      const int status = Run(variables);
      ++failed;
      const bool is_known = status == 2 || status == expected_status || (GetParam().goes_on && status == 1);
      ASSERT_TRUE(is_known) << status << " " << folder_.Read("errors");
      for (const auto& [output, bytes] : expected) {
        const std::string now = folder_.Read(output);
        if (status == 2 && GetParam().may_be_done && now == bytes) continue;
        ASSERT_EQ(now, status == 2 ? GetParam().before : bytes) << output;
      }
      ASSERT_EQ(folder_.List(), files);
    }
  }
  if (tries_all) std::cout << GetParam().name << ": " << failed << " runs, in each of which memory ran out\n";
}

INSTANTIATE_TEST_SUITE_P(Commands, Memory, ::testing::ValuesIn(Jobs()),
                         [](const auto& instance) { return instance.param.name; });

/// Whether a command line of the subcommand contains one of the names. If the subcommand is "", all subcommands are
/// searched.
bool IsTried(std::string_view subcommand, const std::vector<std::string>& names) {
  return std::ranges::any_of(Jobs(), [&](const Job& job) {
    if (!subcommand.empty() && !job.command.starts_with(fmt::format("{} ", subcommand))) return false;
    return std::ranges::any_of(names, [&](const std::string& name) {
      return (job.command + " ").find(fmt::format(" {} ", name)) != std::string::npos;
    });
  });
}

// Options that all subcommands have are tested once; the other options are tested with each subcommand that has them.
TEST(MemoryJobs, TryEachOptionOfEachSubcommand) {
  CLI::App common;
  cli::CommonOptions values;
  cli::AddHelp(&common);
  cli::AddCommonOptions(&common, &values);
  std::set<std::vector<std::string>> everywhere;
  for (const cli::OptionInfo& option : cli::OptionsOf(common)) everywhere.insert(option.names);
  for (const cli::Command* command : cli::kCommands) {
    EXPECT_TRUE(std::ranges::any_of(Jobs(), [&](const Job& job) {
      return job.command.starts_with(fmt::format("{} ", command->name));
    })) << command->name;
    for (const cli::OptionInfo& option : cli::OptionsOf(*cli::MakeProgram(*command).app)) {
      if (option.names.empty()) continue;
      const bool is_common = everywhere.contains(option.names);
      EXPECT_TRUE(IsTried(is_common ? "" : command->name, option.names)) << command->name << " " << option.names.back();
    }
  }
}

}  // namespace
}  // namespace onnxc::testing::memory_test
