// The WebAssembly module: the command and the language server, as functions that onnxc.mjs calls.
#include <emscripten/em_js.h>

#include <string>
#include <string_view>

#include "cli/program.h"
#include "lsp/server.h"

// clang-format off
EM_JS(void, SendToClient, (int server, const char* text, std::size_t size), {
  Module.send(server, UTF8ToString(text, size));
});
// clang-format on

namespace onnxc {
namespace {

/// A language server. Its messages are sent to the client with the number `number_`.
class Session {
 public:
  explicit Session(int number)
      : server_([this](const lsp::Json& message) { Send(lsp::Dumped(message)); },
                [this](const std::string& text) { Send(text); }),
        number_(number) {}

  void Receive(std::string_view text) {
    server_.Handle(lsp::ParsedMessage(text));
    server_.PublishPending();
  }

 private:
  void Send(const std::string& text) const { SendToClient(number_, text.data(), text.size()); }

  lsp::Server server_;
  int number_;
};

}  // namespace
}  // namespace onnxc

extern "C" {

int OnnxcMain(int argc, char** argv) { return onnxc::cli::Main(argc, argv); }

void* OnnxcBeginSession(int number) { return new onnxc::Session(number); }

/// Handles a message. Before the function returns, it sends all answers, and the findings in the texts that the message
/// changes.
void OnnxcReceive(void* session, const char* text, std::size_t size) {
  static_cast<onnxc::Session*>(session)->Receive({text, size});
}

void OnnxcEndSession(void* session) { delete static_cast<onnxc::Session*>(session); }
}
