// Pictures of large graphs.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "lsp/right_texts.h"

namespace onnxc::lsp::pictures_test {
namespace {

constexpr std::size_t kNodes = 10000;
constexpr std::size_t kMost = 200;

std::string ChainOf(std::size_t nodes) {
  std::string text =
      "<ir_version: 10, opset_import: [\"\": 21]>\ng (float[N] v0) => (float[N] v" + std::to_string(nodes) + ") {\n";
  for (std::size_t i = 0; i < nodes; ++i) {
    text += "   v" + std::to_string(i + 1) + " = Neg (v" + std::to_string(i) + ")\n";
  }
  return text + "}\n";
}

Json Picture(RightText* document, Json more, std::size_t line = 0) {
  more["uri"] = RightText::kUri;
  more["position"] = {{"line", line}, {"character", 0u}};
  return document->Ask("workspace/executeCommand", {0, 0},
                       {{"command", "onnxc.showGraph"}, {"arguments", Json::array({more})}});
}

TEST(Pictures, EachNodeOfALargeGraphIsInOnePart) {
  RightText document(ChainOf(kNodes));
  std::multiset<Json> places;
  std::size_t parts = 1;
  for (std::size_t part = 0; part < parts; ++part) {
    const Json picture = Picture(&document, {{"most", kMost}, {"part", part}});
    ASSERT_EQ(picture["part"], part) << picture.dump().substr(0, 300);
    parts = picture["parts"].get<std::size_t>();
    ASSERT_LE(picture["nodes"].size(), kMost);
    EXPECT_LE(picture["dot"].get_ref<const std::string&>().size(), kMost * 500);
    for (const auto& [name, place] : picture["nodes"].items()) places.insert(place);
  }
  EXPECT_EQ(parts, kNodes / kMost);
  EXPECT_EQ(places.size(), kNodes);
  EXPECT_EQ(std::set<Json>(places.begin(), places.end()).size(), kNodes);
}

// Parts of a graph and of a function, of any size.
TEST(Pictures, EachNodeIsInThePartOfItsNumber) {
  for (const bool is_function : {false, true}) {
    for (const std::size_t most : {1u, 2u, 3u, 6u, 7u, 8u}) {
      std::string text = ChainOf(7);
      if (is_function) {
        text =
            "<ir_version: 10, opset_import: [\"f\": 1]> g (float x) => (float y) { y = f.F (x) }\n"
            "<domain: \"f\", opset_import: [\"\": 21]> F (v0) => (v7) {\n" +
            text.substr(text.find("   v1"));
      }
      RightText document(text);
      std::size_t line = 2;  // of the first node
      const std::size_t parts = (7 + most - 1) / most;
      for (std::size_t part = 0; part < parts; ++part) {
        const Json picture = Picture(&document, {{"most", most}, {"part", part}}, 1);
        SCOPED_TRACE(picture.dump());
        EXPECT_EQ(picture["parts"], parts);
        std::set<std::size_t> lines;
        for (const auto& [name, place] : picture["nodes"].items())
          lines.insert(place["start"]["line"].get<std::size_t>());
        std::set<std::size_t> wanted;
        for (std::size_t i = 0; i < most && line < 9; ++i) wanted.insert(line++);
        EXPECT_EQ(lines, wanted);
      }
    }
  }
}

// The node of a place is the last one that begins before it.
TEST(Pictures, ThePartOfThePlaceIsShown) {
  constexpr std::size_t kLines = 10;
  for (std::size_t nodes = 0; nodes < 8; ++nodes) {
    RightText document(ChainOf(nodes));
    for (std::size_t most = 1; most < 9; ++most) {
      for (std::size_t line = 0; line < std::min(kLines, nodes + 3); ++line) {
        const std::size_t begun = line < 2 ? 0 : std::min(line - 2, nodes);  // a line begins before its node
        const Json picture = Picture(&document, {{"most", most}}, line);
        EXPECT_EQ(picture["part"], (begun == 0 ? 0 : begun - 1) / most) << nodes << " nodes, line " << line;
      }
    }
  }
}

TEST(Pictures, WhatIsLookedForIsFoundInAnyPart) {
  RightText document(ChainOf(kNodes));
  const Json found = Picture(&document, {{"most", kMost}, {"part", 0}, {"find", "V7777"}});
  EXPECT_EQ(found["part"], 7776 / kMost);
  EXPECT_EQ(found["nodes"][found["found"].get<std::string>()]["start"]["line"], 7776 + 2);
  const Json again = Picture(&document, {{"most", kMost}, {"part", 40}, {"find", "v777"}});  // after the last part
  EXPECT_EQ(again["part"], 776 / kMost);
}

TEST(Pictures, GraphsInsideAreNamedWhereTheyAreTooLarge) {
  std::string inside = "p () => (v9) {";
  for (int i = 0; i < 10; ++i) inside += " v" + std::to_string(i) + " = Neg (x)";
  RightText document(
      "<ir_version: 10, opset_import: [\"\": 21]> g (bool c, float x) => (float y) { y = If (c) <then_branch = " +
      inside + "}, else_branch = e () => (v) { v = Neg (x) }> }");
  const Json picture = Picture(&document, {{"most", 5}});
  EXPECT_EQ(picture["nodes"].size(), 1u);
  EXPECT_NE(picture["dot"].get<std::string>().find("graph p"), std::string::npos);
  EXPECT_EQ(Picture(&document, {{"most", 50}})["nodes"].size(), 12u);
}

/// An If node whose branches have more nodes than a part may have.
std::string LargeBranches(const std::string& first) {
  std::string inside = first;
  for (int i = 0; i < 10; ++i) inside += " v" + std::to_string(i) + " = Neg (x)";
  return "<ir_version: 10, opset_import: [\"\": 21]> g (bool c, float x) => (float y) { y = If (c) <then_branch = p () "
         "=> (v9) {" +
         inside + "}, else_branch = e () => (v) { v = Neg (x) }> }";
}

TEST(Pictures, WhatDiffersInAGraphThatIsNotDrawnIsMarkedAtItsNode) {
  RightText document(LargeBranches("u = Elu <alpha = 1.0> (x)"));
  const std::string before = LargeBranches("u = Elu <alpha = 2.0> (x)");
  EXPECT_EQ(Picture(&document, {{"most", 5}, {"before", before}})["changed"], (Json{{"n2", "changed"}}));
  const Json whole = Picture(&document, {{"before", before}});
  ASSERT_EQ(whole["changed"].size(), 1u);
  EXPECT_NE(whole["words"][whole["changed"].begin().key()].get<std::string>().find("Elu"), std::string::npos);
}

TEST(Pictures, TheWordsOfANodeAreThoseThatItIsFoundBy) {
  RightText document(ChainOf(8));
  for (const char* word : {"neg", "V5"}) {
    const Json picture = Picture(&document, {{"most", 4}, {"part", 0}, {"find", word}});
    const std::string words = picture["words"][picture["found"].get<std::string>()].get<std::string>();
    EXPECT_NE(words.find(word[0] == 'V' ? "v5" : "Neg"), std::string::npos) << words;
  }
  RightText other(
      "<ir_version: 10, opset_import: [\"\": 21]> g (float x) => (float y) { a = Neg (x) y = Elu <alpha = 0.5> (a) }");
  EXPECT_EQ(Picture(&other, {{"most", 1}, {"find", "alpha = 0.5"}})["part"], 1);
}

}  // namespace
}  // namespace onnxc::lsp::pictures_test
