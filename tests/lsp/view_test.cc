// Requests that arrive before a change is analysed are answered from the analysis of the previous text.
#include "lsp/view.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "lsp/server.h"

namespace onnxc::lsp::view_test {
namespace {

constexpr const char* kUri = "file:///nowhere/view.onnxtxt";
constexpr std::string_view kText =
    "<ir_version: 10, opset_import: [\"\" : 21]>\n"
    "g (float[N] x) => (float[N] y) {\n"
    "  first = Relu (x)\n"
    "  y = Neg (first)\n"
    "}\n";

Json At(unsigned line, unsigned character) { return {{"line", line}, {"character", character}}; }

/// A server that analyses its documents only when the test requests it.
class ViewTest : public ::testing::Test {
 protected:
  ViewTest() : server_([this](const Json& message) { sent_.push_back(message); }) {
    server_.Handle({{"id", 0}, {"method", "initialize"}, {"params", {{"capabilities", Json::object()}}}});
    server_.Handle({{"method", "textDocument/didOpen"},
                    {"params", {{"textDocument", {{"uri", kUri}, {"version", 0}, {"text", kText}}}}}});
    server_.PublishPending();
  }

  void Insert(unsigned line, unsigned character, const char* text) {
    const Json place = At(line, character);
    server_.Handle({{"method", "textDocument/didChange"},
                    {"params",
                     {{"textDocument", {{"uri", kUri}, {"version", ++version_}}},
                      {"contentChanges", {{{"range", {{"start", place}, {"end", place}}}, {"text", text}}}}}}});
  }

  Json Ask(const char* method, unsigned line, unsigned character) {
    sent_.clear();
    server_.Handle({{"id", 1},
                    {"method", method},
                    {"params", {{"textDocument", {{"uri", kUri}}}, {"position", At(line, character)}}}});
    if (sent_.at(0).contains("error")) ADD_FAILURE() << sent_.at(0).dump();
    return sent_.at(0).value("result", Json());
  }

  [[nodiscard]] bool WasAnalysed() const { return server_.workspace().Find(kUri)->IsKnown(); }

  std::vector<Json> sent_;
  mutable Server server_;
  int version_ = 0;
};

TEST_F(ViewTest, HoverMovesWithTheText) {
  Insert(2, 0, "\n\n  # a comment\n");
  const Json hover = Ask("textDocument/hover", 6, 12);
  EXPECT_NE(hover.at("contents").at("value").get<std::string>().find("float[N] first"), std::string::npos);
  EXPECT_EQ(hover.at("range").at("start"), At(6, 11));
  EXPECT_EQ(hover.at("range").at("end"), At(6, 16));
  EXPECT_NE(hover.at("contents").at("value").get<std::string>().find("Defined in line 6"), std::string::npos);
  EXPECT_FALSE(WasAnalysed());
}

TEST_F(ViewTest, HoverOnANewNameWaits) {
  Insert(2, 0, "  other = Shape (x)\n");
  const Json hover = Ask("textDocument/hover", 2, 4);
  EXPECT_NE(hover.at("contents").at("value").get<std::string>().find("int64[1] other"), std::string::npos);
  EXPECT_EQ(hover.at("range").at("start"), At(2, 2));
}

TEST_F(ViewTest, HoverOnANameThatIsDefinedAnewWaits) {
  server_.Handle({{"method", "textDocument/didChange"},
                  {"params",
                   {{"textDocument", {{"uri", kUri}, {"version", ++version_}}},
                    {"contentChanges", {{{"range", {{"start", At(2, 2)}, {"end", At(2, 7)}}}, {"text", "fist"}}}}}}});
  const Json hover = Ask("textDocument/hover", 3, 12);
  EXPECT_NE(hover.at("contents").at("value").get<std::string>().find("The text does not define this name"),
            std::string::npos);
}

TEST_F(ViewTest, DefinitionAndHighlightsAreThoseOfTheTextOfNow) {
  Insert(2, 0, "  other = Abs (x)\n");
  EXPECT_EQ(Ask("textDocument/definition", 4, 12).at("range").at("start"), At(3, 2));
  EXPECT_EQ(Ask("textDocument/documentHighlight", 4, 12).size(), 2u);
  EXPECT_EQ(Ask("textDocument/documentHighlight", 2, 15).size(), 3u);
}

// Even if a client that pulls diagnostics does not pull them for a long time, the text is analysed. Nothing is pushed
// to such a client.
TEST_F(ViewTest, TextsOfClientsThatPullAreAnalysedToo) {
  Server server([this](const Json& message) { sent_.push_back(message); });
  const Json pulls = {{"textDocument", {{"diagnostic", Json::object()}}}};
  server.Handle({{"id", 0}, {"method", "initialize"}, {"params", {{"capabilities", pulls}}}});
  sent_.clear();
  server.Handle({{"method", "textDocument/didOpen"},
                 {"params", {{"textDocument", {{"uri", kUri}, {"version", 0}, {"text", "g (x"}}}}}});
  server.PublishPending();
  EXPECT_TRUE(server.workspace().Find(kUri)->IsKnown());
  EXPECT_TRUE(sent_.empty());
}

TEST_F(ViewTest, CompletionReadsTheTextOfNow) {
  Insert(3, 0, "  z = LeakyRelu <al");
  const Json attributes = Ask("textDocument/completion", 3, 19).at("items");
  ASSERT_EQ(attributes.size(), 1u);
  EXPECT_EQ(attributes[0].at("label"), "alpha");
  EXPECT_EQ(attributes[0].at("textEdit").at("range").at("start"), At(3, 17));
  Insert(3, 19, "pha = 1.0> (fi");
  const Json values = Ask("textDocument/completion", 3, 33).at("items");
  ASSERT_EQ(values.size(), 1u);
  EXPECT_EQ(values[0].at("label"), "first");
  EXPECT_EQ(values[0].at("detail"), "float[N]");
  EXPECT_FALSE(WasAnalysed());
}

TEST_F(ViewTest, SignatureHelpReadsTheTextOfNow) {
  Insert(3, 0, "  z = Gemm (x, ");
  const Json help = Ask("textDocument/signatureHelp", 3, 15);
  EXPECT_EQ(help.at("signatures").at(0).at("label"), "Gemm (A, B, C?)");
  EXPECT_EQ(help.at("activeParameter"), 1);
  EXPECT_FALSE(WasAnalysed());
}

TEST_F(ViewTest, RenameWaitsForTheTextOfNow) {
  Insert(3, 11, "x, ");
  EXPECT_FALSE(Ask("textDocument/prepareRename", 3, 15).is_null());
  Insert(2, 2, "(");
  sent_.clear();
  server_.Handle({{"id", 2},
                  {"method", "textDocument/rename"},
                  {"params", {{"textDocument", {{"uri", kUri}}}, {"position", At(2, 3)}, {"newName", "other"}}}});
  EXPECT_TRUE(sent_.at(0).contains("error"));
}

TEST_F(ViewTest, WhatWasDeletedHasNoAnswer) {
  server_.Handle({{"method", "textDocument/didChange"},
                  {"params",
                   {{"textDocument", {{"uri", kUri}, {"version", ++version_}}},
                    {"contentChanges", {{{"range", {{"start", At(0, 0)}, {"end", At(4, 1)}}}, {"text", "   "}}}}}}});
  EXPECT_TRUE(Ask("textDocument/hover", 0, 2).is_null());
  EXPECT_TRUE(Ask("textDocument/completion", 0, 3).at("items").empty());
}

TEST(View, OffsetsOfOneTextAreThoseOfTheOther) {
  const auto settings = std::make_shared<Settings>();
  const auto make = [&](const char* text) {
    return std::make_shared<const Snapshot>("file:///nowhere/a", 0, text, Encoding::kUtf8, settings);
  };
  const View view(make("abXYZef"), make("abcdef"));  // `cd` became `XYZ`
  EXPECT_EQ(view.ToKnown(2), 2u);
  EXPECT_EQ(view.ToKnown(4), 2u);
  EXPECT_EQ(view.ToKnown(5), 4u);
  EXPECT_EQ(view.ToCurrent(4), 5u);
  EXPECT_EQ(view.ToCurrent(SourceRange{4, 6}), (SourceRange{5, 7}));
  EXPECT_EQ(view.ToCurrent(SourceRange{0, 2}), (SourceRange{0, 2}));
  EXPECT_EQ(view.ToCurrent(SourceRange{2, 4}), (SourceRange{2, 5}));
  EXPECT_TRUE(view.IsGone(3));
  const View doubled(make("aaaa"), make("aa"));
  EXPECT_EQ(doubled.ToKnown(4), 2u);
  EXPECT_EQ(doubled.ToCurrent(2), 2u);
}

}  // namespace
}  // namespace onnxc::lsp::view_test
