// A library that has findings: the findings are shown at the calls of its functions.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lsp/workspace_session.h"

namespace onnxc::lsp::faulty_library_test {
namespace {

/// A library with findings of several kinds.
constexpr const char* kFaulty =
    "<domain: \"act\", opset_import: [\"\" : 17, \"act\" : 1]>\n"
    "gelu (x) => (y) { h = act.half (x) y = Relu (h) }\n"
    "<domain: \"act\", opset_import: [\"\" : 17]>\n"
    "half (x) => (y) { y = Nge (x) }\n"
    "<domain: \"act\", opset_import: [\"\" : 17]>\n"
    "plus (x) => (y) { c = Constant <value = float[3] {1, 2, 3}> () y = Add (x, c) }\n"
    "<domain: \"act\", opset_import: [\"\" : 17]>\n"
    "idle (x) => (y) {\n"
    "  t = Neg (x)  # onnxc-allow: unused-value\n"
    "  u = Neg (x)\n"
    "  y = Relu (x)\n"
    "}\n"
    "<domain: \"act\", opset_import: [\"\" : 17]>\n"
    "fine (x) => (y) { y = Neg (x) }\n";
constexpr const char* kIdleFound = "lib/act.onnxtxt:10:3: nothing uses 'u', which the Neg node computes";

/// A session in which the library has findings.
class FaultyLibrary : public WorkspaceSession {
 protected:
  FaultyLibrary() {
    folder_.Write("lib/act.onnxtxt", kFaulty);
    Begin({{"textDocument", {{"publishDiagnostics", {{"relatedInformation", true}}}}}});
  }

  /// Returns a text with this body.
  static std::string Text(const std::string& body) {
    return std::string(kHead) + "g (float[2] x)\n  => (float[2] y) {\n" + body + "}\n";
  }
  void Change(const std::string& text) {
    Notify("textDocument/didChange", {{"textDocument", {{"uri", Uri("m.onnxtxt")}, {"version", ++version_}}},
                                      {"contentChanges", {{{"text", text}}}}});
  }

  /// Returns the last diagnostics that the server pushed for the document.
  [[nodiscard]] Json Told() const {
    Json told;
    for (const Json& message : sent_) {
      if (message.value("method", "") != "textDocument/publishDiagnostics") continue;
      if (message["params"]["uri"] == Uri("m.onnxtxt")) told = message["params"]["diagnostics"];
    }
    return told;
  }
  /// Returns the line and the message of each of them.
  [[nodiscard]] Strings Lines() const {
    Strings lines;
    for (const Json& found : Told()) {
      lines.push_back(found["range"]["start"]["line"].dump() + ": " + found["message"].get<std::string>());
    }
    return lines;
  }
  /// Returns the titles of the code actions for a range.
  Strings TitlesAt(const Json& range) {
    Strings titles;
    const Json actions = Ask("textDocument/codeAction", {{"textDocument", {{"uri", Uri("m.onnxtxt")}}},
                                                         {"range", range},
                                                         {"context", {{"diagnostics", Json::array()}}}});
    for (const Json& action : actions) titles.push_back(action["title"]);
    return titles;
  }

  int version_ = 1;
};

TEST_F(FaultyLibrary, AFindingIsAtTheCallThatLeadsToIt) {
  Open("m.onnxtxt", Text("  a = Neg (x)\n  y = act.gelu (a)\n"));
  ASSERT_EQ(Lines(), Strings({"4: lib/act.onnxtxt:4:23: no operator 'Nge' exists in opset 17; did you mean 'Neg'?"}));
  const Json found = Told()[0];
  EXPECT_EQ(found["range"]["start"]["character"], 2);
  EXPECT_EQ(found["severity"], 1);
  ASSERT_EQ(found["relatedInformation"].size(), 1);
  const Json& location = found["relatedInformation"][0]["location"];
  EXPECT_EQ(location["uri"], Uri("lib/act.onnxtxt"));
  EXPECT_EQ(location["range"]["start"], Json({{"line", 3}, {"character", 22}}));
}

TEST_F(FaultyLibrary, AFindingOfInferenceIsAtTheCallThatCausesIt) {
  Open("m.onnxtxt", Text("  a = act.fine (x)\n  b = act.plus (a)\n  y = Relu (b)\n"));
  ASSERT_EQ(Lines().size(), 1);
  EXPECT_TRUE(Lines()[0].starts_with("4: lib/act.onnxtxt:6:")) << Lines()[0];
}

TEST_F(FaultyLibrary, CommentsOfTheLibraryAllowWarnings) {
  Open("m.onnxtxt", Text("  a = act.idle (x)\n  y = act.idle (a)\n"));
  EXPECT_EQ(Lines(), Strings({std::string("3: ") + kIdleFound}));
}

TEST_F(FaultyLibrary, CommentsOfTheTextDoNotAllowThem) {
  Open("m.onnxtxt", Text("  # onnxc-allow: unused-value\n  y = act.idle (x)\n"));
  EXPECT_EQ(Lines(), Strings({std::string("4: ") + kIdleFound}));
  Change(Text("  # onnxc-allow: unused-value\n  t = Neg (x)\n  y = act.idle (x)  # onnxc-allow: unused-value\n"));
  EXPECT_EQ(Lines(), Strings({std::string("5: ") + kIdleFound})) << "but they allow a warning about the text";
}

TEST_F(FaultyLibrary, SettingsRemoveThem) {
  folder_.Write(".onnxc.toml", "[link]\nlibraries = [\"lib/act.onnxtxt\"]\n[warnings]\nunused-value = \"off\"\n");
  Open("m.onnxtxt", Text("  y = act.idle (x)\n"));
  EXPECT_EQ(Lines(), Strings());
}

TEST_F(FaultyLibrary, TheCallIsNeitherGreyNorRemoved) {
  Open("m.onnxtxt", Text("  t = Neg (x)\n  y = act.idle (x)\n"));
  const Json told = Told();
  ASSERT_EQ(told.size(), 2);
  EXPECT_EQ(told[0]["tags"], Json::array({1})) << "the value in the text is unused";
  EXPECT_FALSE(told[1].contains("tags")) << told[1];
  const auto removes = [](const Strings& all) {
    return std::ranges::any_of(all, [](const std::string& title) { return title.starts_with("Remove '"); });
  };
  EXPECT_TRUE(removes(TitlesAt(told[0]["range"])));
  EXPECT_FALSE(removes(TitlesAt(told[1]["range"])));
}

TEST_F(FaultyLibrary, ACorrectionThatCausesAnErrorInTheLibraryIsNotOffered) {
  const auto corrects = [](const Strings& all) {
    return std::ranges::any_of(all, [](const std::string& title) { return title.starts_with("Replace "); });
  };
  Open("m.onnxtxt", Text("  y = act.finee (x)\n"));
  ASSERT_EQ(Told().size(), 1);
  EXPECT_TRUE(corrects(TitlesAt(Told()[0]["range"]))) << "the function 'fine' has no error";
  Change(Text("  y = act.halff (x)\n"));
  ASSERT_EQ(Told().size(), 1);
  EXPECT_FALSE(corrects(TitlesAt(Told()[0]["range"]))) << "the function 'half' has an error";
  EXPECT_NE(Told()[0]["relatedInformation"][0]["message"].get<std::string>().find(
                "there is another error: lib/act.onnxtxt:4:23: no operator 'Nge' exists"),
            std::string::npos)
      << Told()[0];
}

TEST_F(FaultyLibrary, FindingsMoveWithTheCall) {
  Strings nodes;
  for (int i = 0; i < 20; ++i) {
    nodes.push_back("  a" + std::to_string(i + 1) + " = Neg (a" + std::to_string(i) + ")\n");
  }
  std::string before = "  a0 = Neg (x)\n";
  for (int i = 0; i < 10; ++i) before += nodes[i];
  std::string after;
  for (int i = 10; i < 20; ++i) after += nodes[i];
  const auto text = [&](const std::string& new_node, const std::string& call) {
    return Text(before + new_node + after + "  b = " + call + " (a20)\n  c = Neg (b)\n  y = Relu (c)\n");
  };
  const auto at = [](int line, const char* found) { return Strings({std::to_string(line) + ": " + found}); };
  Open("m.onnxtxt", text("", "act.idle"));
  EXPECT_EQ(Lines(), at(24, kIdleFound));
  Change(text("  n = Neg (x)  # onnxc-allow: unused-value\n", "act.idle"));
  EXPECT_EQ(Lines(), at(25, kIdleFound));
  Change(text("  n = Neg (x)  # onnxc-allow: unused-value\n\n\n", "act.idle"));
  EXPECT_EQ(Lines(), at(27, kIdleFound));
  Change(text("", "act.half"));
  EXPECT_EQ(Lines(), at(24, "lib/act.onnxtxt:4:23: no operator 'Nge' exists in opset 17; did you mean 'Neg'?"));
  Change(text("", "act.fine"));
  EXPECT_EQ(Lines(), Strings());
  Change(text("", "act.idle"));
  EXPECT_EQ(Lines(), at(24, kIdleFound));
  EXPECT_EQ(Told()[0]["relatedInformation"][0]["location"]["range"]["start"]["line"], 9);
}

TEST_F(FaultyLibrary, FindingsOfManyFunctionsAreAtTheirCalls) {
  constexpr int kMany = 90;  // at most 100 findings are shown
  std::string library, body;
  for (int i = 0; i < kMany; ++i) {
    const std::string number = std::to_string(i);
    library +=
        "<domain: \"act\", opset_import: [\"\" : 17]>\nf" + number + " (x) => (y) { u = Neg (x) y = Relu (x) }\n";
    body += "  y" + number + " = act.f" + std::to_string(kMany - 1 - i) + " (x)  # onnxc-allow: unused-value\n";
  }
  folder_.Write("lib/act.onnxtxt", library);
  Open("m.onnxtxt", Text(body + "  y = Relu (x)\n"));
  const Strings lines = Lines();
  ASSERT_EQ(lines.size(), kMany);
  for (int i = 0; i < kMany; ++i) {
    const std::string line = "lib/act.onnxtxt:" + std::to_string(2 * i + 2) + ":";
    EXPECT_TRUE(std::ranges::any_of(lines, [&](const std::string& found) {
      return found.starts_with(std::to_string(3 + kMany - 1 - i) + ": " + line);
    })) << line;
  }
}

TEST_F(FaultyLibrary, AFindingInABinaryLibraryIsAtItsCall) {
  folder_.Write(".onnxc.toml", "[link]\nlibraries = [\"lib/act.textproto\"]\n");
  folder_.Write("lib/act.textproto",
                "ir_version: 10 functions { name: \"half\" domain: \"act\" input: \"x\" output: \"y\" opset_import { "
                "domain: \"\" version: 17 } node { op_type: \"Nge\" input: \"x\" output: \"y\" } }");
  Open("m.onnxtxt", Text("  a = Neg (x)\n  y = act.half (a)\n"));
  ASSERT_EQ(Lines().size(), 1);
  EXPECT_TRUE(Lines()[0].starts_with("4: lib/act.textproto: functions[0]")) << Lines()[0];
  EXPECT_FALSE(Told()[0].contains("relatedInformation"));
}

}  // namespace
}  // namespace onnxc::lsp::faulty_library_test
