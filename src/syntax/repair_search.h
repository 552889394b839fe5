// The search for repairs. repair.cc finds the edits after which parsing can continue; repair_edit.cc computes the cost,
// the text edits and the message of each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "syntax/repair.h"

namespace onnxc::syntax {

class RepairSearch::Search {
 public:
  using EditKind = TokenEdit::Kind;
  using Place = Walk::Place;
  Search(const Situation& situation, NodesBefore before) : s_(situation), before_(before) {}

  [[nodiscard]] bool GoesOn(std::vector<FixIt> edits);
  [[nodiscard]] std::optional<Repair> Find(std::size_t most_edits);
  [[nodiscard]] std::optional<Repair> FindQuote();

 private:
  struct Quote;
  struct Piece;
  /// Edits, their cost, and how many of the tokens are then valid.
  struct Candidate {
    std::vector<TokenEdit> edits;
    std::size_t reached = 0;
    int cost = 0;
    bool is_sure = true;  // no other candidate is as good
  };

  [[nodiscard]] SourceRange LineOfQuote() const;
  [[nodiscard]] bool IsOdd(SourceRange line) const;
  [[nodiscard]] std::vector<Piece> PiecesOf(SourceRange line);
  [[nodiscard]] std::optional<std::vector<Quote>> QuotesOn(SourceRange line);
  [[nodiscard]] Diagnostic Explain(const Quote& quote) const;
  [[nodiscard]] bool TryQuote(const Piece& piece, SourceRange line, Quote* quote);
  bool HasTokens();
  bool FindTokens();
  static void Follow(const SyntaxToken& token, std::vector<const SyntaxToken*>* open);
  bool ReadFrom(std::optional<Place> place, SyntaxToken* first);
  [[nodiscard]] bool HasUnread(const Context* part) const;
  [[nodiscard]] bool MayBeginAt(const Context* member) const;
  bool ReadFromMember(const Context* list);
  bool ReadFromNode(const Context* body);
  void StopAtKey();
  void TryEdits(std::size_t from, std::size_t at, const std::vector<Place>& places, const Candidate& before);
  void Try(TokenEdit edit, Place place, const Candidate& before);
  void TryParts(std::size_t at, Place place, const Candidate& before);
  void TryPairs();
  [[nodiscard]] std::size_t Run(Place place, std::size_t from, std::vector<Place>* places = nullptr);
  [[nodiscard]] bool Make(TokenEdit edit, Place* place, std::size_t* next);
  [[nodiscard]] int Cost(TokenEdit edit) const;
  [[nodiscard]] int CostOfDeletion(TokenEdit edit, int far) const;
  [[nodiscard]] int CostOfInsertion(TokenEdit edit) const;
  [[nodiscard]] int CostOfReplacement(TokenEdit edit) const;
  [[nodiscard]] bool IsDoubled(std::size_t at) const;
  [[nodiscard]] std::size_t SignAt(std::size_t at) const;
  [[nodiscard]] bool IsPlausible(TokenEdit edit) const;
  [[nodiscard]] bool IsPlausibleDeletion(TokenEdit edit) const;
  [[nodiscard]] bool IsPlausibleSwap(TokenEdit edit) const;
  [[nodiscard]] bool IsPlausibleReplacement(TokenEdit edit) const;
  [[nodiscard]] bool IsPlausibleMark(TokenEdit edit) const;
  [[nodiscard]] bool IsPlausibleComma(TokenEdit edit) const;
  [[nodiscard]] bool IsPlausibleColon(TokenEdit edit) const;
  [[nodiscard]] std::pair<std::size_t, std::size_t> Neighbours(TokenEdit edit) const;
  [[nodiscard]] bool ReplacesEquals(TokenEdit edit) const;
  [[nodiscard]] bool IsBeforeArrow(std::size_t at) const;
  [[nodiscard]] bool IsNext(TokenEdit edit) const;
  [[nodiscard]] bool MayLackText(std::size_t at) const;
  [[nodiscard]] bool MayEndAt(std::size_t at) const;
  [[nodiscard]] bool BeginsLine(std::size_t at) const {
    return at > 0 && syntax::BeginsLine(tokens_[at - 1], *tokens_[at]);
  }
  [[nodiscard]] SourceRange RangeOf(TokenEdit edit) const;
  [[nodiscard]] FixIt EditOf(TokenEdit edit) const;
  [[nodiscard]] std::vector<FixIt> EditsOf(const Candidate& candidate) const;
  [[nodiscard]] std::optional<std::string> TryInText(std::vector<FixIt> edits, std::size_t last);
  [[nodiscard]] std::optional<FixIt> ClosingFor(TokenEdit edit) const;
  [[nodiscard]] const SyntaxToken* OpenAt(std::size_t at) const;
  [[nodiscard]] std::optional<Candidate> Best();
  [[nodiscard]] bool MayBeSwapped(const Candidate& comma) const;
  [[nodiscard]] std::string Wanted(TokenEdit edit) const;
  [[nodiscard]] Diagnostic Explain(const Candidate& candidate) const;

  const Situation& s_;
  NodesBefore before_;
  std::optional<bool> has_tokens_;
  Walk walk_;
  std::vector<const SyntaxToken*> open_;  // the brackets that are open before the first of `tokens_`
  std::vector<SyntaxToken*> tokens_;
  std::vector<Place> places_;  // the place before each token up to the mistake
  std::size_t found_ = 0;      // the index of the current token, which is not allowed
  std::vector<Candidate> candidates_;
};

/// Returns whether the token type is a bracket or another sign, not a word.
[[nodiscard]] bool IsMark(std::size_t type);

}  // namespace onnxc::syntax
