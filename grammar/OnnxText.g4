// The ONNX text syntax.
//
// Every decision is LL(1): one token of lookahead chooses the alternative. A test checks that the generated parser never
// calls adaptivePredict. This property makes the parser fast and its errors local, so changes must preserve it.
//
// No word is reserved. Words with their own token (element types, `seq`, `nan`, ...) can still be used as names; see
// `keyword`. All other words with a meaning (`domain`, `ints`, ...) are identifiers that the builder looks up in
// src/tables. Any name may also be a string.
//
// The lexer rules at the end define the tokens. src/syntax/scanner.cc is a handwritten implementation of them on bytes.
//
// Completed(x) passes the complete part x of a top-level graph or function to the builder. The builder lowers the part,
// and its subtree is freed (see src/syntax/parser_base.h).
grammar OnnxText;

options { superClass = ParserBase; }
tokens { NUMBERS, DATA, STRINGS, STRING_DATA }  // see the end of this file

@parser::preinclude {
#include "syntax/parser_base.h"
}

// ---- one rule for each kind of file

itemsFile  : item+ EOF ;        // a model, or only functions
itemFile   : item EOF ;         // one graph or function
nodeFile   : node EOF ;
attrFile   : attr EOF ;
typeFile   : innerType EOF ;
tensorFile : innerTensor EOF ;
shapeFile  : (dims | record)? EOF ;
runValueFile : runValue EOF ;  // a sequence, a map or an optional
nodesRest  : (node { Completed($node.ctx); })* '}' ;  // the rest of a body: src/lower/speculative_body.h

// ---- models, graphs, functions

// A graph or a function, which have the same syntax: position and header decide which one it is (src/lower/model.cc). The
// only item of a text may also be a complete model.
item     : annotation* (inPlace | (header annotation*)? named) { Completed($ctx); } ;
named    : itemName { Completed($itemName.ctx); } inputs? '=>' outputs { Completed($outputs.ctx); } values? body ;
itemName : nm=name formals? ;

header  : '<' entry (',' entry)* '>' ;
entry   : key=name ':' fieldValue ;

formals : '<' formal (',' formal)* '>' ;
formal  : annotation* (inPlace | nm=name (':' kind=name)? (eq='=' attrValue)?) ;

inputs    : '(' (value { Completed($value.ctx); } (',' value { Completed($value.ctx); })*)? ')' ;
outputs   : '(' (valueInfo (',' valueInfo)*)? ')' ;
values    : '<' (value { Completed($value.ctx); } (',' value { Completed($value.ctx); })*)? '>' ;
value     : valueInfo (eq='=' data?)? ;
valueInfo : annotation* (inPlace | type nm=name | bare=(ID | STRING | SPECIAL)) ;
body      : '{' (node { Completed($node.ctx); })* '}' ;

// ---- nodes and attributes

// Nodes are most of a model, so this rule lists the alternatives of `name`: a set of tokens creates no node of the tree.
node   : annotation* (inPlace | (lb='[' label=(ID | STRING | ELEMENT | SEQ | OPTIONAL | MAP | SPARSE_TENSOR | OPAQUE | SPECIAL)? ']')?
           out=names '=' op? (':' overload=name)? (attrs '(' in=names ')' | '(' in=names ')' attrs?)) ;
names  : (ID | STRING | keyword)? (',' (ID | STRING | keyword)?)* ;
op     : '.'? (ID | STRING | keyword) ('.' (ID | STRING | keyword))* ;
attrs  : '<' attr (',' attr)* '>' ;
attr   : annotation* (inPlace | nm=(ID | STRING | ELEMENT | SEQ | OPTIONAL | MAP | SPARSE_TENSOR | OPAQUE | SPECIAL)
           (':' kind=(ID | STRING | ELEMENT | SEQ | OPTIONAL | MAP | SPARSE_TENSOR | OPAQUE | SPECIAL))? '=' attrValue) ;
attrValue : NUMBERS | STRINGS | open='[' (attrItem (',' attrItem)*)? ']' | attrItem ;
attrItem  : (INT | FLOAT | SPECIAL) | (STRING | ID) graphRest? | inPlace | tensor
          | '@' path (fieldValue annotation* (tensor | nm=(STRING | ID) graphRest))? ;  // a reference, unless a value follows
graphRest : inputs? '=>' outputs values? body ;

// ---- types and tensors

type   : ELEMENT shape?
       | (SEQ | OPTIONAL) '(' innerType ')'
       | MAP '(' key=name ',' innerType ')'
       | SPARSE_TENSOR '(' key=name shape? ')'
       | OPAQUE '(' opaque? ')' ;
innerType : annotation* (inPlace | type) ;
shape  : '[' dims? ']' ;
dims   : dim (',' dim)* ;
dim    : annotation* (inPlace | '?' | INT | ID | STRING | keyword) ;
opaque : name ('.' name)* (',' name)? ;

// A type, or a tensor if a tensorRest follows: `float[2] = {1, 2}`, `float[2] x {1, 2}`, `float[2] {1, 2}`.
// (External data cannot directly follow the type, because their `[` would be read as dimensions.)
tensor      : type tensorRest? ;
innerTensor : annotation* (inPlace | tensor) ;
tensorRest : nm=name '='? data? | '=' data? | dense ;
data       : dense | '[' pair (',' pair)* ']' ;
pair       : key=STRING ':' val=(STRING | INT) ;
dense      : DATA | STRING_DATA | '{' (packed=dense | element (',' element)*)? '}' ;
element    : scalar (':' scalar)? | '[' INT (',' INT)* ']' ':' scalar ;  // with ':' the index and value of a sparse tensor
scalar     : INT | FLOAT | SPECIAL | STRING | ID ;

name    : ID | STRING | keyword ;
keyword : ELEMENT | SEQ | OPTIONAL | MAP | SPARSE_TENSOR | OPAQUE | SPECIAL ;

// ---- any field of any message (src/lower/field.cc)

// Precedes an element: a field that the syntax of the element does not write, or a pragma.
annotation : '@' path fieldValue | PRAGMA ;
path       : (ID | STRING | keyword) ('.' (ID | STRING | keyword))* ;
fieldValue : INT | FLOAT | SPECIAL | ID | STRING | record | list | '(' native ')' ;
list       : '[' (member (',' member)*)? ']' ;
member     : fieldValue (':' fieldValue)? ;
record     : DATA | '{' (recordField (',' recordField)*)? '}' ;  // DATA: an empty record after a name
recordField : key=name ':' fieldValue ;
native     : annotation* (tensor | header? nm=(ID | STRING) formals? graphRest) ;

// Replaces an element: lists all of its fields.
inPlace    : '@{' (recordField (',' recordField)*)? '}' ;

// Sequences, maps and optionals are values at run time. A record is their only syntax.
runValue   : annotation* inPlace ;

// ---- tokens

LPAREN : '(' ; RPAREN : ')' ; LBRACKET : '[' ; RBRACKET : ']' ; LBRACE : '{' ; RBRACE : '}' ; LESS : '<' ; GREATER : '>' ;
COMMA : ',' ; COLON : ':' ; EQUALS : '=' ; ARROW : '=>' ; DOT : '.' ; QUESTION : '?' ; AT : '@' ; AT_BRACE : '@{' ;

ELEMENT : 'float' | 'uint8' | 'int8' | 'uint16' | 'int16' | 'int32' | 'int64' | 'string' | 'bool' | 'float16' | 'double'
        | 'uint32' | 'uint64' | 'complex64' | 'complex128' | 'bfloat16' | 'float8e4m3fn' | 'float8e4m3fnuz' | 'float8e5m2'
        | 'float8e5m2fnuz' | 'uint4' | 'int4' | 'float4e2m1' | 'float8e8m0' | 'uint2' | 'int2' | 'float6e2m3'
        | 'float6e3m2' ;
SEQ : 'seq' ; OPTIONAL : 'optional' ; MAP : 'map' ; SPARSE_TENSOR : 'sparse_tensor' ; OPAQUE : 'opaque' ;
SPECIAL : [nN] [aA] [nN] | [iI] [nN] [fF] | [iI] [nN] [fF] [iI] [nN] [iI] [tT] [yY] ;

ID      : [A-Za-z_] [A-Za-z_0-9]* ;
INT     : '-'? [0-9]+ ;
FLOAT   : '-'? [0-9]+ ('.' [0-9]* EXPONENT? | EXPONENT) | '-' SPECIAL ;  // no letter or digit may follow -SPECIAL
STRING  : 'b'? '"' (~["\\] | '\\' .)* '"' ;  // `\x` means x for any x; after `b`, it is a C escape
SPACE   : [ \t\n\u000B\f\r]+ -> skip ;
PRAGMA  : '#' [ \t]* 'onnxc:' ~[\n]* ;
COMMENT : '#' ~[\n]* -> skip ;
INVALID : . ;

fragment EXPONENT : [eE] [+-]? [0-9]* ;  // the builder refuses an exponent without digits

// List tokens exist only in the scanner: a complete list of literals is one token, which the builder decodes. NUMBERS begins
// with a `[` after `=`. DATA begins with a `{` after `=`, `]`, `{`, a name or a type; in these places, the `{` cannot begin the
// body of a graph. STRINGS and STRING_DATA begin in the same places and are lists of one or more plain strings without `b"..."`.
// Only the parser's first pass uses them, because messages are about single strings. A list with anything else (a type, a
// comment, numbers among strings) is not a list token; each of its parts is a token.
