// After any edits the server's text, and what it says about it, are those of a fresh run.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/diagnostics.h"
#include "lsp/places.h"
#include "lsp/server.h"
#include "verdict/proof.h"
#include "verdict/wanted.h"

namespace onnxc::lsp {
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

/// The findings as `onnxc check` tells them, in words.
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

/// A server with one document, whose text this class knows.
class Edited {
 public:
  Edited() : server_([this](const Json& message) { sent_.push_back(message); }), text_(kText) {
    Send({{"id", 0}, {"method", "initialize"}, {"params", {{"capabilities", Json::object()}}}});
    Send({{"method", "textDocument/didOpen"},
          {"params", {{"textDocument", {{"uri", kUri}, {"version", 0}, {"text", kText}}}}}});
  }

  /// One to three changes in one message.
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
    if (below(20) == 0) {  // now and then all of it, so that texts stay near to right ones
      changes.push_back({{"text", kText}});
      text_ = kText;
    }
    Send({{"method", "textDocument/didChange"},
          {"params", {{"textDocument", {{"uri", kUri}, {"version", ++version_}}}, {"contentChanges", changes}}}});
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() { return server_.workspace().Find(std::string(kUri)); }
  /// The diagnostics that were pushed last.
  [[nodiscard]] Json pushed() const { return sent_.back().at("params"); }

 private:
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

std::size_t CountOfEdits() {
  const char* const count = std::getenv("ONNXC_EDITS");
  return count == nullptr ? 1000 : std::strtoul(count, nullptr, 10);
}

TEST(Edits, LeaveTheTextAndTheFindingsOfAFreshRun) {
  Edited edited;
  std::mt19937 random(16);  // NOLINT(cert-msc51-cpp): the same edits each time
  for (std::size_t i = 0; i < CountOfEdits(); ++i) {
    edited.Change(&random);
    const auto snapshot = edited.snapshot();
    ASSERT_EQ(snapshot->text(), edited.text()) << "edit " << i;
    const SourceText source("/nowhere/edited.onnxtxt", edited.text());
    ASSERT_EQ(RenderText(snapshot->findings(), source), Fresh(edited.text())) << "edit " << i << "\n" << edited.text();
    ASSERT_EQ(edited.pushed().at("version"), snapshot->version());
    ASSERT_EQ(edited.pushed().at("diagnostics").size(), snapshot->findings().items().size());
  }
}

}  // namespace
}  // namespace onnxc::lsp
