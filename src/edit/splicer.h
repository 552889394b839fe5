// Makes the text of a changed model from the text of the earlier one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "edit/outline.h"
#include "edit/pairs.h"
#include "edit/text_writer.h"

namespace onnxc::edit {

/// The parts of the text that are written again, although they keep their elements. If the result is not a text of the
/// changed model, the next larger part is tried.
enum class Extent {
  kTokens,      ///< only changed tokens
  kStatements,  ///< changed elements of the outermost level, such as nodes
  kSignatures,  ///< these, and everything that is not in such an element
  kAll,
};

/// Compares the tokens and the elements of three texts: the author's text, and the printed texts of the model before
/// and after the change. A part in which the printed texts are equal stays as the author wrote it; another one is taken
/// from the new printed text. In both cases, elements are units that are kept, moved, added, removed, or changed
/// inside.
class Splicer {
 public:
  /// `author` and `before` are outlines of the same model.
  Splicer(const Outline& author, const Outline& before, const Outline& after, const Pairs& pairs, Extent extent);

  [[nodiscard]] std::string Run();

 private:
  /// How the text of an element is made.
  enum class Mode {
    kFine,    ///< unchanged tokens are kept
    kCoarse,  ///< only elements are kept
    kDeep,    ///< no tokens are kept
  };
  /// A token or an element in one of the texts.
  struct Item {
    std::string_view key;  ///< equal in two texts if the items are the same
    std::size_t first;
    std::size_t last;
    int element = -1;
    std::string_view lead = {};   ///< only in the author's text
    std::string_view trail = {};  ///< only in the author's text
  };
  using Items = std::vector<Item>;
  using Part = std::span<const Item>;
  /// The same items in the texts; -1 means none.
  struct Stable {
    std::size_t author;
    std::size_t before;
    std::size_t after;
  };

  /// Returns the tokens and elements of an element. `is_unit` says which elements inside are units.
  template <typename Predicate>
  [[nodiscard]] Items ItemsOf(const Outline& outline, int element, const Predicate& is_unit) const;
  void AddGaps(Items* items) const;
  /// Returns the comment behind an item that ends before the token `last`, or behind the comma that follows it.
  [[nodiscard]] std::string_view TrailOf(std::size_t last) const;
  [[nodiscard]] std::string_view KeyOf(int author_element, int after_element) const;
  [[nodiscard]] static std::vector<Stable> FindStable(const Items& author, const Items& before, const Items& after,
                                                      Mode mode);

  void Element(int element, int after, Mode mode, std::string_view lead);
  /// Writes the items between two stable ones. Returns whether the author's items are kept.
  bool Chunk(Part author, Part before, Part after, Mode mode);
  void Keep(const Item& item, std::string_view lead, Mode mode);
  void Replace(Part author, Part after, Mode mode);
  void Drop(Part author, bool is_replaced);
  void Insert(const Item& item, std::string_view lead, Mode mode);
  void Unit(int element, std::string_view lead, Mode mode);
  void Put(std::string_view lead, std::string_view tokens);

  [[nodiscard]] bool IsUnit(int element, int around, int after) const;
  [[nodiscard]] Mode ModeOf(int element, Mode around) const;
  /// Returns the white space before a token of the new printed text, with the indentation and line ends of the author.
  [[nodiscard]] std::string LeadOf(std::size_t token) const;
  /// Returns a token of the new printed text. A list of numbers is one token; its lines end as the author's do.
  [[nodiscard]] std::string NewToken(std::size_t token) const;

  const Outline& author_;
  const Outline& before_;
  const Outline& after_;
  const Pairs& pairs_;
  Extent extent_;
  std::string line_end_;
  TextWriter out_;
  std::optional<std::string> lead_;  // replaces that of the next token
  std::string printed_indentation_;  // in the current element, lines that the printer would indent like this ...
  std::string own_indentation_;      // ... are indented like this
  std::string member_lead_;          // the white space before the last member of a list, up to the end of the list
  std::vector<std::string> keys_;
};

}  // namespace onnxc::edit
