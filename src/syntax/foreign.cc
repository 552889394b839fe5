#include "syntax/foreign.h"

#include <fmt/format.h>

#include <algorithm>

#include "source/foreign_file.h"
#include "source/report.h"

namespace onnxc::syntax {
namespace {

/// How a text begins that is not ONNX text, and what it is. FindForeignFile() recognizes files that are not text.
struct Beginning {
  std::string_view bytes;
  std::string_view what;
};
using namespace std::string_view_literals;
constexpr Beginning kBeginnings[] = {
    {"\xFF\xFE\0\0"sv, "UTF-32 text; save it as UTF-8"},
    {"\0\0\xFE\xFF"sv, "UTF-32 text; save it as UTF-8"},
    {"\xFF\xFE"sv, "UTF-16 text; save it as UTF-8"},
    {"\xFE\xFF"sv, "UTF-16 text; save it as UTF-8"},
    {"---\n"sv, "YAML, not ONNX text"},
    {"#!/"sv, "a script, not ONNX text"},
    {"#include"sv, "C or C++, not ONNX text"},
    {"import "sv, "Python, not ONNX text; export the model first"},
    {"from "sv, "Python, not ONNX text; export the model first"},
    {"module {"sv, "MLIR, not ONNX text"},
    {"module attributes"sv, "MLIR, not ONNX text"},
    {"func.func"sv, "MLIR, not ONNX text"},
    {"--- a/"sv, "a patch, not the file that it changes"},
    {"diff --git "sv, "a patch, not the file that it changes"},
    {"digraph "sv, "a DOT drawing, as 'onnxc graph' writes it; it cannot be converted to a model"},
    {"graph(%"sv, "TorchScript's text, not ONNX text; export the model first"},
    {"{\\rtf"sv, "a document (RTF)"},
    {"ir_version: "sv, ""},  // protobuf text or a header without brackets; see below
};

// Returns the range of the first line that git inserted because of a merge conflict.
std::optional<SourceRange> FindConflict(std::string_view text) {
  constexpr std::string_view kMark = "<<<<<<< ";
  std::size_t at = text.starts_with(kMark) ? 0 : text.find("\n<<<<<<< ");
  if (at == std::string_view::npos) return std::nullopt;
  if (at != 0 || text.front() == '\n') ++at;
  if (text.find("\n=======", at) == std::string_view::npos) return std::nullopt;
  const std::size_t end = std::min(text.find('\n', at), text.size());
  return SourceRange{at, text[end - 1] == '\r' ? end - 1 : end};
}

bool IsProtobufText(std::string_view text) {
  const std::size_t line_end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, line_end);
  return line.find(',') == std::string_view::npos && text.find("graph {") != std::string_view::npos &&
         text.find("=>") == std::string_view::npos;
}

// Returns whether the text is what onnx.helper.printable_graph() writes: `graph name (` and, on the next line,
// `%x[FLOAT, 2x3]`.
bool IsPrintedGraph(std::string_view text) {
  constexpr std::size_t kHead = 300;
  const std::string_view head = text.substr(0, kHead);
  return head.starts_with("graph ") && head.find("(\n  %") != std::string_view::npos;
}

}  // namespace

std::optional<Diagnostic> FindForeignText(std::string_view text) {
  const auto tell = [](SourceRange range, std::string_view what) {
    return MakeDiagnostic(diag::kForeignText, range, what);
  };
  for (const Beginning& row : kBeginnings) {
    if (!text.starts_with(row.bytes)) continue;
    const SourceRange range{0, std::min({text.find('\n'), text.size(), row.bytes.size()})};
    if (!row.what.empty()) return tell(range, row.what);
    if (IsProtobufText(text)) return tell(range, "protobuf's text format; 'onnxc convert' reads it");
  }
  if (std::optional<Diagnostic> file = FindForeignFile(text)) return file;
  constexpr std::string_view kNul("\0", 1);
  const auto is_printed = [&](std::size_t at) { return text[at] >= ' ' && text[at] <= '~'; };
  if (text.size() > 3 && text.substr(1, 1) == kNul && text.substr(3, 1) == kNul && is_printed(0) && is_printed(2))
    return tell({0, 1}, "UTF-16 text; save it as UTF-8");
  if (IsPrintedGraph(text)) {
    return tell({0, 5},
                "the output of onnx.helper.printable_graph, which cannot be read back; 'onnxc print' writes text");
  }
  if (const std::optional<SourceRange> conflict = FindConflict(text)) {
    return tell(*conflict, "a merge conflict that git left; keep one of the two versions");
  }
  return std::nullopt;
}

}  // namespace onnxc::syntax
