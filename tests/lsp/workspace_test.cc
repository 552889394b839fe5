// Several texts: libraries and files of operators that the settings name, and the texts in the folders of the
// workspace.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "lsp/places.h"
#include "lsp/server.h"
#include "lsp/uri.h"
#include "testing/folder.h"

namespace onnxc::lsp::workspace_test {
namespace {

constexpr const char* kLibrary =
    "<domain: \"act\", opset_import: [\"\" : 17, \"act\" : 1]>\n"
    "gelu <by> (x) => (y) { h = act.half (x) y = Relu (h) }\n"
    "<domain: \"act\", opset_import: [\"\" : 17]>\n"
    "half (x) => (y) { y = Neg (x) }\n";
constexpr const char* kHead = "<ir_version: 10, opset_import: [\"\" : 17, \"act\" : 1]>\n";

/// A session with a folder and a document, in which `$` marks a position.
class WorkspaceSession : public ::testing::Test {
 protected:
  WorkspaceSession() : server_([this](const Json& message) { sent_.push_back(message); }) {
    std::filesystem::create_directory(folder_.Path("lib"));
    folder_.Write("lib/act.onnxtxt", kLibrary);
    folder_.Write(".onnxc.toml", "[link]\nlibraries = [\"lib/act.onnxtxt\"]\n");
  }

  void Begin(Json capabilities = Json::object()) {
    Ask("initialize",
        {{"capabilities", std::move(capabilities)}, {"workspaceFolders", {{{"uri", Uri("")}, {"name", "f"}}}}});
  }

  [[nodiscard]] std::string Uri(const std::string& name) const {
    return UriOf(name.empty() ? folder_.path().string() : folder_.Path(name));
  }

  /// Opens a text after removing the mark.
  void Open(const std::string& name, std::string text) {
    const std::size_t mark = text.find('$');
    if (mark != std::string::npos) text.erase(mark, 1);
    place_ = {{"textDocument", {{"uri", Uri(name)}}}, {"position", PositionIn(text, std::min(mark, text.size()))}};
    Notify("textDocument/didOpen", {{"textDocument", {{"uri", Uri(name)}, {"version", 1}, {"text", text}}}});
  }

  void Notify(const std::string& method, const Json& params) {
    server_.Handle({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
    server_.PublishPending();
  }

  Json Ask(const std::string& method, Json params) {
    server_.Handle({{"jsonrpc", "2.0"}, {"id", ++id_}, {"method", method}, {"params", std::move(params)}});
    for (const Json& message : sent_) {
      if (message.contains("id") && message["id"] == id_)
        return message.contains("result") ? message["result"] : message["error"];
    }
    return "no answer";
  }
  /// Sends a request about the marked position.
  Json AskHere(const std::string& method, const Json& more = Json::object()) {
    Json params = place_;
    params.update(more);
    return Ask(method, params);
  }

  static Json Items(const Json& result) { return result["items"]; }

  /// Returns the messages of the last diagnostics that the server pushed for a file.
  [[nodiscard]] std::vector<std::string> Pushed(const std::string& name) const {
    std::vector<std::string> messages;
    for (const Json& message : sent_) {
      if (message.value("method", "") != "textDocument/publishDiagnostics" || message["params"]["uri"] != Uri(name))
        continue;
      messages.clear();
      for (const Json& found : message["params"]["diagnostics"]) messages.push_back(found["message"]);
    }
    return messages;
  }

  /// `name:line` of each location.
  [[nodiscard]] std::vector<std::string> Places(const Json& locations) const {
    std::vector<std::string> places;
    for (const Json& location : locations) {
      const std::string path = PathOf(location["uri"].get<std::string>());
      places.push_back(std::filesystem::path(path).filename().string() + ":" +
                       location["range"]["start"]["line"].dump());
    }
    std::ranges::sort(places);
    return places;
  }

  using Strings = std::vector<std::string>;
  testing::Folder folder_;
  std::vector<Json> sent_;
  Server server_;
  Json place_;
  int id_ = 0;
};

TEST_F(WorkspaceSession, CallsOfALibraryAreChecked) {
  Begin();
  Open("m.onnxtxt", std::string(kHead) + "g (float[2] x) => (float[2] y) { y = act.gelu (x) }");
  EXPECT_EQ(Pushed("m.onnxtxt"), Strings());
  Open("m.onnxtxt", std::string(kHead) + "g (float[2] x) => (int64[2] y) { y = act.gelu (x) }");
  ASSERT_EQ(Pushed("m.onnxtxt").size(), 1) << "types go through the library";
  Open("m.onnxtxt", std::string(kHead) + "g (float[2] x) => (float[2] y) { a = Neg (x) y = act.gleu (a) }");
  EXPECT_EQ(Pushed("m.onnxtxt"), Strings{"no function of domain 'act' is named 'gleu'; did you mean 'gelu'?"});
}

TEST_F(WorkspaceSession, ALibraryIsNotComparedWithItself) {
  Begin();
  Open("lib/act.onnxtxt", std::string(kLibrary) +
                              "<domain: \"act\", opset_import: [\"\" : 17, \"act\" : 1, \"no\" : 1]>\n"
                              "more (x) => (y) { a = Neg (x) h = act.half (a) y = no.Such (h) }\n");
  EXPECT_EQ(Pushed("lib/act.onnxtxt"), Strings());
}

TEST_F(WorkspaceSession, WhatIsWrongWithALibraryIsTold) {
  Begin();
  folder_.Write("lib/act.onnxtxt", "<domain: \"act\", opset_import: [\"\" : 9]>\ngelu (x) => (y) { y = Relu (x) }");
  const std::string text = std::string(kHead) + "g (float[2] x) => (float[2] y) { y = act.gelu (x) }";
  Open("m.onnxtxt", text);
  ASSERT_EQ(Pushed("m.onnxtxt").size(), 1);
  EXPECT_TRUE(Pushed("m.onnxtxt")[0].starts_with("lib/act.onnxtxt:1:32: the function 'act::gelu' imports version 9"))
      << Pushed("m.onnxtxt")[0];
  folder_.Remove("lib/act.onnxtxt");
  Notify("workspace/didChangeWatchedFiles", {{"changes", {{{"uri", Uri("lib/act.onnxtxt")}, {"type", 3}}}}});
  ASSERT_EQ(Pushed("m.onnxtxt").size(), 1);
  EXPECT_EQ(Pushed("m.onnxtxt")[0], "cannot read: the library 'lib/act.onnxtxt': cannot read: it does not exist");
  folder_.Write("lib/act.onnxtxt", kLibrary);
  Notify("workspace/didChangeWatchedFiles", {{"changes", {{{"uri", Uri("lib/act.onnxtxt")}, {"type", 1}}}}});
  EXPECT_EQ(Pushed("m.onnxtxt"), Strings());
}

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

TEST_F(WorkspaceSession, AnEditReadsAChangedLibraryAgain) {
  Begin();
  const std::string text = std::string(kHead) + "g (float[2] x) => (float[2] y) {\n  y = act.gelu (x)\n}";
  Open("m.onnxtxt", text);
  EXPECT_EQ(Pushed("m.onnxtxt"), Strings());
  // The editor does not say that another program has written the file.
  folder_.Write("lib/act.onnxtxt", "<domain: \"act\", opset_import: [\"\" : 17]>\ngelu (x) => (y) { y = Shape (x) }");
  const auto edit = [&](int version, const std::string& now) {
    Notify("textDocument/didChange", {{"textDocument", {{"uri", Uri("m.onnxtxt")}, {"version", version}}},
                                      {"contentChanges", {{{"text", now}}}}});
  };
  edit(2, text + "\n");
  EXPECT_EQ(Pushed("m.onnxtxt").size(), 1) << "the type of `y` is another one";
  folder_.Write("lib/act.onnxtxt", kLibrary);
  edit(3, text);
  EXPECT_EQ(Pushed("m.onnxtxt"), Strings());
  folder_.Remove("lib/act.onnxtxt");
  edit(4, text + "\n");
  EXPECT_EQ(Pushed("m.onnxtxt"), Strings{"cannot read: the library 'lib/act.onnxtxt': cannot read: it does not exist"});
}

TEST_F(WorkspaceSession, DefinitionAndHoverGoToALibrary) {
  Begin();
  Open("m.onnxtxt", std::string(kHead) + "g (float[2] x) => (float[2] y) {\n   a = Neg (x)\n   y = act.ge$lu (a)\n}");
  EXPECT_EQ(Places(Json::array({AskHere("textDocument/definition")})), Strings{"act.onnxtxt:1"});
  const std::string about = AskHere("textDocument/hover")["contents"]["value"];
  EXPECT_NE(about.find("gelu <by> (x) => (y)"), std::string::npos) << about;
  EXPECT_NE(about.find("Defined in act.onnxtxt"), std::string::npos) << about;
  // If a library is open, the text in the editor is used, with its line numbers.
  const Json place = place_;
  Open("lib/act.onnxtxt", "\n\n" + std::string(kLibrary));
  place_ = place;
  EXPECT_EQ(Places(Json::array({AskHere("textDocument/definition")})), Strings{"act.onnxtxt:3"});
}

TEST_F(WorkspaceSession, ALibraryIsFoundFromTheFolderOfItsSettings) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  Begin();
  Open("m.onnxtxt", std::string(kHead) + "g (float[2] x) => (float[2] y) {\n   a = Neg (x)\n   y = act.ge$lu (a)\n}");
  const Json found = AskHere("textDocument/definition");
  std::filesystem::current_path(before);
  EXPECT_EQ(found["uri"], Uri("lib/act.onnxtxt"));
}

TEST_F(WorkspaceSession, CompletionAndSignaturesKnowALibrary) {
  Begin();
  Open("m.onnxtxt", std::string(kHead) + "g (float[2] x) => (float[2] y) {\n   a = Neg (x)\n   y = act.$ (a)\n}");
  Strings labels;
  for (const Json& item : Items(AskHere("textDocument/completion"))) labels.push_back(item["label"]);
  EXPECT_EQ(labels, (Strings{"gelu", "half"}));
  Open("n.onnxtxt",
       std::string(kHead) + "g (float[2] x) => (float[2] y) {\n   a = Neg (x)\n   y = act.gelu <$> (a)\n}");
  labels.clear();
  for (const Json& item : Items(AskHere("textDocument/completion"))) labels.push_back(item["label"]);
  EXPECT_EQ(labels, Strings{"by"});
  Open("o.onnxtxt", std::string(kHead) + "g (float[2] x) => (float[2] y) {\n   a = Neg (x)\n   y = act.gelu ($a)\n}");
  EXPECT_EQ(AskHere("textDocument/signatureHelp")["signatures"][0]["label"], "gelu (x)");
}

/// Like the test above, for a file of operators.
class OperatorsSession : public WorkspaceSession {
 protected:
  static constexpr const char* kOperators =
      "<domain: \"acme\", metadata_props: [\"T\" : \"float | float16\", \"x\" : \"T[N]\", \"y\" : \"T[N]\"]>\n"
      "Scale <axis: int = 1> (x) => (y) {}\n";
  static constexpr const char* kText =
      "<ir_version: 10, opset_import: [\"acme\" : 1]>\n"
      "g (float[2] x) => (int64[2] y) { y = acme.Scale <axis = 2> (x) }";
  static constexpr const char* kOtherType = "output 'y' of Scale must be float or float16; 'y' is declared as int64";

  OperatorsSession() {
    folder_.Write(".onnxc.toml", "[operators]\nfiles = [\"ops.onnxtxt\"]\n");
    folder_.Write("ops.onnxtxt", kOperators);
    Begin();
  }

  void TellChanged(const std::string& name) {
    Notify("workspace/didChangeWatchedFiles", {{"changes", {{{"uri", Uri(name)}, {"type", 2}}}}});
  }
};

TEST_F(OperatorsSession, FilesOfOperatorsAreKnown) {
  Open("m.onnxtxt", kText);
  ASSERT_EQ(Pushed("m.onnxtxt").size(), 1) << "types go through the operator";
  EXPECT_EQ(Pushed("m.onnxtxt")[0], kOtherType);
  Open("n.onnxtxt",
       "<ir_version: 10, opset_import: [\"acme\" : 1]>\n"
       "g (float[2] x) => (float[2] y) { y = acme.Scael (x) }");
  ASSERT_EQ(Pushed("n.onnxtxt").size(), 1);
  EXPECT_NE(Pushed("n.onnxtxt")[0].find("did you mean 'Scale'?"), std::string::npos);
}

TEST_F(OperatorsSession, AFunctionOfTheTextComesBeforeAnOperator) {
  Open("m.onnxtxt",
       "<ir_version: 10, opset_import: [\"\" : 17, \"acme\" : 1]>\n"
       "g (float[2] x) => (float[2] y) { y = acme.$Scale <by = 2.0> (x) }\n"
       "<domain: \"acme\", opset_import: [\"\" : 17]> Scale <by> (in) => (out) { out = LeakyRelu <alpha: float = @by> "
       "(in) }");
  EXPECT_EQ(Pushed("m.onnxtxt"), Strings());
  Strings details;
  for (const Json& item : Items(AskHere("textDocument/completion"))) details.push_back(item["detail"]);
  EXPECT_EQ(details, Strings{"function"});
}

TEST_F(OperatorsSession, AFileOfOperatorsIsReadWhenItIsChanged) {
  Open("m.onnxtxt", kText);
  EXPECT_EQ(Pushed("m.onnxtxt"), Strings{kOtherType});
  folder_.Write("ops.onnxtxt", "<domain: \"acme\">\nScale <axis: int = 1> (float[N] x) => (int64[N] y) {}\n");
  Open("m.onnxtxt", kText);
  EXPECT_EQ(Pushed("m.onnxtxt"), Strings{kOtherType}) << "nobody told that the file was changed";
  TellChanged("other.onnxtxt");
  EXPECT_EQ(Pushed("m.onnxtxt"), Strings{kOtherType}) << "another one was";
  TellChanged("ops.onnxtxt");
  EXPECT_EQ(Pushed("m.onnxtxt"), Strings());
}

TEST_F(OperatorsSession, WhatIsWrongWithAFileOfOperatorsIsTold) {
  folder_.Write("ops.onnxtxt", std::string(kOperators) + kOperators);
  Open("m.onnxtxt", kText);
  ASSERT_EQ(Pushed("m.onnxtxt").size(), 1);
  EXPECT_NE(Pushed("m.onnxtxt")[0].find("ops.onnxtxt:4:1: "), std::string::npos) << Pushed("m.onnxtxt")[0];
  Open("ops.onnxtxt", kOperators);
  EXPECT_EQ(Pushed("ops.onnxtxt"), Strings()) << "the text in the editor is right";
  folder_.Remove("ops.onnxtxt");
  TellChanged("ops.onnxtxt");
  EXPECT_EQ(Pushed("m.onnxtxt"),
            Strings{"cannot read: the file of operators 'ops.onnxtxt': cannot read: it does not exist"});
  folder_.Write("ops.onnxtxt", kOperators);
  TellChanged("ops.onnxtxt");
  EXPECT_EQ(Pushed("m.onnxtxt"), Strings{kOtherType});
}

TEST_F(OperatorsSession, AFileOfOperatorsThatIsOpenedFirstHasItsOwnFindings) {
  folder_.Write("ops.onnxtxt", std::string(kOperators) + kOperators);
  Open("ops.onnxtxt", kOperators);
  EXPECT_EQ(Pushed("ops.onnxtxt"), Strings()) << "the text in the editor is right";
}

TEST_F(OperatorsSession, NoFileOutsideOfTheFolderIsRead) {
  const testing::Folder elsewhere;
  elsewhere.Write("secret.onnxtxt", kOperators);
  folder_.Remove("ops.onnxtxt");
  std::filesystem::create_symlink(elsewhere.Path("secret.onnxtxt"), folder_.Path("ops.onnxtxt"));
  Open("m.onnxtxt", kText);
  ASSERT_EQ(Pushed("m.onnxtxt").size(), 1);
  EXPECT_TRUE(Pushed("m.onnxtxt")[0].starts_with("cannot read: the file of operators 'ops.onnxtxt': cannot read: it "))
      << Pushed("m.onnxtxt")[0];
}

TEST_F(WorkspaceSession, ReferencesAreInAllTextsOfTheFolder) {
  Begin();
  folder_.Write("closed.onnxtxt", std::string(kHead) + "g (float[2] x) => (float[2] y) {\n\n y = act.half (x) }");
  folder_.Write("own.onnxtxt", std::string(kHead) +
                                   "g (float[2] x) => (float[2] y) { y = act.half (x) }\n"
                                   "<domain: \"act\", opset_import: [\"\" : 17]> half (x) => (y) { y = Exp (x) }");
  Open("m.onnxtxt", std::string(kHead) + "g (float[2] x) => (float[2] y) { a = act.ha$lf (x) y = act.gelu (a) }");
  const Json with = {{"context", {{"includeDeclaration", true}}}};
  const Strings all = {"act.onnxtxt:1", "act.onnxtxt:3", "closed.onnxtxt:3", "m.onnxtxt:1"};
  EXPECT_EQ(Places(AskHere("textDocument/references", with)), all);
  std::string marked = kLibrary;
  Open("lib/act.onnxtxt", marked.insert(marked.find("half (x) =>"), "$"));
  EXPECT_EQ(Places(AskHere("textDocument/references", with)), all);
  EXPECT_EQ(Places(AskHere("textDocument/references")).size(), all.size() - 1);
  const Json refused = AskHere("textDocument/rename", {{"newName", "third"}});
  EXPECT_NE(refused.value("message", "").find("other texts call the function: 2 calls"), std::string::npos) << refused;
}

// Editors refuse a URI with several slashes and no host.
TEST_F(WorkspaceSession, SeveralSlashesAtTheBeginningOfAPathAreOne) {
  const auto with_slashes = [&](const std::string& slashes, const std::string& name) {
    return "file://" + slashes + Uri(name).substr(std::string("file://").size());
  };
  Ask("initialize",
      {{"capabilities", Json::object()}, {"workspaceFolders", {{{"uri", with_slashes("/", "")}, {"name", "f"}}}}});
  folder_.Write("closed.onnxtxt", std::string(kHead) + "g (float[2] x) => (float[2] y) { y = act.half (x) }");
  const std::string library = with_slashes("/%2F", "lib/act.onnxtxt");
  Notify("textDocument/didOpen", {{"textDocument", {{"uri", library}, {"version", 1}, {"text", kLibrary}}}});
  const std::size_t half = std::string_view(kLibrary).find("half (x) =>");
  const Json found = Ask("textDocument/references", {{"textDocument", {{"uri", library}}},
                                                     {"position", PositionIn(kLibrary, half)},
                                                     {"context", {{"includeDeclaration", false}}}});
  ASSERT_TRUE(found.is_array()) << found;
  Strings uris;
  for (const Json& location : found) uris.push_back(location["uri"]);
  std::ranges::sort(uris);
  EXPECT_EQ(uris, (Strings{library, Uri("closed.onnxtxt")}));
}

TEST_F(WorkspaceSession, SymbolsOfClosedTextsAreFound) {
  Begin();
  const auto found = [&] {
    return Places([&] {
      Json locations = Json::array();
      for (const Json& symbol : Ask("workspace/symbol", {{"query", "half"}})) locations.push_back(symbol["location"]);
      return locations;
    }());
  };
  EXPECT_EQ(found(), Strings{"act.onnxtxt:3"});
  folder_.Write("more.onnxtxt", "half () => () {}");
  EXPECT_EQ(found(), (Strings{"act.onnxtxt:3", "more.onnxtxt:0"}));
  Open("more.onnxtxt", "\nhalf () => () {}");
  EXPECT_EQ(found(), (Strings{"act.onnxtxt:3", "more.onnxtxt:1"})) << "an open text is the one that the editor shows";
  Notify("workspace/didChangeWorkspaceFolders",
         {{"event", {{"added", Json::array()}, {"removed", {{{"uri", Uri("")}, {"name", "f"}}}}}}});
  EXPECT_EQ(found(), Strings{"more.onnxtxt:1"});
  Notify("workspace/didChangeWorkspaceFolders",
         {{"event", {{"added", {{{"uri", Uri("lib")}, {"name", "lib"}}}}, {"removed", Json::array()}}}});
  EXPECT_EQ(found(), (Strings{"act.onnxtxt:3", "more.onnxtxt:1"}));
}

TEST_F(WorkspaceSession, FoldersAreLookedThroughWithinBounds) {
  Begin();
  std::filesystem::create_directory(folder_.Path(".hidden"));
  folder_.Write(".hidden/half.onnxtxt", "half () => () {}");
  folder_.Write("long.onnxtxt", "half () => () {}" + std::string((1 << 20) + 1, ' '));
  std::filesystem::create_symlink(folder_.Path("long.onnxtxt"), folder_.Path("link.onnxtxt"));
  EXPECT_EQ(Ask("workspace/symbol", {{"query", "half"}}).size(), 1) << "that of the library";
  Strings logged;
  for (const Json& message : sent_) {
    if (message.value("method", "") == "window/logMessage") logged.push_back(message["params"]["message"]);
  }
  ASSERT_EQ(logged.size(), 1);
  EXPECT_NE(logged[0].find("some texts are left out"), std::string::npos);
}

TEST_F(WorkspaceSession, DiagnosticsOfClosedTextsAreAskedFor) {
  Begin();
  const std::string head = "<ir_version: 10, opset_import: [\"\" : 17]>\n";
  folder_.Write("wrong.onnxtxt", head + "g (float z) => (float y) { y = Relu (x) }");
  const auto ask = [&](const Json& before) {
    Json found = Json::object();
    for (const Json& report : Items(Ask("workspace/diagnostic", {{"previousResultIds", before}}))) {
      const std::string path = PathOf(report["uri"].get<std::string>());
      found[std::filesystem::path(path).filename().string()] = report;
    }
    return found;
  };
  Json found = ask(Json::array());
  ASSERT_TRUE(found.contains("wrong.onnxtxt"));
  EXPECT_EQ(found["act.onnxtxt"]["items"], Json::array());
  EXPECT_EQ(found["wrong.onnxtxt"]["items"].back()["code"], "unknown-name");
  const Json before = {{{"uri", Uri("wrong.onnxtxt")}, {"value", found["wrong.onnxtxt"]["resultId"]}}};
  EXPECT_EQ(ask(before)["wrong.onnxtxt"]["kind"], "unchanged");
  folder_.Write("wrong.onnxtxt", head + "g (float x) => (float y) { y = Relu (x) }");
  EXPECT_EQ(ask(before)["wrong.onnxtxt"]["items"], Json::array());
  folder_.Remove("wrong.onnxtxt");
  EXPECT_EQ(ask(before)["wrong.onnxtxt"]["items"], Json::array());
  EXPECT_FALSE(ask(Json::array()).contains("wrong.onnxtxt"));
  Open("lib/act.onnxtxt", kLibrary);
  EXPECT_FALSE(ask(Json::array()).contains("act.onnxtxt")) << "an open text has diagnostics of its own";
}

}  // namespace
}  // namespace onnxc::lsp::workspace_test
