#include "lsp/context.h"

#include <algorithm>
#include <string_view>

#include "lsp/spelling.h"

namespace onnxc::lsp {
namespace {

/// The part of an annotation that was read last.
enum class Annotation : std::uint8_t {
  kNone,
  kPath,   ///< after `@`: the path comes next
  kDot,    ///< after a dot in the path
  kValue,  ///< after a word of the path: a dot or the value comes next
};

/// The state of one open bracket, or of the top level: what has been read of the current element or node.
struct Frame {
  Bracket bracket = Bracket::kItem;
  bool has_name = false;    // at the top level: the name of the graph or function was read; in a bracket: a word was
                            // read
  bool has_arrow = false;   // at the top level: `=>` was read
  bool has_equals = false;  // `=` was read
  bool has_colon = false;
  bool has_type = false;      // the last token is an element type, or ends the shape of an element type
  bool has_operands = false;  // for a node: `(...)` was closed
  Annotation annotation = Annotation::kNone;
  std::size_t commas = 0;
  std::size_t node_begin = std::string_view::npos;  // for a body: where the current node begins
  // The first word of the element: the name of an attribute or header key.
  std::string first = {};
  std::string domain = {};  // the operator's domain
  std::string op = {};
  std::string overload = {};
  std::vector<std::string> given = {};      // names of the attributes or keys that were read
  std::vector<std::string> annotated = {};  // the paths of the annotations in front of the current element
};

/// Tracks the brackets and elements of the tokens before a cursor.
class ContextReader {
 public:
  ContextReader(std::string_view text, bool begins_in_body) : text_(text) {
    frames_.push_back({.bracket = begins_in_body ? Bracket::kBody : Bracket::kItem});
  }

  void Read(const TextToken& token) {
    const std::string_view word = text_.substr(token.range.begin, token.range.end - token.range.begin);
    const bool is_mark = token.kind == TokenKind::kMark;
    begins_ = is_mark && word != ")" && word != "]" && word != "}" && word != ">";
    if (ReadAnnotation(token.kind, word)) return;
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

  [[nodiscard]] bool ReadAnnotation(TokenKind kind, std::string_view word);
  void ReadWord(const TextToken& token);
  void ReadMark(std::string_view mark);
  void Open(std::string_view mark);
  void Close(std::string_view mark);
  [[nodiscard]] Bracket KindOfOpened(std::string_view mark) const;
  [[nodiscard]] Slot SlotOf(const Frame& frame) const;

  std::string_view text_;
  std::vector<Frame> frames_;
  bool begins_ = true;  // a new element may begin after the last token
};

// Reads annotations such as `@a.b value` before an element. A reference, `= @name`, begins in the same way, but no
// value follows it. Returns whether the token belongs to the annotation, so that the caller can skip it.
bool ContextReader::ReadAnnotation(TokenKind kind, std::string_view word) {
  Annotation& annotation = top().annotation;
  const bool is_mark = kind == TokenKind::kMark;
  if (is_mark && word == "@") {
    if (top().bracket == Bracket::kBody && top().has_operands) EndNode(&top());
    top().annotation = Annotation::kPath;
    return true;
  }
  if (annotation == Annotation::kNone) return false;
  if (is_mark && word == "." && annotation == Annotation::kValue) {
    annotation = Annotation::kDot;
    top().annotated.back() += '.';
    return true;
  }
  if (annotation == Annotation::kValue || is_mark) {
    const bool is_value = annotation == Annotation::kValue;
    annotation = Annotation::kNone;
    const bool opens = word == "(" || word == "[" || word == "{";
    if (is_value && opens) frames_.push_back({.bracket = Bracket::kOther});
    return is_value && (opens || !is_mark);
  }
  if (annotation == Annotation::kPath) top().annotated.emplace_back();
  top().annotated.back() += NameOf(word);
  annotation = Annotation::kValue;
  return true;
}

// Reads a word. A node ends after its operands, or after the attributes that follow the operands; a word after that
// begins another node.
void ContextReader::ReadWord(const TextToken& token) {
  const auto word = NameOf(text_.substr(token.range.begin, token.range.end - token.range.begin));
  Frame& frame = top();
  if (frame.bracket == Bracket::kBody) {
    if (frame.has_operands) EndNode(&frame);
    frame.node_begin = std::min(frame.node_begin, token.range.begin);
    if (frame.has_equals) {
      if (!frame.op.empty() && frame.has_colon) {
        frame.overload = word;
        return;
      }
      if (!frame.op.empty()) frame.domain += frame.domain.empty() ? frame.op : "." + frame.op;
      frame.op = word;
    }
    return;
  }
  frame.has_type = token.kind == TokenKind::kKeyword && !frame.has_type;
  frame.has_name = frame.has_name || frame.bracket == Bracket::kItem;
  if (frame.first.empty() && token.kind != TokenKind::kNumber) frame.first = word;
}

void ContextReader::ReadMark(std::string_view mark) {
  Frame& frame = top();
  if (mark == "(" || mark == "<" || mark == "[" || mark == "{" || mark == "@{") return Open(mark);
  if (mark == ")" || mark == ">" || mark == "]" || mark == "}") return Close(mark);
  if (mark == "=") frame.has_equals = true;
  if (mark == ":") frame.has_colon = true;
  if (mark == "=>") frame.has_arrow = true;
  if (mark != ",") return;
  const bool has_names = frame.bracket == Bracket::kAttributes || frame.bracket == Bracket::kHeader;
  if (has_names && !frame.first.empty()) frame.given.push_back(frame.first);
  if (frame.bracket == Bracket::kBody) return;
  ++frame.commas;
  frame.first.clear();
  frame.annotated.clear();
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
  opened.overload = top().overload;
  if (opened.bracket == Bracket::kList) opened.first = top().first;
  frames_.push_back(std::move(opened));
}

// Closes the innermost open bracket. If no bracket is open, `}` ends the current graph or function, and any other
// closing bracket is ignored.
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
  if (frame.annotation == Annotation::kPath) {
    return frame.bracket == Bracket::kAttributes && frame.has_equals ? Slot::kReference : Slot::kAnnotation;
  }
  if (frame.annotation != Annotation::kNone) return Slot::kNone;
  switch (frame.bracket) {
    case Bracket::kItem: return frame.has_name || frame.has_type ? Slot::kNone : Slot::kItem;
    case Bracket::kHeader: return frame.has_colon ? Slot::kHeaderValue : Slot::kHeaderKey;
    case Bracket::kFormals: return frame.has_colon && !frame.has_equals ? Slot::kAttributeType : Slot::kNone;
    case Bracket::kValues:
      return frame.has_type || frame.has_equals || !frame.first.empty() ? Slot::kNone : Slot::kDeclaration;
    case Bracket::kBody:
      if (frame.has_operands || !frame.has_equals) return Slot::kStatement;
      return frame.has_colon ? Slot::kOverload : Slot::kOperator;
    case Bracket::kAttributes:
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
  context.overload = frame.overload;
  context.given = context.slot == Slot::kAnnotation ? frame.annotated : frame.given;
  context.begins = begins_;
  context.bracket = frame.bracket;
  if (frames_.size() > 1) context.outer = frames_[frames_.size() - 2].bracket;
  const auto body =
      std::find_if(frames_.rbegin(), frames_.rend(), [](const Frame& f) { return f.bracket == Bracket::kBody; });
  context.node_begin = body == frames_.rend() ? std::string_view::npos : body->node_begin;
  if (context.slot == Slot::kOperator && !frame.op.empty()) {  // the word before a dot
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

/// Returns whether a string in this slot may be completed, because it contains a name. In other slots the contents of a
/// string are free text.
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

/// Extends the word to the string around the cursor. The closing quote is included if only characters of names are
/// between the cursor and this quote. Returns false if the string has other characters before the cursor.
bool ExtendOverQuotes(std::string_view text, std::size_t open, std::size_t cursor, CursorContext* context) {
  constexpr std::string_view kNoName = "\"\\,()[]{}<>= \t\r\n";
  if (open == cursor) {
    const std::size_t close = text.find_first_of("\"\\\r\n", open + 1);
    if (close == std::string_view::npos || text[close] != '"') return false;
    context->word = {open, close + 1};
    return true;
  }
  context->is_quoted = true;
  const bool is_behind = cursor > open + 1 && text[cursor - 1] == '"';  // the cursor is after the closing quote
  const std::size_t last = cursor - (is_behind ? 1 : 0);
  context->letters = text.substr(open + 1, last - open - 1);
  if (context->letters.find_first_of(kNoName) != std::string_view::npos) return false;
  const std::size_t end = text.find_first_of(kNoName, last);
  const bool is_closed = end != std::string_view::npos && text[end] == '"';
  context->word = {open, is_closed ? end + 1 : std::max(context->word.end, cursor)};
  return true;
}

/// Returns the first token that begins at or after the offset, or nothing if there is none.
std::optional<TextToken> NextToken(std::string_view text, std::size_t offset) {
  while (offset < text.size()) {
    offset = text.find_first_not_of(" \t\r\n\f\v", offset);
    if (offset == std::string_view::npos) return std::nullopt;
    const std::vector<TextToken> tokens = TokensIn(text, {offset, offset + 1});
    if (!tokens.empty()) return tokens.front();
    offset = text.find('\n', offset);  // after the comment
  }
  return std::nullopt;
}

bool IsMark(std::string_view text, const std::optional<TextToken>& token, std::string_view mark) {
  return token && text.substr(token->range.begin, token->range.end - token->range.begin) == mark;
}

bool IsName(const TextToken& token) {
  return token.kind == TokenKind::kName || token.kind == TokenKind::kKeyword || token.kind == TokenKind::kString;
}

bool IsInOneLine(std::string_view text, std::size_t begin, std::size_t end) {
  return text.substr(begin, end - begin).find('\n') == std::string_view::npos;
}

/// Returns the end of an operator whose first word ends at `end`. The operator includes the words after dots, and the
/// overload.
std::size_t EndOfOperator(std::string_view text, std::size_t end) {
  for (bool has_overload = false; !has_overload;) {
    const auto sign = NextToken(text, end);
    has_overload = IsMark(text, sign, ":");
    if (!has_overload && !IsMark(text, sign, ".")) break;
    const auto word = NextToken(text, sign->range.end);
    if (!word || !IsName(*word) || !IsInOneLine(text, end, word->range.end)) break;
    end = word->range.end;
  }
  return end;
}

/// Extends the word to the complete operator, even if the cursor is in the white space before the operator.
void ExtendOverOperator(std::string_view text, std::size_t cursor, CursorContext* context) {
  const auto next = NextToken(text, cursor);
  if (context->word.begin == context->word.end && next && IsName(*next)) {
    const auto behind = NextToken(text, next->range.end);
    // A name on another line is an output of the next node, or is an operator. Such an operator cannot be replaced,
    // because a completion must be an edit of one line.
    const bool is_result = IsMark(text, behind, "=") || IsMark(text, behind, ",");
    if (!IsInOneLine(text, cursor, next->range.begin)) {
      if (!is_result) context->slot = Slot::kNone;
      return;
    }
    if (is_result) return;
    context->word.end = next->range.end;
  }
  if (context->word.begin == context->word.end && IsMark(text, next, ".")) context->slot = Slot::kNone;
  if (context->word.begin < context->word.end) context->word.end = EndOfOperator(text, context->word.end);
}

constexpr std::size_t kMostBehind = std::size_t{1} << 16;  // bytes that are read behind the cursor

/// Adds each name between the offset and the end of the enclosing list if `:` or `=` follows the name.
void AddNamesBehind(std::string_view text, std::size_t offset, std::vector<std::string>* names) {
  int depth = 0;
  const TextToken* name = nullptr;
  const std::vector<TextToken> tokens = TokensIn(text, {offset, std::min(text.size(), offset + kMostBehind)});
  for (const TextToken& token : tokens) {
    const std::string_view word = text.substr(token.range.begin, token.range.end - token.range.begin);
    if (token.kind != TokenKind::kMark) {
      name = IsName(token) ? &token : nullptr;
      continue;
    }
    if (depth == 0 && name != nullptr && (word == ":" || word == "=")) {
      names->push_back(NameOf(text.substr(name->range.begin, name->range.end - name->range.begin)));
    }
    name = nullptr;
    const char c = word.back();
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
    if ((c == ')' || c == ']' || c == '}' || c == '>') && word != "=>" && --depth < 0) return;
  }
}

/// Adds the paths of the annotations between the offset and the element to which they belong.
void AddAnnotationsBehind(std::string_view text, std::size_t offset, std::vector<std::string>* paths) {
  int depth = 0;
  bool is_path = false;  // the last token is `@` or a dot, so a word of a path comes next
  const std::vector<TextToken> tokens = TokensIn(text, {offset, std::min(text.size(), offset + kMostBehind)});
  for (const TextToken& token : tokens) {
    const std::string_view word = text.substr(token.range.begin, token.range.end - token.range.begin);
    const bool is_mark = token.kind == TokenKind::kMark;
    if (depth == 0 && is_path && !is_mark) paths->back() += NameOf(word);
    is_path = depth == 0 && is_mark && (word == "@" || (word == "." && !paths->empty()));
    if (depth == 0 && word == "@") paths->emplace_back();
    if (is_path && word == ".") paths->back() += '.';
    if (!is_mark) continue;
    if (word == "(" || word == "[" || word == "{" || word == "@{") ++depth;
    const bool is_closed = (word == ")" || word == "]" || word == "}" || word == ">") && --depth < 0;
    if (is_closed || (depth == 0 && (word == "=" || word == "," || word == ":"))) return;
  }
}

/// The place between two tokens where reading begins: the last node that begins before the cursor or, if there is no
/// such node, the beginning of the enclosing graph or function.
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
  // If the offset is after the end of a subgraph, reading begins at the node that contains the subgraph.
  auto node = static_cast<SymbolId>(next - nodes.begin() - 1);
  for (SymbolId around = node; around != kNoSymbol;) {
    node = around;
    const TextScope& graph = symbols.scopes()[nodes[node].scope];
    around = offset > graph.range.end ? graph.node : kNoSymbol;
  }
  return {nodes[node].range.begin, true};
}

/// Like StartBefore() above, but the offset and the result are in the current text.
Start StartBefore(const View& view, std::size_t offset) {
  Start start = StartBefore(view.symbols(), view.ToKnown(offset));
  if (view.IsGone(start.offset)) start = StartBefore(view.symbols(), view.change());
  return {view.ToCurrent(start.offset), start.is_node};
}

}  // namespace

CursorContext ContextAt(const View& view, std::size_t offset) {
  const std::string_view text = view.current().text();
  SourceRange word = WordAt(text, offset);
  const Start start = StartBefore(view, word.begin);
  ContextReader reader(text, start.is_node);
  std::size_t open = std::string_view::npos;  // the opening quote of the string at the cursor
  for (const TextToken& token : TokensIn(text, {start.offset, offset + 1}, /*comments=*/true)) {
    if (token.range.begin > offset || token.range.end < word.begin) {
      if (token.range.begin < offset) reader.Read(token);
      continue;
    }
    const bool is_inside = token.range.begin < offset && token.range.end > offset;
    const bool is_comment = token.kind == TokenKind::kComment || token.kind == TokenKind::kPragma;
    if (is_comment && token.range.begin < offset) return {};
    if (token.kind == TokenKind::kString || text[token.range.begin] == '"') {
      if (text[token.range.begin] == 'b') return {};
      open = token.range.begin;
      break;
    }
    if (token.kind == TokenKind::kNumbers && is_inside) return {};
    if (token.kind == TokenKind::kNumber || IsName(token)) {
      word = token.range;
      break;
    }
    if (is_inside) return {};
    if (token.range.begin < offset) reader.Read(token);
  }
  CursorContext context = reader.Result();
  context.word = word;
  context.letters = text.substr(word.begin, offset - word.begin);
  context.scope = view.symbols().ScopeAt(view.ToKnown(offset));
  if (open != std::string_view::npos &&
      (!TakesNames(context.slot) || !ExtendOverQuotes(text, open, offset, &context))) {
    context.slot = Slot::kNone;
    return context;
  }
  if (context.slot == Slot::kOperator) ExtendOverOperator(text, offset, &context);
  context.begins = context.begins || context.word.begin < context.word.end;
  context.node_begin = std::min(context.node_begin, context.word.begin);
  context.next = NextToken(text, context.word.end);
  if (context.next && context.next->kind == TokenKind::kMark) context.mark = view.current().TextOf(context.next->range);
  const bool has_names = context.slot == Slot::kAttributeName || context.slot == Slot::kHeaderKey;
  if (has_names) AddNamesBehind(text, context.word.end, &context.given);
  if (context.slot == Slot::kAnnotation) AddAnnotationsBehind(text, context.word.end, &context.given);
  return context;
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
