#include "lsp/context.h"

#include <algorithm>
#include <string_view>

#include "lsp/spelling.h"

namespace onnxc::lsp {
namespace {

/// What an open bracket is about.
enum class Bracket : std::uint8_t {
  kItem,        // none: the text itself, or the value of an attribute that is a graph
  kHeader,      // `<` before the name of a graph
  kFormals,     // `<` behind it
  kValues,      // `(` or `<` of inputs, outputs and initializers
  kBody,        // `{` of nodes
  kAttributes,  // `<` of a node
  kOperands,    // `(` of a node
  kShape,
  kList,
  kOther,
};

/// An open bracket, and what stood behind it since the last comma, or the last node.
struct Frame {
  Bracket bracket = Bracket::kItem;
  bool has_name = false;    // of an item: it has its name; elsewhere: a word
  bool has_arrow = false;   // of an item: `=>`
  bool has_equals = false;  // `=`
  bool has_colon = false;
  bool has_type = false;      // a type word is the last token, or its shape
  bool has_at = false;        // `@` is the last token but the word
  bool has_operands = false;  // of a node: `(...)` is closed
  std::size_t commas = 0;
  std::size_t node_begin = std::string_view::npos;  // of a body: where the node begins
  std::string first = {};                           // the first word: an attribute's name, a header's key
  std::string domain = {};                          // of the operator
  std::string op = {};
  std::vector<std::string> attributes = {};
};

/// Reads the tokens before a cursor.
class ContextReader {
 public:
  ContextReader(std::string_view text, bool begins_in_body) : text_(text) {
    frames_.push_back({.bracket = begins_in_body ? Bracket::kBody : Bracket::kItem});
  }

  void Read(const TextToken& token) {
    const std::string_view word = text_.substr(token.range.begin, token.range.end - token.range.begin);
    switch (token.kind) {
      case TokenKind::kMark: return ReadMark(word);
      case TokenKind::kName:
      case TokenKind::kKeyword:
      case TokenKind::kString:
      case TokenKind::kNumber: return ReadWord(token);
      default: return;
    }
  }

  [[nodiscard]] CursorContext Result() const;

 private:
  Frame& top() { return frames_.back(); }

  static void EndNode(Frame* frame) {
    const Bracket bracket = frame->bracket;
    *frame = {.bracket = bracket};
  }

  void ReadWord(const TextToken& token);
  void ReadMark(std::string_view mark);
  void Open(std::string_view mark);
  void Close(std::string_view mark);
  [[nodiscard]] Bracket KindOfOpened(std::string_view mark) const;
  [[nodiscard]] Slot SlotOf(const Frame& frame) const;

  std::string_view text_;
  std::vector<Frame> frames_;
};

// A node ends with its operands, or with attributes behind these: what follows begins the next one.
void ContextReader::ReadWord(const TextToken& token) {
  const auto word = NameOf(text_.substr(token.range.begin, token.range.end - token.range.begin));
  Frame& frame = top();
  const bool was_reference = frame.has_at;
  frame.has_at = false;
  if (frame.bracket == Bracket::kBody) {
    if (frame.has_operands) EndNode(&frame);
    frame.node_begin = std::min(frame.node_begin, token.range.begin);
    if (frame.has_equals) {
      if (!frame.op.empty() && frame.has_colon) return;  // an overload
      if (!frame.op.empty()) frame.domain += frame.domain.empty() ? frame.op : "." + frame.op;
      frame.op = word;
    }
    return;
  }
  if (was_reference) return;
  frame.has_type = token.kind == TokenKind::kKeyword && !frame.has_type;
  frame.has_name = frame.has_name || frame.bracket == Bracket::kItem;
  if (frame.first.empty() && token.kind != TokenKind::kNumber) frame.first = word;
}

void ContextReader::ReadMark(std::string_view mark) {
  Frame& frame = top();
  if (mark == "(" || mark == "<" || mark == "[" || mark == "{" || mark == "@{") return Open(mark);
  if (mark == ")" || mark == ">" || mark == "]" || mark == "}") return Close(mark);
  frame.has_at = mark == "@";
  if (mark == "=") frame.has_equals = true;
  if (mark == ":") frame.has_colon = true;
  if (mark == "=>") frame.has_arrow = true;
  if (mark != ",") return;
  if (frame.bracket == Bracket::kAttributes && !frame.first.empty()) frame.attributes.push_back(frame.first);
  if (frame.bracket == Bracket::kBody) return;
  ++frame.commas;
  frame.first.clear();
  frame.has_equals = frame.has_colon = frame.has_type = frame.has_arrow = false;
}

Bracket ContextReader::KindOfOpened(std::string_view mark) const {
  const Frame& frame = frames_.back();
  const bool is_graph = frame.bracket == Bracket::kAttributes && frame.has_equals;
  if (frame.bracket == Bracket::kItem || is_graph) {
    if (mark == "<" && !is_graph && !frame.has_name) return Bracket::kHeader;
    if (mark == "<") return frame.has_arrow ? Bracket::kValues : Bracket::kFormals;
    if (mark == "(") return frame.has_type ? Bracket::kOther : Bracket::kValues;
    if (mark == "{") return frame.has_arrow ? Bracket::kBody : Bracket::kOther;
  }
  if (frame.bracket == Bracket::kBody && frame.has_equals) {
    if (mark == "<") return Bracket::kAttributes;
    if (mark == "(") return Bracket::kOperands;
  }
  if (mark == "[") return frame.has_type ? Bracket::kShape : Bracket::kList;
  return Bracket::kOther;
}

void ContextReader::Open(std::string_view mark) {
  if (top().bracket == Bracket::kBody && top().has_operands && mark != "<") EndNode(&top());
  Frame opened{.bracket = KindOfOpened(mark)};
  opened.domain = top().domain;
  opened.op = top().op;
  if (opened.bracket == Bracket::kList) opened.first = top().first;
  top().has_at = false;
  frames_.push_back(std::move(opened));
}

// A bracket that was never opened closes nothing.
void ContextReader::Close(std::string_view mark) {
  if (frames_.size() == 1) {
    if (mark == "}") frames_.back() = {};
    return;
  }
  const Bracket closed = top().bracket;
  frames_.pop_back();
  Frame& frame = top();
  if (closed == Bracket::kOperands) frame.has_operands = true;
  if (closed == Bracket::kBody && frame.bracket == Bracket::kItem) frame = {};
}

Slot ContextReader::SlotOf(const Frame& frame) const {
  switch (frame.bracket) {
    case Bracket::kItem: return frame.has_name || frame.has_type ? Slot::kNone : Slot::kItem;
    case Bracket::kHeader: return frame.has_colon ? Slot::kHeaderValue : Slot::kHeaderKey;
    case Bracket::kFormals: return frame.has_colon && !frame.has_equals ? Slot::kAttributeType : Slot::kNone;
    case Bracket::kValues:
      if (frame.has_at) return Slot::kAnnotation;
      return frame.has_type || frame.has_equals || !frame.first.empty() ? Slot::kNone : Slot::kDeclaration;
    case Bracket::kBody:
      if (frame.has_at) return Slot::kAnnotation;
      if (frame.has_operands || !frame.has_equals) return Slot::kStatement;
      return frame.has_colon ? Slot::kNone : Slot::kOperator;
    case Bracket::kAttributes:
      if (frame.has_at) return frame.has_equals ? Slot::kReference : Slot::kAnnotation;
      if (frame.has_equals) return Slot::kAttributeValue;
      return frame.has_colon ? Slot::kAttributeType : Slot::kAttributeName;
    case Bracket::kOperands: return Slot::kOperand;
    case Bracket::kShape: return Slot::kDimension;
    case Bracket::kList: {
      if (frames_.size() < 2) return Slot::kNone;
      const Frame& around = frames_[frames_.size() - 2];
      const bool is_import = around.bracket == Bracket::kHeader && around.first == "opset_import";
      if (is_import) return frame.has_colon ? Slot::kNone : Slot::kImport;
      return around.bracket == Bracket::kAttributes ? Slot::kAttributeValue : Slot::kNone;
    }
    case Bracket::kOther: return Slot::kNone;
  }
  return Slot::kNone;
}

CursorContext ContextReader::Result() const {
  const Frame& frame = frames_.back();
  CursorContext context{.slot = SlotOf(frame)};
  context.op = frame.op;
  context.domain = frame.domain;
  context.index = frame.commas;
  context.key = frame.first;
  context.attributes = frame.attributes;
  const auto body =
      std::find_if(frames_.rbegin(), frames_.rend(), [](const Frame& f) { return f.bracket == Bracket::kBody; });
  context.node_begin = body == frames_.rend() ? std::string_view::npos : body->node_begin;
  if (context.slot == Slot::kOperator && !frame.op.empty()) {  // before a dot
    context.domain += context.domain.empty() ? frame.op : "." + frame.op;
  }
  return context;
}

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

SourceRange WordAt(std::string_view text, std::size_t offset) {
  SourceRange word = {offset, offset};
  while (word.begin > 0 && IsWordCharacter(text[word.begin - 1])) --word.begin;
  while (word.end < text.size() && IsWordCharacter(text[word.end])) ++word.end;
  return word;
}

/// Whether a string may be a word that is known; elsewhere its text is free.
bool TakesNames(Slot slot) {
  switch (slot) {
    case Slot::kImport:
    case Slot::kOperator:
    case Slot::kOperand:
    case Slot::kAttributeName:
    case Slot::kAttributeValue:
    case Slot::kDimension:
    case Slot::kReference: return true;
    default: return false;
  }
}

/// Extends a word over the string that is open before it, and over its closing quote if only characters of a name stand
/// before that. False: the string holds other text.
bool ExtendOverQuotes(std::string_view text, std::size_t open, CursorContext* context) {
  constexpr std::string_view kNoName = "\"\\,()[]{}<>= \t\r\n";
  SourceRange& word = context->word;
  if (text.substr(open + 1, word.begin - open - 1).find_first_of(kNoName) != std::string_view::npos) return false;
  context->is_quoted = true;
  context->letters.begin = open + 1;
  word.begin = open;
  const std::size_t end = text.find_first_of(kNoName, word.end);
  if (end == std::string_view::npos || text[end] != '"') return true;
  context->letters.end = end;
  word.end = end + 1;
  return true;
}

/// Where to begin to read, between two tokens: at the last node that begins before the cursor, else at the beginning of
/// the graph or function around it.
struct Start {
  std::size_t offset = 0;
  bool is_node = false;
};
Start StartBefore(const SymbolIndex& symbols, std::size_t offset) {
  const auto nodes = symbols.nodes();
  const auto next = std::ranges::lower_bound(nodes, offset, {}, [](const TextNode& node) { return node.range.begin; });
  const SymbolId scope = offset == 0 ? kNoSymbol : symbols.ItemOf(symbols.ScopeAt(offset - 1));
  const std::size_t item = scope == kNoSymbol ? 0 : symbols.scopes()[scope].range.begin;
  if (next == nodes.begin() || std::prev(next)->range.begin < item) return {item, false};
  return {std::prev(next)->range.begin, true};
}

/// The same for an offset of the current text.
Start StartBefore(const View& view, std::size_t offset) {
  Start start = StartBefore(view.symbols(), view.ToKnown(offset));
  if (view.IsGone(start.offset)) start = StartBefore(view.symbols(), view.change());
  return {view.ToCurrent(start.offset), start.is_node};
}

}  // namespace

CursorContext ContextAt(const View& view, std::size_t offset) {
  const std::string_view text = view.current().text();
  const SourceRange word = WordAt(text, offset);
  const Start start = StartBefore(view, word.begin);
  ContextReader reader(text, start.is_node);
  std::size_t open = std::string_view::npos;  // the quote of the string that the cursor is in
  for (const TextToken& token : TokensIn(text, {start.offset, word.begin}, /*comments=*/true)) {
    const bool is_inside = token.range.end > word.begin;
    if (token.kind == TokenKind::kComment && token.range.end >= word.begin) return {};
    if (is_inside && token.kind == TokenKind::kString && text[token.range.begin] == 'b') return {};
    if (is_inside && text[token.range.begin] == '"') {
      open = token.range.begin;
      break;
    }
    reader.Read(token);
  }
  CursorContext context = reader.Result();
  context.word = context.letters = word;
  context.node_begin = std::min(context.node_begin, word.begin);
  context.scope = view.symbols().ScopeAt(view.ToKnown(offset));
  if (open == std::string_view::npos) return context;
  return TakesNames(context.slot) && ExtendOverQuotes(text, open, &context) ? context : CursorContext();
}

std::optional<TextToken> TokenAt(const View& view, std::size_t offset) {
  const std::string_view text = view.current().text();
  std::optional<TextToken> found;
  for (const TextToken& token : TokensIn(text, {StartBefore(view, offset).offset, offset + 1})) {
    if (token.range.end >= offset) found = token;
  }
  return found;
}

}  // namespace onnxc::lsp
