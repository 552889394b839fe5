#include "syntax/scanner.h"

#include <gtest/gtest.h>

#include "syntax/OnnxTextLexer.h"
#include "syntax/OnnxTextParser.h"
#include "tables/element_types.h"

namespace onnxc {

using syntax::Scanner;
using syntax::SyntaxToken;

namespace {

using T = OnnxTextParser;
using Tokens = std::vector<std::pair<std::size_t, std::string>>;

Tokens Scan(std::string_view text, Scanner::ListTokens list_tokens = Scanner::ListTokens::kNumbers) {
  Tokens tokens;
  Scanner scanner(text, list_tokens);
  for (SyntaxToken token;;) {
    scanner.Next(token);
    if (token.type == antlr4::Token::EOF) return tokens;
    EXPECT_EQ(text.substr(token.begin, token.text.size()), token.text);
    tokens.emplace_back(token.type, token.text);
  }
}

std::size_t TypeOf(std::string_view text) {
  const Tokens tokens = Scan(text);
  return tokens.size() == 1 ? tokens.front().first : 0;
}

TEST(Scanner, Words) {
  EXPECT_EQ(TypeOf("conv_1"), T::ID);
  EXPECT_EQ(TypeOf("_"), T::ID);
  EXPECT_EQ(TypeOf("Float"), T::ID);
  EXPECT_EQ(TypeOf("undefined"), T::ID);
  for (const char* word : {"float", "uint8", "bfloat16", "float8e4m3fnuz", "int2", "complex128", "string"}) {
    EXPECT_EQ(TypeOf(word), T::ELEMENT) << word;
  }
  EXPECT_EQ(TypeOf("sparse_tensor"), T::SPARSE_TENSOR);
  for (const char* word : {"nan", "NaN", "inf", "INF", "infinity", "Infinity"})
    EXPECT_EQ(TypeOf(word), T::SPECIAL) << word;
  for (const char* word : {"inf2", "nanx", "infinite", "inf_"}) EXPECT_EQ(TypeOf(word), T::ID) << word;
}

TEST(Scanner, Numbers) {
  for (const char* number : {"0", "007", "-5", "18446744073709551616"}) EXPECT_EQ(TypeOf(number), T::INT) << number;
  for (const char* number : {"5.", "1.e2", "1E+10", "-0.5e-3", "1e", "1e+", "-inf", "-NaN", "-Infinity"}) {
    EXPECT_EQ(TypeOf(number), T::FLOAT) << number;
  }
  EXPECT_EQ(Scan("1.2.3"), (Tokens{{T::FLOAT, "1.2"}, {T::DOT, "."}, {T::INT, "3"}}));
  EXPECT_EQ(Scan("12abc"), (Tokens{{T::INT, "12"}, {T::ID, "abc"}}));
  EXPECT_EQ(Scan("- 5"), (Tokens{{T::INVALID, "-"}, {T::INT, "5"}}));
  EXPECT_EQ(Scan("-foo"), (Tokens{{T::INVALID, "-"}, {T::ID, "foo"}}));
}

TEST(Scanner, Strings) {
  EXPECT_EQ(TypeOf("\"a \\\" # \n \xff\""), T::STRING);
  EXPECT_EQ(TypeOf("\"\\\\\""), T::STRING);
  EXPECT_EQ(TypeOf("\"open"), T::INVALID);
  EXPECT_EQ(TypeOf("\"open\\"), T::INVALID);
  EXPECT_EQ(TypeOf("\"open\\\""), T::INVALID);
}

TEST(Scanner, BlanksAndComments) {
  EXPECT_EQ(Scan(" \t\n\v\f\ra # b\r c\nd#"), (Tokens{{T::ID, "a"}, {T::ID, "d"}}));
  EXPECT_EQ(Scan("\xc2\xa0"), (Tokens{{T::INVALID, "\xc2\xa0"}}));
}

TEST(Scanner, ArrowIsOneToken) {
  EXPECT_EQ(Scan("=>"), (Tokens{{T::ARROW, "=>"}}));
  EXPECT_EQ(Scan("= >"), (Tokens{{T::EQUALS, "="}, {T::GREATER, ">"}}));
}

// A list of numbers after `=` is one token; with any other member, it is a list of tokens.
TEST(Scanner, ListTokensOfNumbers) {
  EXPECT_EQ(Scan("k = [1, -2.5e3]").back(), (std::pair<std::size_t, std::string>{T::NUMBERS, "[1, -2.5e3]"}));
  EXPECT_EQ(Scan("k = []").back().first, T::RBRACKET);
  EXPECT_EQ(Scan("k = [1, \"a\"]").back().first, T::RBRACKET);
  EXPECT_EQ(Scan("k = [1, # one\n 2]").back().first, T::RBRACKET);
  EXPECT_EQ(Scan("k = [inf]").back().first, T::RBRACKET);
  EXPECT_EQ(Scan("float[1, 2]").back().first, T::RBRACKET);
  EXPECT_EQ(Scan("k = [1, 2").back().first, T::INT);
}

TEST(Scanner, ListTokensOfData) {
  for (const char* text : {"w = {1, nan}", "float[1] {1}", "float w {}", "float {1}", "\"w\" { 1 }"}) {
    EXPECT_EQ(Scan(text).back().first, T::DATA) << text;
  }
  for (const char* text : {"() {}", "> {}", "w = {\"a\"}", "w = {1, # one\n 2}"}) {
    EXPECT_EQ(Scan(text).back().first, T::RBRACE) << text;
  }
}

// A list of plain strings is one token if this is requested; a list without strings never is.
TEST(Scanner, ListTokensOfStrings) {
  const auto scan = [](std::string_view text) { return Scan(text, Scanner::ListTokens::kAll); };
  for (const char* list : {"[\"a\"]", "[ \"a\",\n\"\\\"]\" ]", "[\"\",\"#\"]"}) {
    EXPECT_EQ(scan(std::string("k = ") + list).back(), (std::pair<std::size_t, std::string>{T::STRINGS, list}));
    EXPECT_EQ(Scan(std::string("k = ") + list).back().first, T::RBRACKET) << list;
  }
  for (const char* text : {"w = {\"a\"}", "string[1] {\"a\", \"b\"}", "string w { \"a\" }", "\"w\" {\"}\"}"}) {
    EXPECT_EQ(scan(text).back().first, T::STRING_DATA) << text;
    EXPECT_EQ(Scan(text).back().first, T::RBRACE) << text;
  }
  for (const char* text :
       {"[\"a\"]", "k = [\"a\", 1]", "k = [\"a\", # one\n \"b\"]", "k = [b\"a\"]", "k = [\"a\": \"b\"]", "k = [\"a\",]",
        "k = [,\"a\"]", "k = [\"a\" \"b\"]", "k = [[\"a\"]]", "k = []"}) {
    EXPECT_EQ(scan(text).back().first, T::RBRACKET) << text;
  }
  for (const char* text : {"() {\"a\"}", "w = {\"a\": 1}", "w = {\"a\" = Op()}"}) {
    EXPECT_EQ(scan(text).back().first, T::RBRACE) << text;
  }
  EXPECT_EQ(scan("k = [\"a\", \"b\"}").back().first, T::RBRACE);
  EXPECT_EQ(scan("k = [\"a\", \"b\"").back().first, T::STRING);
  EXPECT_EQ(scan("k = [\"a\", \"b").back().first, T::INVALID);
  EXPECT_EQ(scan("k = [1, 2]").back().first, T::NUMBERS);
}

// A word is distinguished from `b"..."` and from a keyword, whatever its length is.
TEST(Scanner, WordsNextToOthers) {
  EXPECT_EQ(Scan("b"), (Tokens{{T::ID, "b"}}));
  EXPECT_EQ(Scan("b\"x\""), (Tokens{{T::STRING, "b\"x\""}}));
  EXPECT_EQ(Scan("b \"x\""), (Tokens{{T::ID, "b"}, {T::STRING, "\"x\""}}));
  EXPECT_EQ(Scan("ab\"x\""), (Tokens{{T::ID, "ab"}, {T::STRING, "\"x\""}}));
  for (std::size_t size = 1; size < 80; ++size) {
    const std::string word(size, 'f');
    EXPECT_EQ(Scan(word + " " + word + ","), (Tokens{{T::ID, word}, {T::ID, word}, {T::COMMA, ","}}));
  }
}

// The lexer that ANTLR generates from the lexer rules of the grammar gives the same tokens, except for list tokens.
TEST(Scanner, AgreesWithTheGrammar) {
  std::vector<std::string> texts = {
      "<ir_version: 8, opset_import: [\"\" : 17]>\ng (float[N, ?, 3] x, seq(map(int64, string)) \"y 1\") => "
      "(optional(T) z) {\n"
      "  [n] a, , \"b\" = my.dom.Op:ov <k: ints = [ 1,2, -3 ], f = -1.5e-3, t = float[2] w {1, 2}, r = @x> (p, , q) # "
      "end\n}\n",
      "- -1 --1 -inf 1.e5 1.2.3 1e 1e+ 1e+x 007 inf_ nan(1) \"a\\\"b\" \"\\\\\" ' ; $ \"open",
      "float8e4m3fn float8e4m3fnuz float8 opaque(a.b,c) sparse_tensor INFINITY Nan undefined => = > =>",
      "#only a comment",
      "",
      "\n\t\v\f\r",
      "a\r\nb#c\rd\ne",
      "[1,2] {1,2} [] {} 5.e 5.5.5 .5 -.5 +5",
  };
  for (const ElementType& type : kElementTypes) texts.emplace_back(type.keyword);
  for (const std::string& text : texts) {
    antlr4::ANTLRInputStream input(text);
    OnnxTextLexer lexer(&input);
    lexer.removeErrorListeners();
    Tokens expected;
    for (const auto& token : lexer.getAllTokens()) expected.emplace_back(token->getType(), token->getText());
    Tokens actual;
    for (const auto& [type, spelling] : Scan(text)) {
      if (type != T::NUMBERS && type != T::DATA) {
        actual.emplace_back(type, spelling);
        continue;
      }
      for (const auto& inner : Scan(spelling.substr(0, 1))) actual.push_back(inner);
      for (const auto& inner : Scan(spelling.substr(1))) actual.push_back(inner);
    }
    if (text.find("\"open") != std::string::npos) {  // where the string does not end the lexer goes on behind the quote
      actual.pop_back();
      expected.resize(actual.size());
    }
    EXPECT_EQ(actual, expected) << text;
  }
}

}  // namespace
}  // namespace onnxc
