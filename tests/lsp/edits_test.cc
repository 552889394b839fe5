// After any edits, the text and the findings of the server are the same as if the text were opened anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/diagnostics.h"
#include "lsp/long_text.h"
#include "lsp/places.h"
#include "lsp/server.h"
#include "verdict/proof.h"
#include "verdict/wanted.h"

namespace onnxc::lsp::edits_test {
namespace {

constexpr std::string_view kUri = "file:///nowhere/edited.onnxtxt";
constexpr std::string_view kText = R"(<ir_version: 10, opset_import: ["" : 21, "my" : 1]>
g (float[N, 4] X, bool c) => (float[N, 4] Y) <float[4] W = {1, 2, 3, 4}> {
   [branch] A = If (c) <
      then_branch = yes () => (float[N, 4] t) { t = Add (X, W) },
      else_branch = no () => (float[N, 4] e) { e = my.Twice <by = 2.0> (X) }
   >
   # é and 😀 are characters of several bytes
   Y = Softmax <axis = 1> (A)
}
<domain: "my", opset_import: ["" : 21]>
Twice <by: float = 1.0> (x) => (y) { y = Add (x, x) }
)";
constexpr std::string_view kPieces[] = {"",  "(",  ")", "{", "}", "<",    ">", ",", "=",     "\"",       "\n",   "X",
                                        "Y", "=>", "1", ":", "#", "Relu", "😀", "@", "float", "[N, 4] X", "\r\n", " "};

/// Returns the findings in the form in which `onnxc check` shows them.
std::string Fresh(const std::string& text) {
  const SourceText source("/nowhere/edited.onnxtxt", text);
  const verdict::Judge judge = [](const SourceText& each) {
    onnx::ModelProto model;
    return verdict::ReadAndCheck(each, each.name(), Kind::kModel, {.tell_functions_apart = true}, {}, &model);
  };
  const Diagnostics all = verdict::ProveCorrections(source, judge(source), judge);
  return RenderText(verdict::Shown(verdict::Wanted(all, source, {})), source);
}

Json ChangeOf(std::string_view text, SourceRange range, std::string_view piece) {
  return {{"range", {{"start", PositionIn(text, range.begin)}, {"end", PositionIn(text, range.end)}}}, {"text", piece}};
}

/// The symbol of each name, and its type.
std::vector<std::string> NamesIn(const Snapshot& text) {
  std::vector<std::string> names;
  for (const Occurrence& name : text.symbols().occurrences()) {
    const InferredValue* const known = text.TypeOf(name.symbol);
    names.push_back(fmt::format("{}..{} {} {}", name.range.begin, name.range.end, name.symbol,
                                known == nullptr ? "" : ToProto(known->type).ShortDebugString()));
  }
  return names;
}

/// A server with one document. This class keeps a copy of the text.
class Edited {
 public:
  explicit Edited(std::string_view text)
      : server_([this](const Json& message) { sent_.push_back(message); }), text_(text) {
    Send({{"id", 0}, {"method", "initialize"}, {"params", {{"capabilities", Json::object()}}}});
    Send({{"method", "textDocument/didOpen"},
          {"params", {{"textDocument", {{"uri", kUri}, {"version", 0}, {"text", text}}}}}});
  }

  /// Sends one to three changes in one message.
  void Change(std::mt19937* random) {
    const auto below = [&](std::size_t count) { return (*random)() % count; };
    Json changes = Json::array();
    for (std::size_t count = 1 + below(3); count > 0; --count) {
      const std::size_t begin = PlaceNear(text_, below(text_.size() + 1));
      const std::size_t end = PlaceNear(text_, std::min(text_.size(), begin + below(4)));
      const SourceRange range = {begin, std::max(begin, end)};
      const std::string_view piece = kPieces[below(std::size(kPieces))];
      changes.push_back(ChangeOf(text_, range, piece));
      text_.replace(range.begin, range.end - range.begin, piece);
    }
    if (below(20) == 0) {  // sometimes replaces the whole text by a valid one, so that texts do not become too wrong
      changes.push_back({{"text", kText}});
      text_ = kText;
    }
    SendChanges(changes);
  }

  /// Sends one change that gives the document this text.
  void Become(const std::string& text) {
    const auto begin = static_cast<std::size_t>(std::ranges::mismatch(text_, text).in1 - text_.begin());
    const std::size_t rest = std::min(text_.size(), text.size()) - begin;
    std::size_t same = 0;
    while (same < rest && text_[text_.size() - same - 1] == text[text.size() - same - 1]) ++same;
    const Json change =
        ChangeOf(text_, {begin, text_.size() - same}, std::string_view(text).substr(begin, text.size() - same - begin));
    text_ = text;
    SendChanges(Json::array({change}));
  }

  [[nodiscard]] bool has_no_error() { return snapshot()->findings().ok(); }

  void ExpectThatOfAFreshRun(std::size_t edit) {
    const auto now = snapshot();
    ASSERT_EQ(now->text(), text_) << "edit " << edit;
    const SourceText source("/nowhere/edited.onnxtxt", text_);
    ASSERT_EQ(RenderText(now->findings(), source), Fresh(text_)) << "edit " << edit << "\n" << text_;
    ASSERT_EQ(pushed().at("version"), now->version());
    const Snapshot fresh(std::string(kUri), 0, text_, now->encoding(), std::make_shared<const Settings>());
    ASSERT_EQ(pushed().at("diagnostics"), DiagnosticsOf(fresh, server_.workspace().client)) << "edit " << edit;
    // Symbols and types are computed for some versions only: before they are used, when they are used, or not at all.
    if (edit % 5 < 2) {
      ASSERT_EQ(NamesIn(*now), NamesIn(fresh)) << "edit " << edit << "\n" << text_;
    }
  }

 private:
  [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() { return server_.workspace().Find(std::string(kUri)); }
  /// The last diagnostics that the server pushed.
  [[nodiscard]] Json pushed() const { return sent_.back().at("params"); }

  void SendChanges(const Json& changes) {
    Send({{"method", "textDocument/didChange"},
          {"params", {{"textDocument", {{"uri", kUri}, {"version", ++version_}}}, {"contentChanges", changes}}}});
  }
  void Send(const Json& message) {
    sent_.clear();
    server_.Handle(message);
    server_.PublishPending();
  }

  Server server_;
  std::vector<Json> sent_;
  std::string text_;
  int version_ = 0;
};

TEST(Edits, LeaveTheTextAndTheFindingsOfAFreshRun) {
  Edited edited(kText);
  std::mt19937 random(16);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the edits are the same each time
  for (std::size_t i = 0; i < CountOfEdits() && !::testing::Test::HasFatalFailure(); ++i) {
    edited.Change(&random);
    edited.ExpectThatOfAFreshRun(i);
  }
}

TEST(Edits, OfALongTextDoToo) {
  std::mt19937 random(18);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the edits are the same each time
  LongText text(&random);
  Edited edited(text.now());
  for (std::size_t i = 0; i < CountOfEdits() / 4 && !::testing::Test::HasFatalFailure(); ++i) {
    text.Edit(edited.has_no_error());
    edited.Become(text.now());
    edited.ExpectThatOfAFreshRun(i);
  }
}

}  // namespace
}  // namespace onnxc::lsp::edits_test
