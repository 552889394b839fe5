// Tokens that need to look ahead: a comment that begins with `onnxc:` is a pragma, which stands only before an element;
// and `#` in a string begins no comment.
#include "tree_sitter/parser.h"

enum TokenType { COMMENT, PRAGMA, CONTENT, ERROR_SENTINEL };

void *tree_sitter_onnxtxt_external_scanner_create(void) { return NULL; }
void tree_sitter_onnxtxt_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_onnxtxt_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}
void tree_sitter_onnxtxt_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

static bool is_blank(int32_t c) { return c == ' ' || c == '\t'; }
static bool is_space(int32_t c) { return is_blank(c) || (c >= '\n' && c <= '\r'); }

// The part of a string up to its end or an escape.
static bool scan_content(TSLexer *lexer) {
  bool any = false;
  for (; !lexer->eof(lexer) && lexer->lookahead != '"' && lexer->lookahead != '\\'; any = true) {
    lexer->advance(lexer, false);
  }
  lexer->result_symbol = CONTENT;
  return any;
}

bool tree_sitter_onnxtxt_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols) {
  (void)payload;
  if (valid_symbols[CONTENT] && !valid_symbols[ERROR_SENTINEL]) return scan_content(lexer);

  while (is_space(lexer->lookahead)) lexer->advance(lexer, true);
  if (lexer->lookahead != '#') return false;
  lexer->advance(lexer, false);
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, false);
  const char *word = "onnxc:";
  for (; *word != '\0' && lexer->lookahead == *word; ++word) lexer->advance(lexer, false);
  lexer->result_symbol = *word == '\0' ? PRAGMA : COMMENT;
  while (!lexer->eof(lexer) && lexer->lookahead != '\n') lexer->advance(lexer, false);
  return valid_symbols[lexer->result_symbol];
}
