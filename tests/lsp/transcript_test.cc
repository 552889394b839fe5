// Sends messages to the language server as an editor would: each file in testdata/lsp is a session, which the server
// answers in one thread. A session consists of these lines:
//
// `# text` is a comment.
//
// `@ NAME` opens a document; the following lines that begin with `| ` are its text, in which `$1` marks a position.
//
// `% FOLDER` says that the documents are in this folder of testdata. The session shows its path as `/models`.
//
// `$ METHOD [PLACE] [JSON]` is a request about the last document, at a mark (`1`) or for a range (`1-2`), with further
// parameters in JSON.
//
// `! METHOD [JSON]` is a notification.
//
// `~ RANGE JSON` changes the last document: the string replaces the range.
//
// `= JSON` is a string with the bytes that the server reads next.
//
// `< text` is a message from the server, in JSON.
//
// In JSON, "$1" stands for the position of a mark, and "$1-2" for a range. If a session does not begin with the request
// `initialize`, the test sends it first, for a client that supports Markdown and outlines. ONNXC_BLESS=1 in the
// environment rewrites the files with the current messages of the server.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <streambuf>
#include <string>
#include <vector>

#include "lsp/framing.h"
#include "lsp/run.h"
#include "lsp/uri.h"
#include "testing/folder.h"
#include "testing/golden.h"
#include "testing/paths.h"

namespace onnxc::lsp::transcript_test {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(testing::kTestdata) / "lsp";

/// The text of a document in the session without its marks, and the positions of the marks in UTF-16 units, like in the
/// protocol.
struct Document {
  std::string uri;
  int version = 0;
  std::map<std::string, Json> marks;
};

/// Removes the marks from a text. This function counts positions itself, because the counting of the server is tested.
std::string TakeMarks(std::string_view marked, Document* document) {
  std::string text;
  int line = 0;
  int character = 0;
  for (std::size_t at = 0; at < marked.size(); ++at) {
    const auto c = static_cast<unsigned char>(marked[at]);
    if (c == '$' && at + 1 < marked.size() && std::isdigit(static_cast<unsigned char>(marked[at + 1])) != 0) {
      document->marks[std::string(1, marked[++at])] = {{"line", line}, {"character", character}};
      continue;
    }
    text += static_cast<char>(c);
    if (c == '\n') {
      ++line;
      character = 0;
    } else if (c < 0x80 || c >= 0xC0) {
      character += c >= 0xF0 ? 2 : 1;
    }
  }
  return text;
}

constexpr const char* kShownFolder = "file:///models";

std::string WithFolder(std::string text, const std::string& folder, std::string_view shown) {
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at + shown.size())) {
    text.replace(at, folder.size(), shown);
  }
  return text;
}

/// Runs a session: passes the messages to the server one after the other, and records what it sends.
class Session : public std::streambuf {
 public:
  explicit Session(const fs::path& path) : script_(path) {}

  std::string Play() {
    std::istream in(this);
    (void)Run(in, out_, {.threads = false});
    Record();
    return log_.str();
  }

 protected:
  // Called when the server requests more input, so it has answered everything.
  int_type underflow() override {
    Record();
    bytes_.clear();
    std::string line;
    while (bytes_.empty() && std::getline(script_, line)) {
      if (line.starts_with("< ") || line == "<") continue;
      log_ << line << "\n";
      Step(line);
    }
    if (bytes_.empty()) return traits_type::eof();
    setg(bytes_.data(), bytes_.data(), bytes_.data() + bytes_.size());
    return traits_type::to_int_type(bytes_.front());
  }

 private:
  void Record() {
    std::istringstream sent(out_.str());
    out_.str("");
    FrameReader reader(sent);
    for (std::string content; reader.Next(&content) == FrameReader::Result::kMessage;) {
      Json message = Json::parse(content);
      message.erase("jsonrpc");
      if (is_hidden_) {
        is_hidden_ = false;
        continue;
      }
      std::istringstream lines(WithFolder(message.dump(1), folder_, kShownFolder));
      for (std::string line; std::getline(lines, line);) log_ << "< " << line << "\n";
    }
  }

  void Step(const std::string& line) {
    if (line.empty() || line[0] == '#') return;
    std::istringstream words(line.substr(1));
    std::string method;
    if (!has_begun_ && line.find("initialize") == std::string::npos && line[0] != '=') Begin();
    has_begun_ = true;
    switch (line[0]) {
      case '%':
        words >> method;
        folder_ = UriOf((fs::path(testing::kTestdata) / method).string());
        return;
      case '@': words >> method; return OpenDocument(method);
      case '$': words >> method; return Request(method, words);
      case '!': words >> method; return Send({{"method", method}, {"params", Parameters(words)}});
      case '~': words >> method; return Change(method, Parameters(words));
      case '=': bytes_ += Parameters(words).get<std::string>(); return;
      default: ADD_FAILURE() << "no line of a session: " << line;
    }
  }

  void Begin() {
    is_hidden_ = true;
    const Json markdown = {"markdown", "plaintext"};
    const Json can = {{"hover", {{"contentFormat", markdown}}},
                      {"completion", {{"completionItem", {{"documentationFormat", markdown}}}}},
                      {"documentSymbol", {{"hierarchicalDocumentSymbolSupport", true}}}};
    Send({{"id", 0}, {"method", "initialize"}, {"params", {{"capabilities", {{"textDocument", can}}}}}});
  }

  void OpenDocument(const std::string& name) {
    std::string marked;
    while (script_.peek() == '|') {
      std::string line;
      std::getline(script_, line);
      log_ << line << "\n";
      marked += line.substr(std::min<std::size_t>(2, line.size())) + "\n";
    }
    document_ = {.uri = folder_ + "/" + name, .version = 1, .marks = {}};
    const std::string text = TakeMarks(marked, &document_);
    Send({{"method", "textDocument/didOpen"},
          {"params",
           {{"textDocument", {{"uri", document_.uri}, {"languageId", "onnxtxt"}, {"version", 1}, {"text", text}}}}}});
  }

  void Request(const std::string& method, std::istringstream& words) {
    Json params = Json::object();
    words >> std::ws;
    if (std::isdigit(words.peek()) != 0) {
      std::string place;
      words >> place;
      const bool is_range = place.find('-') != std::string::npos;
      params[is_range ? "range" : "position"] = PlaceOf(place);
    }
    if (method.starts_with("textDocument/")) params["textDocument"] = {{"uri", document_.uri}};
    const Json more = Parameters(words);
    if (more.is_object()) params.update(more);
    Send({{"id", ++id_}, {"method", method}, {"params", params}});
  }

  void Change(const std::string& range, const Json& replacement) {
    Send({{"method", "textDocument/didChange"},
          {"params",
           {{"textDocument", {{"uri", document_.uri}, {"version", ++document_.version}}},
            {"contentChanges", {{{"range", PlaceOf(range)}, {"text", replacement}}}}}}});
  }

  Json PlaceOf(const std::string& place) {
    const std::size_t dash = place.find('-');
    if (dash == std::string::npos) return document_.marks.at(place);
    return {{"start", document_.marks.at(place.substr(0, dash))}, {"end", document_.marks.at(place.substr(dash + 1))}};
  }

  /// The rest of a line as JSON, in which marks are replaced by positions.
  Json Parameters(std::istringstream& words) {
    std::string rest;
    std::getline(words >> std::ws, rest);
    if (rest.empty()) return nullptr;
    Json json = Json::parse(rest);
    Replace(&json);
    return json;
  }

  void Replace(Json* json) {
    if (json->is_string() && json->get_ref<const std::string&>().starts_with('$')) {
      *json = PlaceOf(json->get<std::string>().substr(1));
    } else if (json->is_structured()) {
      for (Json& element : *json) Replace(&element);
    }
  }

  void Send(Json message) {
    message["jsonrpc"] = "2.0";
    const std::string text = message.dump();
    bytes_ += "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
  }

  std::ifstream script_;
  std::ostringstream log_;
  std::ostringstream out_;
  std::string bytes_;
  Document document_;
  std::string folder_ = kShownFolder;  // its address
  int id_ = 0;
  bool has_begun_ = false;
  bool is_hidden_ = false;  // the answer to the request `initialize` that the session does not show
};

std::vector<fs::path> Sessions() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(kFolder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

class Transcript : public ::testing::TestWithParam<fs::path> {};

TEST_P(Transcript, IsAnsweredAsWrittenDown) { testing::ExpectGolden(GetParam(), Session(GetParam()).Play()); }

INSTANTIATE_TEST_SUITE_P(Golden, Transcript, ::testing::ValuesIn(Sessions()),
                         [](const auto& session) { return session.param.stem().string(); });

}  // namespace
}  // namespace onnxc::lsp::transcript_test
