// Corrections that nobody listed: a search over small edits of the tokens near a mistake, each tried out on the
// automaton of the grammar.
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
    kInsert,   ///< a token of `type` before the one at `at`
    kDelete,   ///< the token at `at`
    kReplace,  ///< the token at `at` by one of `type`, or a sign of `count` tokens, such as `:=`
    kSwap,     ///< the tokens at `at` and behind it change their places
    kSplit,    ///< the `.` in the number at `at` is a comma
    kWord,     ///< the word at `at` is a misspelt type
    kPart,     ///< a token of `type` within the word at `at`
  };
  Kind kind;
  std::size_t at;  ///< in the tokens of the search
  std::size_t type = 0;
  std::size_t cut = 0;  ///< kPart: in bytes of the word
  std::size_t count = 1;
};

struct Repair {
  Diagnostic diagnostic;  ///< with the edits of the text
  /// The only edit, where it is one of the token that does not fit.
  std::optional<TokenEdit> here;
  bool is_lost_mark = false;  ///< the only edit is of a mark: it is lost, doubled, or another opening bracket
  bool is_closing = false;    ///< the only edit puts a closing bracket there
  bool goes_far = false;      ///< without another mistake near behind it
  bool is_sure = true;        ///< no other repair is as good; else it only leads the recovery
};

/// The last body of an item that was read, and what begins the last nodes in it before the one that is being read; null
/// where there is none. A search never looks back further than the node before the last one, since what is before it
/// may have been freed, or taken over from another version of the text.
struct NodesBefore {
  const Context* body = nullptr;
  SyntaxToken* last = nullptr;
  SyntaxToken* before_last = nullptr;
};

/// True for the body of a graph or function that is an item of the text.
[[nodiscard]] bool IsBodyOfItem(const Context* context);

/// Looks for corrections at one place, and tries those of others.
class RepairSearch {
 public:
  RepairSearch(const Situation& situation, NodesBefore before);
  RepairSearch(const RepairSearch&) = delete;
  RepairSearch& operator=(const RepairSearch&) = delete;
  ~RepairSearch();

  /// False where the text with these edits soon fails again.
  [[nodiscard]] bool GoesOn(const std::vector<FixIt>& edits);
  /// The repair of least cost with which the text goes on, where no other one is as good: the meaning is sure then. Of
  /// one edit, or of two.
  [[nodiscard]] std::optional<Repair> Find(std::size_t most_edits);
  /// The same for a quote that is lost, doubled or of another kind.
  [[nodiscard]] std::optional<Repair> FindQuote();

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace onnxc::syntax
