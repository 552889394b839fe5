// Tests calls of functions: where the domain is missing or wrong, how deep calls and graphs are, and attributes of
// functions that are used in nested graphs.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/parser.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/corrections.h"
#include "testing/predicates.h"

namespace onnxc::calls_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Returns the findings of a text that are about a rule, and the text after the corrections of the first of them.
struct Told {
  std::vector<std::string> messages;
  std::vector<std::string> at;  ///< the words at the places of the findings
  std::string corrected;
};
Told ToldOf(std::string_view rule, const std::string& text) {
  onnx::ModelProto model;
  SourceMap places;
  EXPECT_TRUE(testing::Ok(Parse(text, &model, {.source_map_out = &places}))) << text;
  Told told;
  const Diagnostics found = CheckModel(model, {.source_map = &places});
  for (const Diagnostic& item : found.items()) {
    if (Name(item.kind) != rule) continue;
    told.messages.push_back(item.message);
    told.at.push_back(text.substr(item.range.begin, item.range.end - item.range.begin));
    if (told.messages.size() > 1 || item.fix_its.empty()) continue;
    told.corrected = ApplyCorrections(text, std::span(&item, 1)).text;
  }
  return told;
}

/// A function of a domain, and its overload.
struct Defined {
  std::string domain;
  std::string name;
  std::string overload = "";
};

std::string TextWith(const std::vector<Defined>& functions, const std::vector<std::string>& imports,
                     std::string_view call) {
  std::string text = "<ir_version: 10, opset_import: [\"\" : 21";
  for (const std::string& domain : imports) text += fmt::format(", \"{}\" : 1", domain);
  text += fmt::format("]>\ng (float[2] x) => (float[2] y) {{ y = {} (x) }}\n", call);
  for (const auto& [domain, name, overload] : functions) {
    text += fmt::format("<domain: \"{}\", {}opset_import: [\"\" : 21]> {} (a) => (b) {{ b = Relu (a) }}\n", domain,
                        overload.empty() ? "" : fmt::format("overload: \"{}\", ", overload), name);
  }
  return text;
}

// `Foo (x)`: if functions of exactly one domain have the name, this domain is missing.
TEST(Calls, AMissingDomainIsThatOfTheOnlyFunctionOfTheName) {
  const std::vector<std::string> domains = {"aa", "bb.cc", "dd"};
  for (const std::string overload : {"", "v"}) {
    for (unsigned order = 0; order < 2; ++order) {
      for (unsigned chosen = 0; chosen < 8; ++chosen) {  // the domains that have the function
        std::vector<Defined> functions;
        std::vector<std::string> having;
        for (std::size_t i = 0; i < domains.size(); ++i) {
          const std::string& domain = domains[order == 0 ? i : domains.size() - 1 - i];
          const bool has_it = (chosen >> i & 1u) != 0;
          functions.push_back({domain, has_it ? "Quux" : "Other"});
          if (!has_it) continue;
          having.push_back(domain);
          if (!overload.empty()) functions.push_back({domain, "Quux", overload});
        }
        const std::string text = TextWith(functions, domains, "Quux");
        SCOPED_TRACE(text);
        const Told told = ToldOf("unknown-operator", text);
        ASSERT_EQ(told.messages.size(), 1u);
        EXPECT_EQ(told.at[0], "Quux");
        if (having.size() == 1) {
          const std::string call = having[0] + ".Quux";
          EXPECT_THAT(told.messages[0], HasSubstr(fmt::format("did you mean the function '{}'?", call)));
          EXPECT_TRUE(testing::AreSame(told.corrected, TextWith(functions, domains, call)));
        } else {
          EXPECT_THAT(told.messages[0], Not(HasSubstr("did you mean")));
          EXPECT_EQ(told.corrected, "");
        }
      }
    }
  }
}

// `ddd.Foo (x)`, where `dd` is imported: the domain is surely misspelt if only this domain has the function.
TEST(Calls, AMisspeltDomainIsThatOfTheOnlyFunctionOfTheName) {
  const std::vector<std::string> domains = {"first", "other"};
  for (unsigned chosen = 0; chosen < 4; ++chosen) {
    std::vector<Defined> functions;
    for (std::size_t i = 0; i < domains.size(); ++i) {
      functions.push_back({domains[i], (chosen >> i & 1u) != 0 ? "Quux" : "Other"});
    }
    const std::string text = TextWith(functions, domains, "frist.Quux");
    SCOPED_TRACE(text);
    const Told told = ToldOf("domain-not-imported", text);
    ASSERT_EQ(told.messages.size(), 1u);
    EXPECT_EQ(told.at[0], "frist");
    if (chosen == 1) {
      EXPECT_TRUE(testing::AreSame(told.corrected, TextWith(functions, domains, "first.Quux")));
    }
    if (!told.corrected.empty()) {
      EXPECT_TRUE(testing::AreSame(told.corrected, TextWith(functions, domains, "first.Quux")));
    }
  }
}

// `aa.Foo:w (x)`: if the domain has the function with one overload only, the call means it.
TEST(Calls, AWrongOverloadIsThatOfTheOnlyFunction) {
  const std::vector<std::string> overloads = {"", "one", "two"};
  for (unsigned chosen = 1; chosen < 8; ++chosen) {
    std::vector<Defined> functions = {{"aa", "Another"}, {"bb", "Quux", "three"}};
    std::vector<std::string> having;
    for (std::size_t i = 0; i < overloads.size(); ++i) {
      if ((chosen >> i & 1u) != 0) having.push_back(overloads[i]);
    }
    for (const std::string& overload : having) functions.push_back({"aa", "Quux", overload});
    for (const std::string called : {"", "one", "two", "four"}) {
      const auto call = [](const std::string& overload) {
        return overload.empty() ? std::string("aa.Quux") : "aa.Quux:" + overload;
      };
      const std::string text = TextWith(functions, {"aa", "bb"}, call(called));
      SCOPED_TRACE(text);
      const Told told = ToldOf("unknown-function", text);
      const bool is_there = std::ranges::find(having, called) != having.end();
      ASSERT_EQ(told.messages.size(), is_there ? 0u : 1u);
      if (is_there) continue;
      if (having.size() == 1) {
        const std::string meant = call(having[0]).substr(3);
        EXPECT_THAT(told.messages[0], HasSubstr(fmt::format("did you mean '{}'?", meant)));
        EXPECT_TRUE(testing::AreSame(told.corrected, TextWith(functions, {"aa", "bb"}, call(having[0]))));
      } else {
        EXPECT_EQ(told.corrected, "");
      }
    }
  }
}

// A function without a domain gets the one with which nodes call it, or one of its own: then the model is right.
TEST(Calls, AFunctionWithoutADomainGetsOne) {
  for (const std::string call : {"my.F", "a.b.F", "F"}) {
    for (const std::string header :
         {"", "<opset_import: [\"\" : 21]> ", "<doc_string: \"d\", opset_import: [\"\" : 21]>\n"}) {
      const std::string domain = call.substr(0, call.size() - std::min<std::size_t>(call.size(), 2));
      const std::string text = fmt::format(
          "<ir_version: 10, opset_import: [\"\" : 21{}]>\ng (float[2] x) => (float[2] y) {{ y = {} (x) }}\n{}F (a) => "
          "(b) "
          "{{ b = Relu (a) }}\n",
          domain.empty() ? "" : fmt::format(", \"{}\" : 1", domain), call, header);
      SCOPED_TRACE(text);
      const Told told = ToldOf("function-domain", text);
      ASSERT_EQ(told.messages.size(), 1u);
      if (domain.empty() && !header.empty()) continue;  // it is not known what the header lacks
      onnx::ModelProto model;
      ASSERT_TRUE(testing::Ok(Parse(told.corrected, &model))) << told.corrected;
      EXPECT_TRUE(testing::Ok(CheckModel(model))) << told.corrected;
      ASSERT_EQ(model.functions_size(), 1);
      EXPECT_EQ(model.functions(0).domain(), model.graph().node(0).domain());
      EXPECT_EQ(model.functions(0).node(0).op_type(), "Relu");
      if (!domain.empty()) {
        EXPECT_EQ(model.functions(0).domain(), domain);
      }
    }
  }
}

// ---- depth

std::vector<std::string> PathsOf(std::string_view rule, const onnx::ModelProto& model) {
  std::vector<std::string> paths;
  const Diagnostics found = CheckModel(model);
  for (const Diagnostic& item : found.items()) {
    if (Name(item.kind) == rule) paths.push_back(item.path);
  }
  return paths;
}

/// Returns a model that calls the first of `count` functions, each of which calls the next one.
onnx::ModelProto ChainOf(int count, bool is_reversed) {
  onnx::ModelProto model;
  std::string text =
      "<ir_version: 10, opset_import: [\"\" : 21, \"f\" : 1]> g (float[2] x) => (float[2] y) { y = f.f0 (x) }";
  std::vector<std::string> functions;
  for (int i = 0; i < count; ++i) {
    const std::string body = i + 1 == count ? "Relu (a)" : fmt::format("f.f{} (a)", i + 1);
    functions.push_back(
        fmt::format("<domain: \"f\", opset_import: [\"\" : 21, \"f\" : 1]> f{} (a) => (b) {{ b = {} }}\n", i, body));
  }
  if (is_reversed) std::ranges::reverse(functions);
  for (const std::string& function : functions) text += function;
  EXPECT_TRUE(testing::Ok(Parse(text, &model)));
  return model;
}

TEST(Calls, AHundredLevelsAndOneMore) {
  for (const bool is_reversed : {false, true}) {
    for (const int count : {1, 2, 99, 100, 101, 102, 150}) {
      SCOPED_TRACE(count);
      const std::vector<std::string> paths = PathsOf("call-depth", ChainOf(count, is_reversed));
      if (count <= 100) {
        EXPECT_THAT(paths, ::testing::IsEmpty());
        continue;
      }
      const int first = count - 101;  // the function that begins a chain of 101
      EXPECT_THAT(paths, ::testing::ElementsAre(
                             fmt::format("functions[{}] \"f{}\"", is_reversed ? count - 1 - first : first, first)));
    }
  }
}

// ---- cycles, which messages shorten

std::vector<std::string> MessagesOf(std::string_view rule, const std::string& text) {
  onnx::ModelProto model;
  EXPECT_TRUE(testing::Ok(Parse(text, &model))) << text;
  std::vector<std::string> messages;
  const Diagnostics found = CheckModel(model);
  for (const Diagnostic& item : found.items()) {
    if (Name(item.kind) == rule) messages.push_back(item.message);
  }
  return messages;
}

TEST(Calls, FunctionsInACycleOfAnyLength) {
  for (int length = 1; length < 15; ++length) {
    for (int before = 0; before < 3; ++before) {  // functions that lead to the cycle
      std::string text = "<ir_version: 10, opset_import: [\"f\" : 1]> g (float[2] x) => (y) { y = f.f0 (x) }\n";
      for (int i = 0; i < before + length; ++i) {
        const int callee = i + 1 < before + length ? i + 1 : before;
        text +=
            fmt::format("<domain: \"f\", opset_import: [\"f\" : 1]> f{} (a) => (b) {{ b = f.f{} (a) }}\n", i, callee);
      }
      std::string cycle;
      for (int i = 0; i < std::min(length, 10); ++i) cycle += fmt::format("f::f{} -> ", before + i);
      if (length > 10) cycle += "... -> ";
      EXPECT_THAT(MessagesOf("recursion", text),
                  ::testing::ElementsAre(::testing::EndsWith(fmt::format(": {}f::f{}", cycle, before))))
          << text;
    }
  }
}

TEST(Calls, NodesInACycleOfAnyLength) {
  for (int length = 1; length < 15; ++length) {
    for (const int before : {0, 1, 3}) {  // nodes that read something of the cycle
      std::string text = "<ir_version: 10, opset_import: [\"\" : 21]> g (float[2] x) => (y) {\n";
      for (int i = 0; i < before; ++i) text += fmt::format("  y{} = Neg (t0)\n", i);
      for (int i = 0; i < length; ++i) text += fmt::format("  [n{0}] t{0} = Add (x, t{1})\n", i, (i + 1) % length);
      text += "  y = Neg (x)\n}\n";
      SCOPED_TRACE(text);
      std::string wanted = "the node 'n0' reads its own output 't0'";
      if (length > 1) {
        std::vector<std::string> labels;  // each node depends on the one behind it
        for (int i = 0; i <= length; ++i) labels.push_back(fmt::format("the node 'n{}'", i % length));
        if (labels.size() > 9) {
          labels[8] = fmt::format("({} more)", labels.size() - 9);
          labels.erase(labels.begin() + 9, labels.end() - 1);
        }
        wanted = fmt::format("'t1' depends on itself: {}", fmt::join(labels, " -> "));
      }
      if (length == 1 && before > 0) continue;  // `t0` is told of already
      EXPECT_THAT(MessagesOf("cycle", text), ::testing::ElementsAre(wanted));
    }
  }
}

/// Returns a graph with a node that contains a graph, and so on, with `nodes` in the innermost of `depth` graphs.
std::string Nested(int depth, const std::string& nodes) {
  std::string text = nodes;
  for (int i = depth; i > 0; --i) {
    text = fmt::format("r{0} = other.Hold <body = h{0} () => (r{1}) {{ {2} }}> ()", i - 1, i, text);
  }
  return text;
}

TEST(Calls, GraphsAtTheDeepestLevelAndOneMore) {
  for (int depth = 30; depth < 40; ++depth) {  // no text can be nested so deeply
    onnx::ModelProto model;
    model.set_ir_version(10);
    for (const char* const domain : {"", "other"}) {
      onnx::OperatorSetIdProto& import = *model.add_opset_import();
      import.set_domain(domain);
      import.set_version(domain[0] == '\0' ? 21 : 1);
    }
    onnx::GraphProto* graph = model.mutable_graph();
    for (int i = 0; i <= depth; ++i) {
      graph->set_name(fmt::format("g{}", i));
      onnx::NodeProto& node = *graph->add_node();
      node.set_op_type(i == depth ? "Relu" : "Hold");
      node.add_output(fmt::format("r{}", i));
      graph->add_output()->set_name(node.output(0));
      if (i == depth) node.add_input("nothing");
      if (i == depth) break;
      node.set_domain("other");
      onnx::AttributeProto& body = *node.add_attribute();
      body.set_name("body");
      body.set_type(onnx::AttributeProto::GRAPH);
      graph = body.mutable_g();
    }
    const bool is_too_deep = depth > 33;  // the main graph is the first of 34
    EXPECT_EQ(PathsOf("nesting-limit", model).size(), is_too_deep ? 1u : 0u) << depth;
    EXPECT_EQ(PathsOf("unknown-name", model).size(), is_too_deep ? 0u : 1u) << depth;
  }
}

// A node depends on what a graph inside of it reads, at any level.
TEST(Calls, CyclesThroughNestedGraphs) {
  for (const int depth : {0, 1, 2, 10, 19, 20, 21, 29}) {
    const std::string text = "<ir_version: 10, opset_import: [\"\" : 21, \"other\" : 1]> g (float[2] x) => (r0) { " +
                             Nested(depth, fmt::format("r{} = Relu (t)", depth)) + " t = Neg (r0) }";
    EXPECT_EQ(MessagesOf("cycle", text).size(), 1u) << text;
    const std::string later = "<ir_version: 10, opset_import: [\"\" : 21, \"other\" : 1]> g (float[2] x) => (r0) { " +
                              Nested(depth, fmt::format("r{} = Relu (t)", depth)) + " t = Neg (x) }";
    EXPECT_EQ(MessagesOf("not-sorted", later).size(), 1u) << later;
  }
}

// An attribute of a function is used in a graph at some level: the call must give it, with the type of the use.
TEST(Calls, AttributesThatAreUsedInNestedGraphs) {
  for (const int depth : {0, 1, 2, 3, 10, 20, 29}) {
    for (const std::string_view given : {"", "<k = 1>", "<k = \"w\">", "<j = 1>"}) {
      for (const std::string_view declared : {"<k>", ""}) {
        const std::string text = fmt::format(
            "<ir_version: 10, opset_import: [\"\" : 21, \"f\" : 1]> g (float[2] x) => (y) {{ y = f.F {} (x) }}\n"
            "<domain: \"f\", opset_import: [\"\" : 21, \"other\" : 1]> F {} (a) => (r0) {{ {} }}\n",
            given, declared, Nested(depth, fmt::format("r{} = Cast <to: int = @k> (a)", depth)));
        SCOPED_TRACE(text);
        const bool is_declared = !declared.empty();
        const Told missing = ToldOf("call-attribute-missing", text);
        const bool lacks = is_declared && !given.starts_with("<k");
        EXPECT_EQ(missing.messages.size(), lacks ? 1u : 0u);
        const Told type = ToldOf("call-attribute-type", text);
        EXPECT_EQ(type.messages.size(), is_declared && given == "<k = \"w\">" ? 1u : 0u);
        EXPECT_EQ(ToldOf("unknown-reference", text).messages.empty(), is_declared);
      }
    }
  }
}

// Uses of an attribute that differ in type, in any order and at any levels, say nothing about its type.
TEST(Calls, AttributesWhoseUsesDifferInType) {
  const std::vector<std::string> uses = {"Cast <to: int = @k> (a)", "Elu <alpha: float = @k> (a)",
                                         "Cast <to: int = @k> (a)"};
  for (unsigned chosen = 1; chosen < 8; ++chosen) {
    for (int depth = 0; depth < 3; ++depth) {
      std::string nodes;
      bool has_int = false;
      bool has_float = false;
      for (std::size_t i = 0; i < uses.size(); ++i) {
        if ((chosen >> i & 1u) == 0) continue;
        (i == 1 ? has_float : has_int) = true;
        nodes += fmt::format(" r{} = {} ", nodes.empty() ? depth : 100 + static_cast<int>(i), uses[i]);
      }
      const std::string text = fmt::format(
          "<ir_version: 10, opset_import: [\"\" : 21, \"f\" : 1]> g (float[2] x) => (y) {{ y = f.F <k = \"w\"> (x) }}\n"
          "<domain: \"f\", opset_import: [\"\" : 21, \"other\" : 1]> F <k> (a) => (r0) {{ {} }}\n",
          Nested(depth, nodes));
      const Told told = ToldOf("call-attribute-type", text);
      ASSERT_EQ(told.messages.size(), has_int && has_float ? 0u : 1u) << text;
      if (told.messages.empty()) continue;
      EXPECT_THAT(told.messages[0], HasSubstr(has_int ? "int" : "float"));
    }
  }
}

}  // namespace
}  // namespace onnxc::calls_test
