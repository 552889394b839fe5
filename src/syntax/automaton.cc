#include "syntax/automaton.h"

#include <algorithm>

namespace onnxc::syntax {

namespace ran = antlr4::atn;

const Automaton& Automaton::OfGrammar() {
  static const Automaton automaton;
  return automaton;
}

namespace {

// Calls `read` with ANTLR's automaton. Parsers of ANTLR 4.7 to 4.9 hold it as 16-bit numbers; later ones hold it as it
// is.
template <typename Deserializer = ran::ATNDeserializer, typename Read>
void ReadAtn(const Read& read) {
  using Serialized = std::vector<std::uint16_t>;
  if constexpr (requires(Deserializer deserializer, Serialized numbers) { deserializer.deserialize(numbers); }) {
    read(Deserializer().deserialize(*ParserBase::SerializedAtn()));
  } else {
    read(OnnxTextParser(nullptr).getATN());
  }
}

}  // namespace

Automaton::Automaton() {
  ReadAtn([this](const ran::ATN& atn) { Read(atn); });
  while (Spread()) {
  }
  FindFollows();
}

void Automaton::Read(const ran::ATN& atn) {
  nodes_.resize(atn.states.size());
  for (ran::ATNState* state : atn.states) {
    if (state == nullptr) continue;
    Node& node = nodes_[state->stateNumber];
    node.rule = state->ruleIndex;
    node.is_end = node.can_end = dynamic_cast<const ran::RuleStopState*>(state) != nullptr;
    if (node.is_end) continue;                        // its edges lead to all callers
    for (const auto& pointer : state->transitions) {  // plain up to 4.9, then std::unique_ptr
      const ran::Transition& transition = *pointer;
      Edge edge{.kind = Kind::kEmpty, .target = static_cast<State>(transition.target->stateNumber)};
      if (const auto* call = dynamic_cast<const ran::RuleTransition*>(&transition)) {
        edge.kind = Kind::kRule;
        edge.follow = static_cast<State>(call->followState->stateNumber);
        edge.rule = call->target->ruleIndex;
      } else if (!transition.isEpsilon()) {
        edge.kind = Kind::kToken;
        for (const ssize_t type : transition.label().toList()) edge.tokens |= Bit(static_cast<std::size_t>(type));
      }
      node.edges.push_back(edge);
    }
  }
  for (std::size_t rule = 0; rule < kRules; ++rule) {
    begin_[rule] = static_cast<State>(atn.ruleToStartState[rule]->stateNumber);
    end_[rule] = static_cast<State>(atn.ruleToStopState[rule]->stateNumber);
  }
}

// Tells each state what is known of the next ones; false where nothing was new.
bool Automaton::Spread() {
  bool is_new = false;
  for (Node& node : nodes_) {
    TokenSet first = node.first;
    bool can_end = node.can_end;
    for (const Edge& edge : node.edges) {
      const Node& target = nodes_[edge.target];
      switch (edge.kind) {
        case Kind::kToken: first |= edge.tokens; break;
        case Kind::kEmpty:
          first |= target.first;
          can_end = can_end || target.can_end;
          break;
        case Kind::kRule:
          first |= target.first;
          if (!target.can_end) break;
          first |= nodes_[edge.follow].first;
          can_end = can_end || nodes_[edge.follow].can_end;
          break;
      }
    }
    is_new = is_new || first != node.first || can_end != node.can_end;
    node.first = first;
    node.can_end = can_end;
  }
  return is_new;
}

// Without the moves that have no choice: two states are the same where this is.
Automaton::State Automaton::Simplest(State state) const {
  const Node* node = &nodes_[state];
  while (node->edges.size() == 1 && node->edges.front().kind == Kind::kEmpty) {
    state = node->edges.front().target;
    node = &nodes_[state];
  }
  return state;
}

void Automaton::FindFollows() {
  for (Node& node : nodes_) {
    for (Edge& edge : node.edges) {
      if (edge.kind != Kind::kRule) continue;
      edge.follow = Simplest(edge.follow);
      std::vector<State>& follows = follows_[node.rule][edge.rule];
      if (std::ranges::find(follows, edge.follow) == follows.end()) follows.push_back(edge.follow);
    }
  }
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (std::size_t caller = 0; caller < kRules; ++caller) {
      for (std::size_t rule = 0; rule < kRules; ++rule) {
        for (const State follow : follows_[caller][rule]) {
          const TokenSet behind =
              behind_[rule] | nodes_[follow].first | (nodes_[follow].can_end ? behind_[caller] : TokenSet{0});
          is_new = is_new || behind != behind_[rule];
          behind_[rule] = behind;
        }
      }
    }
  }
}

// One token on. With `is_called`, stops where the outermost rule calls `rule`, at the place behind it.
bool Walk::Move(Place* place, std::size_t type, std::size_t rule, bool* is_called) {
  using Kind = Automaton::Kind;
  const TokenSet bit = Bit(type);
  for (int moves = 0; moves < kMostMoves; ++moves) {
    const Automaton::Node& node = automaton_.nodes_[place->state];
    if (node.is_end) {
      if (place->frame == 0) return false;
      const Frame frame = frames_[place->frame];
      *place = {frame.follow, frame.below};
      continue;
    }
    if ((node.first & bit) == 0) {
      if (!node.can_end) return false;
      place->state = automaton_.end_[node.rule];
      continue;
    }
    for (const Automaton::Edge& edge : node.edges) {
      const Automaton::Node& target = automaton_.nodes_[edge.target];
      if (edge.kind == Kind::kToken) {
        if ((edge.tokens & bit) == 0) continue;
        place->state = edge.target;
        return true;
      }
      if ((target.first & bit) != 0) {
        if (edge.kind == Kind::kRule) {
          if (is_called != nullptr && place->frame == 0 && edge.rule == rule) {
            place->state = edge.follow;
            *is_called = true;
            return true;
          }
          if (frames_.size() >= kMostFrames) return false;
          frames_.push_back({edge.follow, place->frame});
          place->frame = static_cast<std::uint32_t>(frames_.size() - 1);
        }
        place->state = edge.target;
        break;
      }
      if (edge.kind == Kind::kRule && target.can_end && (automaton_.nodes_[edge.follow].first & bit) != 0) {
        place->state = edge.follow;
        break;
      }
    }
  }
  return false;
}

bool Walk::Step(Place* place, std::size_t type) { return Move(place, type, 0, nullptr); }

TokenSet Walk::Expected(Place place) const {
  TokenSet expected = 0;
  for (;;) {
    const Automaton::Node& node = automaton_.nodes_[place.state];
    expected |= node.first;
    if (!node.can_end || place.frame == 0) return expected;
    place = {frames_[place.frame].follow, frames_[place.frame].below};
  }
}

// Where `called` returns to. A rule that is called from several places of another is told by the tokens before it.
std::optional<Automaton::State> Walk::FollowOf(const Context* caller, const Context* called) {
  const std::size_t rule = called->getRuleIndex();
  const std::vector<Automaton::State>& follows = automaton_.follows_[caller->getRuleIndex()][rule];
  if (follows.size() == 1) return follows.front();
  Place place{automaton_.begin_[caller->getRuleIndex()], 0};
  const SyntaxToken* token = &First(caller);
  for (int i = 0; i < kFar && token != nullptr; ++i, token = token->next) {
    bool is_called = false;
    const bool is_there = token == &First(called);
    if (!Move(&place, token->type, rule, is_there ? &is_called : nullptr)) return std::nullopt;
    if (is_called) return place.state;
    if (is_there) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> Walk::FrameOf(const Context* context) {
  std::vector<const Context*> around;
  for (; context != nullptr; context = static_cast<const Context*>(context->parent)) around.push_back(context);
  std::uint32_t frame = 0;
  for (std::size_t i = around.size() - 1; i > 0; --i) {
    const std::optional<Automaton::State> follow = FollowOf(around[i], around[i - 1]);
    if (!follow || frames_.size() >= kMostFrames) return std::nullopt;
    frames_.push_back({*follow, frame});
    frame = static_cast<std::uint32_t>(frames_.size() - 1);
  }
  return frame;
}

std::optional<Walk::Place> Walk::Begin(const Context* context) {
  const std::optional<std::uint32_t> frame = FrameOf(context);
  if (!frame) return std::nullopt;
  return Place{automaton_.begin_[context->getRuleIndex()], *frame};
}

std::optional<Walk::Place> Walk::Behind(const Context* context, std::size_t rule) {
  const std::vector<Automaton::State>& follows = automaton_.follows_[context->getRuleIndex()][rule];
  const std::optional<std::uint32_t> frame = FrameOf(context);
  if (follows.size() != 1 || !frame) return std::nullopt;
  return Place{follows.front(), *frame};
}

}  // namespace onnxc::syntax
