// After any edits, the text, the findings and the answers to all requests are the same as if the text were opened anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/diagnostics.h"
#include "lsp/every_feature.h"
#include "lsp/long_text.h"
#include "lsp/places.h"
#include "lsp/right_texts.h"
#include "lsp/server.h"
#include "symbols/tokens.h"
#include "testing/folder.h"
#include "verdict/analyze.h"
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
  const Diagnostics all = verdict::Analyze(source, {.path = source.name()}).found;
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

/// A server with one document, and a client that supports everything. This class keeps a copy of the text.
class Edited {
 public:
  /// `folder` has other texts; "" if there is none.
  explicit Edited(std::string_view text, std::string folder = {}, int version = 0)
      : server_([this](const Json& message) { sent_.push_back(message); }),
        text_(text),
        folder_(std::move(folder)),
        version_(version) {
    Json params = {{"capabilities", AllCapabilities()}, {"initializationOptions", {{"workspaceDiagnostics", true}}}};
    if (!folder_.empty()) params["workspaceFolders"] = {{{"uri", "file://" + folder_}, {"name", "texts"}}};
    capabilities_ = Ask("initialize", params)["capabilities"];
    Open();
  }
  Edited(const Edited&) = delete;
  Edited& operator=(const Edited&) = delete;
  ~Edited() = default;

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const Json& capabilities() const { return capabilities_; }

  /// Saves the document, or closes it and opens it again.
  void SaveOrOpen(bool is_saved) {
    const Json params = {{"textDocument", {{"uri", kUri}}}};
    Send({{"method", is_saved ? "textDocument/didSave" : "textDocument/didClose"}, {"params", params}});
    if (!is_saved) Open();
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

  /// Expects that all answers about a range are those of a server that opens the text. Counts the useful answers to
  /// each request.
  void ExpectTheAnswersOfAFreshServer(SourceRange range, std::map<std::string, int>* useful = nullptr) {
    Edited fresh(text_, folder_, version_);
    const std::map<std::string, Json> wanted = fresh.features_.AnswersAt(text_, range);
    for (const auto& [request, answer] : features_.AnswersAt(text_, range)) {
      const Json difference = Json::diff(wanted.at(request), answer);
      ASSERT_TRUE(difference.empty()) << request << " at " << range.begin << ".." << range.end << ": " << difference
                                      << "\n  instead of: " << wanted.at(request) << "\n"
                                      << text_;
      if (useful != nullptr) (*useful)[request] += IsUseful(answer) ? 1 : 0;
    }
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
  void Open() {
    Send({{"method", "textDocument/didOpen"},
          {"params", {{"textDocument", {{"uri", kUri}, {"version", version_}, {"text", text_}}}}}});
  }
  void Send(const Json& message) {
    sent_.clear();
    server_.Handle(message);
    server_.PublishPending();
  }
  /// Returns the result of a request, or its error.
  Json Ask(std::string_view method, const Json& params) {
    Send({{"id", 1}, {"method", method}, {"params", params}});
    for (const Json& message : sent_) {
      if (message.contains("result")) return message["result"];
      if (message.contains("error")) return message["error"];
    }
    return nullptr;
  }

  Server server_;
  std::vector<Json> sent_;
  std::string text_;
  std::string folder_;
  int version_;
  Json capabilities_;
  EveryFeature<std::function<Json(const std::string&, const Json&)>> features_{
      [this](const std::string& method, const Json& params) { return Ask(method, params); }, std::string(kUri)};
};

/// A place, or a range that begins anywhere.
SourceRange AnyRange(const std::string& text, std::mt19937* random) {
  const auto below = [&](std::size_t count) { return (*random)() % count; };
  std::size_t begin = PlaceNear(text, below(text.size() + 1));
  if (const std::size_t bracket = text.find('}', begin); bracket != text.npos && below(4) == 0) begin = bracket + 1;
  return {begin, std::max(begin, PlaceNear(text, std::min(text.size(), begin + (below(2) == 0 ? 0 : below(300)))))};
}

/// Returns the text with mistakes, warnings and comments after about `count` of its nodes.
std::string WithFindings(const std::string& text, std::size_t count, std::mt19937* random) {
  constexpr std::string_view kNodes[] = {
      "unused{1} = Neg ({0})",
      "[same] unused{1} = Neg ({0})",
      "unused{1} = Reul ({0})",
      "unused{1} = Softmax <axs = 1> ({0})",
      "unused{1} = Add ({0},, {0})",
      "unused{1} = Add ({0} {0})",
      "unused{1} = Neg ({0}",
      "unused{1} = Neg {0}",
      "unused{1} = Add ({0}, none{1})",
      "unused{1} = Neg ({0}, {0})",
      "unused{1} = Add [{0}, {0})",
      "unused{1}, = Neg ({0})",
      "# é and 😀",
  };
  const PartialModel parsed = ParsePartial(text);
  const SymbolIndex& symbols = parsed.symbols;
  std::map<std::size_t, std::string, std::greater<>> added;  // the key is an offset; the last one first
  for (const TextNode& node : symbols.nodes()) {
    if ((*random)() % symbols.nodes().size() >= count || node.inputs == 0) continue;
    const SymbolId input = symbols.InputsOf(node).front();
    if (input == kNoSymbol) continue;
    added[node.range.end] =
        fmt::format(fmt::runtime(kNodes[(*random)() % std::size(kNodes)]),
                    text.substr(symbols.occurrences()[input].range.begin,
                                symbols.occurrences()[input].range.end - symbols.occurrences()[input].range.begin),
                    added.size());
  }
  std::string result = text;
  for (const auto& [at, node] : added) result.insert(at, "\n  " + node + "\n");
  return result;
}

/// Returns the text after an edit in the first half of its nodes: of some letters, of a name, or of a whole node.
std::string EditedInFront(const std::string& text, std::mt19937* random) {
  const auto below = [&](std::size_t count) { return (*random)() % count; };
  const PartialModel parsed = ParsePartial(text);
  const auto nodes = parsed.symbols.nodes();
  const SourceRange node = nodes.empty() ? SourceRange{0, text.size()} : nodes[below(nodes.size() / 2 + 1)].range;
  const std::vector<TextToken> tokens = TokensIn(text, node);
  const SourceRange token = tokens.empty() ? node : tokens[below(tokens.size())].range;
  const std::string_view piece = kPieces[below(std::size(kPieces))];
  std::string edited = text;
  switch (below(6)) {
    case 0: return edited.insert(node.begin, "# é and 😀\n\n");
    case 1: return edited.insert(node.begin, text.substr(node.begin, node.end - node.begin) + "\n  ");  // a second time
    case 2: return edited.erase(node.begin, node.end - node.begin);
    case 3: return edited.insert(token.end, "1");
    case 4: return edited.replace(token.begin, token.end - token.begin, piece);
    default: return edited.insert(PlaceNear(text, node.begin + below(node.end - node.begin + 1)), piece);
  }
}

TEST(Edits, LeaveTheTextAndTheFindingsOfAFreshRun) {
  Edited edited(kText);
  std::mt19937 random(16);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the edits are the same each time
  for (std::size_t i = 0; i < CountOfEdits() && !::testing::Test::HasFatalFailure(); ++i) {
    SCOPED_TRACE(fmt::format("edit {} of {}", i, edited.text()));
    edited.Change(&random);
    edited.ExpectThatOfAFreshRun(i);
    if (i % 5 == 3) edited.ExpectTheAnswersOfAFreshServer(AnyRange(edited.text(), &random));
  }
}

TEST(Edits, OfALongTextDoToo) {
  std::mt19937 random(18);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the edits are the same each time
  LongText text(&random);
  Edited edited(text.now());
  for (std::size_t i = 0; i < CountOfEdits() / 4 && !::testing::Test::HasFatalFailure(); ++i) {
    text.Edit(edited.has_no_error());
    SCOPED_TRACE(fmt::format("edit {}: {}", i, text.now()));
    edited.Become(text.now());
    edited.ExpectThatOfAFreshRun(i);
    if (i % 5 == 3) edited.ExpectTheAnswersOfAFreshServer(AnyRange(edited.text(), &random));
  }
}

// Texts of people with mistakes and warnings, which are also behind the edited places.
TEST(Edits, OfRealTextsGiveTheAnswersOfAFreshServer) {
  const testing::Folder folder;
  folder.Write("other.onnxtxt", "g (float[2] x) => (float[2] y) { y = Neg (x) unused = Relu (x) }\n");
  const std::vector<std::string> texts = RightTexts();
  std::mt19937 random(static_cast<unsigned>(CountOfEdits()));  // NOLINT(cert-msc51-cpp): the same edits each time
  const auto below = [&](std::size_t count) { return random() % count; };
  std::map<std::string, int> useful;  // the number of useful answers to each request
  Json capabilities;
  for (std::size_t i = 0; i < CountOfEdits() / 8 && !::testing::Test::HasFatalFailure(); ++i) {
    const std::string first = WithFindings(texts[below(texts.size())], 1 + below(4), &random);
    Edited edited(first, folder.path().string());
    capabilities = edited.capabilities();
    for (std::size_t edit = 0; edit < 6 && !::testing::Test::HasFatalFailure(); ++edit) {
      edited.Become(below(3) == 0 ? first : EditedInFront(edited.text(), &random));
      if (below(4) == 0) edited.SaveOrOpen(/*is_saved=*/below(2) == 0);
      SCOPED_TRACE(fmt::format("text {}, edit {} of\n{}", i, edit, first));
      if (below(3) == 0) continue;  // the next text is compared with one that no request has used
      edited.ExpectTheAnswersOfAFreshServer(AnyRange(edited.text(), &random), &useful);
    }
  }
  for (const Method& method : Methods()) {
    const auto is_it = [&](const auto& row) {
      return row.first.substr(0, row.first.find(' ')) == method.name && row.second > 0;
    };
    EXPECT_TRUE(method.turn == Turn::kInOrder || std::ranges::any_of(useful, is_it))
        << method.name << " has no useful answer: EveryFeature sends no parameters for it";
  }
  for (const auto& [provider, options] : capabilities.items()) {
    if (!provider.ends_with("Provider")) continue;
    const auto is_of_it = [key = "/" + provider](const Method& method) {
      return method.capability != nullptr && std::string_view(method.capability).starts_with(key);
    };
    EXPECT_TRUE(std::ranges::any_of(Methods(), is_of_it)) << provider << " is announced, but no method has it";
  }
}

}  // namespace
}  // namespace onnxc::lsp::edits_test
