// Runs each subcommand on each kind of file, as text and in protobuf's wire format. testdata/inputs contains a table
// for each subcommand: a call, and for each file its kind, its form, the exit status, and the error or the beginning of
// the output. ONNXC_BLESS=1 in the environment rewrites the tables.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/calls.h"
#include "cli/program.h"
#include "testing/folder.h"
#include "testing/paths.h"
#include "testing/predicates.h"

namespace onnxc {
namespace {

namespace fs = std::filesystem;

using testing::Call;
using testing::kCalls;
using testing::kReadNoModel;
using testing::kWriters;
using testing::Outcome;
using testing::RunOnnxc;
using testing::With;

/// A file as text. `word` is a word of `--kind`, except for the last two: they are models without a graph.
struct TextOfKind {
  std::string_view word;
  std::string_view text;
};
constexpr TextOfKind kTexts[] = {
    {"model",
     "<ir_version: 10, opset_import: [\"\" : 21]>\n"
     "g (float[N, 2] x) => (float[N, 2] y) <float[2] w = {1, 2}> { a = Relu (x) y = Mul (a, w) }\n"},
    {"graph", "g (float[N, 2] x) => (float[N, 2] y) <float[2] w = {1, 2}> { a = Relu (x) y = Mul (a, w) }\n"},
    {"function", "<domain: \"d\", opset_import: [\"\" : 21]> f (x) => (y) { a = Relu (x) y = Neg (a) }\n"},
    {"node", "y = Mul (a, w)\n"},
    {"attr", "axis = 1\n"},
    {"type", "float[N, 2]\n"},
    {"tensor", "float[2] w = {1, 2}\n"},
    {"shape", "N, 2\n"},
    {"sequence", "@{name: \"s\", elem_type: 1, tensor_values: [(float[2] {1, 2})]}\n"},
    {"map", "@{name: \"m\", key_type: 7, keys: [1], values: {elem_type: 1, tensor_values: [(float {1})]}}\n"},
    {"optional", "@{name: \"o\", elem_type: 1, tensor_value: (float[2] {1, 2})}\n"},
    {"library",
     "<domain: \"d\", opset_import: [\"\" : 21]> f (x) => (y) { a = Relu (x) y = Neg (a) }\n"
     "<domain: \"d\", opset_import: [\"\" : 21]> h (x) => (y) { w = Constant <value = float[2] {1, 2}> () y = Mul (x, "
     "w) }\n"},
    {"operators",
     "<domain: \"d\", opset_import: [\"d\" : 1]> Op <alpha: float = 0.5> (float[N] x) => (float[N] y) {}\n"},
};

/// A file in the folder of the test.
struct InputFile {
  std::string_view kind;
  std::string_view form;
  std::string name;
};

/// Returns the text as a message in protobuf's wire format.
std::string ToBinary(const TextOfKind& row) {
  std::string bytes;
  const Kind kind = FindKind(row.word).value_or(Kind::kModel);
  WithKind(kind, [&](const auto& known) {
    typename std::decay_t<decltype(known)>::Message message;
    EXPECT_TRUE(testing::Ok(Decode(row.text, Format::kText, &message, {.tell_functions_apart = true}))) << row.text;
    bytes = message.SerializeAsString();
  });
  return bytes;
}

std::vector<InputFile> WriteFiles(const testing::Folder& folder) {
  std::vector<InputFile> files;
  const auto write = [&](std::string_view kind, std::string_view form, std::string_view suffix,
                         const std::string& bytes) {
    files.push_back({kind, form, fmt::format("{}{}", kind, suffix)});
    folder.Write(files.back().name, bytes);
  };
  for (const TextOfKind& row : kTexts) {
    write(row.word, "text", ".onnxtxt", std::string(row.text));
    write(row.word, "binary", ".pb", ToBinary(row));
  }
  using namespace std::string_literals;
  constexpr std::string_view kHeader = R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  const std::string data = "\0\0\x80\x3F\0\0\0\x40"s;  // 1 and 2
  write("data", "binary", ".data", data);
  write("data", "tensors", ".safetensors",
        std::string(1, static_cast<char>(kHeader.size())) + std::string(7, '\0') + std::string(kHeader) + data);
  folder.Write("elided.onnxtxt",
               "<ir_version: 10, opset_import: [\"\" : 21]>\n"
               "g (float[N, 2] x) => (float[N, 2] y) <float[2] w = [\"elided\": \"\"]> { y = Mul (x, w) }\n");
  return files;
}

/// Returns the beginning of a text in one line.
std::string InOneLine(std::string_view text) {
  constexpr std::size_t kMost = 160;
  std::string line;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n';
    if (!is_blank) line += c;
    if (is_blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  const auto lines = std::ranges::count(text, '\n');
  return line.size() <= kMost ? line : fmt::format("{}... ({} lines)", line.substr(0, kMost), lines);
}

bool HasGraph(std::string_view text) {
  onnx::ModelProto model;
  EXPECT_TRUE(testing::Ok(Parse(text, &model, {.tell_functions_apart = true}))) << text;
  return model.has_graph();
}

/// Checks what is true of each call, whatever the table says.
void CheckOutcome(const Call& call, const InputFile& file, const Outcome& outcome) {
  const bool has_error = outcome.err.find("error: ") != std::string::npos;
  const bool may_differ = call.words.starts_with("diff");  // then status 1 is not an error
  EXPECT_LE(outcome.status, 2) << outcome.err;
  EXPECT_EQ(outcome.status != 0 && !(may_differ && outcome.status == 1), has_error) << outcome.err;
  if (outcome.status != 0 || !call.writes_model) return;
  const bool is_library = file.kind == "library" || file.kind == "operators" || file.kind == "function";
  EXPECT_EQ(HasGraph(outcome.out), !is_library) << "only a library has no graph:\n" << outcome.out;
}

/// Returns the rows of the table for one call.
std::string RowsOf(const Call& call, bool has_kind, const testing::Folder& folder,
                   const std::vector<InputFile>& files) {
  std::string rows = fmt::format("\n$ onnxc {}\n", call.words);
  for (const InputFile& file : files) {
    const auto add = [&](const std::string& words, std::string_view form, bool is_part) {
      SCOPED_TRACE("onnxc " + words);
      const Outcome outcome = RunOnnxc(folder, words);
      if (!is_part) CheckOutcome(call, file, outcome);
      rows +=
          fmt::format("{:<10}{:<8}{}  {}\n", file.kind, form, outcome.status,
                      InOneLine(outcome.status == 0 || outcome.err.empty() ? outcome.err + outcome.out : outcome.err));
    };
    const std::string words = With(std::string(call.words), file.name);
    add(words, file.form, false);
    const bool is_part = file.kind != "model" && FindKind(file.kind).has_value();
    if (has_kind && is_part) add(fmt::format("{} --kind {}", words, file.kind), "--kind", true);
  }
  return rows;
}

class Inputs : public ::testing::TestWithParam<std::string> {};

TEST_P(Inputs, OfEachKindHaveTheRecordedOutcome) {
  const testing::Folder folder;
  const std::vector<InputFile> files = WriteFiles(folder);
  const auto command = std::ranges::find(cli::kCommands, GetParam(), [](const auto* each) { return each->name; });
  ASSERT_NE(command, cli::kCommands.end());
  const bool has_kind = cli::MakeProgram(**command).app->get_option_no_throw("--kind") != nullptr;
  std::string table = fmt::format("What 'onnxc {}' does with each kind of file.\n", GetParam());
  for (const Call& call : kCalls) {
    if (call.words.substr(0, call.words.find(' ')) == GetParam()) table += RowsOf(call, has_kind, folder, files);
  }
  const fs::path path = fs::path(testing::kTestdata) / "inputs" / (GetParam() + ".txt");
  if (std::getenv("ONNXC_BLESS") != nullptr) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << table;
  } else {
    EXPECT_EQ(table, testing::ReadWhole(path)) << "in " << path << "; ONNXC_BLESS=1 rewrites it";
  }
}

/// The subcommands that read a model: all except the listed ones, so that a new subcommand needs a call.
std::vector<std::string> Readers() {
  std::vector<std::string> names;
  for (const cli::Command* const command : cli::kCommands) {
    if (std::ranges::find(kReadNoModel, command->name) == std::end(kReadNoModel)) names.emplace_back(command->name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Case, Inputs, ::testing::ValuesIn(Readers()), [](const auto& each) { return each.param; });

TEST(InputsTable, HasEachKindAndEachSubcommand) {
  std::set<std::string_view> kinds;
  for (const TextOfKind& row : kTexts) kinds.insert(row.word);
  ForEachKind([&](const auto& row) { EXPECT_TRUE(kinds.contains(row.word)) << row.word << " has no text in kTexts"; });
  std::set<std::string> called;
  for (const Call& call : kCalls) called.emplace(call.words.substr(0, call.words.find(' ')));
  for (const std::string& name : Readers()) EXPECT_TRUE(called.contains(name)) << name << " has no call in kCalls";
}

// ---- outputs in another folder

/// A reference to a file in the folder of the input is lost in another folder, which each subcommand must tell.
TEST(InputsTable, EachWriterTellsWhichFilesItLeavesBehind) {
  const testing::Folder folder;
  folder.Write("d.bin", std::string(8, '\0'));
  folder.Write("m.onnxtxt",
               "<ir_version: 10, opset_import: [\"\" : 21]>\ng (float[2] x) => (float[2] y) "
               "<float[2] w = [\"location\": \"d.bin\", \"length\": \"8\"]> { y = Add (x, w) }\n");
  for (const std::string_view suffix : {"onnx", "textproto", "json"}) {
    ASSERT_EQ(RunOnnxc(folder, fmt::format("convert m.onnxtxt -o m.{}", suffix)).status, 0);
  }
  fs::create_directory(folder.Path("other"));
  int told = 0;
  for (const std::string_view writer : kWriters) {
    for (const std::string_view suffix : {"onnxtxt", "onnx", "textproto", "json"}) {
      for (const std::string_view out : {"other/out", "out"}) {
        std::string words = With(std::string(writer), fmt::format("m.{}", suffix));
        words.replace(words.find("OUT"), 3, out);
        SCOPED_TRACE("onnxc " + words);
        const std::string path = words.substr(words.rfind(' ') + 1);
        for (const auto& entry : fs::directory_iterator(folder.Path("other"))) fs::remove(entry.path());
        folder.Remove("out.onnxtxt.data");  // print does not replace it
        const Outcome outcome = RunOnnxc(folder, words);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        const bool is_left = out != "out" && folder.Read(path).find("d.bin") != std::string::npos;
        EXPECT_EQ(outcome.err.find("[left-behind]") != std::string::npos, is_left) << outcome.err;
        told += is_left ? 1 : 0;
      }
    }
  }
  EXPECT_GT(told, 40);
  for (const cli::Command* const command : cli::kCommands) {
    const bool is_writer = cli::MakeProgram(*command).app->get_option_no_throw("--output") != nullptr;
    const bool is_called = std::ranges::any_of(
        kWriters, [&](std::string_view words) { return words.substr(0, words.find(' ')) == command->name; });
    EXPECT_EQ(is_writer, is_called) << command->name << " has an option --output, so it needs a call in kWriters";
  }
}

}  // namespace
}  // namespace onnxc
