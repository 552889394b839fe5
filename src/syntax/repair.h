// Searches for corrections of mistakes for which there is no special guess. It makes small edits of the tokens near the
// mistake, and uses the automaton of the grammar to find out after which edit parsing can continue.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "syntax/automaton.h"
#include "syntax/guess.h"

namespace onnxc::syntax {

/// An edit of one token.
struct TokenEdit {
  enum class Kind : std::uint8_t {
    kInsert,   ///< inserts a token of `type` before the one at `at`
    kDelete,   ///< deletes the token at `at`
    kReplace,  ///< replaces the `count` tokens at `at`, for example the two of `:=`, by one of `type`
    kSwap,     ///< exchanges the token at `at` and the next one
    kSplit,    ///< replaces the `.` in the number at `at` by a comma, or divides the `=>` at `at` into two marks
    kWord,     ///< corrects the misspelt type at `at`
    kPart,     ///< inserts a token of `type` into the word at `at`
  };
  Kind kind;
  std::size_t at;  ///< an index in the tokens of the search
  std::size_t type = 0;
  std::size_t cut = 0;  ///< for kPart: the offset in the word
  std::size_t count = 1;
};

struct Repair {
  Diagnostic diagnostic;  ///< includes the edits of the text
  /// The edit, if it is the only one and changes the current token.
  std::optional<TokenEdit> here;
  bool is_lost_mark = false;    ///< one edit: a mark is missing or doubled, or an opening bracket is wrong
  bool is_closing = false;      ///< one edit: a closing bracket is inserted
  bool goes_far = false;        ///< no other mistake follows within 20 tokens
  bool may_be_swapped = false;  ///< a ',' is inserted, but a mark beside it may only be on the wrong side of a word
  bool is_sure = true;          ///< no other repair is as good; if false, the repair is only used to continue
};

/// The last body of a top-level graph or function that was read, and the first tokens of the last two nodes before the
/// current one; null if there are none. A search reads no tokens before these nodes, because they may be freed.
struct NodesBefore {
  const Context* body = nullptr;
  SyntaxToken* last = nullptr;
  SyntaxToken* before_last = nullptr;
};

/// Returns whether the context is the body of a top-level graph or function.
[[nodiscard]] bool IsBodyOfItem(const Context* context);

/// Searches for corrections at one place. It also checks the corrections that guesses (`guess_*.cc`) propose.
class RepairSearch {
 public:
  RepairSearch(const Situation& situation, NodesBefore before);
  RepairSearch(const RepairSearch&) = delete;
  RepairSearch& operator=(const RepairSearch&) = delete;
  ~RepairSearch();

  /// Returns false if the text with these edits has another error up to the third token after the last edit. If the
  /// last edit is before the current token, these three tokens begin with the current one. Returns true if this cannot
  /// be checked.
  [[nodiscard]] bool GoesOn(const std::vector<FixIt>& edits);
  /// Returns the repair of least cost with at most `most_edits` (one or two) edits. With the edits, at least eight
  /// tokens from the current one on, or all tokens to the end of the text, must be valid. If another repair is nearly
  /// as good, Repair::is_sure is false, because then the meaning is uncertain.
  [[nodiscard]] std::optional<Repair> Find(std::size_t most_edits);
  /// Like Find(), for a quote that is missing, doubled or of another kind.
  [[nodiscard]] std::optional<Repair> FindQuote();

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace onnxc::syntax
