#include "format/formatted_node.h"

#include <array>

namespace onnxc::format {
namespace {

enum : unsigned char { kLetter = 1, kLiteral = 2 };  // kinds of bytes: those of names, and those of names and numbers

constexpr std::array<unsigned char, 256> kBytes = [] {
  std::array<unsigned char, 256> bytes{};
  const std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  for (const char c : letters) bytes[static_cast<unsigned char>(c)] = kLetter | kLiteral;
  for (const char c : std::string_view("+-.")) bytes[static_cast<unsigned char>(c)] = kLiteral;
  return bytes;
}();

/// Reads a text from its beginning. Each method returns whether the text continues with its construct, as the formatter
/// writes it.
class Line {
 public:
  explicit Line(std::string_view text) : text_(text) {}

  [[nodiscard]] std::size_t size() const { return at_; }

  /// The parts of a node that are in most nodes: outputs, operator, attributes and inputs.
  [[nodiscard]] bool Node() {
    return Names() && Has(" = ") && Operator() && Has(" ") && (!Has("<") || (Attributes() && Has("> "))) && Has("(") &&
           (Has(")") || (Names() && Has(")")));
  }

 private:
  [[nodiscard]] bool Has(std::string_view piece) {
    if (!text_.substr(at_).starts_with(piece)) return false;
    at_ += piece.size();
    return true;
  }
  [[nodiscard]] bool Some(unsigned char kind) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (kBytes[static_cast<unsigned char>(text_[at_])] & kind) != 0) ++at_;
    return at_ != begin;
  }
  template <typename Member>
  [[nodiscard]] bool List(const Member& member) {
    do {
      if (!member()) return false;
    } while (Has(", "));
    return true;
  }
  [[nodiscard]] bool Names() {
    return List([this] { return Some(kLetter); });
  }
  [[nodiscard]] bool Operator() {
    do {
      if (!Some(kLetter)) return false;
    } while (Has("."));
    return true;
  }
  [[nodiscard]] bool Attributes() {
    return List([this] { return Some(kLetter) && Has(" = ") && Value(); });
  }
  [[nodiscard]] bool Value() {
    const auto literal = [this] { return Some(kLiteral); };
    return Has("[") ? List(literal) && Has("]") : literal();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::size_t FormattedNode(std::string_view text, std::size_t columns) {
  Line line(text.substr(0, columns));
  return line.Node() ? line.size() : 0;
}

}  // namespace onnxc::format
