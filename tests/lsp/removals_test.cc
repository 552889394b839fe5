// For each warning about a superfluous part there is a quick fix that removes this part, and nothing else.
#include <gtest/gtest.h>

#include <string>

#include "lsp/right_texts.h"

namespace onnxc::lsp::removals_test {
namespace {

struct Removal {
  const char* kind;
  const char* text;   ///< `$` marks the place of the finding
  const char* after;  ///< "": no quick fix is offered
};

class Removals : public ::testing::TestWithParam<Removal> {};

TEST_P(Removals, AreQuickFixes) {
  std::string text = GetParam().text;
  const std::size_t place = text.find('$');
  text.erase(place, 1);
  RightText document(text);
  std::string after;
  for (const Json& action :
       document.Ask("textDocument/codeAction", {place, place}, {{"context", {{"only", {"quickfix"}}}}})) {
    if (action["diagnostics"][0]["code"] != GetParam().kind) continue;
    if (action["title"].get<std::string>().starts_with("Remove")) after = document.AfterEdit(action["edit"]);
  }
  EXPECT_EQ(after, GetParam().after);
}

constexpr Removal kRemovals[] = {
    {"unused-value", "g (float[2] x) => (float[2] y) {\n   a = Neg (x)\n   $b = Exp (a)\n   y = Relu (a)\n}",
     "g (float[2] x) => (float[2] y) {\n   a = Neg (x)\n   y = Relu (a)\n}"},
    {"unused-value", "g (float[2] x) => (float[2] y) { a = Neg (x) [label] $b = Exp (a) y = Relu (a) }",
     "g (float[2] x) => (float[2] y) { a = Neg (x)  y = Relu (a) }"},
    {"unused-value", "g (float[2] x) => (float[2] y) {\n   $b = Exp (  # why\n      x)\n   y = Relu (x)\n}", ""},
    {"unknown-value-info",
     "g (float[2] x) => (float[2] y) <float[2] w = {1, 2}, float[2] $b> { a = Neg (x) y = Add (a, w) }",
     "g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { a = Neg (x) y = Add (a, w) }"},
    {"unknown-value-info", "g (float[2] x) => (float[2] y) <float[2] $b> { a = Neg (x) y = Add (a, x) }",
     "g (float[2] x) => (float[2] y) { a = Neg (x) y = Add (a, x) }"},
    {"repeated-value-info", "g (float[2] x) => (float[2] y) <float[2] a, float[2] $a> { a = Neg (x) y = Add (a, x) }",
     "g (float[2] x) => (float[2] y) <float[2] a> { a = Neg (x) y = Add (a, x) }"},
    {"call-attribute",
     "<ir_version: 10, opset_import: [\"\" : 21, \"l\" : 1]>\n"
     "g (float[2] x) => (float[2] y) { a = Neg (x) y = l.f <$other = 1> (a) }\n"
     "<domain: \"l\", opset_import: [\"\" : 21]> f (x) => (y) { y = Exp (x) }",
     "<ir_version: 10, opset_import: [\"\" : 21, \"l\" : 1]>\n"
     "g (float[2] x) => (float[2] y) { a = Neg (x) y = l.f (a) }\n"
     "<domain: \"l\", opset_import: [\"\" : 21]> f (x) => (y) { y = Exp (x) }"},
    {"call-attribute",
     "<ir_version: 10, opset_import: [\"\" : 21, \"l\" : 1]>\n"
     "g (float[2] x) => (float[2] y) { a = Neg (x) y = l.f <by = 1.0, $other = 1> (a) }\n"
     "<domain: \"l\", opset_import: [\"\" : 21]> f <by> (x) => (y) { c = Constant <value_float: float = @by> () "
     "y = Mul (x, c) }",
     "<ir_version: 10, opset_import: [\"\" : 21, \"l\" : 1]>\n"
     "g (float[2] x) => (float[2] y) { a = Neg (x) y = l.f <by = 1.0> (a) }\n"
     "<domain: \"l\", opset_import: [\"\" : 21]> f <by> (x) => (y) { c = Constant <value_float: float = @by> () "
     "y = Mul (x, c) }"},
};

INSTANTIATE_TEST_SUITE_P(Kinds, Removals, ::testing::ValuesIn(kRemovals));

}  // namespace
}  // namespace onnxc::lsp::removals_test
