// Formats models, graphs, functions, nodes and attributes.
#include "format/formatter.h"

#include <utility>

#include "syntax/brackets.h"
#include "syntax/syntax_errors.h"

namespace onnxc::format {
namespace {

/// Returns whether the list of attributes at the cursor contains a graph: as text, or in a record or an annotation. The
/// cursor is at the `<`.
bool HoldsGraph(Cursor at) {
  if (at.EndOfPlainList()) return false;
  std::size_t depth = 0;
  std::size_t before = 0;  // types of the last two tokens
  std::size_t last = 0;
  bool is_of_graphs = false;  // the current attribute has the type: `k: graph = ...`
  do {
    const std::size_t type = at.type();
    const std::string_view text = at.token().text;
    const bool is_field = text == "g" || text == "graphs";
    if (type == Grammar::ARROW) return true;
    if (type == Grammar::AT_BRACE && is_of_graphs) return true;
    if (is_field && depth == 1 && last == Grammar::AT && before != Grammar::EQUALS)
      return true;  // this is not a reference
    if (depth == 1 && last == Grammar::COLON) is_of_graphs = text == "graph" || text == "graphs";
    if (depth == 1 && type == Grammar::COMMA) is_of_graphs = false;
    if (syntax::IsOpening(type)) ++depth;
    if (syntax::IsClosing(type)) --depth;
    before = std::exchange(last, type);
    at.Advance();
    if (is_field && depth == 2 && at.type() == Grammar::COLON) return true;  // `@{name: "k", g: ...}`
  } while (depth > 0);
  return false;
}

}  // namespace

void Formatter::File(Kind kind) {
  switch (kind) {
    case Kind::kModel:
    case Kind::kGraph:
    case Kind::kFunction:
      for (bool first = true; !AtEnd(); first = false) {
        if (!first) Line(EmptyLine::kAlways);
        Item();
      }
      return;
    case Kind::kNode: return Node();
    case Kind::kAttribute: return Attribute();
    case Kind::kType: return InnerType();
    case Kind::kTensor: Annotations(Style::kLines); return Is(Grammar::AT_BRACE) ? Record() : Tensor();
    case Kind::kShape:
      if (Is(Grammar::LBRACE) || Is(Grammar::DATA)) return Record();
      return Fill(antlr4::Token::EOF, [&] { Dim(); });
    case Kind::kSequence:
    case Kind::kMap:
    case Kind::kOptional: Annotations(Style::kLines); return Record();
  }
}

// item : annotation* (inPlace | (header annotation*)? named)
void Formatter::Item() {
  Annotations(Style::kLines);
  if (Is(Grammar::AT_BRACE)) return Record();
  if (Is(Grammar::LESS)) {
    Header();
    Line();
    Annotations(Style::kLines);
  }
  Named();
}

// header : '<' entry (',' entry)* '>'
// entry  : key=name ':' fieldValue
void Formatter::Header() {
  Lines(Grammar::GREATER, [&] {
    Tokens(2);
    Blank();
    FieldValue();
  });
}

// named    : itemName inputs? '=>' outputs values? body
// itemName : nm=name formals?
void Formatter::Named() {
  Token();
  if (Is(Grammar::LESS)) Attributes(HoldsGraph(at_));
  BehindName();
}

void Formatter::BehindName() {
  Blank();
  if (Is(Grammar::LPAREN)) {
    Values();
    Blank();
  }
  Token();
  Blank();
  Values();
  Blank();
  if (Is(Grammar::LESS)) {
    Lines(Grammar::GREATER, [&] { Value(); });
    Blank();
  }
  Body();
}

// inputs  : '(' (value (',' value)*)? ')'
// outputs : '(' (valueInfo (',' valueInfo)*)? ')'
void Formatter::Values() {
  CommentsBeforeBracket();
  Brackets(ListStyle::kOneEach, Grammar::RPAREN, [&] { Value(); });
}

// value     : valueInfo (eq='=' data?)?
// valueInfo : annotation* (inPlace | type nm=name | bare=(ID | STRING | SPECIAL))
void Formatter::Value() {
  Annotations(Style::kInline);
  if (Is(Grammar::AT_BRACE)) {
    Record();
  } else if (BeginsType()) {
    Type();
    Blank();
    Token();
  } else {
    Token();
  }
  if (!Is(Grammar::EQUALS)) return;
  Blank();
  Token();
  Data();
}

// body : '{' node* '}'
void Formatter::Body() {
  Block(Grammar::RBRACE, [&](EmptyLine before) {
    Line(before);
    Node();
  });
}

// node : annotation* (inPlace | (lb='[' label=name? ']')? out=names '=' op? (':' overload=name)?
//        (attrs '(' in=names ')' | '(' in=names ')' attrs?))
void Formatter::Node() {
  Annotations(Style::kLines);
  if (Is(Grammar::AT_BRACE)) return Record();
  if (CopyNode()) return;
  if (Is(Grammar::LBRACKET)) {
    Token();
    if (!Is(Grammar::RBRACKET)) Token();
    Close();
    Blank();
  }
  Names(Grammar::EQUALS);
  Blank();
  Token();
  Operator();
  Operands();
}

// names : name? (',' name?)*
void Formatter::Names(std::size_t end) {
  if (Is(Grammar::COMMA)) Comments();  // otherwise they would follow the comma
  Fill(end, [&] {
    if (syntax::IsName(type())) Token();
  });
}

// op : '.'? name ('.' name)*
void Formatter::Operator() {
  if (!Is(Grammar::LPAREN) && !Is(Grammar::LESS)) Blank();
  while (syntax::IsName(type()) || Is(Grammar::DOT) || Is(Grammar::COLON)) Token();
}

// Attributes are written before the inputs. But attributes with a graph are written after the inputs, because they are
// large.
void Formatter::Operands() {
  const bool has_attributes_first = Is(Grammar::LESS);
  Cursor attributes = at_;
  if (!has_attributes_first) attributes.SkipBrackets();
  const bool has_attributes = attributes.type() == Grammar::LESS;
  const bool are_big = has_attributes && HoldsGraph(attributes);
  if (has_attributes && has_attributes_first == are_big && SwapOperands(are_big)) return;
  if (has_attributes_first) Attributes(are_big);
  Inputs();
  if (Is(Grammar::LESS)) Attributes(are_big);
}

// Writes the inputs and attributes in the other order. Returns false and writes nothing if this would reorder comments.
bool Formatter::SwapOperands(bool are_big) {
  Cursor first = at_;
  while (first.Comment() != nullptr) first.PassComment();
  Cursor second = first;
  const bool first_has_comments = second.SkipBrackets();
  if (second.Comment() != nullptr) return false;
  Cursor behind = second;
  const bool second_has_comments = behind.SkipBrackets();
  if (first_has_comments && second_has_comments) return false;

  Comments();
  at_ = second;
  Is(Grammar::LESS) ? Attributes(are_big) : Inputs();
  at_ = first;
  Is(Grammar::LESS) ? Attributes(are_big) : Inputs();
  at_ = behind;
  return true;
}

void Formatter::Inputs() {
  Blank();
  Token();
  Names(Grammar::RPAREN);
  Close();
}

// attrs   : '<' attr (',' attr)* '>'
// formals : '<' formal (',' formal)* '>'
void Formatter::Attributes(bool are_big) {
  Blank();
  if (are_big) CommentsBeforeBracket();
  Brackets(are_big ? ListStyle::kBlock : ListStyle::kFill, Grammar::GREATER, [&] { Attribute(); });
}

// attr   : annotation* (inPlace | nm=name (':' kind=name)? '=' attrValue)
// formal : annotation* (inPlace | nm=name (':' kind=name)? (eq='=' attrValue)?)
void Formatter::Attribute() {
  Annotations(Style::kInline);
  if (Is(Grammar::AT_BRACE)) return Record();
  Token();
  if (Is(Grammar::COLON)) {
    Token();
    Blank();
    Token();
  }
  if (!Is(Grammar::EQUALS)) return;
  Blank();
  Token();
  Blank();
  AttributeValue();
}

// attrValue : NUMBERS | STRINGS | open='[' (attrItem (',' attrItem)*)? ']' | attrItem
void Formatter::AttributeValue() {
  if (Is(Grammar::NUMBERS)) return Numbers();
  if (Is(Grammar::LBRACKET)) return List(Grammar::RBRACKET, [&] { AttributeItem(); });
  AttributeItem();
}

// attrItem : (INT | FLOAT | SPECIAL) | (STRING | ID) graphRest? | inPlace | tensor
//          | '@' path (fieldValue annotation* (tensor | nm=(STRING | ID) graphRest))?
void Formatter::AttributeItem() {
  if (Is(Grammar::AT_BRACE)) return Record();
  if (Is(Grammar::AT)) {
    Token();
    DottedName();
    if (Is(Grammar::COMMA) || Is(Grammar::GREATER) || Is(Grammar::RBRACKET) || AtEnd()) return;  // a reference
    Blank();
    FieldValue();
    Blank();
    Annotations(Style::kInline);
  }
  if (BeginsType()) return Tensor();
  Token();
  if (Is(Grammar::LPAREN) || Is(Grammar::ARROW)) BehindName();
}

}  // namespace onnxc::format
