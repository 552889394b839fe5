// The findings about recorded rows of which one part was broken, and about the handwritten mistakes. The file
// mistakes.txt next to the rows has one example of each sentence for each operator, with its place; ONNXC_BLESS=1 in
// the environment rewrites it. Each sentence in the code of inference must be there or in another golden file.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/infer.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>
#include <onnxc/source_map.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "infer/operator_examples.h"
#include "source/corrections.h"
#include "source/report.h"
#include "testing/folder.h"
#include "testing/golden.h"
#include "testing/paths.h"
#include "testing/recorded_rows.h"

namespace onnxc::testing::broken_rows_test {
namespace {

/// Returns the text without its numbers, names, lists and element types, so that equal sentences are equal.
std::string WithoutDetails(const std::string& text) {
  static const std::regex kDetail(R"(\[[^\]]*\]|'[^']*'|-?[0-9]+|\b(seq\()?(u?int|float|double|bool|string)[0-9]*\)?)");
  return std::regex_replace(text, kDetail, "#");
}

/// Returns the operator of the node of the main graph in which the finding is.
std::string OperatorAt(const Diagnostic& finding, const onnx::ModelProto& model) {
  constexpr std::string_view kNode = "graph.node[";
  if (!finding.path.starts_with(kNode)) return "Not in a node";
  const onnx::NodeProto& node = model.graph().node(std::atoi(finding.path.c_str() + kNode.size()));
  return node.domain().empty() ? node.op_type() : node.domain() + "." + node.op_type();
}

/// Returns what a finding about the text of the model has more than one about the model: the marked part, the notes and
/// the corrections, each in quotation marks. Each correction must remove the finding.
std::string InText(const onnx::ModelProto& model, const Diagnostic& finding) {
  const std::string text = Print(model).text;
  onnx::ModelProto parsed;
  SourceMap map;
  if (!Parse(text, &parsed, {.source_map_out = &map}).ok()) return "";
  const auto part = [&](const SourceRange& range) {
    const std::string_view marked = std::string_view(text).substr(range.begin, range.end - range.begin);
    return Quoted(marked);
  };
  const Inference inference = InferTypes(parsed, {.source_map = &map});
  for (const Diagnostic& found : inference.diagnostics.items()) {
    if (found.kind != finding.kind || !found.message.starts_with(finding.message)) continue;
    std::string more = fmt::format(" `{}`", part(found.range));
    for (const Note& note : found.notes) more += fmt::format("; note at `{}`: {}", part(note.range), note.message);
    const std::string corrected = ApplyCorrections(text, std::span(&found, 1)).text;
    for (const FixIt& edit : found.fix_its)
      more += fmt::format("; `{}` becomes `{}`", part(edit.range), edit.replacement);
    if (!found.fix_its.empty()) {
      EXPECT_TRUE(Parse(corrected, &parsed).ok()) << corrected;
      const Inference again = InferTypes(parsed);
      const auto is_left = [&](const Diagnostic& other) { return other.message == finding.message; };
      EXPECT_TRUE(std::ranges::none_of(again.diagnostics.items(), is_left)) << corrected << found.message;
    }
    return more;
  }
  return "";
}

/// What is said about an operator: one example of a sentence, and how often it was said.
struct Said {
  std::string example;
  int count = 0;
};

/// Returns the rows, and the handwritten examples as further ones.
std::vector<RecordedRow> RowsAndExamples() {
  std::vector<RecordedRow> rows = ReadRecordedRows();
  for (const std::span<const Example> examples : {std::span<const Example>(kTypes), std::span<const Example>(kRight)}) {
    for (const Example& example : examples) {
      RecordedRow row;
      EXPECT_TRUE(Parse(Text(example), &row.model).ok());
      rows.insert(rows.end(), 20, row);  // each copy is broken in another way
    }
  }
  return rows;
}

/// Returns what is said about each operator in wrong models.
std::map<std::string, std::map<std::string, Said>> Mistakes() {
  std::map<std::string, std::map<std::string, Said>> found;
  const auto add = [&](const onnx::ModelProto& model) {
    const Inference inference = InferTypes(model);
    for (const Diagnostic& finding : inference.diagnostics.items()) {
      Said& said = found[OperatorAt(finding, model)][WithoutDetails(ToString(finding))];
      if (said.count++ == 0) said.example = ToString(finding) + InText(model, finding);
    }
  };
  ForEachBrokenRow(RowsAndExamples(), [&](const RecordedRow&, const onnx::ModelProto& model) { add(model); });
  for (const Example& example : kMistakes) {
    onnx::ModelProto model;
    EXPECT_TRUE(Parse(Text(example), &model).ok());
    add(model);
  }
  return found;
}

TEST(BrokenRows, HaveTheseFindings) {
  std::string text =
      "# What is found in models of which one part is wrong: how often each sentence was said, and one "
      "example.\n";
  for (const auto& [op, sentences] : Mistakes()) {
    text += "\n" + op + "\n";
    for (const auto& [sentence, said] : sentences) text += fmt::format("{:4} {}\n", said.count, said.example);
  }
  ExpectGolden(RecordedFolder() / "mistakes.txt", text);
}

// ---- each sentence in the code

struct Sentence {
  std::string text;   ///< with {} for its arguments
  std::string place;  ///< the file
};

/// Returns the position behind the call that begins at `at`, in front of its parenthesis.
std::size_t EndOfCall(std::string_view code, std::size_t at) {
  int depth = 0;
  bool is_string = false;
  for (; at < code.size(); ++at) {
    const char sign = code[at];
    if (is_string && sign == '\\') {
      ++at;
    } else if (sign == '"') {
      is_string = !is_string;
    } else if (!is_string && sign == '(') {
      ++depth;
    } else if (!is_string && sign == ')' && --depth == 0) {
      return at + 1;
    }
  }
  return at;
}

/// Returns the strings of several words in the calls that report a mistake.
std::vector<Sentence> SentencesOf(const std::filesystem::path& file) {
  static const std::regex kReport(R"(\b(Fail\w*|Mention|MakeDiagnostic)\()");
  static const std::regex kStrings(R"re(("([^"\\]|\\.)*"\s*)+)re");
  static const std::regex kSeam(R"("\s*"|^"|"\s*$)");  // between the parts of a string, and at its ends
  const std::string code = ReadWhole(file);
  std::vector<Sentence> sentences;
  for (std::sregex_iterator call(code.begin(), code.end(), kReport), end; call != end; ++call) {
    const auto begin = static_cast<std::size_t>(call->position());
    const std::string text = code.substr(begin, EndOfCall(code, begin) - begin);
    for (std::sregex_iterator string(text.begin(), text.end(), kStrings); string != end; ++string) {
      const std::string sentence = std::regex_replace(string->str(), kSeam, "");
      if (sentence.find(' ') != std::string::npos) sentences.push_back({sentence, file.filename().string()});
    }
  }
  return sentences;
}

/// Returns whether the line has all parts of the sentence between its arguments, in their order.
bool Has(std::string_view line, const std::string& sentence) {
  std::size_t from = 0;
  for (std::size_t begin = 0, end = 0; begin <= sentence.size(); begin = sentence.find('}', end) + 1) {
    end = std::min(sentence.find('{', begin), sentence.size());
    const std::size_t found = line.find(std::string_view(sentence).substr(begin, end - begin), from);
    if (found == std::string_view::npos) return false;
    from = found + end - begin;
    if (end == sentence.size()) return true;
  }
  return true;
}

/// Sentences that no model of a few nodes provokes.
constexpr std::string_view kOfOtherTests[] = {
    "{} types are not written, because they would be many times as long as the model",        // Budget.*
    "type inference stops here: it needs more work than the limit for a model of this size",  // Budget.*
    "declared types that contradict the inferred types were replaced: ",                      // the session infer
    "the inference",   // a wrong call of the library
    "the source map",  // a wrong call of the library
};

TEST(BrokenRows, EachSentenceOfTheCodeIsInAGoldenFile) {
  std::vector<std::string> lines;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kTestdata)) {
    const bool is_golden = entry.path().extension() == ".diagnostics" || entry.path().filename() == "mistakes.txt";
    for (std::istringstream text(is_golden ? ReadWhole(entry.path()) : ""); !text.eof();) {
      std::getline(text, lines.emplace_back());
    }
  }
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(kTestdata) / "../src/infer")) {
    if (entry.path().extension() != ".cc") continue;
    for (const Sentence& sentence : SentencesOf(entry.path())) {
      ++count;
      const bool is_said = std::ranges::any_of(lines, [&](const auto& line) { return Has(line, sentence.text); });
      const bool is_of_others = std::ranges::find(kOfOtherTests, sentence.text) != std::end(kOfOtherTests);
      EXPECT_NE(is_said, is_of_others) << sentence.place << ": " << sentence.text;
    }
  }
  EXPECT_GT(count, 150);
}

}  // namespace
}  // namespace onnxc::testing::broken_rows_test
