// Texts that are meant to break parsers: each gives a message or a finding, in time linear in the text.
#include <onnxc/printer.h>

#include "testing/proto.h"

namespace onnxc::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

std::string Repeat(std::string_view text, int count) {
  std::string result;
  result.reserve(text.size() * static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

// Two messages enclose a node in a model, so its unknown fields can contain 98 nested groups and still be read back.
TEST(Hostile, DepthOfUnknownGroups) {
  const auto model = [](int levels) {
    return "g () => () { @unknown_fields b\"" + Repeat("\\xa3\\x1f", levels) + Repeat("\\xa4\\x1f", levels) +
           "\" = A () }";
  };
  EXPECT_TRUE(onnx::ModelProto().ParseFromString(Bytes(ParseText<onnx::ModelProto>(model(98)))));
  EXPECT_THAT(Findings<onnx::ModelProto>(model(99)), ElementsAre("nesting-too-deep"));
  EXPECT_THAT(Findings<onnx::ModelProto>(model(500)), ElementsAre("nesting-too-deep"));
}

TEST(Hostile, DeepTypes) {
  EXPECT_THAT(Findings<onnx::TypeProto>(Repeat("seq(", 100'000)), ElementsAre("nesting-too-deep"));
  EXPECT_THAT(Findings<onnx::TypeProto>(Repeat("optional(", 10'000) + "float" + Repeat(")", 10'000)),
              ElementsAre("nesting-too-deep"));
}

// Every message that the parser accepts can be read back: 100 levels are accepted, 101 are not.
TEST(Hostile, DepthIsWhatProtobufReadsBack) {
  const auto reads_back = [](const google::protobuf::Message& message) {
    return std::unique_ptr<google::protobuf::Message>(message.New())->ParseFromString(Bytes(message));
  };
  EXPECT_TRUE(reads_back(ParseText<onnx::TypeProto>(Repeat("seq(", 49) + "float" + Repeat(")", 49))));
  EXPECT_THAT(Findings<onnx::TypeProto>(Repeat("seq(", 49) + "float[N]" + Repeat(")", 49)),
              ElementsAre("nesting-too-deep"));
  const auto graphs = [](int levels, std::string_view inputs = "") {
    return Repeat("g () => () { y = If <b = ", levels).append("h (").append(inputs).append(") => () {}") +
           Repeat("> () }", levels);
  };
  EXPECT_TRUE(reads_back(ParseText<onnx::GraphProto>(graphs(33))));
  EXPECT_THAT(Findings<onnx::GraphProto>(graphs(34)), ElementsAre("nesting-too-deep"));
  EXPECT_TRUE(reads_back(ParseText<onnx::ModelProto>(graphs(33))));
  EXPECT_THAT(Findings<onnx::ModelProto>(graphs(33, "x")), ElementsAre("nesting-too-deep"));
}

TEST(Hostile, DeepGraphs) {
  const std::string text = "g () => () { y = If <b = ";
  EXPECT_THAT(Findings<onnx::GraphProto>(Repeat(text, 5'000)), ElementsAre("nesting-too-deep"));
  EXPECT_THAT(Findings<onnx::GraphProto>(Repeat(text, 5'000) + "h () => () {}" + Repeat("> () }", 5'000)),
              ElementsAre("nesting-too-deep"));
}

TEST(Hostile, BracketsWithoutEnd) {
  for (const char* bracket : {"[", "(", "{", "<", "@{", "k=[", "{{", "[n", "@a {b:", "@a [", "((", "g(float[1] x={"}) {
    EXPECT_THAT(Findings<onnx::ModelProto>(Repeat(bracket, 100'000)), Not(IsEmpty())) << bracket;
    EXPECT_THAT(Findings<onnx::AttributeProto>("k=" + Repeat(bracket, 100'000)), Not(IsEmpty())) << bracket;
    EXPECT_THAT(Findings<onnx::TensorProto>("float[1] " + Repeat(bracket, 100'000)), Not(IsEmpty())) << bracket;
  }
}

TEST(Hostile, ManyErrors) {
  for (const char* line : {"y = Op (x\n", "y = Op (x);\n", "= = =\n", "y = Op <a : 1> (x)\n", "'\n", "@a\n"}) {
    EXPECT_THAT(Findings<onnx::GraphProto>("g () => () {" + Repeat(line, 50'000)), Not(IsEmpty())) << line;
  }
}

// Each of these texts once took quadratic time.
TEST(Hostile, LongLists) {
  EXPECT_EQ(ParseText<onnx::TensorProto>("string[1] {" + Repeat("b\"abcdef\", ", 200'000) + "\"\"}").string_data_size(),
            200'001);
  EXPECT_EQ(ParseText<onnx::GraphProto>("# onnxc: " + Repeat("unset NodeProto.doc_string,", 20'000) +
                                        "raw\ng () => () {\n" + Repeat("=()\n", 20'000) + "}")
                .node_size(),
            20'000);
  EXPECT_THAT(Findings<onnx::GraphProto>("g () => () {\n b = Op(a)\n ! Op\n" + Repeat("a,\n", 100'000) + "!"),
              Not(IsEmpty()));
}

TEST(Hostile, LongTokens) {
  const std::string name(1'000'000, 'a');
  EXPECT_EQ(ParseText<onnx::GraphProto>(name + " () => () {}").name(), name);
  EXPECT_EQ(ParseText<onnx::AttributeProto>("k=" + std::string(1'000'000, '0') + "7").i(), 7);
  EXPECT_EQ(ParseText<onnx::AttributeProto>("k=\"" + name + "\"").s(), name);
  EXPECT_EQ(ParseText<onnx::AttributeProto>("k=0." + std::string(1'000'000, '0') + "1").f(), 0);
  EXPECT_THAT(Findings<onnx::AttributeProto>("k=" + std::string(1'000'000, '9')), ElementsAre("integer-out-of-range"));
  EXPECT_THAT(Findings<onnx::AttributeProto>("k=" + std::string(1'000'000, '9') + ".0"),
              ElementsAre("float-out-of-range"));
  EXPECT_EQ(ParseText<onnx::AttributeProto>(Repeat("\n", 1'000'000) + "k=7#" + name).i(), 7);
}

// The length of a message does not grow with the text.
TEST(Hostile, MessagesAreShort) {
  onnx::AttributeProto attribute;
  const std::string text = "k=" + std::string(1'000'000, 'x');
  const Diagnostics diagnostics = Parse(text, &attribute);
  ASSERT_FALSE(diagnostics.ok());
  EXPECT_LT(diagnostics.items().front().message.size(), 300u);
  EXPECT_LT(RenderText(diagnostics, SourceText("t", text)).size(), 2'000u);
}

TEST(Hostile, OddBytes) {
  EXPECT_THAT(Findings<onnx::ModelProto>(""), ElementsAre("unexpected-token"));
  EXPECT_THAT(Findings<onnx::ModelProto>(std::string_view("g () => () {}\0", 14)), ElementsAre("look-alike"));
  EXPECT_EQ(ParseText<onnx::ModelProto>("\xef\xbb\xbfg () => () {}").graph().name(), "g");
  EXPECT_THAT(Findings<onnx::ModelProto>("\xef\xbb\xbf\xef\xbb\xbfg () => () {}"), Not(IsEmpty()));
  EXPECT_THAT(Findings<onnx::ModelProto>("g \xef\xbb\xbf() => () {}"), Not(IsEmpty()));
  const auto attribute = ParseText<onnx::AttributeProto>(std::string_view("k=\"\0\xff\xfe\"", 7));
  EXPECT_EQ(attribute.s(), std::string_view("\0\xff\xfe", 3));
  std::string all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<char>(i));
  for (int i = 0; i < 256; ++i) {
    const std::string text = std::string(1, static_cast<char>(i)) + all;
    onnx::ModelProto model;
    EXPECT_FALSE(Parse(text, &model).ok()) << i;
  }
}

// Parses each prefix of a text, and the text with each byte changed. If the parser accepts the text, printing and
// parsing gives the same message.
TEST(Hostile, EveryPrefixAndManyChanges) {
  const std::string text =
      "# onnxc: raw, set NodeProto.domain\n<ir_version: 8, opset_import: [\"\": 17], training_info: [{algorithm: (h () "
      "=> () {})}]>\n"
      "@doc_string \"d\" g (float[N, 2] x = {1, -inf}, seq(map(int64, string)) \"y 1\") => (optional(T) z)\n"
      "<int8[2] w = {1, 2}, sparse_tensor(float[3]) s = {1: 2.5}, @{name: \"i\"} =>\n"
      "{ [n] a, , \"b\" = my.dom.Op:ov <k: ints = [1, 2], f = -1.5e-3, t = float[2] w {1, 2}, r = @x, q = @a 1 float> "
      "(p, , q)\n"
      "  y = If <then = t () => () { u = A () }> (c) }\n<domain: \"d\"> f <a, b: int = 1> (float x) => (y) {}\n";
  const auto check = [](const std::string& candidate) {
    onnx::ModelProto model;
    const Diagnostics diagnostics = Parse(candidate, &model);
    ASSERT_NE(diagnostics.ok(), !diagnostics.items().empty());
    ASSERT_FALSE(RenderText(diagnostics, SourceText("t", candidate)).empty() && !diagnostics.ok());
    if (!diagnostics.ok()) return;
    const std::string printed = Print(model).text;
    ASSERT_EQ(Bytes(ParseText<onnx::ModelProto>(printed)), Bytes(model)) << candidate << "\n" << printed;
  };
  for (std::size_t end = 0; end <= text.size(); ++end) check(text.substr(0, end));
  constexpr std::string_view kCharacters("\0()[]{}<>,:=.?@#\"'-;x1 \n\xff", 26);
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (std::size_t i = at % 2; i < kCharacters.size(); i += 2) {  // each character at every second place
      std::string changed = text;
      changed[at] = kCharacters[i];
      check(changed);
    }
  }
}

}  // namespace
}  // namespace onnxc::testing
