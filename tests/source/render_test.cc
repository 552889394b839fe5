#include <gtest/gtest.h>
#include <onnxc/diagnostic_kinds.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "source/help.h"
#include "source/report.h"

namespace onnxc {
namespace {

using Json = nlohmann::json;

TEST(HelpAddress, IsThatOfThePageIfTheDocumentsArePublished) {
  EXPECT_EQ(HelpAddress(DiagnosticKind::kUnknownType, "https://a.b/docs"), "https://a.b/docs/explain/unknown-type.md");
  EXPECT_EQ(HelpAddress(DiagnosticKind::kUnknownType, ""), "");
  EXPECT_EQ(HelpAddress(kUserFinding, "https://a.b/docs"), "");
}

TEST(RenderText, UnderlinesTheRange) {
  const SourceText source("m.onnxtxt", std::string("one\ny = Foo(x;)\n"));
  EXPECT_EQ(RenderText(Only(MakeDiagnostic(diag::kUnknownType, {8, 11}, "Foo")), source),
            "m.onnxtxt:2:5: error: unknown type 'Foo' [unknown-type]\n"
            "    2 | y = Foo(x;)\n"
            "      |     ^~~\n");
}

TEST(RenderText, ShowsNotesAndTheFixedLine) {
  const SourceText source("m", std::string("a (\nb 'x'\n"));
  Diagnostic diagnostic = MakeDiagnostic(diag::kSingleQuotes, {6, 9});
  diagnostic.notes.push_back({{2, 3}, "opened here"});
  diagnostic.fix_its = {{{8, 9}, "\""}, {{6, 7}, "\""}};
  EXPECT_EQ(RenderText(Only(diagnostic), source),
            "m:2:3: error: strings must be in double quotes [single-quotes]\n"
            "    2 | b 'x'\n"
            "      |   ^~~\n"
            "    2 + b \"x\"\n"
            "m:1:3: note: opened here\n"
            "    1 | a (\n"
            "      |   ^\n");
}

TEST(RenderText, AlignsTabsWideAndInvalidCharacters) {
  const SourceText source("m", std::string("\t\xe6\x9d\xb1\xff\xe2\x80\xae;"));
  EXPECT_EQ(RenderText(Only(MakeDiagnostic(diag::kSemicolon, {8, 9})), source),
            "m:1:5: error: nodes must not be separated by ';' [semicolon]\n"
            "    1 |     \xe6\x9d\xb1\\xff\\u202e;\n"
            "      |                 ^\n");
}

TEST(RenderText, CutsLongLines) {
  const std::string text = std::string(1000, 'a') + ";" + std::string(1000, 'b');
  const std::string shown = RenderText(Only(MakeDiagnostic(diag::kSemicolon, {1000, 1001})), SourceText("m", text));
  EXPECT_EQ(shown, "m:1:1001: error: nodes must not be separated by ';' [semicolon]\n    1 | ..." +
                       std::string(80, 'a') + ";" + std::string(79, 'b') + "...\n      | " + std::string(83, ' ') +
                       "^\n");
}

TEST(RenderText, ShowsLinesThatAreJoined) {
  const SourceText source("m", std::string("a (\nb)\nc\n"));
  Diagnostic diagnostic = MakeDiagnostic(diag::kSingleQuotes, {2, 3});
  diagnostic.fix_its = {{{2, 5}, "("}, {{5, 6}, "]"}};
  EXPECT_EQ(RenderText(Only(diagnostic), source),
            "m:1:3: error: strings must be in double quotes [single-quotes]\n"
            "    1 | a (\n"
            "      |   ^\n"
            "    1 - a (\n"
            "    2 - b)\n"
            "    1 + a (]\n");
}

TEST(RenderText, ShowsJoinedLinesWithoutTheirCarriageReturns) {
  const SourceText source("m", std::string("a (\r\nb)\r\nc\r\n"));
  Diagnostic diagnostic = MakeDiagnostic(diag::kSingleQuotes, {2, 3});
  diagnostic.fix_its = {{{2, 6}, "("}};
  EXPECT_EQ(RenderText(Only(diagnostic), source),
            "m:1:3: error: strings must be in double quotes [single-quotes]\n"
            "    1 | a (\n"
            "      |   ^\n"
            "    1 - a (\n"
            "    2 - b)\n"
            "    1 + a ()\n");
}

TEST(RenderText, ShowsLinesThatAreRemoved) {
  const SourceText source("m", std::string("a\r\nb\r\nc\r\n"));
  Diagnostic diagnostic = MakeDiagnostic(diag::kSingleQuotes, {3, 4});
  diagnostic.fix_its = {{{3, 6}, ""}};
  EXPECT_EQ(RenderText(Only(diagnostic), source),
            "m:2:1: error: strings must be in double quotes [single-quotes]\n"
            "    2 | b\n"
            "      | ^\n"
            "    2 - b\n");
}

TEST(RenderText, ShowsTheBeginningOfManyLines) {
  std::string text;
  std::string removed;
  for (int i = 1; i <= 12; ++i) {
    text += std::string(i == 2 ? 200 : 1, 'x') + "\n";
    const std::string shown = i == 2 ? std::string(160, 'x') + "..." : "x";
    if (i <= 10) removed += (i < 10 ? "    " : "   ") + std::to_string(i) + " - " + shown + "\n";
  }
  Diagnostic diagnostic = MakeDiagnostic(diag::kSingleQuotes, {0, 1});
  diagnostic.fix_its = {{{0, text.size()}, "y\n"}};
  EXPECT_EQ(RenderText(Only(diagnostic), SourceText("m", text)),
            "m:1:1: error: strings must be in double quotes [single-quotes]\n"
            "    1 | x\n"
            "      | ^\n" +
                removed +
                "      - ...\n"
                "    1 + y\n");
}

TEST(RenderText, CutsInFrontOfACharacter) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "\xc3\xa9";
  const std::string shown =
      RenderText(Only(MakeDiagnostic(diag::kSemicolon, {200, 201})), SourceText("m", text + "x;"));
  EXPECT_NE(shown.find("...\xc3\xa9"), std::string::npos) << shown;
  const std::string odd = RenderText(Only(MakeDiagnostic(diag::kSemicolon, {201, 202})), SourceText("m", text + "x;"));
  EXPECT_NE(odd.find("...\xc3\xa9"), std::string::npos) << odd;
}

TEST(RenderText, FindingsWithoutPlace) {
  const SourceText source("m.onnx", std::string());
  Diagnostic in_message = MakeDiagnostic(diag::kLoss, {}, "it");
  in_message.path = "graph.node[3] \"conv1\"";
  EXPECT_EQ(RenderText(Only(in_message), source),
            "m.onnx: error: graph.node[3] \"conv1\": the reference dialect cannot represent it [loss]\n");
  EXPECT_EQ(RenderText(Only(MakeDiagnostic(diag::kCannotRead, kNowhere, "it is gone")), source),
            "m.onnx: error: cannot read: it is gone [cannot-read]\n");
}

TEST(RenderText, EndsOfTexts) {
  EXPECT_EQ(RenderText(Only(MakeDiagnostic(diag::kSemicolon, {0, 0})), SourceText("m", std::string())),
            "m:1:1: error: nodes must not be separated by ';' [semicolon]\n");
  EXPECT_EQ(RenderText(Only(MakeDiagnostic(diag::kSemicolon, {2, 2})), SourceText("m", std::string("a\n"))),
            "m:2:1: error: nodes must not be separated by ';' [semicolon]\n    2 |\n      | ^\n");
  // A range over several lines is underlined to the end of its first line, and CR LF does not belong to a line.
  EXPECT_EQ(RenderText(Only(MakeDiagnostic(diag::kSemicolon, {1, 9})), SourceText("m", std::string("abc\r\ndef\r\n"))),
            "m:1:2: error: nodes must not be separated by ';' [semicolon]\n    1 | abc\n      |  ^~\n");
}

TEST(RenderText, CountsWhatIsNotShown) {
  Diagnostics found;
  for (std::size_t i = 0; i < 3; ++i) found.Add(MakeDiagnostic(diag::kCannotRead, kNowhere, std::to_string(i)));
  found.Finish(1);
  EXPECT_EQ(RenderText(found, SourceText("m", std::string())),
            "m: error: cannot read: 0 [cannot-read]\nm: note: 2 more findings are not shown\n");
}

TEST(RenderText, EscapesNamesAndMessages) {
  Diagnostic diagnostic = MakeDiagnostic(diag::kCannotRead, kNowhere, "\x1b]0;x\a");
  EXPECT_EQ(RenderText(Only(diagnostic), SourceText("\x1b[2J", std::string())),
            "\\x1b[2J: error: cannot read: \\x1b]0;x\\x07 [cannot-read]\n");
}

TEST(RenderText, ColoursOnRequest) {
  const std::string shown =
      RenderText(Only(MakeDiagnostic(diag::kSemicolon, {0, 1})), SourceText("m", std::string(";")), true);
  EXPECT_NE(shown.find("\x1b[1;31merror\x1b[0m"), std::string::npos);
}

TEST(Render, TakesTimeLinearInTheText) {
  const std::string text(20'000'000, 'x');  // one line
  Diagnostics found;
  for (std::size_t i = 0; i < 1000; ++i) found.Add(MakeDiagnostic(diag::kSemicolon, {i * 20'000, i * 20'000 + 1}));
  const auto start = std::chrono::steady_clock::now();
  const SourceText source("m", text);
  EXPECT_GT(RenderText(found, source).size(), 1000u);
  EXPECT_GT(RenderJson(found, source).size(), 1000u);
  EXPECT_LT(std::chrono::steady_clock::now() - start,
            std::chrono::seconds(20));  // this would take hours if the text were read again for each finding
}

TEST(RenderJson, EscapesCharactersThatDeceive) {
  const std::string name = "f\xc2\x9b\xe2\x80\xae\x7f\xf3\xa0\x81\x81\xc3\xa4";
  const SourceText source(name, "a");
  const Diagnostics found = Only(MakeDiagnostic(diag::kSemicolon, {0, 1}));
  const std::string json = RenderJson(found, source);
  EXPECT_NE(json.find("f\\u009b\\u202e\\u007f\\udb40\\udc41\xc3\xa4"), std::string::npos) << json;
  EXPECT_EQ(Json::parse(json)["diagnostics"][0]["file"], name);
  EXPECT_EQ(RenderSarif(std::vector<SourceFindings>{{source, found}}).find("\xc2\x9b"), std::string::npos);
}

TEST(RenderJson, HoldsEverything) {
  const SourceText source("m", std::string("\xc3\xa4\nb 'x'\n"));
  Diagnostic diagnostic = MakeDiagnostic(diag::kSingleQuotes, {5, 8});
  diagnostic.notes.push_back({{0, 2}, "here"});
  diagnostic.fix_its.push_back({{5, 6}, "\xff"});
  const Json json = Json::parse(RenderJson(Only(diagnostic), source));
  const Json& item = json["diagnostics"][0];
  EXPECT_EQ(item["file"], "m");
  EXPECT_EQ(item["kind"], "single-quotes");
  EXPECT_EQ(item["severity"], "error");
  EXPECT_EQ(item["range"]["begin"], Json({{"line", 2}, {"column", 3}, {"offset", 5}}));
  EXPECT_EQ(item["range"]["end"], Json({{"line", 2}, {"column", 6}, {"offset", 8}}));
  EXPECT_EQ(item["notes"][0]["range"]["end"]["column"], 2);
  EXPECT_EQ(item["fix_its"][0]["replacement"], "\xef\xbf\xbd");
}

TEST(Render, SeveralTextsInOneDocument) {
  const SourceFindings findings[] = {
      {SourceText("a", std::string("x;")), Only(MakeDiagnostic(diag::kSemicolon, {1, 2}))},
      {SourceText("b", std::string("\nx;")), Only(MakeDiagnostic(diag::kSemicolon, {2, 3}))}};
  const Json json = Json::parse(RenderJson(findings));
  const Json sarif = Json::parse(RenderSarif(findings));
  ASSERT_EQ(sarif["runs"].size(), 1u);
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& item = json["diagnostics"].at(i);
    EXPECT_EQ(item["file"], findings[i].source.name());
    EXPECT_EQ(item["range"]["begin"]["line"], i + 1);
    const Json& place = sarif["runs"][0]["results"].at(i)["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], findings[i].source.name());
    EXPECT_EQ(place["region"]["startLine"], i + 1);
  }
}

TEST(RenderSarif, HasRulesAndResults) {
  const SourceText source("/tmp/a b\xc3\xa9.onnxtxt", std::string("x;\n"));
  const Json json = Json::parse(RenderSarif(Only(MakeDiagnostic(diag::kSemicolon, {1, 2})), source));
  EXPECT_EQ(json["version"], "2.1.0");
  const Json& run = json["runs"][0];
  const Json& rules = run["tool"]["driver"]["rules"];
  EXPECT_EQ(rules.size(), 1u);  // the kinds of the findings
  const Json& result = run["results"][0];
  EXPECT_EQ(rules[result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
  const Json& place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "file:///tmp/a%20b%C3%A9.onnxtxt");
  EXPECT_EQ(place["region"]["startColumn"], 2);
  EXPECT_EQ(place["region"]["endColumn"], 3);
}

}  // namespace
}  // namespace onnxc
