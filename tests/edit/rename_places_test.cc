// Names are renamed in every place where a message can have one, in texts and in binary models.
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>
#include <onnxc/rename.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "edit/names.h"
#include "testing/name_places.h"
#include "testing/predicates.h"
#include "testing/proto.h"
#include "testing/random_values.h"

namespace onnxc::testing {
namespace {

constexpr Meaning kRenamable[] = {Meaning::kValue, Meaning::kNode, Meaning::kFunction, Meaning::kDimension,
                                  Meaning::kDomain};

NamesByMeaning AllCalled(const std::string& name) {
  NamesByMeaning names;
  for (const Meaning meaning : kRenamable) names[meaning] = name;
  return names;
}

std::multiset<DiagnosticKind> KindsOf(const onnx::ModelProto& model) {
  const Diagnostics found = CheckModel(model);
  std::multiset<DiagnosticKind> kinds;
  for (const Diagnostic& finding : found.items()) kinds.insert(finding.kind);
  return kinds;
}

/// Renames in the binary model and in its text. Expects the same model from both, and that the checker finds the same.
void ExpectRenamed(const onnx::ModelProto& model, const RenameOptions& options, const onnx::ModelProto& expected) {
  onnx::ModelProto renamed = model;
  const Diagnostics found = Rename(&renamed, options);
  ASSERT_TRUE(found.empty()) << RenderText(found, SourceText("m", ""));
  ASSERT_EQ(Bytes(renamed), Bytes(expected)) << model.DebugString() << "\n==>\n" << renamed.DebugString();
  ASSERT_EQ(KindsOf(renamed), KindsOf(model)) << model.DebugString() << "\n==>\n" << renamed.DebugString();
  const PrintResult printed = Print(model);
  ASSERT_TRUE(testing::Ok(printed));
  const RenameResult text = RenameText(printed.text, options);
  ASSERT_TRUE(testing::Ok(text)) << RenderText(text.diagnostics, SourceText("m", printed.text)) << printed.text;
  onnx::ModelProto parsed;
  ASSERT_TRUE(testing::Ok(Parse(text.text, &parsed, {.tell_functions_apart = true}))) << printed.text << "==>\n"
                                                                                      << text.text;
  ASSERT_EQ(Bytes(parsed), Bytes(expected)) << printed.text << "==>\n" << text.text;
}

TEST(RenamePlaces, EachStringFieldIsClassified) {
  for (const StringPlace& string : AllStringPlaces()) {
    EXPECT_TRUE(edit::IsClassified(string.field)) << string.field->full_name();
  }
}

// Everything has the name "old", and so has one string that may be a name or a text that only looks like one.
TEST(RenamePlaces, EachStringAlone) {
  int renamings = 0;
  for (const StringPlace& string : AllStringPlaces()) {
    onnx::ModelProto model = ModelWithNames(AllCalled("old"));
    AddString(string, "old", "old", &model);
    for (const Meaning kind : kRenamable) {
      NamesByMeaning names = AllCalled("old");
      names[kind] = "new";
      onnx::ModelProto expected = ModelWithNames(names);
      AddString(string, string.meaning == kind ? "new" : "old", names[Meaning::kDomain], &expected);
      SCOPED_TRACE(ToString(string));
      ExpectRenamed(model, {.rules = {{"old", "new"}}, .kinds = {static_cast<NameKind>(kind)}}, expected);
      if (HasFatalFailure()) return;
      ++renamings;
    }
  }
  std::printf("%d renamings\n", renamings);
  RecordProperty("renamings", renamings);
}

// Models in which many places have names, some of them the same.
TEST(RenamePlaces, ManyStrings) {
  const char* const factor = std::getenv("ONNXC_POSITIONS");
  const std::size_t count = 300 * (factor == nullptr ? 1 : std::strtoul(factor, nullptr, 10));
  const std::vector<StringPlace> strings = AllStringPlaces();
  std::size_t accepted = 0;
  for (std::size_t seed = 0; seed < count; ++seed) {
    const Meaning kind = kRenamable[seed % std::size(kRenamable)];
    const auto build = [&](const std::string& changed) {
      RandomValues random(seed);
      const auto name = [&](Meaning meaning, const std::string& old) {
        return meaning == kind && old == "a" ? changed : old;
      };
      NamesByMeaning names;
      for (const Meaning meaning : kRenamable) names[meaning] = name(meaning, "a");
      onnx::ModelProto model = ModelWithNames(names);
      for (std::size_t i = 1 + random.Below(30); i > 0; --i) {
        const StringPlace& string = random.Pick(strings);
        const char* const old = random.Pick(std::vector<const char*>{"a", "b", "c"});
        AddString(string, name(string.meaning, old), names[Meaning::kDomain], &model);
      }
      return model;
    };
    SCOPED_TRACE(seed);
    // A name that other things have is refused, or nothing else is meant by it: the checker, which resolves names by
    // itself, finds the same.
    onnx::ModelProto renamed = build("a");
    if (Rename(&renamed, {.rules = {{"a", "b"}}, .kinds = {static_cast<NameKind>(kind)}}).ok()) {
      ++accepted;
      EXPECT_EQ(Bytes(renamed), Bytes(build("b")));
      EXPECT_EQ(KindsOf(renamed), KindsOf(build("a"))) << build("a").DebugString();
    } else {
      EXPECT_EQ(Bytes(renamed), Bytes(build("a")));
    }
    ExpectRenamed(build("a"), {.rules = {{"a", "fresh"}}, .kinds = {static_cast<NameKind>(kind)}}, build("fresh"));
    if (HasFatalFailure()) return;
  }
  std::printf("%zu renamings, %zu to a name that other things have\n", count, accepted);
  EXPECT_GT(accepted, count / 10);
  EXPECT_LT(accepted, count);
}

}  // namespace
}  // namespace onnxc::testing
