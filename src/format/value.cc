// Formats types, tensors, and any field of any message.
#include "format/formatter.h"
#include "syntax/syntax_errors.h"

namespace onnxc::format {

bool Formatter::BeginsType() const {
  switch (type()) {
    case Grammar::ELEMENT:
    case Grammar::SEQ:
    case Grammar::OPTIONAL:
    case Grammar::MAP:
    case Grammar::SPARSE_TENSOR:
    case Grammar::OPAQUE: return true;
    default: return false;
  }
}

// type : ELEMENT shape? | (SEQ | OPTIONAL) '(' innerType ')' | MAP '(' key=name ',' innerType ')'
//      | SPARSE_TENSOR '(' key=name shape? ')' | OPAQUE '(' opaque? ')'
// shape : '[' dims? ']'
void Formatter::Type() {
  const std::size_t constructor = type();
  Token();
  if (constructor == Grammar::ELEMENT) {
    if (Is(Grammar::LBRACKET)) List(Grammar::RBRACKET, [&] { Dim(); });
    return;
  }
  Token();
  if (constructor == Grammar::MAP) {
    Token();
    Comma();
    Blank();
  }
  if (constructor == Grammar::SPARSE_TENSOR) {
    Token();
    if (Is(Grammar::LBRACKET)) List(Grammar::RBRACKET, [&] { Dim(); });
  } else if (constructor == Grammar::OPAQUE) {
    Opaque();
  } else {
    InnerType();
  }
  Close();
}

// opaque : name ('.' name)* (',' name)?
void Formatter::Opaque() {
  if (Is(Grammar::RPAREN)) return;
  DottedName();
  if (!Is(Grammar::COMMA)) return;
  Comma();
  Blank();
  Token();
}

// innerType : annotation* (inPlace | type)
void Formatter::InnerType() {
  Annotations(Style::kInline);
  Is(Grammar::AT_BRACE) ? Record() : Type();
}

// dim : annotation* (inPlace | '?' | INT | ID | STRING | keyword)
void Formatter::Dim() {
  Annotations(Style::kInline);
  Is(Grammar::AT_BRACE) ? Record() : Token();
}

// tensor     : type tensorRest?
// tensorRest : nm=name '='? data? | '=' data? | dense
void Formatter::Tensor() {
  Type();
  if (syntax::IsName(type())) {
    Blank();
    Token();
  }
  if (Is(Grammar::EQUALS)) {
    Blank();
    Token();
  }
  Data();
}

// data : dense | '[' pair (',' pair)* ']'
// pair : key=STRING ':' val=(STRING | INT)
void Formatter::Data() {
  if (Is(Grammar::LBRACKET)) {
    Blank();
    List(Grammar::RBRACKET, [&] { Member(); });
  } else if (Is(Grammar::DATA) || Is(Grammar::LBRACE)) {
    Blank();
    Dense();
  }
}

// dense : DATA | STRING_DATA | '{' (packed=dense | element (',' element)*)? '}'
void Formatter::Dense() {
  if (Is(Grammar::DATA)) return Numbers();
  Token();
  if (Is(Grammar::DATA) || Is(Grammar::LBRACE)) {
    Dense();
  } else {
    Fill(Grammar::RBRACE, [&] { Element(); });
  }
  Close();
}

// element : scalar (':' scalar)? | '[' INT (',' INT)* ']' ':' scalar
void Formatter::Element() {
  if (Is(Grammar::LBRACKET)) {
    Token();
    Token();
    while (Is(Grammar::COMMA)) {
      Comma();
      Blank();
      Token();
    }
    Close();
  } else {
    Token();
  }
  if (!Is(Grammar::COLON)) return;
  Token();
  Blank();
  Token();
}

// annotation : '@' path fieldValue | PRAGMA
void Formatter::Annotations(Style style) {
  for (;;) {
    if (Is(Grammar::PRAGMA)) {
      Pragma();
    } else if (Is(Grammar::AT)) {
      Token();
      DottedName();
      Blank();
      FieldValue();
      style == Style::kLines ? Line() : Blank();
    } else {
      return;
    }
  }
}

// path : name ('.' name)*
void Formatter::DottedName() {
  Token();
  while (Is(Grammar::DOT)) Tokens(2);
}

// fieldValue : INT | FLOAT | SPECIAL | ID | STRING | record | list | '(' native ')'
// list       : '[' (member (',' member)*)? ']'
void Formatter::FieldValue() {
  switch (type()) {
    case Grammar::LBRACKET: return List(Grammar::RBRACKET, [&] { Member(); });
    case Grammar::LBRACE:
    case Grammar::DATA: return Record();
    case Grammar::LPAREN:
      Token();
      Native();
      return Close();
    default: return Token();
  }
}

// member : fieldValue (':' fieldValue)?
void Formatter::Member() {
  FieldValue();
  if (!Is(Grammar::COLON)) return;
  Token();
  Blank();
  FieldValue();
}

// record      : DATA | '{' (recordField (',' recordField)*)? '}'
// recordField : key=name ':' fieldValue
// inPlace     : '@{' (recordField (',' recordField)*)? '}'
void Formatter::Record() {
  if (Is(Grammar::DATA)) return Numbers();
  List(Grammar::RBRACE, [&] {
    Tokens(2);
    Blank();
    FieldValue();
  });
}

// native : annotation* (tensor | header? nm=(ID | STRING) formals? graphRest)
void Formatter::Native() {
  Annotations(Style::kInline);
  if (BeginsType()) return Tensor();
  if (Is(Grammar::LESS)) {
    Header();
    Line();
  }
  Named();
}

}  // namespace onnxc::format
