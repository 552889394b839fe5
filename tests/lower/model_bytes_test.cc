// ParseToBytes() writes the same bytes as protobuf writes for Parse()'s message, and has the same findings as Parse().
#include <fmt/format.h>
#include <onnxc/printer.h>

#include <filesystem>
#include <functional>
#include <numeric>
#include <random>

#include "testing/folder.h"
#include "testing/paths.h"
#include "testing/predicates.h"
#include "testing/proto.h"
#include "testing/random_message.h"

namespace onnxc::testing {
namespace {

namespace fs = std::filesystem;

// A comment that makes any text long enough for its parts to be serialized one by one.
const std::string& Padding() {
  static const std::string padding = "\n#" + std::string(std::size_t{8} << 10, '-');
  return padding;
}

/// Expects the bytes and findings of Parse(), with each of these numbers of threads.
void ExpectSameWith(const std::vector<unsigned>& threads, const std::string& text, const std::string& what,
                    ParseOptions options = {}) {
  onnx::ModelProto model;
  const SourceText source("text", text);
  const Diagnostics expected = Parse(text, &model, options);
  const std::string expected_text = RenderText(expected, source);
  const std::string expected_bytes = model.SerializeAsString();
  for (const unsigned number : threads) {
    options.threads = number;
    std::vector<std::string> chunks;
    const Diagnostics found = ParseToBytes(text, &chunks, options);
    EXPECT_EQ(RenderText(found, source), expected_text) << what << ", threads: " << number;
    EXPECT_EQ(chunks.empty(), !expected.ok()) << what << ", threads: " << number;
    const std::string bytes = std::accumulate(chunks.begin(), chunks.end(), std::string());
    EXPECT_TRUE(testing::AreSame(bytes, expected_bytes)) << what << ", threads: " << number;
  }
}

void ExpectSame(const std::string& text, const std::string& what, const ParseOptions& options = {}) {
  ExpectSameWith({0}, text, what, options);
  ExpectSameWith({0}, text + Padding(), what + ", in a long text", options);
}

TEST(ModelBytes, AreThoseOfTheMessageOfEachTextOfTheTests) {
  int texts = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kTestdata)) {
    if (entry.path().extension() != ".onnxtxt") continue;
    for (const bool apart : {false, true}) {
      ExpectSame(ReadWhole(entry.path()), entry.path().string(), {.tell_functions_apart = apart});
    }
    ++texts;
  }
  EXPECT_GT(texts, 100);
}

TEST(ModelBytes, AreThoseOfAnyMessage) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    onnx::ModelProto model;
    FillAtRandom(&model, seed);
    ExpectSame(Print(model).text, "seed " + std::to_string(seed));
  }
}

// The strings of an initializer are serialized before the rest of the initializer.
TEST(ModelBytes, HaveStringsOfInitializers) {
  const std::string header = "<ir_version: 8, opset_import: [\"\": 17]>\n";
  std::string long_list = "{";  // long enough to be serialized separately
  while (long_list.size() < std::size_t{2} << 20)
    long_list += R"("a \"word\"", "", ")" + std::string(20'000, 'x') + "\", ";
  long_list += R"("the last"})";
  const std::vector<std::string> lists = {
      R"({"a", "", "b\"c"})", "{\"a\", #\n \"b\"}", R"({"a", b"\xff"})", "{}", "{1, 2}", long_list};
  for (const std::string& list : lists) {
    for (const std::string before :
         {"", "@doc_string \"d\" ", "@string_data [\"late\"] ", "@segment {begin: 1, end: 2} ", "@int64_data [1] ",
          "@float_data [1] ", "@unknown_fields \"\\\"\\0\" "}) {
      const std::string tensor = before + "string[3] w = " + list;
      ExpectSame(header + "g (" + tensor + ") => (y) <" + tensor + ", string[1] v = {\"v\"}, " + tensor + "> {}",
                 tensor);
      ExpectSame(header + "g () => (y) { y = If <b = h () => (z) <" + tensor + "> {}> () }", tensor);
      ExpectSame(header + "g () => (y) { y = Op <t = " + before + "string[3] " + list + "> () }", tensor);
    }
    ExpectSame(header + "g () => (y) <@values (string[1] " + list + ") sparse_tensor(string[3]) s = {0: \"a\"}> {}",
               list);
    ExpectSame("# onnxc: raw\n" + header + "g () => (y) <string[2] w = " + list + "> {}", list);
  }
}

// Annotations and pragmas of the graph, the model and its functions take effect at the end.
TEST(ModelBytes, HaveWhatAnnotationsAdd) {
  const std::string header = "<ir_version: 8, opset_import: [\"\": 17]>\n";
  const std::string graph =
      "g (float[1] i = {7}) => (y) <float[2] w = {1, 2}, float[1] v,\n"
      "sparse_tensor(float[3]) s = {1: 2}> { y = A (w) z = B (y) }\n";
  const std::string function = "<domain: \"d\"> f (x) => (y) { y = C (x) }\n";
  const std::vector<std::string> annotations = {
      "@node [{op_type: \"Late\"}]\n",
      "@initializer [{name: \"late\"}]\n@value_info [{name: \"late\"}]\n",
      "@doc_string \"d\" @metadata_props [\"k\": \"v\"] @quantization_annotation [{tensor_name: \"w\"}]\n",
      "# onnxc: unset name\n",
      "# onnxc: set doc_string\n",
  };
  for (const std::string& annotation : annotations) {
    ExpectSame(header + annotation + graph + function, annotation);
    ExpectSame(annotation + graph, annotation + "without a header");
    ExpectSame(header + graph + annotation + function, annotation + "on a function");
  }
  for (const std::string annotation :
       {"@graph.node [{op_type: \"Late\"}]\n", "# onnxc: unset graph\n", "@graph {name: \"h\"}\n",
        "@unknown_fields b\"\\x18\\x01\" @graph.unknown_fields b\"\\x18\\x01\"\n", "@functions [{name: \"late\"}]\n",
        "@training_info [{algorithm: {name: \"t\"}}]\n"}) {
    ExpectSame(annotation + header + graph + function + function, annotation);
  }
}

TEST(ModelBytes, OfRecordsAndFunctionsAlone) {
  const std::string function = "<domain: \"d\"> f (x) => (y) { y = C (x) }\n";
  for (const bool apart : {false, true}) {
    const ParseOptions options{.tell_functions_apart = apart};
    ExpectSame(function + function, "functions alone", options);
    ExpectSame("@{ir_version: 8, graph: {name: \"g\", node: [{op_type: \"A\"}]}, functions: [{name: \"f\"}]}", "record",
               options);
    ExpectSame("@doc_string \"d\" @{graph: {node: [{op_type: \"A\"}]}}", "record", options);
    ExpectSame("", "nothing", options);
    ExpectSame("g () => () {", "an error", options);
  }
}

// A chunk has a maximum size, and is larger if it contains a larger element.
TEST(ModelBytes, OfLargeModels) {
  std::string text = "<ir_version: 8>\ng () => () <float[900000] w = {0";
  for (int i = 1; i < 900000; ++i) text += ",1";
  text += "}> {\n";
  for (int i = 0; i < 40000; ++i) text += "y" + std::to_string(i) + " = Relu <alpha = 1.5> (x)\n";
  text += "}\n";
  ExpectSame(text, "large");
}

// ---- long lists of numbers in initializers, which are serialized before the rest of the initializer

constexpr int kNumbers = 230'000;  // more than 1 MiB of text in most cases, so that several threads read it

/// number(i) for each i, with `separator` between the numbers.
template <typename MakeNumber>
std::string List(const MakeNumber& number, std::string_view separator = ",") {
  std::string list = "{" + number(0);
  for (int i = 1; i < kNumbers; ++i) list.append(separator).append(number(i));
  return list + "}";
}

std::string WithInitializer(const std::string& type, const std::string& list, const std::string& before = "") {
  const std::string tensor = before + type + "[3] w = " + list;
  return "<ir_version: 8, opset_import: [\"\": 17]>\ng (x) => (y) <float[1] v = {1}, " + tensor +
         ", int32[2] u = {1, 2}> {}";
}

// Every second text is read by two threads, and the others by three.
void ExpectSameWithThreads(const std::string& text, const std::string& what) {
  static unsigned texts = 0;
  ExpectSameWith({1, 2 + texts++ % 2}, text, what);
}

TEST(ModelBytes, HaveLongListsOfNumbers) {
  std::mt19937_64 random(1);
  const auto digits = [&](int) { return std::to_string(random() % 100'000); };
  const auto any_size = [&](int) { return std::to_string(random() >> (1 + random() % 63)); };
  const auto with_sign = [&](int) { return (random() % 2 == 0 ? "-" : "") + std::to_string(random() % 1000); };
  const auto limits = [&](int i) { return std::string(i % 2 == 0 ? "-9223372036854775808" : "9223372036854775807"); };
  const auto fraction = [&](int) {
    return (random() % 2 == 0 ? "-0." : "0.") + std::to_string(random() >> (random() % 60));
  };
  const auto special = [&](int i) { return i % 1000 == 0 ? std::string("-inf") : "1e" + std::to_string(i % 30); };
  const std::vector<std::pair<std::vector<std::string>, std::function<std::string(int)>>> lists = {
      {{"int32", "int8", "bool", "float16", "float8e4m3fn", "int4"}, with_sign},
      {{"int64", "uint32", "uint64", "float", "double"}, any_size},
      {{"int64", "double"}, limits},
      {{"float", "double", "complex64", "complex128"}, fraction},
      {{"float", "double"}, special},
      {{"uint16", "bfloat16"}, digits}};
  for (const auto& [types, number] : lists) {
    for (const std::string& type : types) ExpectSameWithThreads(WithInitializer(type, List(number)), type);
  }
  for (const std::string_view separator : {", ", " ,\n", ",\n    "}) {
    ExpectSameWithThreads(WithInitializer("float", List(fraction, separator)), std::string(separator));
  }
}

// A list that is not plain is read into a message, and so is a list to which something may be added.
TEST(ModelBytes, HaveLongListsThatAreNotPlain) {
  const auto one = [](int) { return std::string("1000"); };
  for (const int odd : {0, kNumbers / 2, kNumbers - 1}) {
    const auto list = [&](const std::string& literal) {
      return List([&](int i) { return i == odd ? literal : "1000"; });
    };
    for (const std::string literal : {"nan", "nan0x7fc00001", "-inf", "1e-60", "10 # a comment\n"}) {
      ExpectSameWithThreads(WithInitializer("float", list(literal)), literal);
    }
    ExpectSameWithThreads(WithInitializer("float16", list("1.5")), "a half");  // an error in a long list; this is slow
    ExpectSameWithThreads(WithInitializer("int32", list(std::string(400'000, ' ') + "7")), "far apart");
  }
  const std::string ones = List(one);
  for (const std::string before :
       {"@doc_string \"d\" ", "@int32_data [7, 8] ", "@float_data [7] ", "# onnxc: raw\n", "# onnxc: set name\n"}) {
    ExpectSameWithThreads(WithInitializer("int32", ones, before), before);
    ExpectSameWithThreads(before + WithInitializer("int32", ones), before + "on the model");
  }
  ExpectSameWithThreads(WithInitializer("string", ones), "numbers for strings");
  ExpectSameWithThreads(WithInitializer("uint4", "{" + ones + "}"), "packed");
}

// Errors in any part of a list are reported as if the list were read into a message.
TEST(ModelBytes, AreWrongInLongLists) {
  for (const int odd : {0, kNumbers / 2, kNumbers - 1}) {
    for (const std::string literal :
         {"", "1x", "1 1", "-", "2147483648", "-2147483649", "1.5", "+1", "99999999999999999999", "\"1\""}) {
      const std::string list = List([&](int i) { return i == odd ? literal : "1000"; });
      ExpectSameWithThreads(WithInitializer("int32", list), literal + " at " + std::to_string(odd));
    }
    for (const std::string literal : {"1e999", ".5", "1e+", "-nan0x1"}) {
      const std::string list = List([&](int i) { return i == odd ? literal : "1.25"; });
      ExpectSameWithThreads(WithInitializer("double", list), literal + " at " + std::to_string(odd));
    }
  }
  const std::string many = List([](int) { return std::string("1000"); });
  ExpectSameWithThreads(WithInitializer("int32", many.substr(0, many.size() - 1)), "not closed");
  ExpectSameWithThreads(WithInitializer("int32", many.substr(0, many.size() - 1) + ",}"), "a comma too many");
}

// ---- texts so long that another thread reads their second half ahead

constexpr int kManyNodes = 50'000;

/// A model with many nodes: node(i) is the text of a node, with its line break.
template <typename Node>
std::string ManyNodes(const Node& node, const std::string& end = "}\n") {
  std::string text = "<ir_version: 10, opset_import: [\"\": 17]>\ng (x) => (y) {\n";
  for (int i = 0; i < kManyNodes; ++i) text += node(i);
  return text + end;
}

std::string Plain(int i) { return "   y" + std::to_string(i) + " = Relu <alpha: float = 0.5> (x)\n"; }

TEST(ModelBytes, AreTheSameWhenNodesAreReadAhead) {
  ExpectSameWithThreads(ManyNodes(&Plain), "plain");
  ExpectSameWithThreads(ManyNodes(&Plain, "}\n<domain: \"d\"> f (x) => (y) { y = C (x) }\n"), "with a function");
  // The place where reading ahead begins is in the function after a short graph.
  std::string function =
      "<opset_import: [\"\": 17]>\ng (x) => (y) {\n" + Plain(0) + "}\n<domain: \"d\"> f (x) => (y) {\n";
  for (int i = 0; i < kManyNodes; ++i) function += Plain(i);
  ExpectSameWithThreads("<ir_version: 10, " + function.substr(1) + "}\n", "in a function");
  const auto annotated = [](int i) {
    return (i % 3 == 0   ? "   # onnxc: set doc_string\n"
            : i % 3 == 1 ? "   @doc_string \"d\"\n"
                         : "   # a comment\n") +
           Plain(i);
  };
  ExpectSameWithThreads(ManyNodes(annotated), "annotated");
  ExpectSameWithThreads("# onnxc: set NodeProto.domain\n" + ManyNodes(&Plain), "clauses of the whole");
  const auto windows = [](int i) {
    std::string line = Plain(i);
    return line.insert(line.size() - 1, "\r");
  };
  ExpectSameWithThreads(ManyNodes(windows), "with carriage returns");
  ExpectSameWithThreads(ManyNodes([](int i) { return "y" + std::to_string(i) + " = Relu (x) "; }), "on one line");
}

// Lines that look like the beginning of a node, but are not.
TEST(ModelBytes, AreTheSameWhenAGuessIsWrong) {
  const auto in_subgraph = [](int i) {
    return "   y" + std::to_string(i) +
           " = If (x) <then_branch = t () => (a) {\n   a = Relu (x)\n   b = Relu (a)\n   }>\n";
  };
  ExpectSameWithThreads(ManyNodes(in_subgraph), "in a subgraph");
  const auto in_string = [](int i) {
    return "   y" + std::to_string(i) + " = A <s = \"\n   z = Relu (x)\n   z = Relu (x)\n\"> (x)\n";
  };
  ExpectSameWithThreads(ManyNodes(in_string), "in a string");
  const auto in_list = [](int) { return std::string("   y\n   ,\n   z = Relu <k: ints = [1,\n   2]>\n   (x)\n"); };
  ExpectSameWithThreads(ManyNodes(in_list), "inside a node");
}

// Errors near the end, and findings that concern the whole model.
TEST(ModelBytes, AreWrongInWhatIsReadAheadToo) {
  const auto with = [](const std::string& last) {
    return ManyNodes([&](int i) { return i == kManyNodes - 10 ? last : Plain(i); });
  };
  std::string deep = "   y = A";
  for (int i = 0; i < 60; ++i) deep += " <g: graph = g () => () { y = A";
  for (int i = 0; i < 60; ++i) deep += " () }>";
  for (const std::string& last :
       {std::string("   y = = Relu (x)\n"), std::string("   y = A <k: ints = [1, a]> (x)\n"), std::string("}\n"),
        std::string("   y = \"open\n"), deep + " ()\n", std::string("   y = A <t: tensor = float[2] {1}> (x)\n")}) {
    ExpectSameWithThreads(with(last), last);
  }
  ExpectSameWithThreads(ManyNodes(&Plain, ""), "not closed");

  // A caller that requests only bytes is informed that the model has elided data.
  const std::string elided = with("   y = A <t: tensor = float[2] w = [\"elided\": \"sha256:00\"]> (x)\n");
  for (const unsigned threads : {1u, 2u}) {
    std::vector<std::string> chunks;
    bool has_external_data = false;
    EXPECT_TRUE(testing::Ok(ParseToBytes(elided, &chunks, {.threads = threads}, &has_external_data))) << threads;
    EXPECT_TRUE(has_external_data) << threads;
  }
}

// Many lists use only a few chunks, and these allocate at most a few times the size of their contents.
TEST(ModelBytes, OfManyListsAreCompact) {
  std::string text = "<ir_version: 10> g () => () <";
  for (int i = 0; i < 600; ++i) {
    text += fmt::format("{}float[9000] w{} = {{", i == 0 ? "" : ", ", i);
    for (int k = 0; k < 9000; ++k) text += k == 0 ? "0.123456" : ",0.123456";
    text += fmt::format("}}, float[2] b{} = {{1, 2}}", i);
  }
  text += "> {}";
  std::vector<std::string> chunks;
  ASSERT_TRUE(testing::Ok(ParseToBytes(text, &chunks)));
  std::size_t size = 0;
  std::size_t reserved = 0;
  for (const std::string& chunk : chunks) {
    size += chunk.size();
    reserved += chunk.capacity();
  }
  EXPECT_GT(size, std::size_t{600} * 36'000);
  EXPECT_LT(reserved, 2 * size + (std::size_t{16} << 20));
  EXPECT_LT(chunks.size(), 50u);
}

}  // namespace
}  // namespace onnxc::testing
