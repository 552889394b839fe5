// Properties of the formatter beyond the layout itself, which is tested in testdata/format.
#include <gtest/gtest.h>
#include <onnxc/formatter.h>

#include <string>

#include "testing/markdown.h"
#include "testing/paths.h"
#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

std::string Format(const std::string& text, Kind kind, std::size_t width = 100) {
  const FormatResult result = FormatText(text, {.kind = kind, .width = width});
  EXPECT_TRUE(testing::Ok(result.diagnostics)) << RenderText(result.diagnostics, SourceText("text", text));
  return result.text;
}

TEST(Format, TextsWithErrorsGiveFindingsOnly) {
  const FormatResult result = FormatText("g () => () { y = A(x }\nf (x) => (y) { y = A(x) z }");
  EXPECT_FALSE(result.diagnostics.ok());
  EXPECT_EQ(result.diagnostics.items().size(), 2u);
  EXPECT_EQ(result.text, "");
  const FormatResult limited = FormatText("g () => () { y = A(x }\nf (x) => (y) { z }", {.max_diagnostics = 1});
  EXPECT_EQ(limited.diagnostics.items().size(), 1u);
  EXPECT_EQ(limited.diagnostics.suppressed(), 1u);
}

// This includes errors that only the builder finds.
TEST(Format, TextsWithoutMessageAreErrors) {
  EXPECT_FALSE(FormatText("float[1] {1e39}", {.kind = Kind::kTensor}).diagnostics.ok());
  EXPECT_FALSE(FormatText("k = [1, \"a\"]", {.kind = Kind::kAttribute}).diagnostics.ok());
}

TEST(Format, FunctionsAreToldApartWhereAsked) {
  const std::string text = "<domain: \"d\", opset_import: [\"\" : 17]> f <> (x) => (y) { y = A(x) }";
  EXPECT_FALSE(FormatText(text).diagnostics.ok());
  const std::string functions = "<domain: \"d\"> f (x) => (y) {} <domain: \"d\"> f <a> (x) => (y) {}";
  EXPECT_TRUE(testing::Ok(FormatText(functions, {.tell_functions_apart = true}).diagnostics));
}

TEST(Format, AShapeMayBeEmpty) {
  EXPECT_EQ(Format("", Kind::kShape), "\n");
  EXPECT_EQ(Format(" # none", Kind::kShape), "# none\n");
  EXPECT_EQ(Format("N,?, 3 ", Kind::kShape), "N, ?, 3\n");
}

TEST(Format, WidthIsTheLastColumnOfAList) {
  const std::string list = "k = [1, 2, 3, 4]";  // 16 columns; the comma that could follow makes 17
  EXPECT_EQ(Format(list, Kind::kAttribute, 17), list + "\n");
  EXPECT_EQ(Format(list, Kind::kAttribute, 16), list + "\n");
  EXPECT_EQ(Format(list, Kind::kAttribute, 15), "k = [1, 2, 3,\n   4]\n");
  EXPECT_EQ(Format(list, Kind::kAttribute, 1), "k = [1,\n   2,\n   3,\n   4]\n");
}

// Attributes with a graph follow the inputs. Brackets in strings, comments and graphs do not end a list of attributes.
TEST(Format, AttributesWithAGraphFollowTheInputs) {
  const std::string graph = "y = If (x) <\n   then_branch = g => (z) {\n   }\n>\n";
  EXPECT_EQ(Format("y = If <then_branch = g => (z) {}> (x)", Kind::kNode), graph);
  EXPECT_EQ(Format("y = If (x) <then_branch = g => (z) {}>", Kind::kNode), graph);
  EXPECT_EQ(Format("y = A (x, z) <a = [1, 2], b = 3.5>", Kind::kNode), "y = A <a = [1, 2], b = 3.5> (x, z)\n");
  EXPECT_EQ(Format("y = A (\"x)\", z) <a = \">\">", Kind::kNode), "y = A <a = \">\"> (\"x)\", z)\n");
  EXPECT_EQ(Format("y = A (x) <a = 1 # >\n>", Kind::kNode), "y = A <\n   a = 1  # >\n> (x)\n");
  for (std::size_t size = 240; size < 260; ++size) {  // around the length of the lists that are searched byte by byte
    const std::string name(size, 'a');
    EXPECT_EQ(Format("y = A (x) <" + name + " = 1>", Kind::kNode, 300), "y = A <" + name + " = 1> (x)\n");
    EXPECT_EQ(Format("y = A (" + name + ") <a = 1>", Kind::kNode, 300), "y = A <a = 1> (" + name + ")\n");
  }
}

TEST(Format, StringsAreNeverBroken) {
  const std::string text = "k = [\"a b c d e f\", b\"\\n\\x00\",\n   \"two\nlines\"]\n";
  EXPECT_EQ(Format(text, Kind::kAttribute, 10).find("\"a b c d e f\""), 5u);
  EXPECT_EQ(Format("k = \"a\\qb\"", Kind::kAttribute), "k = \"a\\qb\"\n");
}

TEST(Format, CarriageReturnsGoOrAreEscaped) {
  EXPECT_EQ(Format("y = A(x) # c\rd\r\n", Kind::kNode), "y = A (x)  # c\\rd\n");
  EXPECT_EQ(Format("# onnxc:  raw \r\nk = \"a\r\nb\"\r\n", Kind::kAttribute), "# onnxc: raw\nk = b\"a\\r\\nb\"\n");
}

// A backslash before the line feed, and blanks that are already escaped, keep their spelling.
TEST(Format, BlanksThatEditorsRemoveAreEscaped) {
  EXPECT_EQ(Format("k = \"a \nb\"", Kind::kAttribute), "k = b\"a \\nb\"\n");
  EXPECT_EQ(Format("k = b\"a\\t\t\n\\x41\"", Kind::kAttribute), "k = b\"a\\t\\t\\nA\"\n");
  for (const char* text : {"k = \"a\nb \"\n", "k = \"a \\\nb\"\n", "k = b\"a \\nb\"\n", "k = b\"\\x41\nb\"\n"}) {
    EXPECT_EQ(Format(text, Kind::kAttribute), text);
  }
}

// No empty line follows the mark, and no comment after it is taken for one that follows a token.
TEST(Format, AByteOrderMarkIsNoToken) {
  const std::string mark = "\xef\xbb\xbf";
  for (const char* text : {"# c\ny = A ()\n", "\n# c\n\ny = A ()", "\r\n \n\n# c\n\n\n y = A()", "\n\ny = A()"}) {
    const std::string formatted = Format(mark + text, Kind::kNode);
    EXPECT_EQ(formatted, mark + Format(text, Kind::kNode));
    EXPECT_EQ(Format(formatted, Kind::kNode), formatted);
  }
}

// Characters that would be misleading on the screen are written as escapes, in comments and in strings; the values of
// strings stay the same.
TEST(Format, DeceptiveCharactersAreEscaped) {
  EXPECT_EQ(Format("y = A(x) # \x1b[31m \u202e \ttab\n", Kind::kNode), "y = A (x)  # \\x1b[31m \\u202e \ttab\n");
  const std::string text = "y = A (\"a\\\\\\\"\u202e\", b\"\\x01\u009b\")\n";
  const std::string formatted = Format(text, Kind::kNode);
  EXPECT_EQ(formatted, "y = A (b\"a\\\\\\\"\\xe2\\x80\\xae\", b\"\\x01\\xc2\\x9b\")\n");
  onnx::NodeProto before, after;
  EXPECT_TRUE(Parse(text, &before).ok() && Parse(formatted, &after).ok());
  EXPECT_EQ(before.SerializeAsString(), after.SerializeAsString());
}

// Each graph is in the attributes of a node whose attributes come before its inputs; the formatter searches these
// attributes in order to move them.
TEST(Format, DeepNestingIsNoTrouble) {
  constexpr int kDepth = 33;
  std::string text;
  for (int i = 0; i < kDepth; ++i) text += "g () => () { y = If <b = ";
  text += "g () => () { z = A() # c\n }";
  std::string end;
  for (int i = 0; i < kDepth; ++i) end += "> (c) }";
  const FormatResult too_deep = FormatText(text + end);
  EXPECT_FALSE(too_deep.diagnostics.ok());
  const std::string less = text.substr(text.find("g ()", 1));
  const std::string formatted = Format(less + end.substr(end.find('}') + 1), Kind::kModel);
  EXPECT_EQ(Format(formatted, Kind::kModel), formatted);
  EXPECT_FALSE(FormatText(std::string(100000, '['), {.kind = Kind::kAttribute}).diagnostics.ok());
}

TEST(Format, ALongTextTakesLittleTime) {
  std::string text = "g (";
  for (int i = 0; i < 20000; ++i) text += (i == 0 ? "float x" : ",float x") + std::to_string(i) + " # c\n";
  text += ") => () <float[100000] w = {";
  for (int i = 0; i < 100000; ++i) text += i == 0 ? "1" : i % 10 == 0 ? ", # c\n 1" : ",1";
  text += "}> {\n";
  for (int i = 0; i < 20000; ++i) text += "# c\n# d\n\n y = A(x) <k = [1, 2], l = @m>\n";
  const std::string formatted = Format(text + "}", Kind::kGraph);
  EXPECT_EQ(Format(formatted, Kind::kGraph), formatted);
}

// The examples in docs/layout.md have the layout that the page describes.
TEST(Format, AgreesWithItsDocument) {
  int count = 0;
  for (const Block& block : Blocks(std::filesystem::path(kDocs) / "layout.md")) {
    if (block.words.size() < 2 || block.words[0] != "onnxtxt") continue;
    EXPECT_EQ(Format(block.text, FindKind(block.words[1]).value()), block.text) << block.place;
    ++count;
  }
  EXPECT_GT(count, 3);
}

}  // namespace
}  // namespace onnxc::testing
