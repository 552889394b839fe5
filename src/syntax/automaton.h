// The grammar as an automaton with a stack: which tokens may follow at a place, and where a token leads. The tables are
// those of ANTLR (the ATN that the generated parser carries); they are made at the first error of a process, and texts
// without errors never need them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "syntax/tree.h"

namespace onnxc::syntax {

/// Types of tokens, a bit each.
using TokenSet = std::uint64_t;
[[nodiscard]] constexpr TokenSet Bit(std::size_t type) {
  return TokenSet{1} << (type == antlr4::Token::EOF ? 0 : type);  // no token has type 0
}

/// The tables. Every decision of the grammar is LL(1): one token tells where the automaton goes.
class Automaton {
 public:
  using State = std::uint16_t;

  [[nodiscard]] static const Automaton& OfGrammar();

  /// The tokens that may come after a part of `rule`, wherever it is.
  [[nodiscard]] TokenSet Behind(std::size_t rule) const { return behind_[rule]; }

 private:
  friend class Walk;
  static constexpr std::size_t kRules = Grammar::RuleRunValue + 1;
  enum class Kind : std::uint8_t { kEmpty, kRule, kToken };
  struct Edge {
    Kind kind;
    State target;          // of a rule: where it begins
    State follow = 0;      // of a rule: where it returns to
    std::size_t rule = 0;  // of a rule
    TokenSet tokens = 0;   // of a token
  };
  struct Node {
    std::vector<Edge> edges;
    TokenSet first = 0;    // the tokens that may stand here, within the rule
    bool can_end = false;  // the rule may end here
    bool is_end = false;   // the rule ends here
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
  // Where a rule returns to, by the rule that it is called from and its own.
  std::array<std::array<std::vector<State>, kRules>, kRules> follows_;
};

/// Walks through the automaton. Places are small values: the stacks behind them share their frames.
class Walk {
 public:
  struct Place {
    Automaton::State state = 0;
    std::uint32_t frame = 0;  // 0: no rule is around
  };

  /// Where a rule begins that no other one is around.
  [[nodiscard]] Place BeginOf(std::size_t rule) const { return {automaton_.begin_[rule], 0}; }
  /// Where the rule of `context` begins, with those around it; nothing where the tokens do not tell.
  [[nodiscard]] std::optional<Place> Begin(const Context* context);
  /// In `context`, behind a part of `rule`.
  [[nodiscard]] std::optional<Place> Behind(const Context* context, std::size_t rule);

  /// Goes on with a token; false where it does not fit.
  [[nodiscard]] bool Step(Place* place, std::size_t type);
  /// The tokens that fit.
  [[nodiscard]] TokenSet Expected(Place place) const;

 private:
  struct Frame {
    Automaton::State follow;
    std::uint32_t below;
  };
  static constexpr std::size_t kMostFrames = 100'000;
  static constexpr int kMostMoves = 1'000;  // without a token
  static constexpr int kFar = 500;          // tokens

  [[nodiscard]] std::optional<std::uint32_t> FrameOf(const Context* context);
  [[nodiscard]] std::optional<Automaton::State> FollowOf(const Context* caller, const Context* called);
  bool Move(Place* place, std::size_t type, std::size_t rule, bool* is_called);

  const Automaton& automaton_ = Automaton::OfGrammar();
  std::vector<Frame> frames_ = {{}};
};

}  // namespace onnxc::syntax
