// A text as nested lists of elements: which tokens belong to which member of a list of messages.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/source_map.h>

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace onnxc::edit {

/// Returns the byte order mark of a text, or "".
[[nodiscard]] std::string_view MarkIn(std::string_view text);

/// An element is a member of a list of messages, such as a node, an attribute or an initializer. Element 0 is the whole
/// text. Equal messages have the same elements with the same numbers, however they are written.
class Outline {
 public:
  using Message = google::protobuf::Message;

  struct Element {
    const Message* message;
    std::size_t first = 0;  ///< the tokens [first, last)
    std::size_t last = 0;
    int parent = -1;                 ///< the element whose text contains this one; -1 if its tokens are not known
    std::vector<int> children = {};  ///< in the order of the text
  };

  /// The part of a text between two tokens. A comment on the line of the token before is its `trail`.
  struct Gap {
    std::string_view trail;
    std::string_view lead;
  };

  Outline(std::string_view text, const Message& root, const SourceMap& places);

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::size_t size() const { return elements_.size(); }
  [[nodiscard]] const Element& at(int element) const { return elements_[static_cast<std::size_t>(element)]; }
  /// Returns the number of a message, or -1 if it is not an element.
  [[nodiscard]] int Find(const Message& message) const;

  [[nodiscard]] std::string_view Token(std::size_t token) const { return Slice(token, token + 1); }
  /// Returns the text of the tokens [first, last), which are not none.
  [[nodiscard]] std::string_view Slice(std::size_t first, std::size_t last) const;
  /// Returns the gap before a token, or the gap at the end of the text.
  [[nodiscard]] Gap GapBefore(std::size_t token) const;

 private:
  void AddMembers(const Message& message, const SourceMap& places);
  void AddElement(const Message& message, const SourceMap& places);
  void Nest();

  std::string_view text_;
  std::vector<SourceRange> tokens_;
  std::vector<Element> elements_;
  std::unordered_map<const Message*, int> numbers_;
};

}  // namespace onnxc::edit
