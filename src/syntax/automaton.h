// The grammar as an automaton with a stack. It determines which tokens may follow at a place, and to which place each
// token leads. The tables are those of ANTLR (the ATN in the generated parser). They are built at the first error in a
// process, so texts without errors never need them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "syntax/tree.h"

namespace onnxc::syntax {

/// A set of token types, with one bit for each type.
using TokenSet = std::uint64_t;
[[nodiscard]] constexpr TokenSet Bit(std::size_t type) {
  return TokenSet{1} << (type == antlr4::Token::EOF ? 0 : type);  // no token has type 0
}

/// The tables of the automaton. Every decision of the grammar is LL(1): one token determines the next state.
class Automaton {
 public:
  using State = std::uint16_t;

  [[nodiscard]] static const Automaton& OfGrammar();

  /// Returns the FOLLOW set of `rule`: all tokens that may come directly after a part of this rule in some valid text.
  /// If the part can be the last one of an enclosing rule, this includes the tokens after the enclosing rule.
  [[nodiscard]] TokenSet Behind(std::size_t rule) const { return behind_[rule]; }

 private:
  friend class Walk;
  static constexpr std::size_t kRules = Grammar::RuleRunValue + 1;
  enum class Kind : std::uint8_t { kEmpty, kRule, kToken };
  struct Edge {
    Kind kind;
    State target;          // the first state of the rule, for an edge with a rule; otherwise the next state
    State follow = 0;      // the state after the rule, for an edge with a rule
    std::size_t rule = 0;  // the rule, for an edge with a rule
    TokenSet tokens = 0;   // the allowed tokens, for an edge with tokens
  };
  struct Node {
    std::vector<Edge> edges;
    TokenSet first = 0;    // tokens that may come next within the rule
    bool can_end = false;  // the rule may end in this state
    bool is_end = false;   // this is the last state of the rule
    std::size_t rule = 0;
  };

  Automaton();
  void Read(const antlr4::atn::ATN& atn);
  bool Spread();
  void FindFollows();
  [[nodiscard]] State Simplest(State state) const;

  std::vector<Node> nodes_;
  std::array<State, kRules> begin_{};
  std::array<State, kRules> end_{};
  std::array<TokenSet, kRules> behind_{};
  // The states to which a rule returns, by the calling rule and the called rule.
  std::array<std::array<std::vector<State>, kRules>, kRules> follows_;
};

/// Walks through the automaton. A place is a small value; places share the frames of their stacks.
class Walk {
 public:
  struct Place {
    Automaton::State state = 0;
    std::uint32_t frame = 0;  // 0 if there is no enclosing rule
  };

  /// Returns the place at the beginning of a rule that has no enclosing rule.
  [[nodiscard]] Place BeginOf(std::size_t rule) const { return {automaton_.begin_[rule], 0}; }
  /// Returns the place at the beginning of the rule of `context`, inside of its enclosing rules. Returns nothing if the
  /// tokens do not determine the place.
  [[nodiscard]] std::optional<Place> Begin(const Context* context);
  /// Returns the place directly after a child of `context` that belongs to `rule`. Returns nothing if this is
  /// ambiguous.
  [[nodiscard]] std::optional<Place> Behind(const Context* context, std::size_t rule);

  /// Moves over a token. Returns false if the token is not allowed.
  [[nodiscard]] bool Step(Place* place, std::size_t type);
  /// Returns the tokens that are allowed.
  [[nodiscard]] TokenSet Expected(Place place) const;
  /// Frees the memory of all places except `place`. The other places must not be used any more.
  void ForgetAllBut(Place place) { frames_.resize(place.frame + 1); }

 private:
  struct Frame {
    Automaton::State follow;
    std::uint32_t below;
  };
  static constexpr std::size_t kMostFrames = 100'000;
  static constexpr int kMostMoves = 1'000;  // the maximum number of moves without a token
  static constexpr int kFar = 500;          // the maximum number of tokens to walk over

  [[nodiscard]] std::optional<std::uint32_t> FrameOf(const Context* context);
  [[nodiscard]] std::optional<Automaton::State> FollowOf(const Context* caller, const Context* called);
  bool Move(Place* place, std::size_t type, std::size_t rule, bool* is_called);

  const Automaton& automaton_ = Automaton::OfGrammar();
  std::vector<Frame> frames_ = {{}};
};

}  // namespace onnxc::syntax
