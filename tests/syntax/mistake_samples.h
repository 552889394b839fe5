// A text for each row of tables/mistakes.def.
#pragma once

#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "syntax/mistakes.h"

namespace onnxc::testing {

using syntax::Mistake;
using syntax::MistakePlace;

// The texts before and after the place of the row; together they are a valid text.
inline std::pair<std::string, std::string> Around(MistakePlace place) {
  const std::string imports = "\"\" : 17, \"d\" : 1";
  const std::string header = "<ir_version: 9, opset_import: [" + imports + "]>\n";
  const std::string graph = "net (float[4] x) => (float[4] y) ";
  const std::string body = "{\n  y = Relu (x)\n}\n";
  const std::string function = header + graph + body + "<domain: \"d\", opset_import: [\"\" : 17]>\n";
  switch (place) {
    case MistakePlace::kModel: return {"", "\n" + graph + body};
    case MistakePlace::kItem: return {header, " (float[4] x) => (float[4] y) " + body};
    case MistakePlace::kNode: return {header + graph + "{\n  ", "\n  y = Relu (n)\n}\n"};  // `n` is a sample
    case MistakePlace::kCall: return {header + graph + "{\n  y = ", "\n}\n"};
    case MistakePlace::kBranch: return {header + graph + "{\n  y = If (x) <k = 1", "\n}\n"};
    case MistakePlace::kInput: return {header + graph + "{\n  y = Op (", ")\n}\n"};
    case MistakePlace::kAttribute: return {function + "f <n, n2> (x) => (y) {\n  y = Op <", "> (x)\n}\n"};
    case MistakePlace::kFormal: return {function + "f <", "> (x) => (y) " + body};
    case MistakePlace::kBehindNode: return {header + graph + "{\n  y = Relu (x)\n  ", "\n}\n"};
    case MistakePlace::kAnnotation: return {header + graph + "{\n  ", " y = Relu (x)\n}\n"};
    case MistakePlace::kValue: return {header + graph + "<", "> " + body};
    case MistakePlace::kType: return {header + "net (", " x) => (float[4] y) " + body};
    case MistakePlace::kShape: return {header + "net (float[", "] x) => (float[4] y) " + body};
    case MistakePlace::kHeader: return {"<ir_version: 9, ", ">\n" + graph + body};
    // A correction does not import a domain a second time.
    case MistakePlace::kImport:
      return {"<ir_version: 9, opset_import: [\"c\" : 17, \"d\" : 1, ", "]>\n" + graph + body};
  }
  return {};
}

// Returns the sample text for a placeholder.
inline std::string Sample(MistakePlace place, const std::string& hole) {
  const std::string kind = hole.substr(0, hole.find_first_of("123456789"));
  const std::string number = hole.substr(kind.size());
  const std::map<std::string, std::string> samples = {
      {"field", "doc_string"},
      {"begin", ""},
      {"open", ""},
      {"any", place == MistakePlace::kBranch  ? "k2 = 2"
              : place != MistakePlace::kModel ? (number.empty() ? "x, w" : "n2 = Neg (x)")
              : number.empty()                ? "ir_version: 9, opset_import: [\"\" : 17]"
                                              : "doc_string: \"d\""},
      {"text", "t" + number},
      {"entries", "9, opset_import: [\"\" : 17]"},
      {"slice", "0:2"},
      {"equation", "ij,jk->ik"},
      {"formula", "2 * N + 1"},
      {"mlir", "float"},
      {"code", "7"},
      {"count", "2"},
      {"call", "Op (x)"},
      {"graph", "(float z) { z = Relu (x) }"},
      {"end", ""},
      {"stop", ""},
      {"path", "ns"},
      {"string", "\"s{}\""},
      {"ints", "1, 2"},
      {"float", "0.5"},
      {"number", "2.5"},
      {"numbers", "0.5, 1"},
      {"element", "int64"},
      {"constant", "INT64"},
      {"floatword", "half"},
      {"intword", "int32"},
      {"maker", "np.array"},
      {"plain", "\"s\""},
      {"type", "float[2]"},
      {"inputs", "x, w"},
      {"data", place == MistakePlace::kModel  ? "9, opset_import: [\"\" : 17]"
               : place == MistakePlace::kCall ? "1"
                                              : "1, 2"},
      {"lists", "[3]"},
      {"holds", number.empty() ? "float" : "string, float"},
      {"attributes", "k = 1"},
      {"key", place == MistakePlace::kModel ? "ir_version"
              : number.empty()              ? "location"
              : number == "2"               ? "offset"
                                            : "length"},
      {"word", "w" + number},
      {"names", number.empty() ? "a, b" : "c, d"},
      {"value", place == MistakePlace::kAnnotation || place == MistakePlace::kHeader ? "\"d\"" : "[1]"},
      {"rest", "(x)"},
  };
  if (const auto sample = samples.find(kind); sample != samples.end()) return sample->second;
  return (kind == "int" ? "2" : kind == "dim" ? "N" : "n") + number;
}

// Returns the pattern with a sample for each placeholder; for `$word(a|b)` the first word.
inline std::string Filled(const Mistake& row, std::string_view pattern) {
  std::map<std::string, std::string> words;
  std::string filled;
  const std::string both = std::string(row.wrong) + "\n" + std::string(pattern);
  for (std::size_t at = 0; at < both.size(); ++at) {
    if (both[at] != '$' || std::isalpha(static_cast<unsigned char>(both[at + 1])) == 0) {
      filled += both[at];
      continue;
    }
    std::string hole;
    while (std::isalnum(static_cast<unsigned char>(both[at + 1])) != 0) hole += both[++at];
    if (hole.starts_with("word") && both[at + 1] == '(' && both[at + 2] != '$') {
      words[hole] = both.substr(at + 2, both.find('|', at) - at - 2);
      at = both.find(')', at);
    }
    filled += words.contains(hole) ? words[hole] : Sample(row.place, hole);
    if ((hole == "stop" || hole == "open" || hole == "end") && filled.ends_with(' ')) filled.pop_back();
  }
  return filled.substr(filled.rfind('\n') + 1);
}

}  // namespace onnxc::testing
