#include "source/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "source/unicode.h"
#include "testing/predicates.h"

namespace onnxc {
namespace {

TEST(DiagnosticTable, NamesAreUniqueWords) {
  std::set<std::string_view> names;
  for (const DiagnosticKind kind : AllDiagnosticKinds()) {
    EXPECT_TRUE(names.insert(Name(kind)).second) << Name(kind);
    EXPECT_EQ(Name(kind).find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string_view::npos);
    EXPECT_FALSE(Info(kind).message.ends_with('.')) << Info(kind).message;
  }
  EXPECT_EQ(Name(DiagnosticKind::kUnexpectedToken), "unexpected-token");
}

TEST(Quoted, CutsAndEscapes) {
  EXPECT_EQ(Quoted("a\nb"), "a\\nb");
  EXPECT_EQ(Quoted(std::string(60, 'x')), std::string(60, 'x'));
  EXPECT_EQ(Quoted(std::string(61, 'x')), std::string(60, 'x') + "...");
}

TEST(Diagnostics, FinishSortsAndDropsRepetitions) {
  Diagnostics found;
  found.Add(MakeDiagnostic(diag::kSemicolon, {9, 10}));
  found.Add(MakeDiagnostic(diag::kSemicolon, {1, 2}));
  found.Add(MakeDiagnostic(diag::kSemicolon, {9, 10}));
  found.Finish(100);
  ASSERT_EQ(found.items().size(), 2u);
  EXPECT_EQ(found.items()[0].range.begin, 1u);
  EXPECT_EQ(found.suppressed(), 0u);
}

TEST(Diagnostics, FindingsWithAPathKeepTheirOrder) {
  Diagnostics found;
  for (const char* path : {"graph.node[1]", "graph.node[0]", "graph.node[1]"}) {
    Diagnostic diagnostic = MakeDiagnostic(diag::kLoss, {}, "it");
    diagnostic.path = path;
    found.Add(diagnostic);
  }
  found.Finish(100);
  ASSERT_EQ(found.items().size(), 3u);
  EXPECT_EQ(found.items()[0].path, "graph.node[1]");
  EXPECT_EQ(found.items()[1].path, "graph.node[0]");
}

TEST(Diagnostics, WarningsGiveWayToErrors) {
  Diagnostics found;
  for (std::size_t i = 0; i < 10; ++i) {
    Diagnostic diagnostic = MakeDiagnostic(diag::kSemicolon, {i, i + 1});
    if (i < 8) diagnostic.severity = Severity::kWarning;
    found.Add(diagnostic);
  }
  EXPECT_FALSE(found.ok());
  found.Finish(3);
  ASSERT_EQ(found.items().size(), 3u);
  EXPECT_EQ(found.items()[0].range.begin, 0u);
  EXPECT_EQ(found.items()[2].range.begin, 9u);
  EXPECT_EQ(found.suppressed(), 7u);
  EXPECT_EQ(found.ErrorsOnly().items().size(), 2u);
  EXPECT_EQ(found.ErrorsOnly().suppressed(), 0u);
  found.Finish(0);
  EXPECT_FALSE(found.ok());
  EXPECT_EQ(found.suppressed(), 10u);
  EXPECT_FALSE(found.ErrorsOnly().ok());
  EXPECT_EQ(found.ErrorsOnly().suppressed(), 2u);
}

TEST(Diagnostics, WarningsAloneAreOk) {
  Diagnostics found;
  EXPECT_TRUE(testing::Ok(found));
  Diagnostic warning = MakeDiagnostic(diag::kSemicolon, {});
  warning.severity = Severity::kWarning;
  found.Add(warning);
  EXPECT_TRUE(testing::Ok(found));
  Diagnostics errors;
  errors.Add(MakeDiagnostic(diag::kSemicolon, {}));
  found.Append(std::move(errors));
  EXPECT_FALSE(found.ok());
  EXPECT_EQ(found.items().size(), 2u);
}

TEST(Diagnostics, AreNoNovels) {
  for (const std::size_t length : {900, 980, 981, 982, 983, 5000}) {
    std::string list;
    while (list.size() < length) list += "\xe6\x9d\xb1";
    const std::string message = MakeDiagnostic(diag::kCannotRead, kNowhere, list).message;
    EXPECT_LE(message.size(), 1003u);
    EXPECT_EQ(message.ends_with("..."), list.size() > 985) << list.size();
    EXPECT_TRUE(IsUtf8(message)) << message;
  }
}

TEST(UserFindings, HaveAKindOfTheirOwn) {
  Diagnostics found;
  found.Add({.message = "the model is too large for the device"});
  found.Add({.severity = Severity::kWarning, .message = "odd", .range = {3, 5}});
  found.Add({.kind = DiagnosticKind::kUnknownName, .message = "m", .path = "graph.node[0]"});
  std::ostringstream stream;
  stream << found;
  EXPECT_EQ(stream.str(),
            "error: the model is too large for the device [user]\n"
            "bytes 3-5: warning: odd [user]\n"
            "graph.node[0]: error: m [unknown-name]\n");
  const SourceText text("m.onnxtxt", std::string("abcdef"));
  EXPECT_THAT(RenderText(found, text),
              ::testing::HasSubstr("m.onnxtxt: error: the model is too large for the device [user]"));
  EXPECT_THAT(RenderSarif(found, text), ::testing::HasSubstr("\"user\""));
}

TEST(UserFindings, KindsAreFoundByTheirNames) {
  for (const DiagnosticKind kind : AllDiagnosticKinds()) EXPECT_EQ(FindDiagnosticKind(Name(kind)), kind);
  EXPECT_EQ(FindDiagnosticKind("user"), kUserFinding);
  EXPECT_EQ(FindDiagnosticKind("no-such-kind"), std::nullopt);
  EXPECT_EQ(Name(DiagnosticKind::kUnknownName), "unknown-name");
}

}  // namespace
}  // namespace onnxc
