#include "lsp/uri.h"

#include <fmt/format.h>

#include <algorithm>

namespace onnxc::lsp {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("/-._~").find(c) != std::string_view::npos;
}

}  // namespace

// A URI has the form file://HOST/PATH, in which %XX stands for any byte. Several slashes at the beginning of a path
// mean the same as one slash. Only one slash is kept, because editors refuse a URI with several slashes and no host.
std::string PathOf(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return std::string(uri);
  const std::size_t begin = uri.find('/', kScheme.size());
  if (begin == std::string_view::npos) return std::string(uri);
  std::string path;
  for (std::size_t at = begin; at < uri.size(); ++at) {
    const int high = uri[at] == '%' && at + 2 < uri.size() ? HexDigit(uri[at + 1]) : -1;
    const int low = high < 0 ? -1 : HexDigit(uri[at + 2]);
    if (low < 0) {
      path += uri[at];
      continue;
    }
    path += static_cast<char>(high * 16 + low);
    at += 2;
  }
  const std::size_t name = std::min(path.find_first_not_of('/'), path.size());
  return path.substr(name - 1);
}

std::string UriOf(std::string_view path) {
  std::string uri = "file://";
  for (const char c : path) {
    if (IsPlain(c)) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return uri;
}

}  // namespace onnxc::lsp
