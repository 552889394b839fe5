// The texts after code actions can be parsed, and have the same meaning as before.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/infer.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/words.h"
#include "refactored.h"
#include "tables/header_keys.h"
#include "testing/predicates.h"

namespace onnxc::lsp::refactorings_test {
namespace {

constexpr std::string_view kText = R"(<ir_version: 10, opset_import: ["my" : 1, "" : 21, "ai.onnx.ml" : 5]>
g (float[N, 4] X, bool c) => (float[N, 4] Y, seq(float[2]) s) <float[4] W = {1, 2, 3, 4}> {
   A = If (c) <
      then_branch = yes () => (float[N, 4] t) { u = Add (X, W) t = Neg (u) },
      else_branch = no () => (float[N, 4] e) <float[N, 4] v> { v = Abs (X) w = Neg (v) e = Neg (w) }
   >
   "a name" = Concat <axis = 0> (A, A)
   half = Shape (A)
   Y, unknown = my.Twice (A)
   two = Constant <value = float[2] {1, 2}> ()
   s = SequenceConstruct (two)
   all = SequenceConstruct (A)
}
<domain: "my", opset_import: ["" : 21]>
Twice (x) => (y, z) { y = Add (x, x) i = Shape (y) z = Identity (i) }
)";

TEST(Refactorings, SortedImportsAreTheSameOnes) {
  const std::string sorted = Refactored(std::string(kText), "opset_import", "source.organizeImports");
  onnx::ModelProto before = Read(kText);
  const onnx::ModelProto after = Read(sorted);
  ASSERT_EQ(after.opset_import_size(), 3);
  EXPECT_EQ(after.opset_import(0).domain(), "");
  EXPECT_EQ(after.opset_import(0).version(), 21);
  EXPECT_EQ(after.opset_import(1).domain(), "ai.onnx.ml");
  EXPECT_EQ(after.opset_import(2).domain(), "my");
  *before.mutable_opset_import() = after.opset_import();
  EXPECT_EQ(after.SerializeAsString(), before.SerializeAsString());
  EXPECT_EQ(Refactored(sorted, "opset_import", "source.organizeImports"), "");
}

TEST(Refactorings, ImportsWithCommentsAreNotSorted) {
  const std::string text = "<ir_version: 10, opset_import: [\"my\" : 1, # ours\n\"\" : 21]>\ng () => () {}\n";
  EXPECT_EQ(Refactored(text, "opset_import", "source.organizeImports"), "");
}

/// Removes the declared types, and returns the names of the values that had them.
template <typename GraphOrFunction>
std::set<std::string> TakeValueInfo(GraphOrFunction* message) {
  std::set<std::string> names;
  for (const onnx::ValueInfoProto& value : message->value_info()) names.insert(value.name());
  message->clear_value_info();
  return names;
}

TEST(Refactorings, DeclaredTypesAreTheInferredOnes) {
  const std::string declared = Refactored(std::string(kText), "g (float", "refactor.rewrite");
  const onnx::ModelProto before = Read(kText);
  onnx::ModelProto after = Read(declared);
  const onnx::ModelProto inferred = WithTypes(before, InferTypes(before)).message;
  for (const onnx::ValueInfoProto& value : after.graph().value_info()) {
    const auto& all = inferred.graph().value_info();
    const auto same = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name() == value.name(); });
    ASSERT_NE(same, all.end()) << value.name();
    EXPECT_EQ(value.SerializeAsString(), same->SerializeAsString()) << value.DebugString();
  }
  EXPECT_EQ(TakeValueInfo(after.mutable_graph()),
            (std::set<std::string>{"A", "a name", "half", "two", "all", "unknown"}));
  EXPECT_EQ(after.SerializeAsString(), before.SerializeAsString());
  EXPECT_TRUE(testing::Ok(CheckModel(Read(declared))));
  EXPECT_EQ(Refactored(declared, "g (float", "refactor.rewrite"), "");
}

TEST(Refactorings, DeclaredTypesAreNotMuchLongerThanTheText) {
  std::string text = "g (float[" + std::string(4000, 'n');
  for (int i = 0; i < 200; ++i) text += ", " + std::string(8, 'm') + std::to_string(i);
  text += "] x) => (y) { a0 = Neg (x)\n";
  for (int i = 1; i < 1000; ++i) text += fmt::format("a{} = Neg (a{})\n", i, i - 1);
  text += "y = Neg (a999) }";
  EXPECT_EQ(Refactored(text, "g (float", "refactor.rewrite"), "");  // 6 MB
}

TEST(Refactorings, TypesAreDeclaredInSubgraphsAndFunctions) {
  std::string text(kText);
  for (const char* name : {"yes ()", "no ()", "Twice (x)"}) text = Refactored(text, name, "refactor.rewrite");
  onnx::ModelProto before = Read(kText);
  onnx::ModelProto after = Read(text);
  const auto branch = [](onnx::ModelProto& model, int index) {
    return model.mutable_graph()->mutable_node(0)->mutable_attribute(index)->mutable_g();
  };
  EXPECT_EQ(TakeValueInfo(branch(after, 0)), (std::set<std::string>{"u"}));
  EXPECT_EQ(TakeValueInfo(branch(after, 1)), (std::set<std::string>{"v", "w"}));
  EXPECT_EQ(TakeValueInfo(branch(before, 1)), (std::set<std::string>{"v"}));
  (void)TakeValueInfo(after.mutable_functions(0));
  EXPECT_EQ(after.SerializeAsString(), before.SerializeAsString());
}

TEST(Refactorings, AreNotOfferedWhileTheTextHasErrors) {
  EXPECT_EQ(Refactored(std::string(kText) + "(", "opset_import", "source.organizeImports"), "");
}

TEST(HoverWords, KnowEachKeyOfHeaders) {
  for (const auto* type : {onnx::ModelProto::descriptor(), onnx::FunctionProto::descriptor()}) {
    for (int i = 0; i < type->field_count(); ++i) {
      const std::string key(type->field(i)->name());
      EXPECT_EQ(MeaningOfHeaderKey(key).empty(),
                !HasKey(onnx::ModelProto::descriptor(), key) && !HasKey(onnx::FunctionProto::descriptor(), key))
          << key;
    }
  }
}

constexpr std::string_view kCalls = R"(<ir_version: 10, opset_import: ["" : 21, "my" : 1]>
g (float[4] X, bool c) => (float[4] Y) {
   t = Neg (X)
   u, extra = my.Scaled <by = 3.0> (t, X)
   Y = If (c) <
      then_branch = yes () => (float[4] v) { v, "" = my.Scaled (u, extra) },
      else_branch = no () => (float[4] w) { w, "" = my.Scaled <by = 0.5> (u, X) }
   >
   none, "" = my.Scaled (X)
}
<domain: "my", opset_import: ["" : 21]>
Scaled <by: float = 2.0> (x, y) => (z, t) {
   f = Constant <value_float: float = @by> ()
   t = Mul (x, f)
   u = Identity (y)
   z = Add (t, u)
}
)";

// Values inside of the function get new names, and attributes get the values of the call or their default values.
TEST(Refactorings, ACallBecomesTheNodesOfItsFunction) {
  std::string text(kCalls);
  text.erase(text.find("   none"), 28);
  for (const char* call : {"my.Scaled <by = 3", "my.Scaled (u", "my.Scaled <by = 0"}) {
    text = Refactored(text, call, "refactor.inline");
    ASSERT_FALSE(text.empty()) << call;
  }
  constexpr std::string_view kInlined = R"(<ir_version: 10, opset_import: ["" : 21]>
g (float[4] X, bool c) => (float[4] Y) {
   t = Neg (X)
   f = Constant <value_float: float = 3> ()
   extra = Mul (t, f)
   u_1 = Identity (X)
   u = Add (extra, u_1)
   Y = If (c) <
      then_branch = yes () => (float[4] v) {
         f_1 = Constant <value_float: float = 2> ()
         t_1 = Mul (u, f_1)
         u_2 = Identity (extra)
         v = Add (t_1, u_2)
      },
      else_branch = no () => (float[4] w) {
         f_2 = Constant <value_float: float = 0.5> ()
         t_2 = Mul (u, f_2)
         u_3 = Identity (X)
         w = Add (t_2, u_3)
      }
   >
}
)";
  onnx::ModelProto inlined = Read(text);
  inlined.clear_functions();
  EXPECT_EQ(inlined.SerializeAsString(), Read(kInlined).SerializeAsString()) << text;
}

TEST(Refactorings, CallsThatLackSomethingStay) {
  const std::string text(kCalls);
  EXPECT_EQ(Refactored(text, "my.Scaled (X)", "refactor.inline"), "");  // the call leaves out an input
  EXPECT_EQ(Refactored(text, "Neg", "refactor.inline"), "");            // an operator
  std::string other = text;
  other.replace(other.find(": 21]>\nScaled"), 4, ": 20");
  EXPECT_EQ(Refactored(other, "my.Scaled <by = 3", "refactor.inline"),
            "");  // the function imports other versions of the operators
  other = text;
  other.replace(other.find(" = 2.0"), 6, "");
  EXPECT_EQ(Refactored(other, "my.Scaled (u", "refactor.inline"), "");  // the call has an attribute without a value
  other = text;
  other.insert(other.find("u, extra"), "[label] ");
  EXPECT_EQ(Refactored(other, "my.Scaled <by = 3", "refactor.inline"), "");
  other = text;
  other.replace(other.find("(z, t)"), 6, "(z, x)");
  EXPECT_EQ(Refactored(other, "my.Scaled <by = 3", "refactor.inline"),
            "");  // an input of the function is also an output
}

TEST(Refactorings, WhatRecordsAndReferencesNameIsNotTakenForSomethingElse) {
  const std::string blank = With(kCalls, "= @by", "= @ by");
  const std::string inlined = Refactored(blank, "my.Scaled <by = 3", "refactor.inline");
  EXPECT_NE(inlined.find("Constant <value_float: float = 3.0> ()"), std::string::npos) << inlined;
  EXPECT_EQ(Refactored(blank, "f = Constant", "u = Ident", "refactor.extract"), "");
  const std::string record = With(kCalls, "u = Identity (y)", "@{op_type: \"Neg\", input: [\"y\"], output: [\"u\"]}");
  EXPECT_EQ(Refactored(record, "my.Scaled <by = 3", "refactor.inline"), "");
  EXPECT_EQ(Refactored(record, "t = Mul", "z = Add", "refactor.extract"), "");
  // If the attribute to which a reference refers has no value, the default value of the called function is used.
  const std::string passed = std::string(kCalls) +
                             "<domain: \"my\", opset_import: [\"\" : 21, \"my\" : 1]>\n"
                             "Outer <of> (x) => (z) { z, t = my.Scaled <by: float = @of> (x, x) }\n";
  EXPECT_EQ(Refactored(passed, "my.Scaled <by: float", "refactor.inline"), "");
}

TEST(Refactorings, AFunctionThatIsMovedOutOfAFunctionIsImportedByTheModelToo) {
  const onnx::ModelProto model = Read(Refactored(std::string(kCalls), "t = Mul", "z = Add", "refactor.extract"));
  ASSERT_EQ(model.functions_size(), 2);
  EXPECT_EQ(model.opset_import(model.opset_import_size() - 1).domain(), "local");
  EXPECT_EQ(model.functions(0).name(),
            "extracted");  // before its caller, because the reference's evaluator requires this order
  const onnx::FunctionProto& around = model.functions(1);
  EXPECT_EQ(around.opset_import(around.opset_import_size() - 1).domain(), "local");
}

TEST(Refactorings, NamesOfNodesStayDifferent) {
  std::string text = With(kCalls, "t = Neg (X)", "[neg] t = Neg (X)");
  text = With(text, "t = Mul (x, f)", "[neg] t = Mul (x, f)");
  const onnx::ModelProto model = Read(Refactored(text, "my.Scaled <by = 3", "refactor.inline"));
  EXPECT_EQ(model.graph().node(0).name(), "neg");
  EXPECT_EQ(model.graph().node(2).op_type(), "Mul");
  EXPECT_EQ(model.graph().node(2).name(), "");
}

// Moving nodes to a function and back gives the same text.
TEST(Refactorings, NodesBecomeAFunctionAndReturn) {
  const std::string text = Refactored(std::string(kText), "A = If", "half =", "refactor.extract");
  ASSERT_FALSE(text.empty());
  const onnx::ModelProto model = Read(text);
  EXPECT_TRUE(testing::Ok(CheckModel(model)));
  ASSERT_EQ(model.functions_size(), 2);
  const onnx::FunctionProto& function = model.functions(1);
  EXPECT_EQ(function.domain(), "local");
  EXPECT_EQ(function.node_size(), 2);
  EXPECT_EQ(std::vector<std::string>(function.input().begin(), function.input().end()),
            (std::vector<std::string>{"c", "X", "W"}));
  EXPECT_EQ(std::vector<std::string>(function.output().begin(), function.output().end()),
            (std::vector<std::string>{"A"}));
  onnx::ModelProto back = Read(Refactored(text, "local.extracted", "refactor.inline"));
  back.mutable_functions()->RemoveLast();
  EXPECT_EQ(back.SerializeAsString(), Read(kText).SerializeAsString());
}

TEST(Refactorings, AnExtractedFunctionHasTheFirstFreeName) {
  const std::vector<std::string> names = {"extracted", "extracted_1", "extracted_2"};
  for (unsigned taken = 0; taken < 8; ++taken) {  // a set of these names
    std::string text = With(kCalls, R"("my" : 1])", R"("my" : 1, "local" : 1])");
    std::string free;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if ((taken >> i & 1u) == 0) {
        if (free.empty()) free = names[i];
        continue;
      }
      text += fmt::format("<domain: \"local\", opset_import: [\"\" : 21]> {} (x) => (y) {{ y = Neg (x) }}\n", names[i]);
    }
    if (free.empty()) free = "extracted_3";
    const onnx::ModelProto model = Read(Refactored(text, "t = Neg", "u, extra", "refactor.extract"));
    EXPECT_EQ(model.graph().node(0).op_type(), free) << text;
    EXPECT_EQ(std::ranges::count(model.functions(), free, &onnx::FunctionProto::name), 1);
  }
}

// Comment lines in front of a function are about it, so a new function goes in front of them.
TEST(Refactorings, AnExtractedFunctionStandsInFrontOfTheCommentsOfItsCaller) {
  const std::string function = R"(<domain: "my", opset_import: ["" : 21]>)";
  for (const std::string others : {"", "# other\n\n"}) {
    for (const std::string own : {"", "# about it\n", "  # one\n\t# two\n"}) {
      const std::string text = With(kCalls, function, others + own + function);
      const std::string after = Refactored(text, "t = Mul", "z = Add", "refactor.extract");
      SCOPED_TRACE(text + "==>\n" + after);
      const std::size_t begin = after.find("<domain: \"local\"");
      ASSERT_NE(begin, std::string::npos);
      EXPECT_TRUE(after.substr(0, begin).ends_with("}\n" + others));
      EXPECT_TRUE(after.substr(after.find("}\n", begin)).starts_with("}\n\n" + own + function.substr(0, 8)));
    }
  }
}

TEST(Refactorings, WhatAFunctionCannotHoldStays) {
  const std::string text(kCalls);
  EXPECT_EQ(Refactored(text, "f = Constant", "u = Ident", "refactor.extract"), "");  // a reference
  EXPECT_EQ(Refactored(text, "eg (X)", "Y = If", "refactor.extract"), "");  // the selection is a part of a node
  EXPECT_EQ(Refactored(text, "none,", "}", "refactor.extract"), "");        // nothing uses the results of the nodes
  EXPECT_FALSE(Refactored(text, "t = Mul", "z = Add", "refactor.extract").empty());
  std::string old = text;
  old.replace(old.find("10"), 2, "7");
  EXPECT_EQ(Refactored(old, "t = Neg", "u, extra", "refactor.extract"), "");  // this IR version has no functions
}

}  // namespace
}  // namespace onnxc::lsp::refactorings_test
