// Moves the data of an initializer to a file, to which the text then refers: the model is the same.
#include <gtest/gtest.h>
#include <onnxc/external_data.h>
#include <onnxc/parser.h>

#include <string>
#include <vector>

#include "lsp/server.h"
#include "lsp/uri.h"
#include "testing/folder.h"
#include "testing/predicates.h"

namespace onnxc::lsp::move_weights_test {
namespace {

/// A text with an initializer of 300 numbers, which is on the second line.
std::string TextWith(const std::string& type, const std::string& data) {
  return "<ir_version: 10, opset_import: [\"\" : 21]>\ng () => (" + type + " y) <" + type + " \"a/w\" = " + data +
         "> { y = Identity (\"a/w\") }\n";
}

std::string Numbers(std::size_t count) {
  std::string list;
  for (std::size_t i = 0; i < count; ++i) list += (i == 0 ? "" : ", ") + std::to_string(i);
  return "{" + list + "}";
}

onnx::ModelProto Read(const std::string& text) {
  onnx::ModelProto model;
  EXPECT_TRUE(testing::Ok(Parse(text, &model))) << text;
  return model;
}

class MoveWeights : public ::testing::Test {
 protected:
  MoveWeights() : server_([this](const Json& message) { sent_.push_back(message); }) {
    const Json capabilities = {{"workspace", {{"applyEdit", true}, {"workspaceEdit", {{"documentChanges", true}}}}}};
    Send({{"id", 0}, {"method", "initialize"}, {"params", {{"capabilities", capabilities}}}});
  }

  void Open(const std::string& text) { Open(UriOf(folder_.Path("model.onnxtxt")), text); }
  void Open(const std::string& uri, const std::string& text) {
    uri_ = uri;
    text_ = text;
    Send({{"method", "textDocument/didOpen"},
          {"params", {{"textDocument", {{"uri", uri}, {"version", 1}, {"text", text}}}}}});
  }

  /// Returns the code actions at the initializer of TextWith().
  Json Actions() {
    const Json place = {{"line", 1u}, {"character", text_.find(" \"a/w\"") - text_.find('\n')}};
    Send({{"id", 1},
          {"method", "textDocument/codeAction"},
          {"params",
           {{"textDocument", {{"uri", uri_}}},
            {"range", {{"start", place}, {"end", place}}},
            {"context", {{"diagnostics", Json::array()}, {"only", {"refactor.extract"}}}}}}});
    return sent_.back()["result"];
  }

  /// Runs the command at that place.
  void Move() {
    const Json place = {{"line", 1u}, {"character", text_.find(" \"a/w\"") - text_.find('\n')}};
    Send({{"id", 2},
          {"method", "workspace/executeCommand"},
          {"params", {{"command", "onnxc.moveWeights"}, {"arguments", {{{"uri", uri_}, {"position", place}}}}}}});
  }

  /// Returns the text after the edit that the server requested from the client.
  std::string Edited() {
    const Json change = sent_.at(0)["params"]["edit"]["documentChanges"][0];
    EXPECT_EQ(change["textDocument"], (Json{{"uri", uri_}, {"version", 1}}));
    const Json edit = change["edits"][0];
    EXPECT_EQ(edit["range"]["start"]["line"], 1);
    EXPECT_EQ(edit["range"]["end"]["line"], 1);
    const std::size_t line = text_.find('\n') + 1;
    const std::size_t begin = line + edit["range"]["start"]["character"].get<std::size_t>();
    const std::size_t end = line + edit["range"]["end"]["character"].get<std::size_t>();
    return std::string(text_).replace(begin, end - begin, edit["newText"].get<std::string>());
  }

  void Send(Json message) {
    sent_.clear();
    message["jsonrpc"] = "2.0";
    server_.Handle(message);
  }

  testing::Folder folder_;
  std::string uri_;
  std::string text_;
  std::vector<Json> sent_;
  Server server_;
};

TEST_F(MoveWeights, TheModelIsTheSame) {
  Open(TextWith("float[300]", Numbers(300)));
  const Json actions = Actions();
  ASSERT_EQ(actions.size(), 1);
  EXPECT_EQ(actions[0]["title"], "Move the data of 'a/w' to a file");
  EXPECT_EQ(folder_.List().size(), 0) << "nothing is written before the command";
  Send({{"id", 2}, {"method", "workspace/executeCommand"}, {"params", actions[0]["command"]}});
  ASSERT_EQ(sent_.size(), 2);
  EXPECT_EQ(sent_[0]["method"], "workspace/applyEdit");
  EXPECT_EQ(sent_[1]["result"], (Json{{"file", "model.a_w.data"}}));
  onnx::ModelProto moved = Read(Edited());
  EXPECT_EQ(FirstLocation(moved), "model.a_w.data");
  ASSERT_TRUE(testing::Ok(InlineExternal(&moved, {.directory = folder_.path().string()})));
  onnx::ModelProto before = Read(text_);
  onnx::TensorProto* const tensor = before.mutable_graph()->mutable_initializer(0);
  std::string raw(reinterpret_cast<const char*>(tensor->float_data().data()), 300 * sizeof(float));
  tensor->clear_float_data();
  tensor->set_raw_data(raw);
  EXPECT_EQ(moved.graph().initializer(0).raw_data(), raw);
  moved.mutable_graph()->mutable_initializer(0)->clear_data_location();
  EXPECT_EQ(moved.SerializeAsString(), before.SerializeAsString());
}

TEST_F(MoveWeights, NoFileIsReplaced) {
  folder_.Write("model.a_w.data", "mine");
  Open(TextWith("float[300]", Numbers(300)));
  Move();
  EXPECT_EQ(sent_.back()["result"]["file"], "model.a_w_1.data");
  EXPECT_EQ(folder_.Read("model.a_w.data"), "mine");
  EXPECT_EQ(folder_.Read("model.a_w_1.data").size(), 300 * sizeof(float));
}

TEST_F(MoveWeights, IsRefusedWhereNothingCanBeMoved) {
  const auto refused = [this] {
    EXPECT_EQ(Actions(), Json::array()) << text_;
    Move();
    EXPECT_EQ(sent_.size(), 1);
    EXPECT_EQ(folder_.List().size(), 0);
    return sent_.back()["error"]["message"].get<std::string>();
  };
  const std::string large = TextWith("float[300]", Numbers(300));
  Open(TextWith("float[3]", Numbers(3)));
  EXPECT_EQ(refused(), "the tensor is too small, or contains strings");
  Open(TextWith("float[301]", Numbers(300)));
  EXPECT_EQ(refused(), "the data of the tensor are not in the text, or do not match its type and dimensions");
  Open(TextWith("float[300]", "{ # all\n" + Numbers(300).substr(1)));
  EXPECT_EQ(refused(), "a comment or an annotation inside of the tensor would be lost");
  Open(large + "(");
  EXPECT_EQ(refused(), "the text has errors");
  Open("untitled:Untitled-1", large);
  EXPECT_EQ(refused(), "the document is not a file, so it has no folder");
  Open("file:///nowhere/at/all/model.onnxtxt", large);
  Move();
  EXPECT_TRUE(sent_.back().contains("error"));
}

TEST_F(MoveWeights, IsRefusedWhereTheEditorTakesNoChanges) {
  Open(TextWith("float[300]", Numbers(300)));
  for (bool Client::*const ability : {&Client::applies_edits, &Client::versioned_edits}) {
    server_.workspace().client.*ability = false;
    EXPECT_EQ(Actions(), Json::array());
    Move();
    EXPECT_EQ(sent_.back()["error"]["message"], "the editor does not accept versioned changes from the server");
    EXPECT_EQ(folder_.List().size(), 0);
    server_.workspace().client.*ability = true;
  }
}

TEST_F(MoveWeights, IsRefusedWhereTheTextIsAboutToChange) {
  Open(TextWith("float[300]", Numbers(300)));
  server_.LookAhead({{"jsonrpc", "2.0"},
                     {"method", "textDocument/didChange"},
                     {"params", {{"textDocument", {{"uri", uri_}, {"version", 2}}}}}});
  Move();
  EXPECT_EQ(sent_.back()["error"]["code"], static_cast<int>(ErrorCode::kContentModified));
  EXPECT_EQ(folder_.List().size(), 0);
}

TEST_F(MoveWeights, TellsWhereTheEditorRefusesTheEdit) {
  const auto answer = [this](const Json& id, bool applied) {
    Send({{"id", id}, {"result", {{"applied", applied}}}});
    return sent_;
  };
  EXPECT_TRUE(answer("onnxc-move-a.data", true).empty());
  EXPECT_TRUE(answer(7, false).empty());
  const std::vector<Json> told = answer("onnxc-move-a.data", false);
  ASSERT_EQ(told.size(), 1);
  EXPECT_EQ(told[0]["params"]["message"],
            "The editor did not change the text, so nothing refers to the new file 'a.data'.");
}

}  // namespace
}  // namespace onnxc::lsp::move_weights_test
