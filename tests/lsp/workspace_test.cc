// Several texts: libraries and files of operators that the settings name, and the texts in the folders of the
// workspace.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "lsp/workspace_session.h"

namespace onnxc::lsp::workspace_test {
namespace {

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

// A text that keeps the old name would silently compute with the default.
TEST_F(WorkspaceSession, AnAttributeThatOtherTextsSetIsNotRenamed) {
  Begin();
  const auto renamed = [&](const std::string& caller) {
    folder_.Write("caller.onnxtxt", caller);
    Open("lib/act.onnxtxt", std::string(kLibrary).insert(std::string_view(kLibrary).find("by>"), "$"));
    const Json answer = AskHere("textDocument/rename", {{"newName", "times"}});
    return answer.value("message", answer.contains("changes") ? "renamed" : answer.dump());
  };
  const auto graph = [](const std::string& node) {
    return std::string(kHead) + "g (float[2] x) => (float[2] y) { " + node + " }";
  };
  EXPECT_EQ(renamed(graph("y = act.gelu (x)")), "renamed");
  EXPECT_EQ(renamed(graph("by = act.gelu (x) y = act.half <by = 1.0> (by)")), "renamed");
  EXPECT_EQ(renamed(graph("@doc_string \"n\" y = act.half (x)")), "renamed");
  for (const char* const call :
       {"y = act.gelu <by = 2.0> (x)", "y = act.gelu (x) <a = 1, by: float = 2.0>",
        R"(y = "act"."g\elu" <"\by" = 2.0> (x))", R"(y = act.gelu <@{name: "by", f: 2.0}> (x))",
        "c = Constant <value = bool {1}> () y = If (c) <then_branch = t () => (z) "
        "{ z = act.gelu <by = 2.0> (x) }, else_branch = e () => (z) { z = Neg (x) }>"}) {
    EXPECT_NE(renamed(graph(call)).find("other texts set the attribute: 1 call in '"), std::string::npos)
        << call << "\n"
        << renamed(graph(call));
  }
  const std::string record = renamed(graph(
      R"(@{op_type: "gelu", domain: "act", input: ["x"], output: ["y"], attribute: [{name: "by", type: FLOAT, f: 2.0}]})"));
  EXPECT_NE(record.find("a record in '"), std::string::npos) << record;
  const std::string large = renamed(graph("y = Relu (x)") + std::string((1 << 20) + 1, ' '));
  EXPECT_NE(large.find("too large or too many to be read may use the name"), std::string::npos) << large;
}

TEST_F(WorkspaceSession, AFunctionOfALibraryIsNotRenamedIfOtherTextsAreNotKnown) {
  Ask("initialize", {{"capabilities", Json::object()}, {"workspaceFolders", {{{"uri", Uri("lib")}, {"name", "f"}}}}});
  for (const char* const name : {"gelu <", "by>", "half (x) =>"}) {
    Open("lib/act.onnxtxt", std::string(kLibrary).insert(std::string_view(kLibrary).find(name), "$"));
    const Json refused = AskHere("textDocument/rename", {{"newName", "other"}});
    EXPECT_NE(refused.value("message", "").find("please open this folder in the editor"), std::string::npos) << refused;
  }
  Open("lib/act.onnxtxt", std::string(kLibrary).insert(std::string_view(kLibrary).find("h ="), "$"));
  EXPECT_TRUE(AskHere("textDocument/rename", {{"newName", "other"}}).contains("changes")) << "values are not shared";
  const Json opened = {{"added", {{{"uri", Uri("")}, {"name", "all"}}}}, {"removed", Json::array()}};
  Notify("workspace/didChangeWorkspaceFolders", {{"event", opened}});
  Open("lib/act.onnxtxt", std::string(kLibrary).insert(std::string_view(kLibrary).find("by>"), "$"));
  EXPECT_TRUE(AskHere("textDocument/rename", {{"newName", "other"}}).contains("changes"));
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
  EXPECT_THAT(logged[0], ::testing::HasSubstr("some texts are left out"));
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
