// The base class of the generated parser (option superClass of the grammar), and why it hides half of ANTLR's.
//
// Generated code calls `_tracker.createInstance`, `enterRule`, `finally`, `exitRule`, `match`, `consume`, `_input->LA`,
// `_errHandler->sync` and so on by unqualified name. A base class between the generated parser and antlr4::Parser whose
// members bear the same names therefore hides the runtime's, without a change to the generator. The runtime's versions
// allocate each tree node on its own, keep a terminal node for each token, walk listeners, copy shared pointers and
// compute follow sets before each optional element; ours place nodes in an arena and compare token types. The tree is
// ANTLR's own: the generated contexts, with parent, children, start, stop and exception. Terminal nodes are left out;
// the tokens of a context are those from `start` to `stop` (see tree.h).
//
// This rests on the code that ANTLR 4.7 to 4.13 generates. cmake/Antlr.cmake accepts no other version, and a test fails
// when a member here is no longer the one that generated code uses.
//
// There are two modes:
//  - Without an ErrorStrategy the first error throws FirstError through the generated code. Parts of top-level graphs
//    and functions are handed to the listener as soon as they are complete, and their memory is used again: the whole
//    tree never exists. Nothing is said about the error.
//  - With one, the strategy hears of each error and may skip to a place where parsing can go on. The rule there ends as
//    if it were complete, with `exception` set on its context. All tokens are kept, and the tree but for nodes that are
//    right. Slow, and only for texts with errors.
#pragma once

#include <antlr4-runtime.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "syntax/token_stream.h"
#include "syntax/tree_arena.h"

namespace onnxc::syntax {

class ParserBase;

/// Is called for each complete part while the rest is still being parsed. `part` is freed after the call, unless it is
/// a whole item (a graph or a function).
class PartListener {
 public:
  virtual ~PartListener() = default;
  /// Returns false to stop the parser.
  virtual bool PartCompleted(antlr4::ParserRuleContext* part) = 0;
};

/// Decides where parsing continues after a part that the listener has heard of and that is freed.
class Continuation {
 public:
  virtual ~Continuation() = default;
  /// `next` is the offset of the token after the part. Returns the offset of the token to continue with: `next`, or
  /// that of a later token that the grammar also allows after the part.
  virtual std::size_t ContinueAt(std::size_t next) = 0;
};

/// Reports errors, and finds the tokens to continue from.
class ErrorStrategy {
 public:
  virtual ~ErrorStrategy() = default;
  /// The current token does not fit in the rule of `context`; `expected` is the only type that would fit, or 0. Returns
  /// true if it has put a token of that type in the current one's place: parsing then continues as without an error.
  virtual bool Report(ParserBase& parser, antlr4::ParserRuleContext* context, std::size_t expected) = 0;
  /// Is called before each optional or repeated part of the rule of `context`, and may report and repair an error.
  virtual void Sync(ParserBase& parser, antlr4::ParserRuleContext* context) = 0;
  /// The nesting is deeper than the parser's stack allows; parsing ends.
  virtual void ReportDepth(ParserBase& parser) = 0;
  /// Skips tokens until parsing can continue after `context`. Returns false if the rule of `context` cannot be left
  /// incomplete.
  virtual bool Recover(ParserBase& parser, antlr4::ParserRuleContext* context) = 0;
  /// The current token is the one that stands in the text, and no error is about it: a Continuation may be asked.
  [[nodiscard]] virtual bool IsSettled(const TokenStream& tokens) const = 0;
};

/// Thrown through generated code when parsing cannot or need not go on.
struct FirstError {};

class ParserBase : public antlr4::Parser {
 public:
  explicit ParserBase(antlr4::TokenStream* input)
      : antlr4::Parser(input), _input(static_cast<syntax::TokenStream*>(input)), _errHandler(this) {}

  void set_listener(PartListener* listener) { listener_ = listener; }
  void set_continuation(Continuation* continuation) { continuation_ = continuation; }
  void set_error_strategy(ErrorStrategy* strategy) { strategy_ = strategy; }
  [[nodiscard]] syntax::TokenStream& tokens() { return *_input; }
  /// Sets `exception` on a context that was read as something its author did not mean, so that it is not lowered.
  void Break(antlr4::ParserRuleContext* context);
  /// ANTLR's automaton, as the parser that ANTLR 4.7 to 4.9 generates carries it. Null in later versions, whose parser
  /// has the automaton itself.
  [[nodiscard]] static const std::vector<std::uint16_t>* SerializedAtn() { return serialized_atn_; }

 protected:
  // -- what generated code calls; `final`, where ANTLR's are virtual, lets the compiler inline them

  void setState(std::size_t) {}
  // A template hides the runtime's function whether that is virtual (up to 4.9) or not.
  template <typename = void>
  [[nodiscard]] std::size_t getState() const {
    return 0;
  }
  void enterOuterAlt(antlr4::ParserRuleContext*, std::size_t) final {}

  void enterRule(antlr4::ParserRuleContext* context, std::size_t, std::size_t) final {
    if (context->parent != nullptr) TreeArena::AddChild(context->parent, context);
    context->start = _input->current();
    _ctx = context;
    ++depth_;
  }

  void exitRule() {
    _ctx->stop = _input->previous();
    _ctx = static_cast<antlr4::ParserRuleContext*>(_ctx->parent);
    --depth_;
  }

  /// Calls `action` when a rule is left, in whatever way.
  template <typename Action>
  class AtExit {
   public:
    explicit AtExit(Action action) : action_(action) {}
    AtExit(const AtExit&) = delete;
    AtExit& operator=(const AtExit&) = delete;
    ~AtExit() { action_(); }

   private:
    Action action_;
  };
  template <typename Action>
  static AtExit<Action> finally(Action action) {
    return AtExit<Action>(action);
  }

  antlr4::Token* match(std::size_t type) final {
    if (_input->current()->type != type) Fail(type);
    return consume();
  }

  antlr4::Token* consume() final {
    antlr4::Token* token = _input->current();
    _input->consume();
    return token;
  }

  /// The grammar's action after a complete part. Parts of nested graphs are not handed over: their graph is one part.
  void Completed(antlr4::ParserRuleContext* part) {
    if (depth_ <= kTopLevelDepth && listener_ != nullptr) HandOver(part);
  }

  struct ErrorHandler {
    explicit ErrorHandler(ParserBase* owner) : parser(owner) {}
    ErrorHandler* operator->() { return this; }
    void sync(ParserBase*) { parser->Sync(); }
    void reportMatch(ParserBase*) {}
    antlr4::Token* recoverInline(ParserBase*) {
      parser->Fail(0);
      return nullptr;  // never reached: without an expected type there is no repair
    }
    void reportError(ParserBase*, const antlr4::RecognitionException&) { parser->ReportOnce(); }
    void recover(ParserBase*, const std::exception_ptr& error) { parser->Recover(error); }
    ParserBase* parser;
  };

  // The runtime predicts and recovers with an automaton (ATN). The parser does not use it, and building it would cost
  // each start a millisecond: only its place is kept, for syntax/automaton.h. Within generated code, these names hide
  // those of the runtime. The code of 4.10 and later builds the automaton outside of the class, where nothing can be
  // hidden, when a process makes its first parser.
  struct atn {  // NOLINT(readability-identifier-naming)
    struct ATNDeserializer {
      antlr4::atn::ATN deserialize(const std::vector<std::uint16_t>& serialized) const {
        serialized_atn_ = &serialized;
        return {};
      }
    };
    struct ParserATNSimulator {
      template <typename... Unused>
      explicit ParserATNSimulator(const Unused&...) {}
    };
  };
  atn::ParserATNSimulator* _interpreter = nullptr;  // NOLINT(readability-identifier-naming)

  TreeArena _tracker;                         // NOLINT(readability-identifier-naming): generated code's names
  antlr4::ParserRuleContext* _ctx = nullptr;  // NOLINT(readability-identifier-naming)
  syntax::TokenStream* _input;                // NOLINT(readability-identifier-naming)
  ErrorHandler _errHandler;                   // NOLINT(readability-identifier-naming)

 private:
  // File, item, its named part and one list: the depth of Completed() calls that are not inside a nested graph.
  static constexpr int kTopLevelDepth = 4;
  // Rules on the stack. A nested graph takes eight, a nested type two, a record in a list six: with 100 messages, the
  // most that protobuf reads back, it stays below.
  static constexpr int kMaxRules = 1000;

  void Sync() {
    if (depth_ > kMaxRules) FailDepth();
    if (strategy_ != nullptr) strategy_->Sync(*this, _ctx);
  }
  void HandOver(antlr4::ParserRuleContext* part);
  void Continue();
  void Fail(std::size_t expected);  // returns only after a repair
  [[noreturn]] void FailDepth();
  void ReportOnce();
  void Recover(const std::exception_ptr& error);
  void KeepNodeOf(const antlr4::ParserRuleContext* broken);

  static inline const std::vector<std::uint16_t>* serialized_atn_ = nullptr;  // set when the program starts

  PartListener* listener_ = nullptr;
  Continuation* continuation_ = nullptr;  // null: with the next token
  ErrorStrategy* strategy_ = nullptr;
  int depth_ = 0;
  bool is_reported_ = false;    // the error that is being thrown
  std::size_t broken_end_ = 0;  // behind the first byte of the last context that is broken
};

}  // namespace onnxc::syntax

using onnxc::syntax::ParserBase;  // generated code names it without a namespace
