// The proof of corrections, with findings about words of a text: the table of a test says what is found at each word,
// and what a correction writes there. So the findings that must be left are known.
#include "verdict/proof.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/corrections.h"
#include "source/report.h"
#include "verdict/combine.h"
#include "verdict/fitted.h"

namespace onnxc::verdict::proof_test {
namespace {

using Kind = DiagnosticKind;

/// What is found at a word.
struct Finding {
  Kind kind = Kind::kUnknownName;
  std::optional<std::string> fix = {};  ///< what the correction writes in place of the word
  Severity severity = Severity::kError;
  std::string note_at = {};  ///< the word at which a note is
  std::string unless = {};   ///< a word without which there is no such finding, or with `-` before it: with which
  SourceRange range = {};    ///< kNowhere: the finding has no place
};
using Table = std::map<std::string, Finding, std::less<>>;

SourceRange RangeOf(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const auto is_end = [&](std::size_t i) { return i >= text.size() || text[i] == ' ' || text[i] == '\n'; };
    if ((at == 0 || is_end(at - 1)) && is_end(at + word.size())) return {at, at + word.size()};
  }
  return kNowhere;
}

bool Has(std::string_view text, std::string_view word) { return RangeOf(text, word) != kNowhere; }

Judge JudgeBy(const Table& table) {
  return [table](const SourceText& source) {
    Diagnostics found;
    const std::string_view text = source.text();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
      const auto row = table.find(text.substr(at, end - at));
      const SourceRange range{at, end};
      at = end + 1;
      if (row == table.end()) continue;
      const auto& [word, its] = *row;
      if (its.unless.starts_with('-') ? Has(text, its.unless.substr(1)) : !its.unless.empty() && !Has(text, its.unless))
        continue;
      Diagnostic finding =
          MakeDiagnostic(its.kind, its.severity, its.range == kNowhere ? kNowhere : range, "at " + word);
      if (its.fix) finding.fix_its = {{range, *its.fix}};
      if (!its.note_at.empty()) finding.notes = {{RangeOf(text, its.note_at), "see"}};
      found.Add(std::move(finding));
    }
    return found;
  };
}

std::vector<Diagnostic> ProvenBy(const Judge& judge, const std::string& text) {
  const SourceText source("text", text);
  return ProveCorrections(source, judge(source), judge).items();
}
std::vector<Diagnostic> ProvenBy(const Table& table, const std::string& text) { return ProvenBy(JudgeBy(table), text); }

std::vector<std::string> Messages(const std::vector<Diagnostic>& found) {
  std::vector<std::string> messages;
  for (const Diagnostic& finding : found) messages.push_back(finding.message + (finding.fix_its.empty() ? "" : " +"));
  return messages;
}
using Strings = std::vector<std::string>;

// ---- corrections that do not work

TEST(Proof, WithdrawsACorrectionThatLeavesAnError) {
  for (const std::size_t size : {1, 39, 40, 41}) {
    const std::string worse(size, 'w');
    const std::string text = "ok bad ok";
    const auto found = ProvenBy(Table{{"bad", {.fix = worse}}, {worse, {}}}, text);
    ASSERT_EQ(Messages(found), Strings{"at bad"});
    ASSERT_EQ(found[0].notes.size(), 1u);
    EXPECT_EQ(found[0].notes[0].range, RangeOf(text, "bad"));
    EXPECT_EQ(found[0].notes[0].message, (size < 40 ? "with '" + worse + "' here" : "with the correction") +
                                             " there is another error: at " + worse);
  }
}

TEST(Proof, WithdrawsACorrectionToWhichTheNoteOfAnErrorLeads) {
  const Table table{{"bad", {.fix = "good"}}, {"far", {.note_at = "good", .unless = "good"}}};
  EXPECT_EQ(Messages(ProvenBy(table, "ok bad ok\nfar")), Strings{"at bad"});
}

// A syntax error is caused by a correction on its line, unless the line is very long; another error is not.
TEST(Proof, ASyntaxErrorOnTheLineIsCausedByTheCorrection) {
  for (const Kind kind : {Kind::kUnexpectedToken, Kind::kUnknownName}) {
    for (const std::string between : {" ", "\n", "\n ", " \n", "   ok  "}) {
      for (const bool is_before : {true, false}) {
        const std::string text =
            "ok\nok ok ok\n" + (is_before ? "new" + between + "bad" : "bad" + between + "new") + "\nok";
        const bool is_caused = kind == Kind::kUnexpectedToken && between.find('\n') == std::string::npos;
        const auto found = ProvenBy(Table{{"bad", {.fix = "good"}}, {"new", {.kind = kind, .unless = "good"}}}, text);
        Strings messages = Messages(found);
        std::ranges::sort(messages);
        EXPECT_EQ(messages, is_caused ? Strings{"at bad"} : (Strings{"at bad +", "at new"})) << text;
      }
    }
  }
  for (const std::size_t count : {1022u, 1023u, 1024u, 1025u}) {
    for (const bool is_before : {true, false}) {
      const std::string gap(count, ' ');
      const Table table{{"bad", {.fix = "good"}}, {"!", {.kind = Kind::kUnexpectedToken, .unless = "good"}}};
      const auto found = ProvenBy(table, is_before ? "!" + gap + "bad" : "bad" + gap + "!");
      EXPECT_EQ(found.size(), count <= 1024 ? 1u : 2u) << count << is_before;
    }
  }
}

// Too many inputs are caused by the ',' before them, in the same call.
TEST(Proof, TooManyInputsAreCausedByTheCommasOfTheCall) {
  Table table{{"in", {.kind = Kind::kInputCount, .unless = "-x1"}}};
  for (int i = 0; i < 5; ++i) {
    table[fmt::format("x{}", i)] = {.fix = i == 2 ? "y2" : fmt::format(", y{}", i)};
  }
  for (const std::string mark : {"(", ")", "="}) {
    const auto found = ProvenBy(table, fmt::format("ok {0} a x0 {0} b x1 c x2 d x3 in x4", mark));
    EXPECT_EQ(Messages(found), (Strings{"at x0 +", "at x1", "at x2 +", "at x3", "at x4 +"})) << mark;
  }
}

// What was moved to the attributes was not meant as one, if the operator has no such attribute.
TEST(Proof, AnUnknownAttributeIsCausedByTheWordsThatWereMoved) {
  for (const Kind kind : {Kind::kAttributeAmongInputs, Kind::kForeignSyntax}) {
    const Table table{{"moved", {.kind = kind, .fix = "there"}},
                      {"bad", {.fix = "good"}},
                      {"attr", {.kind = Kind::kUnknownAttribute, .unless = "there"}}};
    const bool is_caused = kind == Kind::kAttributeAmongInputs;
    // Behind the inputs, the parser had relied on the correction that is withdrawn.
    const auto found = ProvenBy(table, "ok bad = moved bad attr");
    EXPECT_EQ(Messages(found), is_caused ? (Strings{"at bad +", "at moved", "at bad"})
                                         : (Strings{"at bad +", "at moved +", "at bad +", "at attr"}));
    EXPECT_TRUE(found[0].notes.empty() && found[2].notes.empty());
    EXPECT_EQ(Messages(ProvenBy(table, "ok moved bad\nattr")), (Strings{"at moved +", "at bad +", "at attr"}));
  }
}

// An error that becomes visible by corrections that are withdrawn later may be a consequence of these corrections.
TEST(Proof, LeavesOutWhatOnlyWithdrawnCorrectionsReveal) {
  const Table table{{"bad", {.fix = "good"}},
                    {"hidden", {.fix = "fine", .unless = "good"}},
                    {"late1", {.note_at = "good", .unless = "fine"}},
                    {"late2", {.note_at = "fine", .unless = "fine"}}};
  EXPECT_EQ(Messages(ProvenBy(table, "bad\nhidden\nlate1\nlate2")), Strings{"at bad"});
}

// A parser says what its correction corrects, too. Without the correction, this is wrong.
TEST(Proof, AWithdrawnCorrectionCorrectsNothingElse) {
  for (const bool works : {true, false}) {
    const Judge judge = [&](const SourceText& source) {
      Diagnostics found;
      if (source.text() == "bad") {
        Diagnostic finding = MakeDiagnostic(Kind::kUnknownName, Severity::kError, {0, 3}, "at bad");
        finding.fix_its = {{{0, 3}, "worse"}};
        finding.notes = {{{0, 3}, std::string(kAlsoCorrected) + "other"}, {{0, 3}, "see"}};
        found.Add(finding);
      } else if (!works) {
        found.Add(MakeDiagnostic(Kind::kUnknownName, Severity::kError, {0, 5}, "at worse"));
      }
      return found;
    };
    const auto found = ProvenBy(judge, "bad");
    ASSERT_EQ(found.size(), 1u);
    ASSERT_EQ(found[0].notes.size(), 2u);
    EXPECT_EQ(found[0].notes[0].message, works ? "this is corrected, too: other" : "see");
    EXPECT_EQ(found[0].notes[1].message, works ? "see" : "with 'worse' here there is another error: at worse");
  }
}

// If findings are suppressed, those of two versions cannot be compared. Comments are kept nevertheless.
TEST(Proof, IsNotMadeIfFindingsAreSuppressed) {
  const std::string text = "a0 a1 #c\na2 a3";
  Diagnostics all;
  for (std::size_t i = 0; i < 4; ++i) {
    const SourceRange range = RangeOf(text, fmt::format("a{}", i));
    Diagnostic finding = MakeDiagnostic(Kind::kUnknownName, Severity::kError, range, fmt::format("at a{}", i));
    finding.fix_its = {{i == 1 ? SourceRange{range.begin, range.end + 4} : range, fmt::format("b{}", i)}};
    all.Add(finding);
  }
  all.Finish(3);
  const SourceText source("text", text);
  const Diagnostics proven = ProveCorrections(source, all, [&](const SourceText&) { return all; });
  EXPECT_EQ(proven.suppressed(), 1u);
  EXPECT_EQ(Messages(proven.items()), (Strings{"at a0 +", "at a1", "at a2 +"}));
  EXPECT_EQ(proven.items()[0].fix_its[0].replacement, "b0");
  EXPECT_EQ(proven.items()[2].fix_its[0].replacement, "b2");
}

// A correction of a type must not reveal an error of types, wherever it is.
TEST(Proof, ACorrectionOfATypeRevealsNoErrorOfTypes) {
  const std::pair<Kind, bool> kinds[] = {
      {Kind::kOperandType, true},      {Kind::kOperandTypesDiffer, true}, {Kind::kRankClash, true},
      {Kind::kDimensionClash, true},   {Kind::kDimensionValue, true},     {Kind::kBroadcastClash, true},
      {Kind::kAxisRange, true},        {Kind::kAttributeLength, true},    {Kind::kAttributeRange, true},
      {Kind::kOperandValue, true},     {Kind::kOperandSize, true},        {Kind::kOperandKind, true},
      {Kind::kDeclaredType, true},     {Kind::kSubgraphInputs, true},     {Kind::kSubgraphOutputs, true},
      {Kind::kSubgraphType, true},     {Kind::kBranchesDiffer, true},     {Kind::kUnknownName, false},
      {Kind::kUnknownOperator, false}, {Kind::kDuplicateName, false}};
  for (const auto& [kind, is_of_types] : kinds) {
    for (const auto& [revealed, is_revealed_of_types] : kinds) {
      const Table table{{"bad", {.kind = kind, .fix = "good"}}, {"new", {.kind = revealed, .unless = "good"}}};
      const auto found = ProvenBy(table, "bad\nok\nnew");
      const bool is_withdrawn = is_of_types && is_revealed_of_types;
      EXPECT_EQ(Messages(found), is_withdrawn ? Strings{"at bad"} : (Strings{"at bad +", "at new"}))
          << Name(kind) << " reveals " << Name(revealed);
    }
  }
}

// ---- findings of the corrected text

// Words are corrected to longer and shorter ones, and others are found only afterwards, with notes and corrections of
// their own. Each finding is where it is in the original text, or without a place.
TEST(Proof, PlacesAreThoseOfTheOriginalText) {
  std::mt19937 random(5);
  for (int round = 0; round < 400; ++round) {
    Table table;
    std::string text;
    Strings all;
    Strings right;
    for (int i = 0; i < 8; ++i) {
      const std::string number = std::to_string(i);
      const auto pick = random() % 5;
      const std::string word = (pick == 0 ? "bad" : pick == 1 ? "hidden" : pick == 2 ? "nowhere" : "ok") + number;
      if (pick == 0) table[word] = {.kind = Kind::kUnexpectedToken, .fix = std::string(1 + random() % 9, 'g')};
      if (pick == 1) table[word] = {.fix = random() % 2 == 0 ? std::nullopt : std::optional("fine" + number)};
      if (pick == 2) table[word] = {.range = kNowhere};
      if (pick > 2) right.push_back(word);
      all.push_back(word);
      text += word + (random() % 3 == 0 ? "\n" : " ");
    }
    const auto bad = std::ranges::find_if(all, [](const std::string& word) { return word.starts_with("bad"); });
    for (auto& [word, its] : table) {
      if (word.starts_with("bad")) continue;
      if (bad != all.end()) its.unless = "-" + *bad;
      if (!right.empty()) its.note_at = right[random() % right.size()];
    }
    const auto found = ProvenBy(table, text);
    EXPECT_EQ(found.size(), table.size()) << text;
    for (const Diagnostic& finding : found) {
      const std::string word = finding.message.substr(3);
      const Finding& its = table[word];
      EXPECT_EQ(finding.range, its.range == kNowhere ? kNowhere : RangeOf(text, word)) << finding << " in\n" << text;
      ASSERT_EQ(finding.fix_its.size(), its.fix ? 1u : 0u) << finding << " in\n" << text;
      if (its.fix) {
        EXPECT_EQ(finding.fix_its[0].range, RangeOf(text, word)) << text;
      }
      ASSERT_EQ(finding.notes.size(), its.note_at.empty() ? 0u : 1u) << finding << " in\n" << text;
      if (!its.note_at.empty()) {
        EXPECT_EQ(finding.notes[0].range, RangeOf(text, its.note_at)) << text;
      }
    }
  }
}

TEST(Proof, ANoteAboutACorrectionIsLeftOut) {
  const Table table{{"bad", {.fix = "good"}}, {"far", {.fix = "near", .note_at = "good", .unless = "good"}}};
  const auto found = ProvenBy(table, "bad\nfar");
  ASSERT_EQ(Messages(found), (Strings{"at bad +", "at far +"}));
  EXPECT_TRUE(found[1].notes.empty());
}

// A finding that goes away with a corrected error is its consequence, but not if only a warning is corrected.
TEST(Proof, ConsequencesOfErrorsAreLeftOut) {
  for (const Severity severity : {Severity::kError, Severity::kWarning}) {
    const Table table{{"bad", {.fix = "good", .severity = severity}}, {"echo", {.unless = "bad"}}, {"own", {}}};
    const auto found = ProvenBy(table, "bad\necho\nown");
    EXPECT_EQ(Messages(found), severity == Severity::kError ? (Strings{"at bad +", "at own"})
                                                            : (Strings{"at bad +", "at echo", "at own"}));
  }
}

// Each error is found only when the one before it is corrected: four of them are told at once.
TEST(Proof, ReadsACorrectedTextSomeTimes) {
  for (std::size_t count = 1; count <= 6; ++count) {
    Table table;
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
      table[fmt::format("bad{}", i)] = {.fix = "good", .unless = i == 0 ? "" : fmt::format("-bad{}", i - 1)};
      text += fmt::format("bad{}\n", i);
    }
    const auto found = ProvenBy(table, text);
    EXPECT_EQ(found.size(), std::min<std::size_t>(count, 4)) << text;
    for (const Diagnostic& finding : found) EXPECT_FALSE(finding.fix_its.empty()) << finding;
  }
}

TEST(Proof, ManyFindingsRevealNoOthers) {
  for (const std::size_t count : {999u, 1000u, 1001u}) {
    Table table{{"hidden", {.unless = "-bad0"}}};
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
      table[fmt::format("bad{}", i)] = {.fix = "good"};
      text += fmt::format("bad{}\n", i);
    }
    EXPECT_EQ(ProvenBy(table, text + "hidden").size(), count + (count < 1000 ? 1 : 0)) << count;
  }
}

// ---- corrections that are combined with others

// What a correction writes needs another correction, and so on: three of them are combined with the first one, if that
// one only moves words.
TEST(Proof, CombinesTheCorrectionsOfMovedWords) {
  for (const Kind kind : {Kind::kForeignSyntax, Kind::kAttributeAmongInputs, Kind::kWrongBrackets,
                          Kind::kColonForEquals, Kind::kAttributeKind, Kind::kUnknownAttribute, Kind::kUnknownName}) {
    for (int more = 0; more <= 5; ++more) {
      Table table{{"a0", {.kind = kind, .fix = "a1"}}};
      for (int i = 1; i <= more; ++i) table[fmt::format("a{}", i)] = {.fix = fmt::format("a{}", i + 1)};
      const auto found = ProvenBy(table, "ok a0 ok");
      ASSERT_EQ(found.size(), 1u);
      const bool works = more == 0 || (more <= kMostCombined && kind != Kind::kUnknownName);
      EXPECT_EQ(found[0].fix_its.empty(), !works) << Name(kind) << " " << more;
      if (!works || found[0].fix_its.empty()) {
        ASSERT_EQ(found[0].notes.size(), 1u) << more;
        EXPECT_TRUE(found[0].notes[0].message.starts_with("with 'a1' here there is another error: at a")) << more;
        continue;
      }
      EXPECT_EQ(ApplyCorrections("ok a0 ok", found).text, fmt::format("ok a{} ok", more + 1));
      ASSERT_EQ(found[0].notes.size(), static_cast<std::size_t>(more));
      for (int i = 1; i <= more; ++i) {
        EXPECT_EQ(found[0].notes[static_cast<std::size_t>(i) - 1].message, fmt::format("{}at a{}", kAlsoCorrected, i));
      }
    }
  }
}

Diagnostic WithEdits(std::size_t count, std::size_t first) {
  Diagnostic finding = MakeDiagnostic(Kind::kUnknownName, Severity::kError, {first, first + 1}, "m");
  for (std::size_t i = 0; i < count; ++i) finding.fix_its.push_back({{first + 2 * i, first + 2 * i + 1}, "x"});
  return finding;
}

TEST(Combined, HasAtMost64Edits) {
  const std::string text(400, '.');
  for (const std::size_t first : {1u, 63u, 64u, 65u}) {
    for (const std::size_t second : {0u, 1u, 2u, 63u, 64u, 65u}) {
      Addition addition;
      AddCorrection(WithEdits(first, 0), &addition);
      AddCorrection(WithEdits(second, 200), &addition);
      const bool fits = first + second <= 64;
      EXPECT_EQ(addition.errors.size(), fits ? 2u : 1u) << first << " and " << second;
      EXPECT_EQ(addition.fix_its.size(), fits ? first + second : first);
      const CorrectedText corrected = ApplyCorrections(text, std::vector{WithEdits(first, 0)});
      std::vector<SourceRange> made;
      std::vector<std::size_t> edits;
      for (const AppliedEdit& edit : corrected.edits) {
        edits.push_back(made.size());
        made.push_back(edit.range);  // each edit replaces a byte by another one
      }
      const auto combined = Combined({corrected, made}, edits, WithEdits(second, 200).fix_its);
      EXPECT_EQ(combined.has_value(), first <= 64 && second <= 64) << first << " and " << second;
      if (combined) {
        EXPECT_EQ(combined->size(), first + second);
      }
    }
  }
}

TEST(Combined, CorrectionsThatMeetAreNotAdded) {
  for (std::size_t at = 5; at <= 15; ++at) {
    for (const std::size_t size : {0u, 1u, 3u}) {
      Addition addition;
      Diagnostic first = MakeDiagnostic(Kind::kUnknownName, Severity::kError, {8, 12}, "m");
      first.fix_its = {{{8, 12}, "x"}};
      Diagnostic second = first;
      second.fix_its = {{{at, at + size}, "y"}};
      AddCorrection(first, &addition);
      AddCorrection(second, &addition);
      const bool do_meet = at == 8 || (at < 12 && at + size > 8);
      EXPECT_EQ(addition.errors.size(), do_meet ? 1u : 2u) << at << ", " << size;
      CorrectedText none;
      none.text = std::string(20, '.');
      const std::vector<FixIt> both{first.fix_its[0], second.fix_its[0]};
      EXPECT_EQ(Combined({none, {}}, {}, both).has_value(), !do_meet) << at << ", " << size;
    }
  }
}

TEST(Combined, IsToldOnlyIfItIsStillOffered) {
  std::vector<Diagnostic> items{WithEdits(1, 0), WithEdits(1, 4), WithEdits(1, 8)};
  const std::vector<FixIt> original = items[1].fix_its;
  Combinations combinations;
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (int times = 0; times <= kMostCombined; ++times) {
      const Addition more{{{{4 * i, 4 * i + 2}, "more"}}, {"other"}};
      EXPECT_EQ(combinations.Add(i, more, "abcdefghijkl", &items[i]), times < kMostCombined);
    }
  }
  combinations.Restore(1, &items[1]);
  EXPECT_EQ(items[1].fix_its[0].replacement, original[0].replacement);
  items[2].fix_its.clear();
  combinations.Tell(&items);
  EXPECT_EQ(items[0].notes.size(), static_cast<std::size_t>(kMostCombined));
  EXPECT_TRUE(items[1].notes.empty());
  EXPECT_TRUE(items[2].notes.empty());
  Diagnostic item = WithEdits(1, 0);
  EXPECT_FALSE(Combinations().Add(0, {{{{0, 5}, "x"}}, {"other"}}, "a # b\n", &item)) << "it deletes a comment";
}

// ---- lines that are not finished

TEST(Proof, AWordBeforeASyntaxErrorIsNotFinished) {
  for (const std::string between : {"=", ":", "<", "{", "[", "\"", "#", ",", "(", ")", "."}) {
    const auto found = ProvenBy(Table{{"name", {}}, {"!", {.kind = Kind::kUnexpectedToken}}},
                                "ok = ok\nok ok ok\nname " + between + " !\nok = ok");
    const bool is_rest = between == "," || between == "(" || between == ")" || between == ".";
    EXPECT_EQ(Messages(found), is_rest ? Strings{"at !"} : (Strings{"at name", "at !"})) << between;
  }
  for (const std::size_t count : {1u, 1023u, 1024u, 1025u}) {
    const auto found =
        ProvenBy(Table{{"name", {}}, {"!", {.kind = Kind::kUnexpectedToken}}}, "name" + std::string(count, ' ') + "!");
    EXPECT_EQ(Messages(found), count <= 1024 ? Strings{"at !"} : (Strings{"at name", "at !"})) << count;
  }
  const Table others{{"name", {}}, {"!", {.kind = Kind::kUnknownType}}};
  EXPECT_EQ(Messages(ProvenBy(others, "name !")), (Strings{"at name", "at !"})) << "the parser goes on behind a word";
}

TEST(Proof, ABracketBehindAnUnknownWordAtTheEndOfALineIsNotMeant) {
  for (const std::string end : {"", "\n", "\r\n", "\nok", " ok", ";"}) {
    for (const bool is_unknown : {true, false}) {
      const Judge judge = [&](const SourceText& source) {
        Diagnostics found;
        if (source.text().find("half)") != std::string_view::npos && !is_unknown) return found;
        const Kind kind = is_unknown ? Kind::kUnknownName : Kind::kUnusedValue;
        found.Add(MakeDiagnostic(kind, Severity::kError, {1, 5}, "word"));
        if (source.text().find(')') != std::string_view::npos) return found;
        Diagnostic bracket = MakeDiagnostic(Kind::kUnclosedBracket, Severity::kError, {5, 5}, "bracket");
        bracket.fix_its = {{{5, 5}, ")"}};
        found.Add(bracket);
        return found;
      };
      const auto found = ProvenBy(judge, "(half" + end);
      const bool is_line_end = end.empty() || end[0] == '\n' || end[0] == '\r';
      EXPECT_EQ(Messages(found), !is_unknown   ? Strings{"bracket +"}
                                 : is_line_end ? Strings{"bracket"}
                                               : (Strings{"word", "bracket +"}))
          << end;
    }
  }
}

TEST(Proof, AWordInQuotesBeforeASyntaxErrorIsNotMeant) {
  for (const std::string between : {" ", "\t", "  \t ", "\n", " \n "}) {
    const Judge judge = [&](const SourceText& source) {
      Diagnostics found;
      const std::size_t end = source.text().find('!');
      found.Add(MakeDiagnostic(Kind::kUnknownType, Severity::kError, {end, end + 1}, "error"));
      Diagnostic word = MakeDiagnostic(Kind::kWrongLiteral, Severity::kError, {0, 4}, "word");
      word.fix_its = {{{0, 4}, "\"word\""}};
      if (source.text().starts_with("word")) found.Add(word);
      return found;
    };
    const auto found = ProvenBy(judge, "word" + between + "!");
    const bool is_behind = between.find('\n') == std::string::npos;
    EXPECT_EQ(std::ranges::count(found, true, [](const Diagnostic& item) { return item.fix_its.empty(); }),
              is_behind ? 2 : 1)
        << between;
  }
}

// ---- corrections that are not needed

// Two findings contradict each other, so correcting one of them is enough, unless the text is too long to try.
TEST(Proof, LeavesOutACorrectionThatIsNotNeeded) {
  for (const std::size_t size : {std::size_t{20}, std::size_t{512} << 10, (std::size_t{512} << 10) + 1}) {
    const Table table{{"a", {.fix = "c", .unless = "b"}}, {"b", {.fix = "d", .unless = "a"}}};
    std::string text = "a\nb\n";
    text.resize(size, '.');
    const auto found = ProvenBy(table, text);
    EXPECT_EQ(Messages(found), size <= std::size_t{512} << 10 ? Strings{"at b +"} : (Strings{"at a +", "at b +"}));
  }
}

// ---- line ends

struct Fitted {
  const char* text;
  std::size_t at;
  const char* inserted;
  const char* fitted;
};

TEST(FitToText, WritesTheLineEndsAndTheIndentationOfTheText) {
  const Fitted cases[] = {{"a\nb", 2, "x\n", "x\n"},
                          {"a\n  b", 4, "x\n", "x\n  "},
                          {"a\r\n  b", 5, "x\n", "x\r\n  "},
                          {"a\n\t b", 4, "x\ny\n", "x\n\t y\n\t "},
                          {"a\n b c", 5, "x\n", "x "},
                          {"a b", 0, "x\n", "x\n"},
                          {"  b", 2, "x\n  y\n", "x\n  y\n  "},
                          {"a\r\nb", 3, "x\ny", "x\r\ny"},
                          {"a\nb", 2, "x\n  y", "x\n  y"},
                          {"a\nb", 2, "xy", "xy"},
                          {"a\nb", 2, "x\r\ny\n", "x\ny\n"},
                          {"\na\r\nb", 1, "x\n", "x\n"},
                          {"a\n b c", 5, "x\ny\n", "x y "},
                          {"a\n b", 3, "x\n  ", "x\n "},
                          {"a\r\nb", 3, "\n}", "\r\n}"}};
  for (const Fitted& it : cases) {
    Diagnostic finding = MakeDiagnostic(Kind::kUnknownName, Severity::kError, {it.at, it.at}, "m");
    finding.fix_its = {{{it.at, it.at}, it.inserted}};
    FitToText(it.text, {&finding, 1});
    EXPECT_EQ(finding.fix_its[0].replacement, it.fitted) << it.text << " at " << it.at << ": " << it.inserted;
  }
}

}  // namespace
}  // namespace onnxc::verdict::proof_test
