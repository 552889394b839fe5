// Nodes that are copied because they are already formatted.
#include "format/formatted_node.h"

#include <gtest/gtest.h>
#include <onnxc/formatter.h>

#include <array>
#include <string>
#include <string_view>

#include "testing/predicates.h"

namespace onnxc::format {
namespace {

constexpr std::array<std::string_view, 5> kFormatted = {"y = Relu (x)",
                                                        "y, _z2 = Split <axis = -1, w = [1, 2], t = 1.5e-3> (x, s)",
                                                        "y = d.e.F (x)", "y = F ()", "y = F <k = inf> ()"};

TEST(FormattedNode, HasTheSpacesOfTheFormatter) {
  for (const std::string_view node : kFormatted) {
    EXPECT_EQ(FormattedNode(node, 100), node.size()) << node;
    EXPECT_EQ(FormattedNode(std::string(node) + "\n   z = G (y)", 100), node.size()) << node;
    EXPECT_EQ(FormattedNode(node, node.size()), node.size()) << node;
    EXPECT_EQ(FormattedNode(node, node.size() - 1), 0u) << node;
    for (std::size_t at = 0; at < node.size(); ++at) {
      const bool is_space = node[at] == ' ';
      std::string changed(node);
      is_space ? changed.erase(at, 1) : changed.insert(at, " ");
      EXPECT_EQ(FormattedNode(changed, 100), 0u) << changed;
    }
  }
}

TEST(FormattedNode, HasNoOtherParts) {
  for (const std::string_view node :
       {"[n] y = F (x)", "y = F:o (x)", "y = F <s = \"a\"> (x)", "y = F (\"x\")", "y = F (x, , z)", "y = F (x,\n   z)",
        "y = F <k: int = 1> (x)", "y = F <t = float[1] {1}> (x)", "y = F <g = b () => (z) { z = C () }> (x)",
        "@{op_type: \"F\"}", " = F (x)", "y = .F (x)", "y = (x)", "y = F", "y"}) {
    EXPECT_EQ(FormattedNode(node, 100), 0u) << node;
  }
}

std::string Format(const std::string& nodes, std::size_t width = 100) {
  const FormatResult result = FormatText("g () => () {\n   " + nodes + "\n}\n", {.width = width});
  EXPECT_TRUE(testing::Ok(result.diagnostics)) << nodes;
  return result.text;
}

// A copied node gives the same text as one whose tokens are written one by one.
TEST(FormattedNode, MakesNoDifference) {
  const std::array<std::string_view, 5> behind = {"", " <k = 1>", "\n   <k = 1>", "  # end",
                                                  "\n\n\n   # next\n   z = G (y)"};
  for (const std::string_view node : kFormatted) {
    for (const std::string_view rest : behind) {
      if (rest.find('<') != std::string_view::npos && node.find('<') != std::string_view::npos) continue;
      for (const std::size_t width : {std::size_t{100}, node.size() + 3, node.size() + 2, std::size_t{1}}) {
        const std::string text = std::string(node) + std::string(rest);
        const std::size_t before_inputs = text.find('(');
        const std::string untidy = text.substr(0, before_inputs) + " " + text.substr(before_inputs);
        EXPECT_EQ(Format(text, width), Format(untidy, width)) << text;
        EXPECT_EQ(Format("# one\n   " + text, width), Format("# one\n   " + untidy, width)) << text;
      }
    }
  }
}

}  // namespace
}  // namespace onnxc::format
