// Several libraries, some of them texts and some binary, whose functions have faults: each fault is told at the same
// place of its library as if the library were checked alone, and once at a call for the versions of the model.
#include "verdict/linked.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/linker.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "link/library.h"
#include "settings/filtered.h"
#include "testing/folder.h"
#include "testing/predicates.h"
#include "verdict/analyze.h"

namespace onnxc::verdict::linked_test {
namespace {

// What a function does wrong; `{}` is a name that no other function has. Each is an error whatever the model is.
constexpr const char* kFaults[] = {
    "{0} = Nge (x) y = Neg ({0})",
    "{0} = Neg (x, x) y = Neg ({0})",
    "y = Neg ({0})",
    "{0} = Neg (x) {0} = Abs (x) y = Neg ({0})",
    "{0} = Neg <wrong = 1> (x) y = Neg ({0})",
    "{0} = missing.Op (x) y = Neg ({0})",
    "@metadata_props [\"{0}\": \"v\", \"{0}\": \"w\"] y = Neg (x)",
    "y = Cast <to = \"{0}\"> (x)",
    "y = If (x) <then_branch = a () => (z) {{ z = {0} (x) }}, else_branch = b () => (z) {{ z = Neg (x) }}>",
};
constexpr const char* kRight = "{0} = Neg (x) y = Abs ({0})";
constexpr int kFunctions = 3;  // of a library

std::string NameOfLibrary(int library, bool is_text) {
  return fmt::format("lib{}.{}", library, is_text ? "onnxtxt" : "onnx");
}

/// Returns a library with these bodies. The last function imports a domain that the model lacks, in a wrong version if
/// `has_wrong_import`.
std::string LibraryText(int library, const std::vector<std::string>& bodies, bool has_wrong_import) {
  std::string text;
  for (int i = 0; i < kFunctions; ++i) {
    const std::string import = i + 1 < kFunctions ? "" : fmt::format(", \"ai.onnx.ml\": {}", has_wrong_import ? 99 : 3);
    text +=
        fmt::format("<domain: \"d{}\", opset_import: [\"\": 17{}]>\nf{} (x) => (y) {{\n  {}\n}}\n", library, import, i,
                    fmt::format(fmt::runtime(bodies[static_cast<std::size_t>(i)]), fmt::format("v{}{}", library, i)));
  }
  return text;
}

constexpr std::string_view kNote = "; the other one: ";

/// The place and the message of each error, with those of its notes.
std::multiset<std::string> ErrorsOf(const Diagnostics& found) {
  std::multiset<std::string> errors;
  for (const Diagnostic& finding : found.items()) {
    if (finding.severity != Severity::kError) continue;
    std::string shown = fmt::format("{}-{} {}: {}", finding.range.begin, finding.range.end, finding.path,
                                    finding.message.substr(0, finding.message.find(kNote)));
    for (const Note& note : finding.notes)
      shown += fmt::format("; {}-{} {}", note.range.begin, note.range.end, note.message);
    errors.insert(shown);
  }
  return errors;
}

/// In a binary library, the note about the first output or key of the same name is a part of the message.
void ExpectNoteInPath(const Diagnostic& finding, const std::string& library) {
  const std::size_t note = finding.message.find(kNote);
  if (note == std::string::npos || finding.severity != Severity::kError) return;
  std::string other = finding.path;
  const std::size_t second = other.rfind("[1]");
  ASSERT_NE(second, other.npos) << finding;
  other[second + 1] = '0';
  EXPECT_EQ(finding.message.substr(note + kNote.size()), library + ": " + other);
}

class Libraries {
 public:
  Libraries(std::mt19937* random, int count) : count_(count) {
    for (int library = 0; library < count; ++library) {
      std::vector<std::string> bodies(kFunctions, kRight);
      for (std::string& body : bodies) {
        if ((*random)() % 2 == 0) body = kFaults[(*random)() % std::size(kFaults)];
      }
      const bool is_text = (*random)() % 2 == 0;
      const std::string text = LibraryText(library, bodies, (*random)() % 2 == 0);
      names_.push_back(NameOfLibrary(library, is_text));
      folder_.Write(names_.back(), text);
      if (is_text) continue;
      LinkInput read{SourceText("", ""), {}, {}};
      folder_.Write("text.onnxtxt", text);
      EXPECT_TRUE(testing::Ok(ReadLibrary(folder_.Path("text.onnxtxt"), {}, &read))) << text;
      folder_.Write(names_.back(), read.message.SerializeAsString());
    }
  }

  [[nodiscard]] std::string Path(int library) const { return folder_.Path(names_[static_cast<std::size_t>(library)]); }
  [[nodiscard]] AnalyzeOptions Options() const {
    AnalyzeOptions options;
    for (int i = 0; i < count_; ++i) options.libraries.push_back(Path(i));
    return options;
  }
  /// Returns the errors of a library that is checked alone. A binary file also lacks a graph, which is no matter here.
  [[nodiscard]] std::multiset<std::string> Alone(int library) const {
    AnalyzeOptions options;
    options.path = Path(library);
    return ErrorsOf(Filtered(
        Analyze(SourceText(Path(library), testing::ReadWhole(Path(library))), options).found,
        [](const Diagnostic* finding) { return finding->path.empty() || finding->path.starts_with("functions["); }));
  }

 private:
  testing::Folder folder_;
  int count_;
  std::vector<std::string> names_;
};

/// Returns a model that calls all functions of the libraries, in any order. Each call is on a line of its own.
std::string ModelText(std::mt19937* random, int libraries) {
  std::vector<std::string> calls;
  for (int library = 0; library < libraries; ++library) {
    for (int i = 0; i < kFunctions; ++i) calls.push_back(fmt::format("d{}.f{} (x)", library, i));
  }
  for (std::size_t i = calls.size() - 1; i > 0; --i) std::swap(calls[i], calls[(*random)() % (i + 1)]);
  std::string imports = "\"\": 17";
  for (int library = 0; library < libraries; ++library) imports += fmt::format(", \"d{}\": 1", library);
  std::string text = fmt::format("<ir_version: 9, opset_import: [{}]>\ng (float[2] x) => (float[2] y) {{\n", imports);
  for (std::size_t i = 0; i < calls.size(); ++i) text += fmt::format("  u{} = {}\n", i, calls[i]);
  return text + "  y = Neg (x)\n}\n";
}

TEST(Linked, FindingsAreWhereTheyAreInTheLibraryAlone) {
  std::mt19937 random(3);
  std::size_t errors = 0;
  for (int round = 0; round < 60; ++round) {
    const int count = 1 + static_cast<int>(random() % 4);
    const Libraries libraries(&random, count);
    const SourceText model("model.onnxtxt", ModelText(&random, count));
    Analysis analysis = Analyze(model, libraries.Options());
    EXPECT_TRUE(testing::Ok(analysis.found)) << analysis.found;
    for (int library = 0; library < count; ++library) {
      Diagnostics told;
      for (SourceFindings& file : analysis.in_libraries) {
        if (file.source.name() == libraries.Path(library)) told.Append(std::move(file.diagnostics));
      }
      for (const Diagnostic& finding : told.items()) ExpectNoteInPath(finding, libraries.Path(library));
      const auto alone = libraries.Alone(library);
      errors += alone.size();
      EXPECT_EQ(ErrorsOf(told), alone) << libraries.Path(library) << "\n" << model.text();
    }
  }
  EXPECT_GE(errors, 150u);
}

// If the fault depends on the versions that the model imports, the message begins with the library and the place, and
// the range is a call of a function of this library.
TEST(Linked, FindingsOfAVersionAreAtACall) {
  std::mt19937 random(4);
  int errors = 0;
  for (int round = 0; round < 40; ++round) {
    const int count = 1 + static_cast<int>(random() % 4);
    const Libraries libraries(&random, count);
    const SourceText model("model.onnxtxt", ModelText(&random, count));
    const Diagnostics found = JudgeFor(libraries.Options())(model);
    for (const Diagnostic& finding : found.items()) {
      if (finding.severity != Severity::kError) continue;
      const std::string_view call = model.text().substr(finding.range.begin, finding.range.end - finding.range.begin);
      const std::size_t domain = call.find("= d");
      ASSERT_NE(domain, call.npos) << finding;
      const int library = call[domain + 3] - '0';
      EXPECT_TRUE(finding.message.starts_with(libraries.Path(library))) << finding << " at " << call;
      EXPECT_TRUE(finding.fix_its.empty()) << finding;
      ++errors;
    }
  }
  EXPECT_GT(errors, 20);
}

}  // namespace
}  // namespace onnxc::verdict::linked_test
