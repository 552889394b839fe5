// No output of a command replaces a file with weights of the models that the command reads or writes. The commands and
// their options for outputs are those of the command's own table, so that a new command needs a line here.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/program.h"
#include "testing/folder.h"
#include "testing/paths.h"

namespace onnxc::testing {
namespace {

namespace fs = std::filesystem;

/// Calls of the commands with `-o`: IN is a model whose weights are in DATA, and GAP the same model without its
/// weights.
const std::vector<std::string> kCalls = {
    "compile IN -o OUT",
    "compile IN -o OUT --no-check",
    "compile IN -o OUT --to textproto",
    "compile GAP --weights DATA -o OUT",
    "compile GAP --weights IN -o OUT",
    "print IN -o OUT",
    "print IN -o OUT --weights inline",
    "print IN -o OUT --weights elide",
    "print IN -o OUT --weights external --save-as-external new.data --size-threshold 1",
    "print IN -o OUT --skeleton",
    "print IN -o OUT --types",
    "merge IN IN IN -o OUT",
    "convert IN -o OUT --to onnx",
    "convert IN -o OUT --to onnxtxt",
    "convert IN -o OUT --to json",
    "convert IN -o OUT --to onnx --strip-weights",
    "infer IN -o OUT --to onnx",
    "infer IN -o OUT --to onnxtxt",
    "graph IN -o OUT",
    "graph IN -o OUT --to y",
    "extract IN -o OUT",
    "extract IN --to z -o OUT",
    "remove IN --op Neg -o OUT",
    "rename IN x=image -o OUT",
    "set IN --dim N=3 -o OUT",
    "sort IN -o OUT",
    "inline IN -o OUT",
    "strip IN --all -o OUT",
    "weights extract IN new.data -o OUT --size-threshold 1",
    "weights inline IN -o OUT",
    "weights attach GAP DATA -o OUT",
    "weights attach GAP IN -o OUT",
};

/// Calls that write weights to the file SIDE in the folder of the output.
const std::vector<std::string> kSideCalls = {
    "compile IN -o out.onnx --save-as-external SIDE --size-threshold 1",
    "compile GAP --weights IN -o out.onnx --save-as-external SIDE --size-threshold 1",
    "print IN -o out.onnxtxt --weights external --save-as-external SIDE --size-threshold 1",
    "weights extract IN SIDE -o out.onnx --size-threshold 1",
};

// Suffixes of files that a command may accept for its output.
const std::vector<std::string> kSuffixes = {".data", ".onnx", ".onnxtxt", ".json", ".dot", ".safetensors"};

std::string Replaced(std::string call, const std::map<std::string, std::string>& words) {
  for (const auto& [word, value] : words) {
    for (std::size_t at = 0; (at = call.find(word, at)) != std::string::npos; at += value.size()) {
      call.replace(at, word.size(), value);
    }
  }
  return call;
}

std::string CommandOf(const std::string& call) { return call.substr(0, call.find(' ')); }

class Outputs : public ::testing::Test {
 protected:
  void SetUp() override {
    Write("t.onnxtxt",
          "<ir_version: 8, opset_import: [\"\" : 17]>\n"
          "g (float[N, 4] x) => (float[N, 4] y) <float[4, 4] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, "
          "16}> {\n"
          "  z = Neg (x)\n  y = MatMul (z, w)\n}\n");
  }

  void Write(const std::string& name, const std::string& text) const { folder_->Write(name, text); }

  /// Runs a command in the folder, and returns its exit status.
  [[nodiscard]] int Run(const std::string& call) const {
    const std::string line =
        "cd " + folder_->path().string() + " && " + kCommand + " " + call + " 2>" + errors_.Path("errors");
    const int status = std::system(line.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  [[nodiscard]] std::string Errors() const { return errors_.Read("errors"); }

  /// Writes the models anew; the weights are in the file `data`.
  void MakeModels(const std::string& data) {
    folder_.emplace();
    std::map<std::string, std::string>& files = made_[data];
    if (files.empty()) {
      SetUp();
      ASSERT_EQ(Run("compile t.onnxtxt -o m.onnx --size-threshold 1 --save-as-external " + data), 0) << Errors();
      ASSERT_EQ(Run("print m.onnx -o m.onnxtxt"), 0) << Errors();
      ASSERT_EQ(Run("print m.onnx -o gap.onnxtxt --weights elide --size-threshold 1"), 0) << Errors();
      ASSERT_TRUE(folder_->Exists(data));
      files = Contents();
    }
    for (const auto& [name, bytes] : files) Write(name, bytes);
  }

  /// The contents of all files, and the targets of the links.
  [[nodiscard]] std::map<std::string, std::string> Contents() const {
    std::map<std::string, std::string> contents;
    for (const auto& entry : fs::recursive_directory_iterator(folder_->path())) {
      const std::string name = entry.path().lexically_relative(folder_->path()).string();
      if (entry.is_symlink()) contents[name + "@"] = fs::read_symlink(entry.path()).string();
      if (entry.is_regular_file()) contents[name] = ReadWhole(entry.path());
    }
    return contents;
  }

  /// Makes a link to the file, of a kind, and returns its name, which ends with the suffix.
  std::string Linked(const std::string& file, const std::string& kind, const std::string& suffix) const {
    const std::string name = kind + suffix;
    if (kind == "soft") fs::create_symlink(file, folder_->Path(name));
    if (kind == "hard") fs::create_hard_link(folder_->Path(file), folder_->Path(name));
    if (kind == "other_spelling") {
      fs::create_directory(folder_->Path("sub"));
      return "sub/../" + file;
    }
    return kind == "same" ? file : name;
  }

  std::optional<Folder> folder_{std::in_place};
  std::map<std::string, std::map<std::string, std::string>> made_;  // the files that MakeModels() writes
  Folder errors_;
};

const std::vector<std::string> kLinks = {"same", "other_spelling", "soft", "hard"};

TEST(OutputTable, EachCommandHasACall) {
  for (const cli::Command* command : cli::kCommands) {
    const cli::Program program = cli::MakeProgram(*command);
    const auto has_call = [&](const std::vector<std::string>& calls) {
      return std::ranges::any_of(calls, [&](const std::string& call) { return CommandOf(call) == command->name; });
    };
    for (const cli::OptionInfo& option : cli::OptionsOf(*program.app)) {
      const auto is_named = [&](const char* name) { return std::ranges::count(option.names, name) != 0; };
      if (is_named("--output")) {
        EXPECT_TRUE(has_call(kCalls)) << command->name;
      }
      if (is_named("--save-as-external")) {
        EXPECT_TRUE(has_call(kSideCalls)) << command->name;
      }
    }
  }
}

TEST_F(Outputs, NeverReplaceTheWeights) {
  std::size_t runs = 0;
  for (const std::string& call : kCalls) {
    std::set<std::string> accepted;
    for (const std::string& suffix : kSuffixes) {
      const std::string data = "w" + suffix;
      MakeModels(data);
      if (Run(Replaced(call, {{"IN", "m.onnx"}, {"GAP", "gap.onnxtxt"}, {"DATA", data}, {"OUT", "fresh" + suffix}})) !=
          0) {
        continue;  // the command does not write a file of this name
      }
      if (!accepted.empty() && suffix != ".safetensors") continue;
      accepted.insert(suffix);
      for (const std::string& link : kLinks) {
        const std::string input = runs++ % 2 == 0 ? "m.onnx" : "m.onnxtxt";
        MakeModels(data);
        const std::string out = Linked(data, link, suffix);
        const std::map<std::string, std::string> before = Contents();
        const std::string line = Replaced(call, {{"IN", input}, {"GAP", "gap.onnxtxt"}, {"DATA", data}, {"OUT", out}});
        SCOPED_TRACE(line);
        EXPECT_NE(Run(line), 0);
        // A file with several names is not even read, unless the command does not read weights.
        const bool is_told = Errors().find("the weights of the model are in '") != std::string::npos;
        EXPECT_TRUE(is_told || (link == "hard" && Errors().find("hard links") != std::string::npos)) << Errors();
        EXPECT_EQ(Contents(), before);
      }
      ++runs;  // the next call reads the other model with each link
    }
    EXPECT_FALSE(accepted.empty()) << call;
  }
}

// The output may be in another folder than the input: it must not be the file to which it refers itself.
TEST_F(Outputs, NeverReferToThemselves) {
  MakeModels("w.data");
  fs::create_directory(folder_->Path("sub"));
  Write("sub/w.data", "old");
  for (const std::string call :
       {"convert m.onnx --to onnx -o sub/w.data", "weights attach gap.onnxtxt w.data -o sub/w.data",
        "compile m.onnxtxt -o sub/w.data", "print m.onnx -o sub/w.data"}) {
    EXPECT_NE(Run(call), 0) << call;
    EXPECT_EQ(folder_->Read("sub/w.data"), "old") << call;
  }
}

// Weights that are copied from a model in another folder are still there, too.
TEST_F(Outputs, KeepTheWeightsOfOtherModels) {
  for (const std::string call : {"weights attach gap.onnxtxt sub/m.onnx -o sub/w.data",
                                 "compile gap.onnxtxt --weights sub/m.onnx -o sub/w.data"}) {
    MakeModels("w.data");
    fs::create_directory(folder_->Path("sub"));
    fs::rename(folder_->Path("w.data"), folder_->Path("sub/w.data"));
    fs::rename(folder_->Path("m.onnx"), folder_->Path("sub/m.onnx"));
    const std::string data = folder_->Read("sub/w.data");
    EXPECT_EQ(Run(call), 2) << call;
    EXPECT_NE(Errors().find("the weights of the model are in 'sub/w.data'"), std::string::npos) << Errors();
    EXPECT_EQ(folder_->Read("sub/w.data"), data) << call;
  }
}

// The output may replace the input, however it is named: the model is the same, or another as requested, and the
// weights stay where they are.
TEST_F(Outputs, MayReplaceTheInput) {
  for (const std::string& call : kCalls) {
    for (const std::string suffix : {".onnx", ".onnxtxt"}) {
      for (const std::string& link : kLinks) {
        MakeModels("w.data");
        const std::string input = "m" + suffix;
        const std::string out = Linked(input, link, suffix);
        const std::string data = folder_->Read("w.data");
        const std::string before = folder_->Read(input);
        const std::string line =
            Replaced(call, {{"IN", input}, {"GAP", "gap.onnxtxt"}, {"DATA", "w.data"}, {"OUT", out}});
        SCOPED_TRACE(line);
        const int status = Run(line);
        EXPECT_EQ(folder_->Read("w.data"), data);
        if (status != 0) {
          EXPECT_EQ(folder_->Read(input), before) << Errors();
        }
        if (link == "soft") {
          EXPECT_TRUE(fs::is_symlink(folder_->Path(out)));
        }
        if (link == "hard") {
          EXPECT_EQ(folder_->Read(input), before);  // the output got a file of its own
        }
        const bool is_model = status == 0 && CommandOf(call) != "graph";
        if (is_model) {
          EXPECT_EQ(Run("info " + out + " >" + errors_.Path("out")), 0) << Errors();
        }
      }
    }
  }
}

TEST_F(Outputs, BesideAModelDoNotReplaceTheWeightsOfAnother) {
  for (const std::string& call : kSideCalls) {
    for (const std::string data : {"w.data", "w.safetensors"}) {
      for (const std::string input : {"m.onnx", "m.onnxtxt"}) {
        for (const std::string link : {"same", "soft", "hard"}) {
          MakeModels(data);
          const std::string side = Linked(data, link, data.substr(1));
          const std::map<std::string, std::string> before = Contents();
          const std::string line = Replaced(call, {{"IN", input}, {"GAP", "gap.onnxtxt"}, {"SIDE", side}});
          EXPECT_NE(Run(line), 0) << line;
          EXPECT_EQ(Contents(), before) << line;
        }
        MakeModels(data);
        const std::string line = Replaced(call, {{"IN", input}, {"GAP", "gap.onnxtxt"}, {"SIDE", "new.data"}});
        EXPECT_EQ(Run(line), 0) << line << Errors();
      }
    }
  }
}

// A model and its weights may be replaced together.
TEST_F(Outputs, ReplaceAModelTogetherWithItsWeights) {
  for (const std::string data : {"w.data", "w.safetensors"}) {
    for (const std::string call : {"compile IN -o IN --save-as-external DATA --size-threshold 1",
                                   "weights extract IN DATA -o IN --size-threshold 1"}) {
      MakeModels(data);
      ASSERT_EQ(Run("weights inline m.onnx -o before.onnx"), 0);
      EXPECT_EQ(Run(Replaced(call, {{"IN", "m.onnx"}, {"DATA", data}})), 0) << Errors();
      ASSERT_EQ(Run("weights inline m.onnx -o after.onnx"), 0) << Errors();
      EXPECT_EQ(folder_->Read("after.onnx"), folder_->Read("before.onnx")) << call;
    }
  }
}

}  // namespace
}  // namespace onnxc::testing
