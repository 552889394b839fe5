// The server never works on another text than the editor: not if the editor sends half of a character, and not if a
// change cannot be applied.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/framing.h"
#include "lsp/run.h"
#include "lsp/server.h"
#include "source/unicode.h"
#include "testing/random_values.h"

namespace onnxc::lsp::halves_test {
namespace {

constexpr const char* kUri = "file:///nowhere/halves.onnxtxt";
constexpr char16_t kReplacement = 0xFFFD;

bool IsHalf(char16_t unit) { return unit >= 0xD800 && unit <= 0xDFFF; }

/// A JSON string in which each unit that is not ASCII is an escape, as editors in UTF-16 write it.
std::string JsonOf(std::u16string_view text) {
  std::string json = "\"";
  for (const char16_t unit : text) {
    const bool is_plain = unit >= ' ' && unit < 0x7F && unit != '"' && unit != '\\';
    json += is_plain ? std::string(1, static_cast<char>(unit)) : fmt::format("\\u{:04x}", unsigned{unit});
  }
  return json + '"';
}

std::u16string Utf16(std::string_view text) {
  std::u16string units;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = DecodeCharacter(text, at);
    at += character.length;
    const char32_t code = character.code;
    if (code >= 0x10000) units += static_cast<char16_t>(0xD800 + ((code - 0x10000) >> 10));
    units += static_cast<char16_t>(code >= 0x10000 ? 0xDC00 + (code & 0x3FFu) : code);
  }
  return units;
}

/// An editor that stores its text in UTF-16, and does not prevent halves of characters.
class Editor {
 public:
  explicit Editor(std::u16string text)
      : text_(std::move(text)), server_([this](const Json& message) {
          if (message.value("method", "") == "window/showMessage") told_ = message["params"]["message"];
          if (message.contains("result")) answer_ = message["result"];
          if (message.contains("error")) answer_ = message["error"];
        }) {
    Send(R"({"id": 1, "method": "initialize", "params": {"capabilities": {}}})");
    Send(fmt::format(R"({{"method": "textDocument/didOpen", "params":
                         {{"textDocument": {{"uri": "{}", "version": 0, "text": {}}}}}}})",
                     kUri, JsonOf(text_)));
  }

  void Replace(std::size_t begin, std::size_t end, std::u16string_view piece) {
    const std::string range = fmt::format(R"({{"start": {}, "end": {}}})", PositionOf(begin), PositionOf(end));
    text_.replace(begin, end - begin, piece);
    SendChange(fmt::format(R"({{"range": {}, "text": {}}})", range, JsonOf(piece)));
  }
  void SendWhole() { SendChange(fmt::format(R"({{"text": {}}})", JsonOf(text_))); }
  void SendChange(const std::string& change, int newer = 1) {
    version_ += newer;
    Send(fmt::format(R"({{"method": "textDocument/didChange", "params":
                         {{"textDocument": {{"uri": "{}", "version": {}}}, "contentChanges": [{}]}}}})",
                     kUri, version_, change));
  }
  Json Ask(const std::string& method, const std::string& more = "") {
    Send(fmt::format(R"({{"id": 2, "method": "{}", "params": {{"textDocument": {{"uri": "{}"}}{}}}}})", method, kUri,
                     more));
    return answer_;
  }
  void Send(const std::string& message) {
    told_.clear();
    server_.Handle(ParsedMessage(message));
  }

  void Apply(const Json& edits) {
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
      const std::size_t begin = OffsetOf((*edit)["range"]["start"]);
      text_.replace(begin, OffsetOf((*edit)["range"]["end"]) - begin, Utf16((*edit)["newText"].get<std::string>()));
    }
  }

  [[nodiscard]] const std::u16string& text() const { return text_; }
  [[nodiscard]] const std::string& told() const { return told_; }  ///< the last message to the user
  [[nodiscard]] bool IsOpen() { return server_.workspace().Find(kUri) != nullptr; }
  [[nodiscard]] std::u16string TextOfServer() { return Utf16(server_.workspace().Find(kUri)->text()); }

 private:
  [[nodiscard]] std::string PositionOf(std::size_t offset) const {
    const std::u16string_view before = std::u16string_view(text_).substr(0, offset);
    return fmt::format(R"({{"line": {}, "character": {}}})", std::ranges::count(before, u'\n'),
                       offset - (before.rfind(u'\n') + 1));  // npos + 1 is 0
  }
  [[nodiscard]] std::size_t OffsetOf(const Json& position) const {
    std::size_t at = 0;
    for (std::size_t line = position["line"].get<std::size_t>(); line > 0; --line) at = text_.find(u'\n', at) + 1;
    return at + position["character"].get<std::size_t>();
  }

  std::u16string text_;
  std::string told_;
  Json answer_;
  int version_ = 0;
  Server server_;
};

TEST(Halves, LeaveEachPlaceOfTheTextWhereItIs) {
  testing::RandomValues random(13);
  constexpr std::u16string_view kPieces[] = {
      u"", u"a", u"\n", u"\xD83D", u"\xDE00", u"\xD83D\xDE00", u"\xDE00\xD83D", u"é\xD83D", u"\\ud83d", u"\"\\"};
  std::size_t lost = 0;
  Editor editor(u"one\xD83D\n\xD83D\xDE00 two\n");
  for (int i = 0; i < 5000; ++i) {
    const std::u16string before = editor.text();
    const std::size_t begin = random.Below(before.size() + 1);
    const std::size_t end = std::min(before.size(), begin + random.Below(4));
    editor.Replace(begin, end, random.Pick(kPieces));
    if (!editor.IsOpen()) {  // a character was split
      ++lost;
      EXPECT_NE(editor.told().find("inside of a character"), std::string::npos) << editor.told();
      EXPECT_NE(editor.Ask("textDocument/formatting").value("message", "").find("is not open"), std::string::npos);
      editor.Replace(0, 0, u"x");
      EXPECT_FALSE(editor.IsOpen()) << "a part of the text is not enough";
      editor.SendWhole();
    }
    ASSERT_TRUE(editor.IsOpen());
    const std::u16string text = editor.TextOfServer();
    ASSERT_EQ(text.size(), editor.text().size());
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char16_t unit = editor.text()[at];
      ASSERT_TRUE(text[at] == unit || (IsHalf(unit) && text[at] == kReplacement)) << at;
    }
  }
  EXPECT_GT(lost, 10);
}

TEST(Halves, AreNotReplacedInTheEditor) {
  const std::u16string text =
      u"<ir_version: 10, opset_import: [\"\": 20]>\n# c\n g (float[N] x) => (float[N] y) {\n"
      u" a=Relu (x) # d\n   y=\"a\".Relu (a)   # e\n}\n";
  Editor editor(text);
  for (const std::u16string_view after : {u"# c", u"# d", u"# e", u"\"a"}) {
    const std::size_t at = editor.text().find(after) + after.size();
    editor.Replace(at, at, u"\xD83D");
    editor.Replace(at + 1, at + 1, u"\xDE00");  // the editor has a whole character now
    const std::size_t line = editor.text().find(u'\n', at);
    editor.Replace(line, line, after == u"\"a" ? u"" : u"\xD83D\n\n");
  }
  const auto without_blanks = [](std::u16string units) {
    std::erase_if(units, [](char16_t unit) { return unit == ' ' || unit == '\n'; });
    return units;
  };
  const std::u16string before = without_blanks(editor.text());
  const Json edits = editor.Ask("textDocument/formatting");
  ASSERT_GT(edits.size(), 1) << edits;
  editor.Apply(edits);
  EXPECT_EQ(without_blanks(editor.text()), before);
  EXPECT_EQ(editor.text().find(u"\n a=Relu"), std::u16string::npos) << "the line was formatted";
}

TEST(Halves, MayBeInAnyStringOfAnyRequest) {
  Editor editor(u"<ir_version: 10, opset_import: [\"\": 20]>\ng (float[N] x) => (float[N] y) { y = Relu (x) }\n");
  const Json edit = editor.Ask("textDocument/rename", R"(, "position": {"line": 1, "character": 12},
                                                         "newName": "\ud83d\\ud83d\udE00\ud83d\ude00")");
  EXPECT_EQ(edit["changes"][kUri][0]["newText"], "\"\uFFFD\\\\ud83d\uFFFD\U0001F600\"");
  editor.Ask("textDocument/\xED\xA0\xBDhover\xFF", R"(, "more": "\ud83d")");
  EXPECT_EQ(ParsedMessage("\"\xED\xA0\xBD.\xE9.\xF0\x9F\x98.\""), Json("\uFFFD.?.???."));
  EXPECT_TRUE(ParsedMessage("{\"a\": \"\\ud8\"}").is_discarded());
  EXPECT_TRUE(ParsedMessage("\"\\").is_discarded());
}

/// Changes that are not applied, because something is wrong with them.
constexpr const char* kWrongChanges[] = {
    R"({"text": 1})",
    R"({"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}})",
    R"({"range": null, "text": "a"})",
    R"({"range": {"start": {"line": -1, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "a"})",
    R"({"range": {"start": {"line": 0, "character": 0.5}, "end": {"line": 0, "character": 1}}, "text": "a"})",
    R"({"range": {"start": {"line": 1, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "a"})",
    R"("a")",
    R"({"range": {"start": {"line": 0, "character": 1}, "end": {"line": 0, "character": 2}}, "text": "a"}, 1)",
};

TEST(LostTexts, AreNotUsedUntilTheyAreSentWhole) {
  for (const char* const change : kWrongChanges) {
    SCOPED_TRACE(change);
    Editor editor(u"<ir_version: 10, opset_import: [\"\": 20]>\ng (float[N] x) => (float[N] y) {\ny=Relu (x) }\n");
    editor.SendChange(change);
    EXPECT_NE(editor.told().find("Please close the file and open it again"), std::string::npos) << editor.told();
    for (const char* const method : {"formatting", "hover", "codeAction", "semanticTokens/full"}) {
      const Json refused = editor.Ask(std::string("textDocument/") + method, R"(, "position": {}, "range": {})");
      EXPECT_NE(refused.value("message", "").find("is not open"), std::string::npos) << refused;
    }
    editor.Replace(0, 0, u"# a\n");
    EXPECT_FALSE(editor.IsOpen());
    editor.SendWhole();
    EXPECT_EQ(editor.TextOfServer(), editor.text());
    editor.Apply(editor.Ask("textDocument/formatting"));
    EXPECT_NE(editor.text().find(u"\n   y = Relu (x)\n}"), std::u16string::npos);
  }
}

TEST(LostTexts, AreThoseWhoseChangesArriveInTheWrongOrder) {
  const char* const change =
      R"({"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "a"})";
  for (const int newer : {5, 1, 0, -1}) {
    Editor editor(u"one\n");
    editor.SendChange(change, 7);
    editor.SendChange(change, newer);
    EXPECT_EQ(editor.IsOpen(), newer >= 0) << newer;  // some editors send the same version again
    EXPECT_EQ(editor.told().find("changes are in the wrong order") != std::string::npos, newer < 0) << editor.told();
  }
}

TEST(LostTexts, AreThoseOfAllDocumentsIfAMessageCannotBeRead) {
  const auto frame = [](const std::string& content) {
    return fmt::format("Content-Length: {}\r\n\r\n{}", content.size(), content);
  };
  const std::string begin = frame(R"({"id": 1, "method": "initialize", "params": {"capabilities": {}}})");
  const std::string open = frame(fmt::format(R"({{"method": "textDocument/didOpen", "params": {{"textDocument":
                                               {{"uri": "{}", "version": 0, "text": "g () => () {{}}"}}}}}})",
                                             kUri));
  const std::string ask = frame(fmt::format(R"({{"id": 2, "method": "textDocument/semanticTokens/full",
                                              "params": {{"textDocument": {{"uri": "{}"}}}}}})",
                                            kUri));
  const auto is_answered = [&](const std::string& between) {
    std::istringstream in(begin + open + between + ask);
    std::ostringstream out;
    (void)lsp::Run(in, out, {.threads = false});
    return out.str().find(R"("id":2,"jsonrpc":"2.0","result")") != std::string::npos;
  };
  EXPECT_TRUE(is_answered(""));
  EXPECT_TRUE(is_answered(frame(R"({"method": "$/setTrace", "params": {"value": "\udc00"}})")));
  for (const std::string& broken : {frame(R"({"method": )"), std::string("Content-Length: x\r\n\r\n")}) {
    EXPECT_FALSE(is_answered(broken)) << broken;
    EXPECT_TRUE(is_answered(broken + open)) << broken;
  }
}

}  // namespace
}  // namespace onnxc::lsp::halves_test
