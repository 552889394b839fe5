// A list of strings is one token if its strings are plain, and otherwise a list of tokens. Both must have the same
// meaning.
#include <onnxc/diagnostic.h>

#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

// The literals of each list, and their values.
struct List {
  std::vector<std::string> literals;
  std::vector<std::string> strings;
};

std::vector<List> Lists() {
  std::string plain;  // of all lengths below 40, with special characters at other places
  List lengths;
  for (int i = 0; i < 40; ++i) {
    lengths.literals.push_back('"' + plain + '"');
    lengths.strings.push_back(plain);
    plain += "ab,#]}{[:'b="[i % 12];
  }
  List escapes;  // at each position of a string of each length
  for (std::size_t size = 1; size < 20; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      const std::string before(at, 'x');
      const std::string after(size - at - 1, 'y');
      for (const char escaped : {'"', '\\', 'n', 'z'}) {
        escapes.literals.push_back('"' + before + '\\' + escaped + after + '"');
        escapes.strings.push_back(before + escaped + after);
      }
    }
  }
  return {lengths,
          escapes,
          {{R"("")"}, {""}},
          {{R"("\\\"\\")", R"("\"\"")"}, {R"(\"\)", R"("")"}},
          {{"\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"", "\"\xff\xfe\""},
           {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xff\xfe"}},
          {{"\"# no comment\"", "\"two\nlines\""}, {"# no comment", "two\nlines"}}};
}

std::string Join(const std::vector<std::string>& literals, const std::string& between) {
  std::string text;
  for (const std::string& literal : literals) text += (text.empty() ? "" : between) + literal;
  return text;
}

template <typename Strings>
std::vector<std::string> ToVector(const Strings& strings) {
  return {strings.begin(), strings.end()};
}

TEST(Strings, OfAttributes) {
  for (const List& list : Lists()) {
    for (const char* between : {",", ", ", "\n,\t ", ", # comment\n", " #\n , #\n#\n"}) {
      for (const char* kind : {"", ": strings", ": string"}) {
        const auto attribute =
            ParseText<onnx::AttributeProto>(std::string("k") + kind + " = [ " + Join(list.literals, between) + " ]");
        EXPECT_EQ(attribute.type(), onnx::AttributeProto::STRINGS);
        EXPECT_THAT(ToVector(attribute.strings()), ElementsAreArray(list.strings)) << between;
      }
    }
  }
}

TEST(Strings, OfTensors) {
  for (const List& list : Lists()) {
    for (const char* between : {",", ", ", "\n,\t ", ", # comment\n", " #\n , #\n#\n"}) {
      for (const char* head : {"string[N] = {", "string[N] x = {", "string[N] x {", "string[N] {"}) {
        const std::string text = std::string(head).replace(7, 1, "1") + Join(list.literals, between) + "\n}";
        EXPECT_THAT(ToVector(ParseText<onnx::TensorProto>(text).string_data()), ElementsAreArray(list.strings)) << text;
      }
    }
  }
}

TEST(Strings, OfBytesAmongOthers) {
  EXPECT_THAT(ToVector(ParseText<onnx::TensorProto>(R"(string[3] {"a\x", b"\x00\n\"", "b"})").string_data()),
              ElementsAre("ax", std::string("\0\n\"", 3), "b"));
  EXPECT_THAT(ToVector(ParseText<onnx::AttributeProto>(R"(k = [b"\\", "b\\"])").strings()), ElementsAre("\\", "b\\"));
}

TEST(Strings, HaveTheirPlaces) {
  for (const std::string text : {R"(string[3] x = {"", "a\"b", "c"})", "string[3] x = {\"\", #\n\"a\\\"b\", \"c\"}"}) {
    onnx::TensorProto tensor;
    SourceMap map;
    ASSERT_TRUE(testing::Ok(Parse(text, &tensor, {.source_map_out = &map})));
    const std::vector<std::string> literals = {R"("")", R"("a\"b")", R"("c")"};
    for (int i = 0; i < 3; ++i) {
      const SourceRange* range = map.Find(tensor, onnx::TensorProto::kStringDataFieldNumber, i);
      ASSERT_NE(range, nullptr);
      EXPECT_EQ(text.substr(range->begin, range->end - range->begin), literals[static_cast<std::size_t>(i)]);
    }
  }
}

TEST(Strings, OfLongLists) {
  std::vector<std::string> literals(200'000, R"("one of \"many\" words")");
  const std::string list = Join(literals, ", ");
  const auto tensor = ParseText<onnx::TensorProto>("string[200000] {" + list + "}");
  EXPECT_EQ(tensor.string_data_size(), 200'000);
  EXPECT_EQ(tensor.string_data(199'999), "one of \"many\" words");
  EXPECT_EQ(ParseText<onnx::AttributeProto>("k = [" + list + "]").strings_size(), 200'000);
}

// Scanning takes linear time: if a text that begins like such a list is not one, it is read at most twice.
TEST(Strings, OfListsThatAreNone) {
  std::string text = "k = [";
  for (int i = 0; i < 100'000; ++i) text += R"("a" {"b", "c", )";
  EXPECT_FALSE(Findings<onnx::AttributeProto>(text).empty());
  EXPECT_FALSE(Findings<onnx::AttributeProto>("k = [\"" + std::string(1'000'000, '\\')).empty());
}

// The kind and the text range of the first finding.
template <typename Message>
std::string FirstFinding(const std::string& text) {
  Message message;
  const Diagnostics found = Parse(text, &message);
  if (found.ok()) return "nothing";
  const Diagnostic& first = found.items().front();
  return std::string(Name(first.kind)) + ' ' + text.substr(first.range.begin, first.range.end - first.range.begin);
}

TEST(Strings, WithMistakes) {
  using Attribute = onnx::AttributeProto;
  using Tensor = onnx::TensorProto;
  EXPECT_EQ(FirstFinding<Attribute>(R"(k = ["a", "b",])"), "extra-comma ,");
  EXPECT_EQ(FirstFinding<Attribute>(R"(k = ["a" "b"])"), R"(missing-comma "b")");
  EXPECT_EQ(FirstFinding<Attribute>(R"(k = ["a", , "b"])"), "extra-comma ,");
  EXPECT_EQ(FirstFinding<Attribute>(R"(k = ["a", 1])"), "list-mismatch 1");
  EXPECT_EQ(FirstFinding<Attribute>(R"(k = [1, "a"])"), R"(list-mismatch "a")");
  EXPECT_EQ(FirstFinding<Attribute>(R"(k = ["a", b])"), "wrong-literal b");
  EXPECT_EQ(FirstFinding<Attribute>(R"(k = ["a", "b)"), R"(unclosed-string "b)");
  EXPECT_EQ(FirstFinding<Attribute>(R"(k = ["a", "b")"), "unclosed-bracket ");
  EXPECT_EQ(FirstFinding<Attribute>(R"(k = ["a", b"\q"])"), R"(malformed-escape b"\q")");
  EXPECT_EQ(FirstFinding<Attribute>(R"(k = ["a", 'b'])"), "single-quotes 'b'");
  EXPECT_EQ(FirstFinding<Attribute>(R"(k = ["a"})"), "unclosed-bracket }");
  EXPECT_EQ(FirstFinding<Attribute>(R"(k: ints = ["a", "b"])"), R"(list-mismatch "a")");
  EXPECT_EQ(FirstFinding<Attribute>(R"(k: graph = ["a"])"), R"(list-mismatch "a")");
  EXPECT_EQ(FirstFinding<Attribute>(R"(k: strings = [])"), "nothing");
  EXPECT_EQ(FirstFinding<Attribute>(R"(k = [])"), "untyped-empty-list []");
  EXPECT_EQ(FirstFinding<Attribute>(R"(k = {"a", "b"})"), "wrong-brackets {");
  EXPECT_EQ(FirstFinding<Tensor>(R"(string[2] {"a", 1})"), "wrong-literal 1");
  EXPECT_EQ(FirstFinding<Tensor>(R"(string[2] {"a", "b",})"), "extra-comma ,");
  EXPECT_EQ(FirstFinding<Tensor>(R"(string[2] {"a", "b)"), R"(unclosed-string "b)");
  EXPECT_EQ(FirstFinding<Tensor>(R"(string[2] {"a", "b"])"), "unclosed-bracket ]");
  EXPECT_EQ(FirstFinding<Tensor>(R"(float[2] {"a", "b"})"), R"(wrong-literal "a")");
  EXPECT_EQ(FirstFinding<Tensor>(R"(int4[2] {{"a", "b"}})"), R"(wrong-literal "a")");
  EXPECT_EQ(FirstFinding<Tensor>(R"(string[2] x = ["a", "b"])"), "wrong-brackets [");
  EXPECT_EQ(FirstFinding<Tensor>(R"(string[0] {})"), "nothing");
  EXPECT_EQ(FirstFinding<onnx::GraphProto>(R"(g () => () <sparse_tensor(string[2]) s = {"a", "b"}> {})"),
            R"(sparse-element "a")");
  EXPECT_EQ(FirstFinding<onnx::GraphProto>(R"(g () => () { y = Op <k = ["a", "b"] (x) })"), "unclosed-bracket (");
}

}  // namespace
}  // namespace onnxc::testing
