// JSON values, and the errors of JSON-RPC.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace onnxc::lsp {

using Json = nlohmann::json;

/// Error codes of JSON-RPC and of the protocol (LSP 3.17, "Response Message").
enum class ErrorCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kServerNotInitialized = -32002,
  kRequestFailed = -32803,
  kContentModified = -32801,
  kRequestCancelled = -32800,
};

/// The reason why a request fails. Handlers throw this exception, and Server sends it as the error reply.
class RequestError : public std::runtime_error {
 public:
  RequestError(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

/// Reads a message. Returns a discarded value if it is not JSON.
///
/// Editors that store texts in UTF-16 may send half of a surrogate pair, which UTF-8 cannot represent. It is read as
/// U+FFFD, which has the same length, so later positions in the text stay correct. Each other byte that is not UTF-8 is
/// read as `?`.
[[nodiscard]] Json ParsedMessage(std::string_view content);

/// Returns a member of an object. Throws a RequestError if the member is missing.
[[nodiscard]] const Json& Member(const Json& object, const char* name);
[[nodiscard]] std::string StringMember(const Json& object, const char* name);

/// Returns the value as JSON text on one line. Bytes that are not valid UTF-8 are replaced.
[[nodiscard]] std::string Dumped(const Json& value);

/// Appends the string as a JSON string, with quotes.
void AppendString(std::string_view text, std::string* json);

/// Returns the member at the end of a path such as "/general/positionEncodings", or null if there is none.
[[nodiscard]] const Json& Optional(const Json& object, const char* pointer);
[[nodiscard]] bool IsTrue(const Json& object, const char* pointer);

}  // namespace onnxc::lsp
