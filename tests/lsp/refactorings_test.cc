// What code actions make of a text: it is read, and means the same.
#include "lsp/refactorings.h"

#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/infer.h>
#include <onnxc/parser.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "lsp/words.h"
#include "source/corrections.h"
#include "tables/header_keys.h"

namespace onnxc::lsp {
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

onnx::ModelProto Read(std::string_view text) {
  onnx::ModelProto model;
  const Diagnostics found = Parse(text, &model, {.tell_functions_apart = true});
  EXPECT_TRUE(found.ok()) << RenderText(found, SourceText("text", std::string(text)));
  return model;
}

/// The text with a refactoring made that is offered at a word; empty where none of that kind is.
std::string Refactored(const std::string& text, std::string_view word, std::string_view kind) {
  const Snapshot snapshot("file:///nowhere/a.onnxtxt", 0, text, Encoding::kUtf8, std::make_shared<Settings>());
  const std::size_t offset = text.find(word);
  EXPECT_NE(offset, std::string::npos);
  for (const Refactoring& refactoring : RefactoringsIn(snapshot, {offset, offset})) {
    if (refactoring.kind != kind) continue;
    std::string result;
    std::size_t at = 0;
    for (const FixIt& edit : refactoring.edits) {
      result.append(text, at, edit.range.begin - at).append(edit.replacement);
      at = edit.range.end;
    }
    return result.append(text, at);
  }
  return {};
}

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

/// Takes the declared types out, and says which names they were of.
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
  const onnx::ModelProto inferred = WithTypes(before, InferTypes(before));
  for (const onnx::ValueInfoProto& value : after.graph().value_info()) {
    const auto& all = inferred.graph().value_info();
    const auto same = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name() == value.name(); });
    ASSERT_NE(same, all.end()) << value.name();
    EXPECT_EQ(value.SerializeAsString(), same->SerializeAsString()) << value.DebugString();
  }
  EXPECT_EQ(TakeValueInfo(after.mutable_graph()),
            (std::set<std::string>{"A", "a name", "half", "two", "all", "unknown"}));
  EXPECT_EQ(after.SerializeAsString(), before.SerializeAsString());
  EXPECT_TRUE(CheckModel(Read(declared)).ok());
  EXPECT_EQ(Refactored(declared, "g (float", "refactor.rewrite"), "");
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
      const std::string& key = type->field(i)->name();
      EXPECT_EQ(MeaningOfHeaderKey(key).empty(),
                !HasKey(onnx::ModelProto::descriptor(), key) && !HasKey(onnx::FunctionProto::descriptor(), key))
          << key;
    }
  }
}

}  // namespace
}  // namespace onnxc::lsp
