// A long text, and random edits of it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc::lsp {

/// Returns the number of edits that tests make. `scripts/nightly` sets a larger number.
inline std::size_t CountOfEdits() {
  const char* const count = std::getenv("ONNXC_EDITS");
  return count == nullptr ? 1000 : std::strtoul(count, nullptr, 10);
}

/// A text with a graph and two functions of many nodes, most of them one line long. Random edits change characters
/// anywhere, or insert and remove whole lines. If an edit causes an error, the last text without an error is restored
/// after a few further edits.
class LongText {
 public:
  explicit LongText(std::mt19937* random) : random_(random) {
    text_ =
        "<ir_version: 10, opset_import: [\"\" : 21, \"my\" : 1]>\n"
        "g (float[N, 4] v0, bool c) => (float[N, 4] v59) <float[4] w = {1, 2, 3, 4}> {\n" +
        Nodes(60) + "}\n<domain: \"my\", opset_import: [\"\" : 21]>\nTwice <by: float = 1.0> (v0) => (v19) {\n" +
        Nodes(20) + "}\n<domain: \"my\", opset_import: [\"\" : 21]>\nThrice (v0) => (v19) {\n" + Nodes(20) + "}\n";
    first_ = right_ = text_;
  }

  [[nodiscard]] const std::string& now() const { return text_; }

  /// `was_right` says whether the current text has no error.
  void Edit(bool was_right) {
    if (was_right) right_ = text_;
    if (!was_right && Below(3) != 0) text_ = right_;  // otherwise the error stays for one more edit
    if (Below(50) == 0) text_ = first_;
    if (Below(8) == 0) EditLetters();  // edits two places at once
    return Below(2) == 0 ? EditLetters() : EditLines();
  }

 private:
  std::size_t Below(std::size_t count) { return (*random_)() % count; }

  std::string Nodes(int count) {
    std::string nodes;
    for (int i = 0; i < count; ++i) {
      const std::string_view forms[] = {
          "  v{1} = Relu (v{0})\n",
          "  [node_{1}] v{1} = Add (v{0}, v{0})  # a comment\n",
          "  v{1} = Softmax <axis: int = 1> (v{0})\n",
          "  v{1} = LeakyRelu (v{0}) <alpha = 0.25>\n",
          "  @doc_string \"a node\"\n  v{1} = my.Twice <by = 2.0> (v{0})\n",
          "  \"v{1}\" = \"my\".Twice <by = 3.0> (\"v{0}\")\n",
          "  @{{ op_type: \"Neg\", input: [\"v{0}\"], output: [\"v{1}\"] }}\n",
          "  # onnxc: set domain\n  v{1} = Neg (v{0})\n",
          "  v{1} =\n    Identity\n    (v{0})\n",
          "  t{1} = Constant <value = float[3] {{1, 2, 3}}> ()\n  v{1} = Abs (v{0})\n",
          "  v{1} = If (c) <then_branch = a () => (p) {{ p = Relu (v{0}) }},\n"
          "    else_branch = b () => (q) {{ z = Neg (v{0}) q = Abs (z) }}>\n",
      };
      nodes += fmt::format(fmt::runtime(forms[i == 0 ? 0 : Below(std::size(forms))]), i, i + 1);
    }
    return nodes;
  }

  void EditLetters() {
    constexpr std::string_view kPieces[] = {"",  "(",  ")", "{",  "}", "<", ">",    ",",  "=", "\"", "1", "a", "a",
                                            "_", "\n", " ", "=>", ":", "#", "Relu", "\n", "@", " ",  "[", "]"};
    const std::size_t begin = Below(text_.size() + 1);
    text_.replace(begin, std::min(Below(4), text_.size() - begin), kPieces[Below(std::size(kPieces))]);
  }

  void EditLines() {
    constexpr std::string_view kLines[] = {"  n = Relu (n)\n",
                                           "  = Relu ()\n",
                                           "}\n",
                                           "  # onnxc: raw\n",
                                           "# onnxc: set NodeProto.domain\n",
                                           "  n = Constant <value = float[2] {1, 2}> ()\n",
                                           "  # a comment\n",
                                           "  @doc_string \"d\"\n",
                                           "f (a) => (b) {\n",
                                           "  n = If (c) <then_branch = a () => (b) {\n",
                                           "<domain: \"d\">\n",
                                           "\n"};
    const auto line = [this] {
      const std::size_t at = text_.find('\n', Below(text_.size() + 1));
      return at == std::string::npos ? text_.size() : at + 1;
    };
    const std::size_t begin = Below(10) == 0 ? 0 : line();
    switch (Below(4)) {
      case 0: text_.insert(begin, kLines[Below(std::size(kLines))]); break;
      case 1: text_.erase(begin, text_.find('\n', begin) + 1 - begin); break;
      case 2: text_.insert(begin, text_.substr(begin, Below(200))); break;
      default: text_.erase(begin, std::max(begin, line()) - begin);
    }
  }

  std::mt19937* random_;
  std::string first_;
  std::string text_;
  std::string right_;  // the last text without an error
};

}  // namespace onnxc::lsp
